// SPDX-License-Identifier: Apache-2.0
// Lines that Claude Code reads, without their end. A line that is no JSON makes the CLI exit, so each is made here.
#pragma once

#include <string>
#include <string_view>

namespace countersign::runtimes::claude {

// `body` is the JSON of an answer to this request.
[[nodiscard]] std::string success_line(std::string_view native_id, std::string_view body);
// For can_use_tool this is a deny; the model sees the text.
[[nodiscard]] std::string error_line(std::string_view native_id, std::string_view text);
[[nodiscard]] std::string deny_line(std::string_view native_id, std::string_view message);
// `body` is an object with its subtype.
[[nodiscard]] std::string request_line(std::string_view request_id, std::string_view body);
[[nodiscard]] std::string prompt_line(std::string_view prompt);

}  // namespace countersign::runtimes::claude
