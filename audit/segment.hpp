// SPDX-License-Identifier: Apache-2.0
// Segments: the files that hold the lines of a log, one after the other.
//
// A segment is written into zeros that were there before, so that a sync has no size to update; zeros at its end are
// empty space, not damage. A whole batch is in one segment. No segment is larger than segment_file_bytes_max, so it is
// read whole.
#pragma once

#include "audit/file_system.hpp"
#include "core/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace countersign::audit {

// seg-000000.log
[[nodiscard]] std::string segment_name(std::uint64_t number);
// How many there are. They are numbered from 0 without a gap: Errc::damaged otherwise.
[[nodiscard]] Result<std::uint64_t> count_segments(FileSystem& files, const std::string& directory);
[[nodiscard]] Result<std::string> read_segment(FileSystem& files, const std::string& directory, std::uint64_t number);

// Splits the bytes of a segment into lines, up to where there are none any more.
class SegmentLines {
public:
    // The bytes must outlive it.
    explicit SegmentLines(std::string_view bytes) : bytes_{bytes} {}
    // Without its LF. Nothing at the end, at a zero byte, in a line that holds one or that is not ended.
    [[nodiscard]] std::optional<std::string_view> next();
    // Behind the last line that next() gave.
    [[nodiscard]] std::size_t offset() const { return offset_; }

private:
    std::string_view bytes_;
    std::size_t offset_ = 0;
};

[[nodiscard]] std::string_view without_zero_tail(std::string_view bytes);

// The records that stand in bytes that are not all lines, as a hole leaves them: they cannot be kept, but they say how
// much was on disk when they were written.
struct Remains {
    std::uint64_t lines = 0;
    std::uint64_t synced = 0;
};
[[nodiscard]] Remains remains_of(std::string_view bytes);

}  // namespace countersign::audit
