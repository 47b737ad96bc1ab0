// SPDX-License-Identifier: Apache-2.0
// Lines for Claude Code, without the line end. Invalid JSON makes the CLI exit, so every line is built here.
#pragma once

#include <string>
#include <string_view>

namespace countersign::runtimes::claude {

// `body`: the JSON of the answer to this request.
[[nodiscard]] std::string success_line(std::string_view native_id, std::string_view body);
// For can_use_tool this is a deny; the model sees the text.
[[nodiscard]] std::string error_line(std::string_view native_id, std::string_view text);
[[nodiscard]] std::string deny_body(std::string_view message);
[[nodiscard]] std::string deny_line(std::string_view native_id, std::string_view message);
// What a PermissionRequest hook prints. `body`: {"behavior":…}.
[[nodiscard]] std::string hook_line(std::string_view body);
// `body`: an object that includes the subtype.
[[nodiscard]] std::string request_line(std::string_view request_id, std::string_view body);
[[nodiscard]] std::string prompt_line(std::string_view prompt);

}  // namespace countersign::runtimes::claude
