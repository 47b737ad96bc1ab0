// SPDX-License-Identifier: Apache-2.0
// The JSON that we send to an ACP agent: parameters of our requests, and results for its requests.
#pragma once

#include "runtimes/acp/message.hpp"

#include <string>
#include <string_view>

namespace countersign::runtimes::acp {

inline constexpr int protocol_version = 1;

// Offers to show forms and pages to people, but no files and no terminal: an agent that used ours would not ask.
[[nodiscard]] std::string initialize_params(std::string_view version);
[[nodiscard]] std::string authenticate_params(std::string_view method_id);
[[nodiscard]] std::string new_session_params(std::string_view cwd);
[[nodiscard]] std::string prompt_params(std::string_view session_id, std::string_view prompt);
[[nodiscard]] std::string cancel_params(std::string_view session_id);

// `option_id` and `content` are JSON.
[[nodiscard]] std::string selected_result(std::string_view option_id);
[[nodiscard]] std::string accept_result(std::string_view content);
[[nodiscard]] std::string decline_result();
// The result that answers any request of this kind without a decision.
[[nodiscard]] std::string cancelled_result(AskKind kind);

}  // namespace countersign::runtimes::acp
