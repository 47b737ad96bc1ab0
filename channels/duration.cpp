// SPDX-License-Identifier: Apache-2.0
#include "channels/duration.hpp"

namespace countersign::channels {

std::string duration(std::chrono::milliseconds span) {
    // To the nearest second, as the log's own lines are rounded: 2.96 s is no 2 s here and 3.0 s there.
    const auto seconds = span < std::chrono::seconds{1} ? 0 : (span.count() + 500) / 1000;
    const auto two = [](auto big, const char* big_unit, auto small, const char* small_unit) {
        const auto head = std::to_string(big) + " " + big_unit;
        return small == 0 ? head : head + " " + std::to_string(small) + " " + small_unit;
    };
    if (seconds < 1) return std::to_string(span.count()) + " ms";
    if (seconds < 60) return std::to_string(seconds) + " s";
    if (seconds < 3600) return two(seconds / 60, "min", seconds % 60, "s");
    if (seconds < 86400) return two(seconds / 3600, "h", seconds % 3600 / 60, "min");
    return two(seconds / 86400, "d", seconds % 86400 / 3600, "h");
}

std::string moment(WallTime time) {
    const auto text = rfc3339(time);  // 2026-11-16T12:36:11.775Z
    const auto day = text.find('T');
    return text.substr(0, day) + " " + text.substr(day + 1, 5) + " UTC";
}

}  // namespace countersign::channels
