// SPDX-License-Identifier: Apache-2.0
// Words and phrases that make a text hard to read, in comments, documents and the strings that users see.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::lint {

// One word of prose and its line. A gap comes between words that aren't in one sentence: punctuation, or code.
struct ProseWord {
    std::string text;  // lower case, except where the whole word is upper case; empty for a gap
    std::size_t line = 0;
};

// Which parts of a file are prose.
enum class Prose {
    everything,            // documents and settings
    comments,              // C++ and JavaScript in the tests
    comments_and_strings,  // C++ and JavaScript in the product
};
[[nodiscard]] Prose prose_of(std::string_view path);

[[nodiscard]] std::vector<ProseWord> words_of(std::string_view text, Prose prose);

// "docs/AUDIT.md:12: whoever", one for each hit. `path` is relative to the root.
[[nodiscard]] std::vector<std::string> hard_words(std::string_view path, std::string_view text);

}  // namespace countersign::lint
