// SPDX-License-Identifier: Apache-2.0
// How far a long reading of a log is, for somebody who waits for it.
#pragma once

#include "audit/file_system.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace countersign::audit {

struct Progress {
    std::string_view doing;     // "checking"; a reading that goes over the log twice has two of them
    std::uint64_t records = 0;  // read so far
    std::uint64_t bytes = 0;    // of the segments
    std::uint64_t of = 0;       // as large as they were when it began; a running hub's log may end beyond it
};
// Empty: nobody waits, and nothing is counted.
using Watch = std::function<void(const Progress&)>;

// Counts what is read, and tells it every few thousand records and at the end of each segment: rarely enough to cost
// nothing. Borrows the watch.
class Reading {
public:
    // The segments from `first` on. A size that cannot be had is left out: whoever reads will find out why.
    Reading(const Watch& watch, FileSystem& files, const std::string& directory, std::string_view doing,
            std::uint64_t first = 0);
    // One more, that ends there in its segment.
    void record(std::uint64_t offset);
    // All of a segment.
    void segment(std::uint64_t bytes);

private:
    void tell() const;
    const Watch& watch_;
    Progress progress_;
    std::uint64_t before_ = 0;  // bytes of the segments before this one
};

}  // namespace countersign::audit
