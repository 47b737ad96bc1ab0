// SPDX-License-Identifier: Apache-2.0
// Questions to the person at the terminal.
#pragma once

#include "core/result.hpp"
#include "security/secret.hpp"

#include <string>

namespace countersign::app::setup {

// One line of standard input, without being shown while it is typed. From a pipe it is read as it is.
[[nodiscard]] Result<security::Secret> ask_secret(const std::string& question);
// One line; `usual` if it is empty.
[[nodiscard]] Result<std::string> ask_line(const std::string& question, const std::string& usual);

}  // namespace countersign::app::setup
