// SPDX-License-Identifier: Apache-2.0
// What the rules look at, taken out of a raw call. The facts are as raw as the call: they go to the rules and nowhere
// else.
#pragma once

#include "core/json/value.hpp"
#include "core/policy.hpp"
#include "core/risk.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::runtimes {

// The hosts of a call that the rules look at. A call with more has an odd URL.
inline constexpr std::size_t call_hosts_max = 256;

// A tool call. `exact` is false where the input has two readings: then no command is believed to be the one.
[[nodiscard]] CallFacts facts_of_tool(std::string_view tool_name, const json::Value& input, bool exact);

[[nodiscard]] CallFacts facts_of_shell(const std::vector<std::string>& argv, std::string_view cwd);

// The one command line that these words are. One word is a command line as it was sent; several are quoted where a
// shell would read them as more than themselves.
[[nodiscard]] std::string command_line(const std::vector<std::string>& argv);

// The command that a member of that name holds, as text or as words; nothing where it is neither.
[[nodiscard]] std::optional<std::string> command_in(const json::Value& value);

// The working directory that a command names for itself; empty if none.
[[nodiscard]] std::string cwd_of(const json::Object& input);

// Takes the automatic answers away, but a rule's deny: a person is asked, each time.
void ask_people(Judgement& judgement, std::string_view why);

}  // namespace countersign::runtimes
