// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.hpp"
#include "sidecar/wire.hpp"

#include <chrono>
#include <string>

namespace countersign::app {

// Sends a message to the hub that uses this state directory and returns its answer. Blocks. Errc::unavailable: no hub
// can be reached, or it doesn't know this message. Errc::not_authorised: another user runs it. Errc::timeout.
[[nodiscard]] Result<sidecar::Message> ask_hub(const std::string& state, const sidecar::Message& question,
                                               std::chrono::milliseconds deadline);

// The same, but tells a missing hub from one that failed.
struct HubAnswer {
    Result<sidecar::Message> message;
    bool nothing_listens = false;  // then `message` is an error
};
[[nodiscard]] HubAnswer ask_hub_if_any(const std::string& state, const sidecar::Message& question,
                                       std::chrono::milliseconds deadline);

}  // namespace countersign::app
