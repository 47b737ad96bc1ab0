// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/problem.hpp"
#include "core/configuration.hpp"
#include "security/redact/redactor.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace countersign::app {

// The credentials of the configured channels, as far as they can be read: they must never appear in any text (I6). A
// channel whose secret cannot be read does not start and reports that itself.
[[nodiscard]] std::vector<security::KnownSecret> channel_secrets(const Configuration& configuration);

// The secret files of a valid configuration that are missing, readable by others or weak, and each previous secret that
// would stay valid for longer than secret_overlap_max, with the line that names it. Reads the configuration file again
// for the line numbers.
[[nodiscard]] std::vector<config::ConfigProblem> secret_problems(const std::filesystem::path& file,
                                                                 const Configuration& configuration, WallTime now);

}  // namespace countersign::app
