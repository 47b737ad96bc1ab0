// SPDX-License-Identifier: Apache-2.0
// The words after "--", which belong to another program. CLI11 splits "[a,b]" in a list into two values; so each word
// that begins like that is marked before parsing, and the mark is removed afterwards.
#pragma once

#include <string>
#include <vector>

namespace countersign::app {

inline constexpr char verbatim_mark = '\x1e';

// The program's name and arguments, as passed to CLI11.
[[nodiscard]] inline std::vector<std::string> marked(int argc, const char* const* argv) {
    std::vector<std::string> words(argv, argv + argc);
    bool behind = false;
    for (auto& word : words) {
        if (behind && word.starts_with('[')) word += verbatim_mark;
        behind = behind || word == "--";
    }
    return words;
}

[[nodiscard]] inline std::string as_written(std::string word) {
    if (word.starts_with('[') && word.ends_with(verbatim_mark)) word.pop_back();
    return word;
}

}  // namespace countersign::app
