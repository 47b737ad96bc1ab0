// SPDX-License-Identifier: Apache-2.0
// The JSON that we send to Codex: parameters of our requests, and results for its requests.
#pragma once

#include "runtimes/codex/message.hpp"

#include <string>
#include <string_view>

namespace countersign::runtimes::codex {

// Always declares that we show humanCommand requests to a person: Codex answers them with a refusal otherwise.
[[nodiscard]] std::string initialize_params(std::string_view version);

struct ThreadSettings {
    std::string cwd;
    std::string approval_policy;
    std::string sandbox;
};
// People review the approvals, whatever the configuration says.
[[nodiscard]] std::string thread_start_params(const ThreadSettings& settings);
[[nodiscard]] std::string turn_start_params(std::string_view thread_id, std::string_view prompt);
[[nodiscard]] std::string turn_interrupt_params(std::string_view thread_id, std::string_view turn_id);

// `decision` and the other arguments are JSON.
[[nodiscard]] std::string decision_result(std::string_view decision);
[[nodiscard]] std::string elicitation_result(std::string_view action, std::string_view content, std::string_view meta);
[[nodiscard]] std::string permissions_result(std::string_view permissions);
// The result that refuses any request of this kind: Codex's decline, or no answers. The reason reaches the model only
// in the first protocol version.
[[nodiscard]] std::string refusal_result(AskKind kind, std::string_view reason);

}  // namespace countersign::runtimes::codex
