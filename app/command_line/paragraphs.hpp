// SPDX-License-Identifier: Apache-2.0
// Text of a help page, laid out in columns.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace countersign::app {

// Each line in so many columns, broken at blanks. What begins with blanks is an example, and goes on as far in.
[[nodiscard]] std::string paragraphs(std::string_view text, std::size_t columns);

}  // namespace countersign::app
