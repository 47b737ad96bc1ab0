// SPDX-License-Identifier: Apache-2.0
// Command words: the words of a text that some shell would run.
//
// A text may be passed to a shell, or it may be a string that a program in it passes to another shell. So every line
// end and every separator starts a command here, inside quotes or not, and so does each element of a list that may be a
// list of commands. Assignments, redirections, keywords and programs that run their operand (sudo, env, bash) come
// before the command word. If it makes a difference, their quotes are read in both ways.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace countersign::security {

// The length of the line end at `at`, or 0. For a shell only "\n" is a line end. A carriage return, a vertical tab, a
// form feed, U+0085, U+2028 and U+2029 start a new line on an approver's screen and in other programs.
[[nodiscard]] std::size_t line_end(std::string_view text, std::size_t at);

class CommandWords {
public:
    // Borrows the text. `arguments`: see views_of.
    CommandWords(std::string_view text, bool arguments);

    // True if a command word starts at `at`, after its quotes and invisible characters.
    [[nodiscard]] bool starts_at(std::size_t at) const;
    // True if the byte at `at` is part of a command word.
    [[nodiscard]] bool covers(std::size_t at) const { return (marks_[at] & in_command) != 0; }
    // True if the search for commands would take too long. Then the other answers are meaningless.
    [[nodiscard]] bool unreadable() const { return budget_ == 0; }

private:
    static constexpr std::uint8_t in_command = 1;
    static constexpr std::uint8_t command_start = 2;
    static constexpr std::uint8_t was_read = 4;  // as a word with nothing before it

    // A place where a command may start, and what was read before it.
    struct Place {
        std::size_t at = 0;
        std::size_t prefix = 0;    // the program before it that runs its operand; 0 for none
        std::size_t operands = 0;  // operands of that program that still come before the command
    };

    // What ends a line, and so a word. For a shell only "\n" does, so `A=1\rx` is one word. On a screen, and for
    // programs that parse a command line, a carriage return does too.
    enum class Lines { of_screens, of_shells };

    void read_openings();
    void read_elements();
    void read_from(std::size_t at);
    [[nodiscard]] bool is_new(const Place& place);
    void read_word(Place place);
    void read_option(Place place, std::string_view word);
    // Continues after the word at `place.at`, with and without honouring its quotes and the line ends of screens.
    void go_on_behind(Place place);
    void mark(std::size_t begin, std::size_t end);

    enum class Blanks { of_screens, of_shells };
    [[nodiscard]] std::size_t after_blanks(std::size_t at, Blanks blanks = Blanks::of_screens) const;
    [[nodiscard]] std::size_t after_void(std::size_t at) const;
    [[nodiscard]] bool opens_array(std::size_t at) const;
    [[nodiscard]] bool ends_line(std::size_t at, Lines lines) const;
    [[nodiscard]] std::size_t bare_end(std::size_t at, Lines lines) const;
    [[nodiscard]] std::size_t after_redirection(std::size_t at) const;
    std::size_t quoted_end(std::size_t at, Lines lines);
    std::size_t after_quotes(std::size_t at, std::size_t depth);
    std::size_t after_double_quotes(std::size_t at, std::size_t depth);
    std::size_t after_brackets(std::size_t at, std::size_t depth);
    void spend(std::size_t bytes) { budget_ -= bytes < budget_ ? bytes : budget_; }

    std::string_view text_;
    bool arguments_;
    std::size_t budget_;  // bytes that may still be read
    std::vector<std::uint8_t> marks_;
    std::vector<Place> places_;               // not read yet
    std::unordered_set<std::uint64_t> seen_;  // places after a prefix that were read
};

}  // namespace countersign::security
