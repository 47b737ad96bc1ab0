// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/host.hpp"
#include "core/result.hpp"

namespace countersign::app {

// Whether to write one line of JSON per request to standard error. Not if an operator reads other output there.
enum class AccessLog { left_out, written };

// Opens the listeners of [gateway]: the public one for the channels' webhooks, and the operator's one for health and
// metrics. Errc::bad_config if a channel needs a webhook but nothing listens.
[[nodiscard]] Result<void> open_gateway(Host& host, AccessLog log);

}  // namespace countersign::app
