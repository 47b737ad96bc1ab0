// SPDX-License-Identifier: Apache-2.0
// Input of commands.
#pragma once

#include "core/result.hpp"

#include <string>

namespace countersign::app {

// Reads all of standard input, up to command_input_bytes_max.
[[nodiscard]] Result<std::string> read_input();
// Reads a file, or standard input for "-".
[[nodiscard]] Result<std::string> read_file(const std::string& path);

}  // namespace countersign::app
