// SPDX-License-Identifier: Apache-2.0
// Detects words that mix letters of similar-looking scripts: "gооgle" with Cyrillic о.
#pragma once

#include <string_view>

namespace countersign::security {

// True if a word of the text (a run of letters, digits and marks) mixes two of Latin, Greek, Cyrillic, Armenian,
// Cherokee, Coptic, Lisu and styled Latin letters (fullwidth, mathematical, letterlike). Scripts that can't be mistaken
// for Latin may be mixed with it, as in "東京tower". It doesn't detect a word entirely in one foreign script ("аррӏе") or
// an imitation with digits or accents: it only marks words to check.
[[nodiscard]] bool mixed_script(std::string_view text);

}  // namespace countersign::security
