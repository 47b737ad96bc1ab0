// SPDX-License-Identifier: Apache-2.0
// Spans and moments as people read them. Pure.
#pragma once

#include "channels/catalogue.hpp"
#include "core/time.hpp"

#include <chrono>
#include <string>

namespace countersign::channels {

// "850 ms", "12 s", "3 min 4 s", "2 h 5 min", "3 d 1 h"
[[nodiscard]] std::string duration(std::chrono::milliseconds span, Language language = {});

// "2026-11-16 12:36 UTC", in every language.
[[nodiscard]] std::string moment(WallTime time);

}  // namespace countersign::channels
