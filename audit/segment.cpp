// SPDX-License-Identifier: Apache-2.0
#include "audit/segment.hpp"

#include "audit/record.hpp"
#include "core/limits.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

namespace countersign::audit {
namespace {

constexpr std::string_view prefix = "seg-";
constexpr std::string_view suffix = ".log";
constexpr std::size_t digits_min = 6;

std::optional<std::uint64_t> segment_number(std::string_view name) {
    if (!name.starts_with(prefix) || !name.ends_with(suffix)) return std::nullopt;
    const auto digits = name.substr(prefix.size(), name.size() - prefix.size() - suffix.size());
    std::uint64_t number = 0;
    const auto* end = digits.data() + digits.size();
    const auto [stop, failure] = std::from_chars(digits.data(), end, number);
    if (failure != std::errc{} || stop != end || segment_name(number) != name) return std::nullopt;
    if (number == std::numeric_limits<std::uint64_t>::max()) return std::nullopt;  // no number would follow it
    return number;
}

// The largest `synced` anywhere in the bytes. Searches for the name instead of parsing records, because a record is
// evidence even if its own end, or the line break before it, was damaged. Inside a string the quotes would be escaped.
std::uint64_t synced_anywhere(std::string_view bytes) {
    constexpr std::string_view name = "\"synced\":";
    std::uint64_t largest = 0;
    for (auto at = bytes.find(name); at != std::string_view::npos; at = bytes.find(name)) {
        bytes.remove_prefix(at + name.size());
        std::uint64_t number = 0;
        std::from_chars(bytes.data(), bytes.data() + bytes.size(), number);
        largest = std::max(largest, number);
    }
    return largest;
}

}  // namespace

std::string segment_name(std::uint64_t number) {
    auto digits = std::to_string(number);
    if (digits.size() < digits_min) digits.insert(0, digits_min - digits.size(), '0');
    return std::string{prefix} + digits + std::string{suffix};
}

Result<std::uint64_t> count_segments(FileSystem& files, const std::string& directory) {
    const auto names = files.list(directory);
    if (!names) return names.error();
    std::uint64_t count = 0;
    std::uint64_t after_last = 0;
    for (const auto& name : *names) {
        const auto number = segment_number(name);
        if (!number) continue;
        ++count;
        after_last = std::max(after_last, *number + 1);
    }
    if (count == after_last) return count;
    return Error{Errc::damaged, "a segment is missing: there are " + std::to_string(count) + ", the last one is " +
                                    segment_name(after_last - 1)};
}

Result<std::string> read_segment(FileSystem& files, const std::string& directory, std::uint64_t number) {
    auto bytes = read_whole(files, directory + "/" + segment_name(number), limits::segment_file_bytes_max);
    if (!bytes && bytes.error().code == Errc::too_large) return Error{Errc::damaged, bytes.error().detail};
    return bytes;
}

std::optional<std::string_view> SegmentLines::next() {
    const auto rest = bytes_.substr(offset_);
    const auto end = rest.substr(0, line_bytes_max + 1).find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    const auto line = rest.substr(0, end);
    if (line.find('\0') != std::string_view::npos) return std::nullopt;
    offset_ += end + 1;
    return line;
}

std::string_view without_zero_tail(std::string_view bytes) {
    const auto last = bytes.find_last_not_of('\0');
    return last == std::string_view::npos ? std::string_view{} : bytes.substr(0, last + 1);
}

Remains remains_of(std::string_view bytes) {
    constexpr std::string_view borders{"\n\0", 2};
    Remains remains{.lines = 0, .synced = synced_anywhere(bytes)};
    while (!bytes.empty()) {
        const auto piece = bytes.substr(0, bytes.find_first_of(borders));
        bytes.remove_prefix(std::min(piece.size() + 1, bytes.size()));
        if (piece.empty() || piece.size() > line_bytes_max) continue;
        const auto line = split_line(piece);
        if (line && parse_record(line->json)) ++remains.lines;
    }
    return remains;
}

}  // namespace countersign::audit
