// SPDX-License-Identifier: Apache-2.0
// Commands for an operator to paste into a shell.
#pragma once

#include <string>
#include <string_view>

namespace countersign::app {

// One word for a shell, quoted if necessary.
[[nodiscard]] std::string shell_word(std::string_view text);

// How to start this program again from any directory: by name if $PATH leads to it, else by its full path.
[[nodiscard]] std::string own_command();

// The full path of this program, for another program to start it: where $PATH finds it, which stays the same after an
// upgrade, else the file itself.
[[nodiscard]] std::string own_path();

// Whether a name leads to a program in $PATH. A path is accepted unchecked: starting it will report errors.
[[nodiscard]] bool can_be_started(std::string_view name_or_path);

}  // namespace countersign::app
