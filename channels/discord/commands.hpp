// SPDX-License-Identifier: Apache-2.0
// The slash commands that Discord shows in its menu, and what a person meant by one. Pure.
//
// All others are words of the last of them: "/countersign always K7…".
#pragma once

#include "channels/discord/message.hpp"
#include "channels/discord/payload.hpp"
#include "core/json/value.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace countersign::channels::discord {

// Where an application's commands are: everywhere, direct messages included, or in one server alone.
struct CommandPlace {
    std::string application;
    std::string server = {};  // empty: everywhere
};

// Those that are missing from what Discord has there, or are different: the bodies that register them.
[[nodiscard]] std::vector<Json> missing_commands(const json::Array& registered, const CommandPlace& place);
// The ids of the commands in the list that are the same as ours.
[[nodiscard]] std::vector<std::string> own_commands(const json::Array& registered);
[[nodiscard]] Call list_commands(const CommandPlace& place);
[[nodiscard]] Call register_command(const CommandPlace& place, const Json& command);
[[nodiscard]] Call delete_command(const CommandPlace& place, std::string_view id);

// "/approve K7… Allow once", as a person would type it in a chat.
[[nodiscard]] std::string command_text(const Slash& slash);

}  // namespace countersign::channels::discord
