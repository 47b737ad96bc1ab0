// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commands/hosting.hpp"
#include "core/result.hpp"

#include <string>

namespace countersign::app::setup {

// Asks one harmless thing through the hub, its channels and its log, and waits for the answer; nothing is run. Says how it
// ended, in words. Blocks. The host has its bridge and channels.
[[nodiscard]] Result<std::string> test_approval(Host& host);

}  // namespace countersign::app::setup
