// SPDX-License-Identifier: Apache-2.0
#include "core/glob.hpp"

#include <cstddef>
#include <string>

namespace countersign {

// Only the last star is ever retried: if an earlier one matched less, that couldn't help. So the work is at most the
// product of the two lengths.
bool glob_fits(std::string_view pattern, std::string_view text) {
    std::size_t in_pattern = 0;
    std::size_t in_text = 0;
    std::size_t star = std::string_view::npos;
    std::size_t star_text = 0;
    while (in_text < text.size()) {
        const bool more = in_pattern < pattern.size();
        if (more && pattern[in_pattern] == '*') {
            star = in_pattern++;
            star_text = in_text;
        } else if (more && (pattern[in_pattern] == '?' || pattern[in_pattern] == text[in_text])) {
            ++in_pattern;
            ++in_text;
        } else if (star != std::string_view::npos) {
            in_pattern = star + 1;
            in_text = ++star_text;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', in_pattern) == std::string_view::npos;
}

bool glob_fits_folded(std::string_view pattern, std::string_view text) {
    const auto folded = [](std::string_view given) {
        std::string out{given};
        for (auto& c : out) {
            if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        }
        return out;
    };
    return glob_fits(folded(pattern), folded(text));
}

}  // namespace countersign
