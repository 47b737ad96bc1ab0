// SPDX-License-Identifier: Apache-2.0
// Command words: the words of a text that some shell would run.
//
// A text may be given to a shell, or be a string that a program in it gives to another shell. So every line end and
// every separator begins a command here, in quotes or not, and so does each element of a list that may be a list of
// commands. Assignments, redirections, keywords and programs that run their operand (sudo, env, bash) come before the
// command word; their quotes are read in both ways where that makes a difference.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace countersign::security {

// The length of the line end at `at`, or 0. To a shell only "\n" is one. A carriage return, a vertical tab, a form
// feed, U+0085, U+2028 and U+2029 are lines to an approver's screen and to other programs.
[[nodiscard]] std::size_t line_end(std::string_view text, std::size_t at);

class CommandWords {
public:
    // Borrows the text. `arguments` as in views_of.
    CommandWords(std::string_view text, bool arguments);

    // Whether text from `at` on begins with a command word, behind its quotes and behind what isn't visible.
    [[nodiscard]] bool starts_at(std::size_t at) const;
    // Whether the byte at `at` belongs to a command word.
    [[nodiscard]] bool covers(std::size_t at) const { return (marks_[at] & in_command) != 0; }
    // Whether looking for commands would take more than its share of time. Then the other answers mean nothing.
    [[nodiscard]] bool unreadable() const { return budget_ == 0; }

private:
    static constexpr std::uint8_t in_command = 1;
    static constexpr std::uint8_t command_start = 2;
    static constexpr std::uint8_t was_read = 4;  // as a word with nothing before it

    // A place where a word may be a command, and what was read before it.
    struct Place {
        std::size_t at = 0;
        std::size_t prefix = 0;    // the program before it that runs its operand; 0 for none
        std::size_t operands = 0;  // of that program, still to come before the command
    };

    // What ends a line, and with it a word: to a shell only "\n" does, and `A=1\rx` is one word. To a screen, and to
    // programs that read a command line, a carriage return does too.
    enum class Lines { of_screens, of_shells };

    void read_openings();
    void read_elements();
    void read_from(std::size_t at);
    [[nodiscard]] bool is_new(const Place& place);
    void read_word(Place place);
    void read_option(Place place, std::string_view word);
    // Goes on behind the word at `place.at`, with and without believing its quotes and the line ends of screens.
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
    std::size_t budget_;  // of bytes to read
    std::vector<std::uint8_t> marks_;
    std::vector<Place> places_;               // still to be read
    std::unordered_set<std::uint64_t> seen_;  // places behind a prefix that were read
};

}  // namespace countersign::security
