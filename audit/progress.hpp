// SPDX-License-Identifier: Apache-2.0
// Progress of a long reading of a log, for a person who waits for it.
#pragma once

#include "audit/file_system.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace countersign::audit {

struct Progress {
    std::string_view doing;     // e.g. "checking"; reading the log twice has two phases
    std::uint64_t records = 0;  // read so far
    std::uint64_t bytes = 0;    // of the segments
    std::uint64_t of = 0;       // total size at the beginning; the log of a running hub may end beyond it
};
// Empty: no progress is counted or reported.
using Watch = std::function<void(const Progress&)>;

// Counts records and reports progress every few thousand records and at the end of each segment, rarely enough to cost
// nothing. Borrows the watch.
class Reading {
public:
    // Counts the segments from `first` on. An unreadable size is skipped: the reader will find out why.
    Reading(const Watch& watch, FileSystem& files, const std::string& directory, std::string_view doing,
            std::uint64_t first = 0);
    // One more record, which ends at this offset in its segment.
    void record(std::uint64_t offset);
    // The whole segment was read.
    void segment(std::uint64_t bytes);

private:
    void tell() const;
    const Watch& watch_;
    Progress progress_;
    std::uint64_t before_ = 0;  // size of the segments before this one
};

}  // namespace countersign::audit
