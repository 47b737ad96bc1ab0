// SPDX-License-Identifier: Apache-2.0
// What the built-in rules say of one command line. Only commands that were looked at one by one are less than high.
#pragma once

#include "core/risk.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace countersign {

[[nodiscard]] Risk command_risk(std::string_view command_line, std::string_view cwd);

// True for a command that, with these very words, can only read and print.
[[nodiscard]] bool only_reads(const std::vector<std::string>& words);

}  // namespace countersign
