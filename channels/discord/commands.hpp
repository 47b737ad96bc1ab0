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

// Those that are missing from what Discord has of this app, or are another there: the bodies that register them.
[[nodiscard]] std::vector<Json> missing_commands(const json::Array& registered);
[[nodiscard]] Call list_commands(std::string_view application);
[[nodiscard]] Call register_command(std::string_view application, const Json& command);

// "/approve K7… Allow once", as a person would type it in a chat.
[[nodiscard]] std::string command_text(const Slash& slash);

}  // namespace countersign::channels::discord
