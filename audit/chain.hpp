// SPDX-License-Identifier: Apache-2.0
// Chain: takes the lines of a log in order and accepts only the one that continues it.
//
// One structure, not two: each record names the root of the tree before it, so that the hash chain and the tree are
// checked by the same pass. It reads no file; recovery, the verifier and their tests bring the lines.
//
// What a record names is part of it, and so of every signed tree that holds the record. Where signatures are checked at
// the end of a part, the names are bound by that signature like every other byte, and not compared one by one: a root
// of a long log costs more than everything else about a record.
//
// A `key` record hands the log over to another key. It ends its batch, and the key before it signs it: that signature
// is always checked, and from the next record on only the new key's counts.
#pragma once

#include "audit/log_keys.hpp"
#include "audit/merkle.hpp"
#include "audit/note.hpp"
#include "audit/record_head.hpp"
#include "core/result.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace countersign::audit {

class Chain {
public:
    // When signatures, and the roots that records name, are checked. Each signature covers everything before it, so the
    // last one of a part vouches for the part. Only `each` says which record is the first that is wrong.
    enum class Check { each, last };

    // Under the key that the log began with.
    explicit Chain(NoteKey first) : keys_{std::move(first)} {}

    struct Taken {
        RecordHead head;
        std::string_view json;       // in the line
        std::string_view signature;  // in the line; empty if it has none
    };
    // Errc::malformed: no line of a log, as a crash may leave it. Errc::damaged, Errc::bad_signature and
    // Errc::unsupported: a line, but not one that belongs here; no crash explains it. The chain is not changed then.
    [[nodiscard]] Result<Taken> take(std::string_view line, Check check);
    // Checks the last signature that Check::last left unchecked.
    [[nodiscard]] Result<void> check_last();

    [[nodiscard]] const CompactRange& range() const { return range_; }
    [[nodiscard]] Tree tree() const { return {.size = range_.size(), .root = root()}; }
    // Those that were in force so far; the current one signs what comes next.
    [[nodiscard]] const LogKeys& keys() const { return keys_; }
    // Whether a signature of this key was checked. A key that was only named has vouched for nothing.
    [[nodiscard]] bool signed_by(const NoteKey& key) const;
    [[nodiscard]] std::uint64_t signatures_checked() const { return signatures_checked_; }
    [[nodiscard]] std::uint64_t signatures_unchecked() const { return signatures_ - signatures_checked_; }
    // Signatures that were taken out: a record says that what came before it was on disk (`synced`), which was then the
    // end of a batch, and there is none. At least so many: not every end is spoken of. The records lose nothing by it,
    // because later signatures cover them.
    [[nodiscard]] std::uint64_t signatures_missing() const { return signatures_missing_; }

private:
    [[nodiscard]] const Hash& root() const;
    [[nodiscard]] Result<void> follows(const RecordHead& head, Check check) const;
    [[nodiscard]] Result<void> check(const Tree& tree, std::string_view signature);
    [[nodiscard]] Result<LogKeys> keys_after(std::string_view json) const;
    void note_batches(std::uint64_t synced, bool ends_batch);

    LogKeys keys_;
    CompactRange range_;
    mutable std::optional<Hash> root_;  // of the range, once somebody wanted to know it
    struct Unchecked {
        CompactRange range;
        std::string signature;
    };
    std::optional<Unchecked> unchecked_;
    std::uint64_t signatures_ = 0;
    std::uint64_t signatures_checked_ = 0;
    std::uint64_t signatures_missing_ = 0;
    std::uint64_t synced_ = 0;           // the largest so far
    std::deque<std::uint64_t> batches_;  // where those ended that are not below it
    bool current_has_signed_ = false;
};

}  // namespace countersign::audit
