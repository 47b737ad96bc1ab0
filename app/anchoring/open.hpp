// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/host.hpp"
#include "core/result.hpp"

namespace countersign::app {

// Opens the chats and witnesses in [log], if there are any. Call it after the channels are open.
[[nodiscard]] Result<void> open_anchoring(Host& host);

}  // namespace countersign::app
