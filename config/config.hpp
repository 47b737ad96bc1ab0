// SPDX-License-Identifier: Apache-2.0
// Reads a configuration file. Either the whole of it holds, or there is none and a list of all that is wrong: a
// configuration that is partly understood would let somebody decide whom nobody meant.
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

// What a configuration may name, and other folders know.
struct Known {
    std::vector<KnownKind> kinds;             // of channels
    std::vector<std::string_view> runtimes;   // also those of a later release
    std::string example_runtime;              // one that can be started, to suggest
    std::vector<std::string_view> languages;  // tags of those that there are cards in
    // What is wrong with the line by which a witness is known; empty if nothing is.
    std::function<std::string(const std::string& vkey)> witness_key_flaw;
};

using ConfigResult = std::variant<Configuration, std::vector<ConfigProblem>>;  // never an empty list

// Pure: no file is opened and no command run. `file` is what problems are printed with. Groups that a command fills are
// there and empty; see resolve_groups. A configuration borrows the kinds that its channels have.
[[nodiscard]] ConfigResult parse_config(std::string_view text, std::string file, const Known& known);

// Refuses what is no regular file, is larger than config_bytes_max, or may be written by everybody.
[[nodiscard]] ConfigResult load_config(const std::filesystem::path& path, const Known& known);

}  // namespace countersign::config
