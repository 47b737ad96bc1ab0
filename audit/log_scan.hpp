// SPDX-License-Identifier: Apache-2.0
// Reads a whole log from the first byte to the last and finds its valid prefix. Recovery and the verifier both use it,
// so they cannot disagree.
//
// The valid prefix ends at the last signature; anyone could have written the lines after it. A crash explains the rest
// only if no record says that it had been on disk (`synced`) and no checkpoint covers it. Memory: one segment and the
// right edge of the tree.
#pragma once

#include "audit/anchor.hpp"
#include "audit/chain.hpp"
#include "audit/file_system.hpp"
#include "audit/log_keys.hpp"
#include "audit/merkle.hpp"
#include "audit/note.hpp"
#include "audit/progress.hpp"
#include "audit/record.hpp"
#include "audit/record_head.hpp"
#include "core/result.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

namespace countersign::audit {

// The bytes after the valid prefix, without the empty space of segments.
struct Tail {
    std::uint64_t bytes = 0;
    std::uint64_t lines = 0;    // intact lines in it
    std::string sha256;         // hex, over these bytes in segment order
    std::string why;            // what is wrong with its first line
    std::uint64_t segment = 0;  // the segment in which it begins
};

struct Walked {
    std::uint64_t segments = 0;  // number of files
    std::uint64_t segment = 0;   // the segment in which the valid prefix ends
    std::uint64_t offset = 0;    // and the offset there
    CompactRange range;          // the tree of the valid records
    Tree tree;
    std::string signature;         // of the last valid line; with the tree it makes the latest checkpoint
    std::uint64_t signatures = 0;  // number of checked ones
    std::uint64_t unchecked = 0;   // number of unchecked ones
    std::uint64_t missing = 0;     // number of removed ones
    LogKeys keys;                  // all keys that the log has had, oldest first
    bool disagrees = false;        // with an anchor; the log may be right and the anchor wrong
    bool only_named = false;       // the trusted key is the current one but has not signed anything yet
    std::string last_kind;
    std::optional<std::uint64_t> checkpoint_size;  // what the checkpoint file covers, if it exists
    std::optional<Tail> tail;                      // set if a crash explains it
    std::optional<Error> broken;  // Errc::damaged, bad_signature or unsupported: no crash explains this
};

// The checkpoint of the valid prefix, from its last line. Precondition: the prefix is not empty.
[[nodiscard]] std::string checkpoint_of(const Walked& walked);

struct Walking {
    Chain::Check check = Chain::Check::each;           // for the segments before the last
    std::function<void(const Record&)> record = {};    // called for each valid record, in order
    std::function<void(const RecordHead&)> head = {};  // the same, without the cost of parsing the whole record
    std::function<void(const Record&)> anchor = {};    // called for each valid `anchor` record
    std::span<const Anchor> anchors = {};  // sorted by size; the log is broken unless it agrees with each of them
    // The last segment is checked more closely: a crash leaves its traces there, and recovery continues it.
    Chain::Check check_in_last = Chain::Check::each;
    Watch progress = {};
};

// Fails only if something cannot be read. The log is valid only if `trusted` signed it: from the beginning, or from the
// `key` record that handed the log over to it. Each of its signatures covers everything before; later keys are valid
// because it vouched for them.
[[nodiscard]] Result<Walked> walk(FileSystem& files, const std::string& directory, const NoteKey& trusted,
                                  const Walking& walking);

}  // namespace countersign::audit
