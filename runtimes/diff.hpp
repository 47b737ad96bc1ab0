// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace countersign::runtimes {

// The changes between two texts, with all lines: ' ' kept, '-' removed, '+' added. Past limits::diff_cells_max it lists
// all old lines and then all new ones: longer, but still correct.
[[nodiscard]] std::string line_diff(std::string_view before, std::string_view after);

}  // namespace countersign::runtimes
