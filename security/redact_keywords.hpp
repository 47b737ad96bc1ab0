// SPDX-License-Identifier: Apache-2.0
// Keywords: finds which of many words occur in a text, whatever their case, in one pass over it (Aho and Corasick).
//
// It is the gate before the patterns: of a hundred rules most texts need none or two, and those that are not needed
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

    // Whether a word of the group occurs, for each group.
    [[nodiscard]] std::vector<bool> occurring(std::string_view text) const;

private:
    using Node = std::uint32_t;

    void add(const Word& word);
    void link();

    // Bytes that no word has share one column, which keeps the table in the cache.
    std::array<std::uint8_t, 256> column_{};
    std::size_t columns_ = 1;
    std::vector<Node> next_;                           // node * columns_ + column
    std::vector<std::vector<std::size_t>> groups_at_;  // by node: the groups of every word that ends here
    std::vector<char> ends_;                           // by node: whether groups_at_ is not empty
    std::size_t groups_;
};

}  // namespace countersign::security
