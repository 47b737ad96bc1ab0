// SPDX-License-Identifier: Apache-2.0
// What is said beside the cards, in rows of the screen. Pure.
//
// An agent can say anything, also something that looks like a card. So each row of its words begins with its name and a
// bar, and a row that continues a line has another bar. Our own words can quote an agent, too: only their first row
// begins at the left (I15).
#pragma once

#include "channels/catalogue.hpp"
#include "channels/terminal/style.hpp"

#include <array>
#include <cstddef>
#include <deque>
#include <string>
#include <string_view>

namespace countersign::channels::terminal {

// Our own words. Ends in a newline, like all of these.
[[nodiscard]] std::string spoken(std::string_view text, const Style& style);
// An agent's words.
[[nodiscard]] std::string quoted(std::string_view speaker, std::string_view text, const Style& style);
// Lines of our own that each begin at the left; a row that continues one is set in.
[[nodiscard]] std::string broken(std::string_view lines, const Style& style);

// HeldLines: what was said while a card was open, until it may be printed. Bounded: the oldest lines are left out, and
// counted. An agent cannot push out our own lines: each has its own bound.
class HeldLines {
public:
    static constexpr std::size_t lines_max = 500;
    static constexpr std::size_t bytes_max = std::size_t{256} * 1024;

    // An empty speaker is the process itself.
    void add(std::string_view speaker, std::string_view text);
    [[nodiscard]] bool empty() const { return count() == 0; }
    // All lines since the last take(), those that were left out too.
    [[nodiscard]] std::size_t count() const;
    // Everything in its order, after a word on how much was left out.
    [[nodiscard]] std::string take(const Style& style, Language language);

private:
    struct Line {
        std::string speaker;
        std::string text;
        bool begins = true;  // what was said; false for the further lines of it
    };
    struct Share {
        std::size_t lines = 0;
        std::size_t bytes = 0;
    };
    [[nodiscard]] Share& share_of(const Line& line) { return shares_[line.speaker.empty() ? 0 : 1]; }
    void add_line(Line line);
    void leave_out_oldest(bool own);

    std::deque<Line> lines_;
    std::array<Share, 2> shares_{};  // ours, and the agents'
    std::size_t left_out_ = 0;
};

}  // namespace countersign::channels::terminal
