// SPDX-License-Identifier: Apache-2.0
// Lays out the text of a help page in columns.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace countersign::app {

// Wraps each line at spaces to this width. A line that begins with spaces is an example; its continuation lines get the
// same indent.
[[nodiscard]] std::string paragraphs(std::string_view text, std::size_t columns);

}  // namespace countersign::app
