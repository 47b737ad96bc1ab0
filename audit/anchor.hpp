// SPDX-License-Identifier: Apache-2.0
// Anchors: copies of a log's checkpoint, or of the first digits of a tree's root, kept where the log's writer cannot
// reach them, e.g. posted in a chat. A log that was rolled back or rewritten, even with its key, does not agree with
// them.
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

// The log's tree of this size must have a root that begins with these digits.
struct Anchor {
    std::uint64_t size = 0;
    std::string root;       // hex, lower case, all 64 digits or the first of them
    std::string note = {};  // the whole note, if the anchor came from one
};
[[nodiscard]] bool agrees(const Anchor& anchor, const Tree& tree);

// The `anchor` records: a chat or a witness has seen the log up to this tree.
[[nodiscard]] LogEntry posted_record(const Place& place, const Tree& tree);
[[nodiscard]] LogEntry cosigned_record(const NoteKey& witness, const Tree& tree);

// Accepts a checkpoint that one of the log's keys signed.
[[nodiscard]] Result<Anchor> parse_checkpoint_anchor(std::string_view note, const LogKeys& keys);

// Reads a file of anchors and returns them sorted by size. A line is `size root`, or ends in `anchor size root`; the
// root has at least anchor_root_chars_min hexadecimal digits. Whole checkpoints signed by one of the keys are allowed
// too; empty lines and lines that begin with # are skipped. Errc::malformed names the line, Errc::bad_signature means a
// checkpoint of another key, Errc::too_large more than anchors_max anchors. A file without anchors is malformed: the
// caller passed it to prove something.
[[nodiscard]] Result<std::vector<Anchor>> parse_anchors(std::string_view text, const LogKeys& keys);

}  // namespace countersign::audit
