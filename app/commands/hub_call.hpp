// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/sidecar/wire.hpp"
#include "core/result.hpp"

#include <chrono>
#include <string>

namespace countersign::app {

// Says one thing to the hub that runs on this state directory, and hears one. Blocks, for a bounded time.
// Errc::unavailable if no hub runs there, Errc::not_authorised if it is another user's, Errc::timeout.
[[nodiscard]] Result<sidecar::Message> call_hub(const std::string& state, sidecar::Message question);

}  // namespace countersign::app
