// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/sidecar/wire.hpp"
#include "core/result.hpp"

#include <chrono>
#include <string>

namespace countersign::app::sidecar {

// Sends one message to the hub that runs on this state directory and returns its answer. Blocks. Errc::unavailable: no
// hub can be reached there, or it doesn't know this message; Errc::not_authorised: another user runs it; Errc::timeout.
[[nodiscard]] Result<Message> ask_hub(const std::string& state, const Message& question,
                                      std::chrono::milliseconds deadline);

// The same. Tells a hub that fails from one that doesn't exist.
struct HubAnswer {
    Result<Message> message;
    bool nothing_listens = false;  // then the message is an error
};
[[nodiscard]] HubAnswer ask_hub_if_any(const std::string& state, const Message& question,
                                       std::chrono::milliseconds deadline);

}  // namespace countersign::app::sidecar
