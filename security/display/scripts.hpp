// SPDX-License-Identifier: Apache-2.0
// Words whose letters come from scripts that look alike: "gооgle" with Cyrillic о.
#pragma once

#include <string_view>

namespace countersign::security {

// Whether some word of the text (a run of letters, digits and marks) mixes two of Latin, Greek, Cyrillic, Armenian,
// Cherokee, Coptic, Lisu, and letters dressed up as Latin ones (fullwidth, mathematical, letterlike). Scripts that
// nobody takes for Latin may stand next to it, as in "東京tower". A word wholly in one foreign script is not found
// ("аррӏе"), nor is one that imitates with digits or accents: this marks what to look at twice, it clears nothing.
[[nodiscard]] bool mixed_script(std::string_view text);

}  // namespace countersign::security
