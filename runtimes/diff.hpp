// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace countersign::runtimes {

// The change from one text to the other, line by line, all lines shown: ' ' kept, '-' taken away, '+' put in. Past
// limits::diff_cells_max it is all old lines, then all new ones: longer, and just as true.
[[nodiscard]] std::string line_diff(std::string_view before, std::string_view after);

}  // namespace countersign::runtimes
