// SPDX-License-Identifier: Apache-2.0
// Reads a configuration file. The result is either a valid configuration or a list of all problems: with a partly
// understood configuration, the wrong people could decide.
//
// docs/CONFIGURATION.md describes every key.
#pragma once

#include "config/problem.hpp"
#include "core/channel_kind.hpp"
#include "core/configuration.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace countersign::config {

// The names that a configuration may use and that other folders define.
struct Known {
    std::vector<KnownKind> kinds;             // of channels
    std::vector<std::string_view> runtimes;   // including those of a later release
    std::string example_runtime;              // one that can be started, for suggestions
    std::vector<std::string_view> languages;  // the tags of languages with cards
    // Returns what is wrong with a witness's verifier key, or an empty string.
    std::function<std::string(const std::string& vkey)> witness_key_flaw;
};

using ConfigResult = std::variant<Configuration, std::vector<ConfigProblem>>;  // never an empty list

// Pure: opens no file and runs no command. `file` is the name printed with problems. Groups that a command fills are
// present but empty; see resolve_groups. A configuration borrows the kinds of its channels.
[[nodiscard]] ConfigResult parse_config(std::string_view text, std::string file, const Known& known);

// Refuses a file that is not regular, is larger than config_bytes_max, or may be written by other users.
[[nodiscard]] ConfigResult load_config(const std::filesystem::path& path, const Known& known);

}  // namespace countersign::config
