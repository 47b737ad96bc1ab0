// SPDX-License-Identifier: Apache-2.0
// Follower: reads the end of a log for a person who watches it, the last records and then new ones. Works next to a
// running hub.
//
// It verifies nothing; the verifier does. A record is shown once the signature of its batch is there; a record from
// next() also once it is on disk.
#pragma once

#include "audit/file_system.hpp"
#include "audit/record.hpp"
#include "core/result.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace countersign::audit {

struct TailRecord {
    std::string json;  // as in the log
    Record record;
};

class Follower {
public:
    // Borrows the file system. Without last(), next() begins with the first record.
    Follower(FileSystem& files, std::string directory) : files_{files}, directory_{std::move(directory)} {}

    // The last records, oldest first; next() continues after them. Lines that are not records are left out, see
    // damage().
    [[nodiscard]] Result<std::vector<TailRecord>> last(std::size_t records);
    // All records after this sequence number, which may not exist yet; next() continues from there. A reader that
    // remembers the last number it saw gets each record exactly once, even across its own restarts.
    [[nodiscard]] Result<std::vector<TailRecord>> after(std::uint64_t seq);
    // The records that arrived since, from one segment at a time, so that memory does not grow with the log. May be
    // empty.
    [[nodiscard]] Result<std::vector<TailRecord>> next();

    // Position of the first unreadable line so far, if any.
    [[nodiscard]] const std::optional<std::string>& damage() const { return damage_; }

    // Number of the newest record read, if any.
    [[nodiscard]] std::optional<std::uint64_t> newest() const { return newest_; }

private:
    [[nodiscard]] Result<void> sync_last();

    FileSystem& files_;
    std::string directory_;
    std::uint64_t segment_ = 0;
    std::uint64_t offset_ = 0;
    std::optional<std::uint64_t> after_;
    std::optional<std::uint64_t> newest_;
    std::optional<std::string> damage_;
};

}  // namespace countersign::audit
