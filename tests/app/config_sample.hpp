// SPDX-License-Identifier: Apache-2.0
// The smallest valid configuration, in its three parts, so that a test can replace one of them.
#pragma once

#include "app/channels/registry.hpp"
#include "config/config.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace countersign::app {

inline const std::string people = "[people.alice]\nterminal = 1000\nroles = [\"approve\"]\n";                // 3 lines
inline const std::string channels = "[channels.desk]\nkind = \"terminal\"\n";                                // 2 lines
inline const std::string routes = "[[routes]]\nask = [ { channel = \"desk\" } ]\ndeciders = [\"alice\"]\n";  // 3 lines

inline const config::Known available_kinds = known_kinds();
// As if this release could start all of them.
inline const config::Known all_kinds = [] {
    auto known = known_kinds();
    for (auto& kind : known.kinds) kind.available = true;
    return known;
}();

inline std::string data_file(const std::string& path) {
    std::ifstream file{std::string{COUNTERSIGN_SOURCE_DIR} + "/" + path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

inline std::string all_of(const std::vector<config::ConfigProblem>& problems) {
    std::string text;
    for (const auto& problem : problems) text += print(problem) + "\n";
    return text;
}

inline std::vector<config::ConfigProblem> problems_of(const std::string& text,
                                                      const config::Known& known = available_kinds) {
    auto result = config::parse_config(text, "test.toml", known);
    auto* problems = std::get_if<std::vector<config::ConfigProblem>>(&result);
    return problems == nullptr ? std::vector<config::ConfigProblem>{} : std::move(*problems);
}

inline Configuration configuration_of(const std::string& text, const config::Known& known = available_kinds) {
    auto result = config::parse_config(text, "test.toml", known);
    if (const auto* problems = std::get_if<std::vector<config::ConfigProblem>>(&result)) {
        ADD_FAILURE() << all_of(*problems);
        return {};
    }
    return std::get<Configuration>(std::move(result));
}

}  // namespace countersign::app
