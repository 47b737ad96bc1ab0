// SPDX-License-Identifier: Apache-2.0
// Extracts from a raw call the facts that policy rules look at. The facts are as raw as the call: only the rules may
// see them.
#pragma once

#include "core/json/value.hpp"
#include "core/policy.hpp"
#include "core/risk.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::runtimes {

// Maximum number of hosts per call for the rules. A call with more is treated as having an odd URL.
inline constexpr std::size_t call_hosts_max = 256;

// A tool call. `exact` is false if the input can be read in two ways; then no command in it is trusted to be the one.
[[nodiscard]] CallFacts facts_of_tool(std::string_view tool_name, const json::Value& input, bool exact);

[[nodiscard]] CallFacts facts_of_shell(const std::vector<std::string>& argv, std::string_view cwd);

// The command line that these words form. A single word is used as it was sent; several are quoted where a shell would
// interpret them.
[[nodiscard]] std::string command_line(const std::vector<std::string>& argv);

// The command in a member with a command's name, as text or as a list of words. Empty if it is neither.
[[nodiscard]] std::optional<std::string> command_in(const json::Value& value);

// The working directory that a command specifies, or an empty string.
[[nodiscard]] std::string cwd_of(const json::Object& input);

// Removes automatic answers, except a rule's deny: a person is asked each time.
void ask_people(Judgement& judgement, std::string_view why);

}  // namespace countersign::runtimes
