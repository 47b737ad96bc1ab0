// SPDX-License-Identifier: Apache-2.0
// Anchors: what somebody kept of a log where its writer cannot reach, such as a checkpoint or the head of a root that
// was posted in a chat. A log that was rolled back or rewritten, even with its key, does not agree with them.
#pragma once

#include "audit/log_keys.hpp"
#include "audit/merkle.hpp"
#include "core/attempt.hpp"
#include "core/ports/ledger.hpp"
#include "core/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::audit {

// The log must have had, at this size, a root that begins like this.
struct Anchor {
    std::uint64_t size = 0;
    std::string root;       // hex, lower case, all 64 digits or the first of them
    std::string note = {};  // the whole note, if it was one
};
[[nodiscard]] bool agrees(const Anchor& anchor, const Tree& tree);

// The `anchor` records: that a chat or a witness has seen the log so far.
[[nodiscard]] LogEntry posted_record(const Place& place, const Tree& tree);
[[nodiscard]] LogEntry cosigned_record(const NoteKey& witness, const Tree& tree);

// A checkpoint that one of the log's keys signed.
[[nodiscard]] Result<Anchor> parse_checkpoint_anchor(std::string_view note, const LogKeys& keys);

// A file of them, sorted by size: lines of `size root`, or with it behind the word `anchor`, the root as at least
// anchor_root_chars_min hexadecimal digits, and whole checkpoints that one of the keys signed; empty lines and those
// that begin with # are not read. Errc::malformed names the line, Errc::bad_signature for a checkpoint of another key,
// Errc::too_large past anchors_max. A file without any is malformed: it was given to prove something.
[[nodiscard]] Result<std::vector<Anchor>> parse_anchors(std::string_view text, const LogKeys& keys);

}  // namespace countersign::audit
