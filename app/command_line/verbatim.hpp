// SPDX-License-Identifier: Apache-2.0
// The words behind "--", which belong to another program. CLI11 takes "[a,b]" in a list for two values, wherever it
// stands; so each word that begins like that is marked before it is read, and the mark is taken off after.
#pragma once

#include <string>
#include <vector>

namespace countersign::app {

inline constexpr char verbatim_mark = '\x1e';

// The program's own name and arguments as CLI11 is to get them.
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
