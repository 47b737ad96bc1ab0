// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commands/hosting.hpp"
#include "core/outcome.hpp"
#include "core/result.hpp"

namespace countersign::app::setup {

// Asks one harmless thing through the hub, its channels and its log, and waits for the answer; nothing is run. How it
// ended; `withdrawn` if a signal ended the wait. Everything is closed after it, and the message has no buttons any
// more. Blocks. The host has its bridge and channels. Does not return if the log's disk hangs.
[[nodiscard]] Result<Outcome> test_approval(Host& host);

}  // namespace countersign::app::setup
