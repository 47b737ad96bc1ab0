// SPDX-License-Identifier: Apache-2.0
#include "channels/discord/permissions.hpp"

#include "core/json/members.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>

namespace countersign::channels::discord {

namespace {

constexpr PermissionBits administrator = 1ULL << 3U;
constexpr PermissionBits view_channel = 1ULL << 10U;
constexpr PermissionBits all_bits = ~0ULL;

constexpr auto needed = std::to_array<Permission>({
    {view_channel, "View Channel", "see the channel"},
    {1ULL << 11U, "Send Messages", "show requests"},
    {1ULL << 15U, "Attach Files", "send a call that is too long for a message"},
    {1ULL << 16U, "Read Message History", "reply to its own cards"},
    {1ULL << 35U, "Create Public Threads", "keep the cards of a session together"},
    {1ULL << 38U, "Send Messages in Threads", "write in those threads"},
});

// One entry of a channel's permission_overwrites.
struct Overwrite {
    PermissionBits allow = 0;
    PermissionBits deny = 0;
};

void apply(PermissionBits& bits, const Overwrite& overwrite) { bits = (bits & ~overwrite.deny) | overwrite.allow; }

}  // namespace

std::span<const Permission> needed_permissions() { return needed; }

std::string invite_address(std::string_view application) {
    PermissionBits bits = 0;
    for (const auto& one : needed) bits |= one.bit;
    return "https://discord.com/oauth2/authorize?client_id=" + std::string{application} +
           "&scope=bot+applications.commands&permissions=" + std::to_string(bits);
}

PermissionBits permission_bits(std::string_view text) {
    PermissionBits bits = 0;
    const auto* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, bits);
    return read.ec == std::errc{} && read.ptr == end ? bits : 0;
}

// Discord's order: everyone (whose role has the server's id), then all roles together, then the member.
PermissionBits permissions_in(const json::Object& channel, const Membership& bot) {
    if ((bot.permissions & administrator) != 0) return all_bits;
    Overwrite everyone;
    Overwrite roles;
    Overwrite member;
    for (const auto& one : json::array_in(channel, "permission_overwrites")) {
        const auto* entry = one.object();
        if (entry == nullptr) continue;
        const auto id = json::text_of(*entry, "id");
        const Overwrite overwrite{.allow = permission_bits(json::text_of(*entry, "allow")),
                                  .deny = permission_bits(json::text_of(*entry, "deny"))};
        if (id == bot.server) {
            everyone = overwrite;
        } else if (id == bot.bot) {
            member = overwrite;
        } else if (std::ranges::find(bot.roles, id) != bot.roles.end()) {
            roles.allow |= overwrite.allow;
            roles.deny |= overwrite.deny;
        }
    }
    auto bits = bot.permissions;
    for (const auto& overwrite : {everyone, roles, member}) apply(bits, overwrite);
    return bits;
}

bool is_visible(PermissionBits granted) { return (granted & view_channel) != 0; }

std::vector<Permission> missing_permissions(PermissionBits granted) {
    std::vector<Permission> missing;
    std::ranges::copy_if(needed, std::back_inserter(missing),
                         [&](const Permission& one) { return (granted & one.bit) == 0; });
    return missing;
}

std::string list_permissions(const std::vector<Permission>& missing) {
    std::string list;
    for (const auto& one : missing) {
        list += (list.empty() ? "" : ", ") + std::string{one.name} + " (to " + std::string{one.purpose} + ")";
    }
    return (missing.size() == 1 ? "the permission " : "the permissions ") + list;
}

}  // namespace countersign::channels::discord
