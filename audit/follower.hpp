// SPDX-License-Identifier: Apache-2.0
// The end of a log, for somebody who looks at it: the last records, and those that come. Works beside a running hub.
//
// It checks nothing: `verify` does. A record is shown when the signature of its batch is there; one that came, when it
// is on disk.
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
    std::string json;  // as it stands in the log
    Record record;
};

class Follower {
public:
    // Borrows the file system. Without last(), next() begins with the first record.
    Follower(FileSystem& files, std::string directory) : files_{files}, directory_{std::move(directory)} {}

    // The last records, oldest first; next() goes on behind them. Lines that are no records are left out, see damage().
    [[nodiscard]] Result<std::vector<TailRecord>> last(std::size_t records);
    // Everything behind the record of that number, which need not be there yet; next() goes on with what comes. A
    // reader that remembers the last number it has seen gets each record once, also over its own restarts.
    [[nodiscard]] Result<std::vector<TailRecord>> after(std::uint64_t seq);
    // What came since, of one segment at a time, so that memory does not grow with the log. Empty when nothing did.
    [[nodiscard]] Result<std::vector<TailRecord>> next();

    // Where the first line was that could not be read, of all that were looked at; nothing if there was none.
    [[nodiscard]] const std::optional<std::string>& damage() const { return damage_; }

    // The number of the newest record that was read; nothing if there was none.
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
