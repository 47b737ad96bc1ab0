// SPDX-License-Identifier: Apache-2.0
// Help: the pages of --help, as wide as the narrowest usual terminal.
#pragma once

#include <CLI/CLI.hpp>

#include <memory>
#include <string>

namespace countersign::app {

inline constexpr std::size_t help_columns = 80;

// Given to the first command before others are added to it, which take it over. A footer is written in whole
// paragraphs: each line of it is broken at blanks.
[[nodiscard]] std::shared_ptr<CLI::FormatterBase> help_format();

// `help` and `help audit list`: what --help of that command prints.
void add_help(CLI::App& app, int& exit_code);

}  // namespace countersign::app
