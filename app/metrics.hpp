// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/host.hpp"
#include "core/ports/metrics.hpp"

#include <vector>

namespace countersign::app {

// Counters of the hub, its channels and its log since the start, for /metrics. Contains channel names, but no message
// texts, chats or people.
[[nodiscard]] std::vector<Metric> metrics_of(const Host& host);

}  // namespace countersign::app
