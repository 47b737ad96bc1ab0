// SPDX-License-Identifier: Apache-2.0
// What a command reads.
#pragma once

#include "core/result.hpp"

#include <string>

namespace countersign::app {

// All of standard input, up to command_input_bytes_max.
[[nodiscard]] Result<std::string> read_input();
// A file, or standard input for "-".
[[nodiscard]] Result<std::string> read_file(const std::string& path);

}  // namespace countersign::app
