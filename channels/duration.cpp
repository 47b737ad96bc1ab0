// SPDX-License-Identifier: Apache-2.0
#include "channels/duration.hpp"

namespace countersign::channels {

std::string duration(std::chrono::milliseconds span, Language language) {
    // To the nearest second, as the log's own lines are rounded: 2.96 s is no 2 s here and 3.0 s there.
    const auto seconds = span < std::chrono::seconds{1} ? 0 : (span.count() + 500) / 1000;
    const auto one = [language](Key unit, auto number) {
        return text(language, unit, {{"number", std::to_string(number)}});
    };
    const auto two = [&](Key big_unit, auto big, Key small_unit, auto small) {
        if (small == 0) return one(big_unit, big);
        return text(language, Key::two_spans, {{"big", one(big_unit, big)}, {"small", one(small_unit, small)}});
    };
    if (seconds < 1) return one(Key::milliseconds, span.count());
    if (seconds < 60) return one(Key::seconds, seconds);
    if (seconds < 3600) return two(Key::minutes, seconds / 60, Key::seconds, seconds % 60);
    if (seconds < 86400) return two(Key::hours, seconds / 3600, Key::minutes, seconds % 3600 / 60);
    return two(Key::days, seconds / 86400, Key::hours, seconds % 86400 / 3600);
}

std::string moment(WallTime time) {
    const auto text = rfc3339(time);  // 2026-11-16T12:36:11.775Z
    const auto day = text.find('T');
    return text.substr(0, day) + " " + text.substr(day + 1, 5) + " UTC";
}

}  // namespace countersign::channels
