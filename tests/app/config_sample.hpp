// SPDX-License-Identifier: Apache-2.0
// The least configuration that holds, in its three parts, so that a test can replace one of them.
#pragma once

#include "app/config/config.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace countersign::app {

inline const std::string people = "[people.alice]\nterminal = 1000\nroles = [\"approve\"]\n";                // 3 lines
inline const std::string channels = "[channels.desk]\nkind = \"terminal\"\n";                                // 2 lines
inline const std::string routes = "[[routes]]\nask = [ { channel = \"desk\" } ]\ndeciders = [\"alice\"]\n";  // 3 lines

inline const std::vector<std::string_view> all_kinds{"terminal", "telegram", "slack",  "discord",
                                                     "sms",      "whatsapp", "signal", "console"};

inline std::string data_file(const std::string& path) {
    std::ifstream file{std::string{COUNTERSIGN_SOURCE_DIR} + "/" + path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

inline std::string all_of(const std::vector<ConfigProblem>& problems) {
    std::string text;
    for (const auto& problem : problems) text += print(problem) + "\n";
    return text;
}

inline std::vector<ConfigProblem> problems_of(const std::string& text,
                                              std::span<const std::string_view> kinds = available_kinds) {
    auto result = parse_config(text, "test.toml", kinds);
    auto* problems = std::get_if<std::vector<ConfigProblem>>(&result);
    return problems == nullptr ? std::vector<ConfigProblem>{} : std::move(*problems);
}

inline Configuration configuration_of(const std::string& text,
                                      std::span<const std::string_view> kinds = available_kinds) {
    auto result = parse_config(text, "test.toml", kinds);
    if (const auto* problems = std::get_if<std::vector<ConfigProblem>>(&result)) {
        ADD_FAILURE() << all_of(*problems);
        return {};
    }
    return std::get<Configuration>(std::move(result));
}

}  // namespace countersign::app
