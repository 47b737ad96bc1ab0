// SPDX-License-Identifier: Apache-2.0
// Segments: the files that hold the lines of a log, in order.
//
// A segment is pre-filled with zeros and then overwritten, so a sync has no file size to update; zeros at its end are
// empty space, not damage. A batch never spans two segments. No segment is larger than segment_file_bytes_max, so
// segments are read whole.
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
// The number of segments. They are numbered from 0 without gaps; Errc::damaged otherwise.
[[nodiscard]] Result<std::uint64_t> count_segments(FileSystem& files, const std::string& directory);
[[nodiscard]] Result<std::string> read_segment(FileSystem& files, const std::string& directory, std::uint64_t number);

// Splits a segment's bytes into lines, up to the first position that does not begin one.
class SegmentLines {
public:
    // The bytes must outlive it.
    explicit SegmentLines(std::string_view bytes) : bytes_{bytes} {}
    // The next line without its LF. Empty at the end, at a zero byte, and at a line that contains one or has no LF.
    [[nodiscard]] std::optional<std::string_view> next();
    // The offset after the last line that next() returned.
    [[nodiscard]] std::size_t offset() const { return offset_; }

private:
    std::string_view bytes_;
    std::size_t offset_ = 0;
};

[[nodiscard]] std::string_view without_zero_tail(std::string_view bytes);

// Records found in bytes that are not all lines, as a hole in the file leaves them. They cannot be kept, but they say
// how much was on disk when they were written.
struct Remains {
    std::uint64_t lines = 0;
    std::uint64_t synced = 0;
};
[[nodiscard]] Remains remains_of(std::string_view bytes);

}  // namespace countersign::audit
