// SPDX-License-Identifier: Apache-2.0
// The last check of the findings: a mask must never cover text that a shell could run.
//
// A value ends where a shell would end the word, unless it is certainly inside quotes of its own. We can't know whether
// a text is for a shell, and for which one, so it is parsed in every way that matters: text outside of quotes in any of
// them stays visible. Secrets that contain a blank are rarer than commands.
#pragma once

#include "security/redact/finding.hpp"

#include <cstddef>
#include <string_view>

namespace countersign::security {

// Where an unquoted word ends: at a blank, an operator, a redirection, a bracket, or a command inside the word.
[[nodiscard]] std::size_t end_of_bare_word(std::string_view text, std::size_t begin, std::size_t end);

// True if the word at `at` is the value of an assignment or the file of a redirection: then the next word is a command.
// `at` may be in the middle of the word.
[[nodiscard]] bool before_command(std::string_view text, std::size_t at);

// True if the quote that ends right before `begin` surrounds a value that a shell assigns literally: NAME='…' with
// nothing before it on its line but `export` and other assignments, in a text without here-documents, which expand
// commands in any quotes. Arguments of `eval`, `ssh` or `sh -c` are parsed a second time and aren't literal.
[[nodiscard]] bool literal_assignment(std::string_view text, std::size_t begin);

// Cuts, splits and drops findings until no mask crosses a line and none starts where a shell may expect a command.
// `arguments`: see views_of. A text that would take too long to read leaves one finding, `unreadable`.
void keep_commands_visible(Findings& findings, std::string_view text, bool arguments);

}  // namespace countersign::security
