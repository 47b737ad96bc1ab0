// SPDX-License-Identifier: Apache-2.0
// Command prefixes: words after which a shell still expects a command, such as `then`, `sudo -u bob` and `bash`.
#pragma once

#include <cstddef>
#include <string_view>

namespace countersign::security {

// The number of the prefix that the word names, in any folder; 0 if it isn't one. The word must not contain quotes.
[[nodiscard]] std::size_t command_prefix(std::string_view word);

// The number of words other than options before the command: one for `timeout 5 make`.
[[nodiscard]] std::size_t operands_of(std::size_t prefix);

// True if the next word is the value of this option: yes for `sudo -u bob`, no for `sudo -ubob`.
[[nodiscard]] bool option_takes_value(std::size_t prefix, std::string_view option);

}  // namespace countersign::security
