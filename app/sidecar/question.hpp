// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/sidecar/wire.hpp"
#include "core/result.hpp"

#include <chrono>
#include <string>

namespace countersign::app::sidecar {

// Says one thing to the hub that runs on this state directory, and hears one. Blocks. Errc::unavailable: nobody runs
// there, or it knows no such question; Errc::not_authorised: it is another user's; Errc::timeout.
[[nodiscard]] Result<Message> ask_hub(const std::string& state, const Message& question,
                                      std::chrono::milliseconds deadline);

}  // namespace countersign::app::sidecar
