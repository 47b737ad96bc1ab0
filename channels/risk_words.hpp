// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "channels/catalogue.hpp"
#include "core/risk.hpp"

namespace countersign::channels {

// "high"
[[nodiscard]] constexpr Key risk_word(RiskLevel level) {
    if (level == RiskLevel::low) return Key::risk_low;
    return level == RiskLevel::medium ? Key::risk_medium : Key::risk_high;
}

}  // namespace countersign::channels
