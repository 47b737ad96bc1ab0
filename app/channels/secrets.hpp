// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/problem.hpp"
#include "core/configuration.hpp"
#include "security/redact/redactor.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace countersign::app {

// What the configured channels prove themselves with, as far as it can be read: it must leave in no text at all (I6). A
// channel whose secret cannot be read does not start, and says so itself.
[[nodiscard]] std::vector<security::KnownSecret> channel_secrets(const Configuration& configuration);

// Each secret file of a configuration that holds, which is missing, open to others or weak; with the line that names
// it. Reads the file again for the lines.
[[nodiscard]] std::vector<config::ConfigProblem> secret_problems(const std::filesystem::path& file,
                                                                 const Configuration& configuration);

}  // namespace countersign::app
