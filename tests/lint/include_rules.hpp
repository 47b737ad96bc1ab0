// SPDX-License-Identifier: Apache-2.0
// Which folder may include which, and which library belongs where: docs/ARCHITECTURE.md as a function.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace countersign::lint {

// What is wrong with the #include lines of one file; `path` is relative to the root. Empty: nothing.
[[nodiscard]] std::vector<std::string> include_violations(std::string_view path, std::string_view text);

// Whether the table of the folders inside app/ lets one include itself through others.
[[nodiscard]] bool app_folders_have_a_cycle();

}  // namespace countersign::lint
