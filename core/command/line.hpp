// SPDX-License-Identifier: Apache-2.0
// Reads a shell command line just far enough to know that it is one simple command, or a list of them joined by `&&` or
// `|`.
//
// Not a shell: everything it does not fully understand is not read. Other operators, substitutions, redirections to
// files, expansions, globs, assignments before the command, newlines and wrappers (env, sudo, sh -c, xargs …) are all
// refused, because each of them can run something else than what the words say. So are lists with a builtin that
// changes what comes after it (cd, export). A leading `~/` is kept as it is. Left out are redirections to and from
// /dev/null, those of 1 and 2 to each other, and a comment at the end without anything that a shell could run. One glob
// is read: the name that find looks for (find . -name *.c).
#pragma once

#include "core/command/danger.hpp"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace countersign {

// A longer command isn't read: it asks and is high risk. Each rule looks at each word, on the thread that answers
// people.
inline constexpr std::size_t command_line_bytes_max = std::size_t{32} * 1024;
inline constexpr std::size_t command_words_max = 1'000;
inline constexpr std::size_t command_parts_max = 16;  // of one list
// Of all texts in its words that may be paths: each `=`, `:`, `,` and `@` begins one, and so does each letter of a
// cluster of options. A path can't be that long.
inline constexpr std::size_t command_texts_bytes_max = std::size_t{512} * 1024;

// `kept`: a word that the shell replaces by the files that match it (*.c) is read as it is written. It may become any
// number of words, also options.
enum class Wildcards { refused, kept };

[[nodiscard]] std::optional<std::vector<CommandWords>> command_list(std::string_view command_line,
                                                                    Wildcards wildcards = Wildcards::refused);

[[nodiscard]] std::optional<CommandWords> simple_command(std::string_view command_line);

}  // namespace countersign
