// SPDX-License-Identifier: Apache-2.0
#include "channels/wrong_codes.hpp"

#include "core/limits.hpp"

#include <algorithm>

namespace countersign::channels {

bool WrongCodes::is_locked(const Tries& tries, BootTime now) { return tries.locked_until && now < *tries.locked_until; }

bool WrongCodes::note(const std::string& principal, BootTime now) {
    forget_what_is_over(now);
    if (!people_.contains(principal) && !make_room(now)) return false;
    auto& tries = people_[principal];
    if (is_locked(tries, now)) return false;
    tries.at.push_back(now);
    if (tries.at.size() < limits::wrong_codes_max) return false;
    tries = {.at = {}, .locked_until = now + limits::wrong_codes_lock};
    return true;
}

bool WrongCodes::locked(const std::string& principal, BootTime now) const {
    const auto found = people_.find(principal);
    if (found != people_.end()) return is_locked(found->second, now);
    return people_.size() >= limits::wrong_codes_people_max &&
           std::ranges::all_of(people_, [now](const auto& one) { return is_locked(one.second, now); });
}

void WrongCodes::forget_what_is_over(BootTime now) {
    for (auto& [principal, tries] : people_) {
        while (!tries.at.empty() && now - tries.at.front() >= limits::wrong_codes_window) tries.at.pop_front();
    }
    std::erase_if(people_, [now](const auto& one) { return one.second.at.empty() && !is_locked(one.second, now); });
}

bool WrongCodes::make_room(BootTime now) {
    if (people_.size() < limits::wrong_codes_people_max) return true;
    auto oldest = people_.end();
    for (auto one = people_.begin(); one != people_.end(); ++one) {
        if (is_locked(one->second, now)) continue;
        if (oldest == people_.end() || one->second.at.back() < oldest->second.at.back()) oldest = one;
    }
    if (oldest == people_.end()) return false;
    people_.erase(oldest);
    return true;
}

}  // namespace countersign::channels
