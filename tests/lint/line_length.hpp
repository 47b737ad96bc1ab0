// SPDX-License-Identifier: Apache-2.0
// The maximum length of a line in a source or page: what a reader can see next to another window without scrolling.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace countersign::lint {

inline constexpr std::size_t line_columns_max = 120;

// The lines of one file that are longer, in characters. Excluded are tables and examples of Markdown, which can't be
// broken, and lines between clang-format off and on. `path` is relative to the root.
[[nodiscard]] std::vector<std::string> long_lines(std::string_view path, std::string_view text);

}  // namespace countersign::lint
