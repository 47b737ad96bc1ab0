// SPDX-License-Identifier: Apache-2.0
// Command prefixes: the words after which a shell still expects a command, such as `then`, `sudo -u bob` and `bash`.
#pragma once

#include <cstddef>
#include <string_view>

namespace countersign::security {

// The number of the prefix that the word names, whatever its folder; 0 if it's none. The word has no quotes.
[[nodiscard]] std::size_t command_prefix(std::string_view word);

// How many words that are not options come before the command: one for `timeout 5 make`.
[[nodiscard]] std::size_t operands_of(std::size_t prefix);

// Whether the next word is the value of this option: it is in `sudo -u bob`, and is not in `sudo -ubob`.
[[nodiscard]] bool option_takes_value(std::size_t prefix, std::string_view option);

}  // namespace countersign::security
