// SPDX-License-Identifier: Apache-2.0
// Lays out the text of a help page in columns.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace countersign::app {

// Wraps each line at blanks to this many columns. An indented line keeps its indentation when it is wrapped.
[[nodiscard]] std::string paragraphs(std::string_view text, std::size_t columns);

}  // namespace countersign::app
