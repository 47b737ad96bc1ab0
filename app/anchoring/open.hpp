// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/host.hpp"
#include "core/result.hpp"

namespace countersign::app {

// The chats and witnesses of [log]; nothing if there are none. After the channels are open.
[[nodiscard]] Result<void> open_anchoring(Host& host);

}  // namespace countersign::app
