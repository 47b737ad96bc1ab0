// SPDX-License-Identifier: Apache-2.0
// Refuses text that toml++ 3.3 cannot handle.
//
// Outside quotes and comments TOML is ASCII. There, and in """ """, the library tests other letters for white space and
// assumes that most of them cannot occur: a mistyped `ä` is undefined behaviour. It also bounds the nesting of values
// but not of dotted keys: a few hundred kilobytes of a.a.a.a… overflow the stack when the tables are destroyed. A
// scan over the text's strings and comments finds both; the library reports all other errors.
#pragma once

#include "config/problem.hpp"

#include <string_view>

namespace countersign::config {

// False, with the problem, if the text must not be parsed.
[[nodiscard]] bool may_be_parsed(std::string_view text, Problems& problems);

}  // namespace countersign::config
