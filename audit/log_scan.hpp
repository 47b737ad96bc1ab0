// SPDX-License-Identifier: Apache-2.0
// Walks a whole log, from its first byte to its last, and says how far it holds. Recovery and the verifier are both
// made of it, so that they cannot disagree.
//
// What holds ends behind a signature: a line that none covers could have been put there by anybody. What stands behind
// it is explained by a crash only if no record says that it had been on disk (`synced`), and no checkpoint covers it.
// Memory: one segment, and the right edge of the tree.
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

// What stands behind the last line that holds; the empty space of segments does not count.
struct Tail {
    std::uint64_t bytes = 0;
    std::uint64_t lines = 0;    // intact ones among it
    std::string sha256;         // hex, over the bytes in the order of the segments
    std::string why;            // what is wrong with its first line
    std::uint64_t segment = 0;  // in which one it begins
};

struct Walked {
    std::uint64_t segments = 0;  // how many files there are
    std::uint64_t segment = 0;   // in which one the last line that holds ends
    std::uint64_t offset = 0;    // and where
    CompactRange range;          // the tree of the records that hold
    Tree tree;
    std::string signature;         // of the last line that holds: with the tree it is the latest checkpoint
    std::uint64_t signatures = 0;  // how many were checked
    std::uint64_t unchecked = 0;   // and how many were not
    std::uint64_t missing = 0;     // how many were taken out
    LogKeys keys;                  // that were in force, one after the other
    bool disagrees = false;        // with an anchor; the log may be right, and the anchor wrong
    bool only_named = false;       // the trusted key is the current one, and has signed nothing yet
    std::string last_kind;
    std::optional<std::uint64_t> checkpoint_size;  // of the checkpoint file, if there is one
    std::optional<Tail> tail;                      // there is one, and a crash explains it
    std::optional<Error> broken;  // no crash explains what is there: Errc::damaged, bad_signature or unsupported
};

// The checkpoint of what holds, as its last line says it. There is one only if something holds.
[[nodiscard]] std::string checkpoint_of(const Walked& walked);

struct Walking {
    Chain::Check check = Chain::Check::each;           // how to check the segments before the last
    std::function<void(const Record&)> record = {};    // called for each record that holds, in order
    std::function<void(const RecordHead&)> head = {};  // the same, without the cost of reading all of it
    std::function<void(const Record&)> anchor = {};    // for each `anchor` record that holds
    std::span<const Anchor> anchors = {};  // sorted by size; the log is broken if it does not agree with each of them
    // The last segment is where a crash leaves its traces, and recovery continues it: each is checked there.
    Chain::Check check_in_last = Chain::Check::each;
    Watch progress = {};
};

// An error only when something cannot be read. The log holds only if `trusted` signed it: from the beginning, or from
// the `key` record on that handed the log over to it; each of its signatures covers what came before. What came after
// it was handed on, is good by its word.
[[nodiscard]] Result<Walked> walk(FileSystem& files, const std::string& directory, const NoteKey& trusted,
                                  const Walking& walking);

}  // namespace countersign::audit
