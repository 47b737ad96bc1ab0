// SPDX-License-Identifier: Apache-2.0
// The last look at what is to be masked: a mask never covers what a shell could run.
//
// Whatever a rule takes for a value ends where a shell would end a word, unless the value surely stands in quotes of
// its own. Nobody knows whether a text is a shell's, and which shell's; so it is read in each way that matters, and
// what is outside of quotes in any of them stays visible. A secret with a blank in it is rarer than a command.
#pragma once

#include "security/redact/finding.hpp"

#include <cstddef>
#include <string_view>

namespace countersign::security {

// Where a word outside of quotes ends: at a blank, an operator, a redirection, a bracket, or a command in the word.
[[nodiscard]] std::size_t end_of_bare_word(std::string_view text, std::size_t begin, std::size_t end);

// Whether the word at `at` is the value of an assignment, or the file of a redirection: then the next word is a
// command, whatever the word calls it. `at` may be in the middle of the word.
[[nodiscard]] bool before_command(std::string_view text, std::size_t at);

// Whether the quote that ends right before `begin` surrounds a value that a shell assigns as it is: NAME='…' with
// nothing before it on its line but `export` and other assignments, in a text without here-documents, which expand
// commands in any quotes. What `eval`, `ssh` or `sh -c` are given is read a second time, and isn't such a value.
[[nodiscard]] bool literal_assignment(std::string_view text, std::size_t begin);

// Cuts, splits and drops findings until no mask crosses a line, and none begins where a shell may expect a command.
// `arguments` as in views_of. A text that would take too long to read leaves one finding, `unreadable`.
void keep_commands_visible(Findings& findings, std::string_view text, bool arguments);

}  // namespace countersign::security
