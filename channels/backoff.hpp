// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ports/ids.hpp"

#include <chrono>

namespace countersign::channels {

// How long to wait after so many failures: twice as long each time, and somewhere in the upper half of that, so that
// many hubs do not come back as one.
[[nodiscard]] std::chrono::milliseconds backoff(unsigned failures, Ids& ids);

}  // namespace countersign::channels
