// SPDX-License-Identifier: Apache-2.0
#include "gateway/body_budget.hpp"

#include <algorithm>

namespace countersign::gateway {

bool BodyBudget::Share::take(std::size_t bytes) {
    const auto free = std::min(free_, bytes);
    const auto counted = bytes - free;
    if (counted > budget_.left_) return false;
    free_ -= free;
    taken_ += counted;
    budget_.left_ -= counted;
    return true;
}

}  // namespace countersign::gateway
