// SPDX-License-Identifier: Apache-2.0
// How long a line of a source or a page may be: what a reader sees beside another window without scrolling.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace countersign::lint {

inline constexpr std::size_t line_columns_max = 120;

// The lines of one file that are longer, in characters. Not meant are tables and examples of Markdown, which cannot be
// broken, and what stands between clang-format off and on. `path` is relative to the root.
[[nodiscard]] std::vector<std::string> long_lines(std::string_view path, std::string_view text);

}  // namespace countersign::lint
