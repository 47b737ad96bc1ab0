// SPDX-License-Identifier: Apache-2.0
// A stream gives the same lines however it is split, and none is longer than the bound.
#include "net/line_framing.hpp"

#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace {

using countersign::net::Line;
using countersign::net::LineFraming;

constexpr std::size_t line_bytes_max = 16;

std::vector<Line> lines_of(std::string_view stream, std::size_t piece) {
    LineFraming framing{line_bytes_max};
    std::vector<Line> lines;
    while (!stream.empty()) {
        framing.push(stream.substr(0, piece));
        stream.remove_prefix(std::min(piece, stream.size()));
        while (auto line = framing.pop()) lines.push_back(std::move(*line));
    }
    framing.finish();
    while (auto line = framing.pop()) lines.push_back(std::move(*line));
    return lines;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view stream{reinterpret_cast<const char*>(data) + 1, size - 1};
    const auto whole = lines_of(stream, stream.size() + 1);
    if (lines_of(stream, 1U + data[0] % 32U) != whole) std::abort();
    for (const auto& line : whole) {
        const bool dropped = line.bytes_dropped > line_bytes_max && line.text.empty();
        const bool kept = line.bytes_dropped == 0 && !line.text.empty() && line.text.size() <= line_bytes_max;
        if (!dropped && !kept) std::abort();
        if (line.text.find('\n') != std::string::npos) std::abort();
    }
    return 0;
}
