// SPDX-License-Identifier: Apache-2.0
// Keeps from toml++ 3.3 what it cannot be given.
//
// Outside of quotes and comments TOML is ASCII. The library tests other letters there for white space, and in """ """
// too, and calls most of them impossible: undefined behaviour on a typing error such as an `ä`. It also bounds how deep
// values nest but not how deep a dotted key does: a.a.a.a… of a few hundred kilobytes overflows the stack when the
// tables are destroyed. Both are found here by walking over the strings and comments of the text; everything else that
// is no TOML is left for the library to name.
#pragma once

#include "config/problem.hpp"

#include <string_view>

namespace countersign::config {

// False, with the problem, if the text must not be parsed.
[[nodiscard]] bool may_be_parsed(std::string_view text, Problems& problems);

}  // namespace countersign::config
