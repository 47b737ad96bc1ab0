// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commands/hosting.hpp"
#include "core/result.hpp"

namespace countersign::app {

// Opens what [gateway] says: the public listener for the channels' webhooks, the operator's for health. Errc::bad_config
// if a channel waits for a webhook and nothing listens.
[[nodiscard]] Result<void> open_gateway(Host& host);

}  // namespace countersign::app
