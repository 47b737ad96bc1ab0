// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/host.hpp"
#include "core/result.hpp"

namespace countersign::app {

// Whether a line of JSON for each request goes to standard error: not where somebody reads something else there.
enum class AccessLog { left_out, written };

// Opens what [gateway] says: the public listener for the channels' webhooks, the operator's for health and metrics.
// Errc::bad_config if a channel waits for a webhook and nothing listens.
[[nodiscard]] Result<void> open_gateway(Host& host, AccessLog log);

}  // namespace countersign::app
