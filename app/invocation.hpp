// SPDX-License-Identifier: Apache-2.0
// Commands for a person to paste into a shell.
#pragma once

#include <string>
#include <string_view>

namespace countersign::app {

// One word for a shell, quoted where it has to be.
[[nodiscard]] std::string shell_word(std::string_view text);

// How to start this very program again from any directory: by its name where $PATH leads to it, else by its whole path.
[[nodiscard]] std::string own_command();

// Whether a name leads to a program in $PATH. A path is taken as it is: starting it says what is wrong.
[[nodiscard]] bool can_be_started(std::string_view name_or_path);

}  // namespace countersign::app
