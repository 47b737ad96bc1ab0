// SPDX-License-Identifier: Apache-2.0
// What a command reads and how it says no.
#pragma once

#include "core/result.hpp"

#include <cstddef>
#include <string>

namespace countersign::app {

// All of standard input, up to command_input_bytes_max.
[[nodiscard]] Result<std::string> read_input();
// A file, or standard input for "-".
[[nodiscard]] Result<std::string> read_file(const std::string& path);

// One sanitised line on standard error; returns the exit code that belongs to it.
int report(const Error& error);
// The same for wrong usage.
int usage_error(const std::string& why);

}  // namespace countersign::app
