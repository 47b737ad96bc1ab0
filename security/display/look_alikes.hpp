// SPDX-License-Identifier: Apache-2.0
// Letters that an eye takes for a letter of ASCII.
#pragma once

namespace countersign::security {

// 'a' for Cyrillic а, Greek α, fullwidth ａ and mathematical 𝐚; 0 where we know of no such likeness. Never an ASCII
// character itself. Not all of Unicode's list: letters that only a small font confuses would flag honest names.
[[nodiscard]] char ascii_look_alike(char32_t code);

}  // namespace countersign::security
