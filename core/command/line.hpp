// SPDX-License-Identifier: Apache-2.0
// Parses a shell command line just far enough to know that it is one simple command, or a list of them joined by `&&`
// or `|`.
//
// This isn't a shell: a line that it doesn't fully understand is rejected. Other operators, substitutions, redirections
// to files, expansions, globs, assignments before the command, newlines and wrappers (env, sudo, sh -c, xargs …) are
// all rejected, because each of them can run something other than the words say. So are lists with a builtin that
// changes what comes after it (cd, export). A leading `~/` is kept. Redirections to and from /dev/null, those of 1 and
// 2 to each other, and a harmless comment at the end are dropped. One glob is accepted: the name that find searches for
// (find . -name *.c).
#pragma once

#include "core/command/danger.hpp"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace countersign {

// A longer command isn't parsed; it asks and has high risk. Every rule checks every word, on the thread that also
// serves people.
inline constexpr std::size_t command_line_bytes_max = std::size_t{32} * 1024;
inline constexpr std::size_t command_words_max = 1'000;
inline constexpr std::size_t command_parts_max = 16;  // per list
// For all texts in its words that may be paths: each `=`, `:`, `,` and `@` starts one, and so does each letter of an
// option cluster. Paths can't be that long in total.
inline constexpr std::size_t command_texts_bytes_max = std::size_t{512} * 1024;

// `kept`: a word that the shell expands to matching files (*.c) is kept as written. It may become any number of words,
// including options.
enum class Wildcards { refused, kept };

[[nodiscard]] std::optional<std::vector<CommandWords>> command_list(std::string_view command_line,
                                                                    Wildcards wildcards = Wildcards::refused);

[[nodiscard]] std::optional<CommandWords> simple_command(std::string_view command_line);

}  // namespace countersign
