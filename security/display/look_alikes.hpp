// SPDX-License-Identifier: Apache-2.0
// Letters that can be mistaken for an ASCII letter.
#pragma once

namespace countersign::security {

// E.g. 'a' for Cyrillic а, Greek α, fullwidth ａ and mathematical 𝐚; 0 if we know of no likeness. Always 0 for ASCII.
// Doesn't cover all of Unicode's list: letters that are confusing only in a small font would flag ordinary names.
[[nodiscard]] char ascii_look_alike(char32_t code);

}  // namespace countersign::security
