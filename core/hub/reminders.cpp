// SPDX-License-Identifier: Apache-2.0
#include "core/hub/reminders.hpp"

#include "core/limits.hpp"

#include <algorithm>

namespace countersign {

std::optional<std::chrono::milliseconds> next_reminder(std::optional<std::chrono::milliseconds> wish, bool has_deadline,
                                                       std::size_t sent) {
    if (!wish && has_deadline) return std::nullopt;
    const auto first = wish.value_or(limits::reminder_first);
    if (first.count() <= 0 || sent >= limits::reminders_max) return std::nullopt;
    const auto most = std::max(first, limits::reminder_interval_max);
    auto wait = first;
    for (std::size_t i = 0; i < sent && wait < most; ++i) wait = std::min(wait * 2, most);
    return wait;
}

}  // namespace countersign
