// SPDX-License-Identifier: Apache-2.0
// Keywords: finds which of many words occur in a text, and in which lines, ignoring case, in one pass (Aho-Corasick).
//
// It is the filter before the patterns: of a hundred rules most lines need none or two, and the others then cost
// nothing. Time is linear in the text, for any text.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::security {

class Keywords {
public:
    struct Word {
        std::string text;   // ASCII, not empty
        std::size_t group;  // what to report if it occurs
    };
    // Groups are numbered from 0 to groups - 1.
    Keywords(const std::vector<Word>& words, std::size_t groups);

    struct Lines {
        std::size_t begin;
        std::size_t end;
    };
    // For each group, the lines that contain one of its words, in order, with adjacent lines merged.
    [[nodiscard]] std::vector<std::vector<Lines>> lines_with(std::string_view text) const;

private:
    using Node = std::uint32_t;

    void add(const Word& word);
    void link();

    // Bytes that occur in no word share one column, so that the table fits in the cache.
    std::array<std::uint8_t, 256> column_{};
    std::size_t columns_ = 1;
    std::vector<Node> next_;                           // node * columns_ + column
    std::vector<std::vector<std::size_t>> groups_at_;  // by node: the groups of every word that ends here
    std::vector<Node> steps_;  // like next_, but with the start of the next row; odd if a word ends there
    std::size_t groups_;
};

}  // namespace countersign::security
