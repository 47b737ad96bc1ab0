// SPDX-License-Identifier: Apache-2.0
// Chain: takes the lines of a log in order and accepts only the one that continues it.
//
// Each record names the root of the tree before it, so one pass checks both the hash chain and the tree. Chain reads no
// files; recovery, the verifier and the tests pass it the lines.
//
// A record's fields are part of it, and so of every later signed tree. With Check::last a signature at the end of a
// part covers the roots that the part's records name, like every other byte, so they are not compared one by one:
// computing the root of a long log costs more than everything else about a record.
//
// A `key` record hands the log over to another key. It ends its batch and is signed by the old key; that signature is
// always checked. From the next record on only the new key's signature is valid.
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
    // When to check signatures and the roots that records name. Each signature covers everything before it, so the last
    // one of a part vouches for the whole part. Only `each` tells which record is the first wrong one.
    enum class Check { each, last };

    // `first`: the key that the log began with.
    explicit Chain(NoteKey first) : keys_{std::move(first)} {}

    struct Taken {
        RecordHead head;
        std::string_view json;       // in the line
        std::string_view signature;  // in the line; empty if it has none
    };
    // Errc::malformed: not a line of a log; a crash can leave this behind. Errc::damaged, Errc::bad_signature or
    // Errc::unsupported: a line that does not belong here, which no crash explains. On an error the chain is unchanged.
    [[nodiscard]] Result<Taken> take(std::string_view line, Check check);
    // Checks the last signature that Check::last left unchecked.
    [[nodiscard]] Result<void> check_last();

    [[nodiscard]] const CompactRange& range() const { return range_; }
    [[nodiscard]] Tree tree() const { return {.size = range_.size(), .root = root()}; }
    // The keys used so far; the current one signs what comes next.
    [[nodiscard]] const LogKeys& keys() const { return keys_; }
    // Whether a signature of this key was checked. A key that was only named vouches for nothing.
    [[nodiscard]] bool signed_by(const NoteKey& key) const;
    [[nodiscard]] std::uint64_t signatures_checked() const { return signatures_checked_; }
    [[nodiscard]] std::uint64_t signatures_unchecked() const { return signatures_ - signatures_checked_; }
    // How many signatures were removed, at least. When a record says that everything before it was on disk (`synced`),
    // a batch ended there; this counts such ends that have no signature. Not every end of a batch is named. The records
    // are still proven, because later signatures cover them.
    [[nodiscard]] std::uint64_t signatures_missing() const { return signatures_missing_; }

private:
    [[nodiscard]] const Hash& root() const;
    [[nodiscard]] Result<void> follows(const RecordHead& head, Check check) const;
    [[nodiscard]] Result<void> check(const Tree& tree, std::string_view signature);
    [[nodiscard]] Result<LogKeys> keys_after(std::string_view json) const;
    void note_batches(std::uint64_t synced, bool ends_batch);

    LogKeys keys_;
    CompactRange range_;
    mutable std::optional<Hash> root_;  // of the range, computed on demand
    struct Unchecked {
        CompactRange range;
        std::string signature;
    };
    std::optional<Unchecked> unchecked_;
    std::uint64_t signatures_ = 0;
    std::uint64_t signatures_checked_ = 0;
    std::uint64_t signatures_missing_ = 0;
    std::uint64_t synced_ = 0;           // the largest so far
    std::deque<std::uint64_t> batches_;  // the ends of batches that are not below `synced_`
    bool current_has_signed_ = false;
};

}  // namespace countersign::audit
