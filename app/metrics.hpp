// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/host.hpp"
#include "core/ports/metrics.hpp"

#include <vector>

namespace countersign::app {

// What the hub, its channels and its log have done since the start, for /metrics. Holds no text of a message, no chat
// and no person: only names of channels.
[[nodiscard]] std::vector<Metric> metrics_of(const Host& host);

}  // namespace countersign::app
