// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commands/hosting.hpp"
#include "core/result.hpp"

#include <string>
#include <vector>

namespace countersign::app {

// Whether a line of JSON for each request goes to standard error: not where somebody reads something else there.
enum class AccessLog { left_out, written };

// Opens what [gateway] says: the public listener for the channels' webhooks, the operator's for health and metrics.
// Errc::bad_config if a channel waits for a webhook and nothing listens.
[[nodiscard]] Result<void> open_gateway(Host& host, AccessLog log);

// Why this hub could not do its work now, a line each: its log, then its channels.
[[nodiscard]] std::vector<std::string> reasons_not_ready(const Host& host);

}  // namespace countersign::app
