// SPDX-License-Identifier: Apache-2.0
// The permissions that the bot needs in a channel, and which of them it has there. Pure.
#pragma once

#include "core/json/value.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::channels::discord {

using PermissionBits = std::uint64_t;

struct Permission {
    PermissionBits bit;
    std::string_view name;     // as Discord's client shows it
    std::string_view purpose;  // follows "to"
};
[[nodiscard]] std::span<const Permission> needed_permissions();

// The page that adds the bot to a server, with these permissions and nothing else.
[[nodiscard]] std::string invite_address(std::string_view application);

// The bot in one server.
struct Membership {
    std::string server;
    std::string bot;                      // its user id
    PermissionBits permissions = 0;       // in the whole server
    std::vector<std::string> roles = {};  // ids
};
// Bits in decimal digits; 0 if the text is anything else.
[[nodiscard]] PermissionBits permission_bits(std::string_view text);
// In this channel: those of the server, changed by the channel's overwrites.
[[nodiscard]] PermissionBits permissions_in(const json::Object& channel, const Membership& bot);

[[nodiscard]] bool is_visible(PermissionBits granted);
[[nodiscard]] std::vector<Permission> missing_permissions(PermissionBits granted);
// "the permissions Send Messages (to show requests), Attach Files (to …)"
[[nodiscard]] std::string list_permissions(const std::vector<Permission>& missing);

}  // namespace countersign::channels::discord
