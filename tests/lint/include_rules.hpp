// SPDX-License-Identifier: Apache-2.0
// Which folder may include which, and where each library may be used: docs/ARCHITECTURE.md as a function.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace countersign::lint {

// The violations in the #include lines of one file; `path` is relative to the root. Empty if there are none.
[[nodiscard]] std::vector<std::string> include_violations(std::string_view path, std::string_view text);

// True if the table of the folders inside app/ lets a folder include itself through others.
[[nodiscard]] bool app_folders_have_a_cycle();

}  // namespace countersign::lint
