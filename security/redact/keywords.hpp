// SPDX-License-Identifier: Apache-2.0
// Keywords: finds which of many words occur in a text and on which lines, whatever their case, in one pass over it (Aho
// and Corasick).
//
// It is the gate before the patterns: of a hundred rules most lines need none or two, and those that are not needed
// cost nothing. Time is linear in the text, whatever the text is.
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
        std::size_t group;  // what to report when it occurs
    };
    // Groups are numbered from 0 to groups - 1.
    Keywords(const std::vector<Word>& words, std::size_t groups);

    struct Lines {
        std::size_t begin;
        std::size_t end;
    };
    // For each group, the lines that have a word of it, in order and joined where they touch.
    [[nodiscard]] std::vector<std::vector<Lines>> lines_with(std::string_view text) const;

private:
    using Node = std::uint32_t;

    void add(const Word& word);
    void link();

    // Bytes that no word has share one column, which keeps the table in the cache.
    std::array<std::uint8_t, 256> column_{};
    std::size_t columns_ = 1;
    std::vector<Node> next_;                           // node * columns_ + column
    std::vector<std::vector<std::size_t>> groups_at_;  // by node: the groups of every word that ends here
    std::vector<Node> steps_;  // as next_, but where the next row begins; odd if a word ends there
    std::size_t groups_;
};

}  // namespace countersign::security
