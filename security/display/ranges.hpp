// SPDX-License-Identifier: Apache-2.0
// Ranges of code points, and a search in them.
#pragma once

#include <algorithm>
#include <iterator>
#include <span>

namespace countersign::security {

struct CodeRange {
    char32_t first;
    char32_t last;
};

// Precondition: the ranges are sorted and don't overlap.
[[nodiscard]] inline bool in_ranges(std::span<const CodeRange> ranges, char32_t code) {
    const auto after = std::ranges::upper_bound(ranges, code, {}, &CodeRange::first);
    return after != ranges.begin() && code <= std::prev(after)->last;
}

}  // namespace countersign::security
