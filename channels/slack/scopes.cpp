// SPDX-License-Identifier: Apache-2.0
#include "channels/slack/scopes.hpp"

#include <algorithm>
#include <array>

namespace countersign::channels::slack {

namespace {

constexpr auto scopes = std::to_array<Scope>({
    {"chat:write", "show requests"},
    {"commands", "take slash commands"},
    {"files:write", "send a call that is too long for a message"},
    {"im:write", "write to people directly"},
    {"im:history", "read what people write to the bot"},
    {"channels:history", "read replies in public channels"},
    {"groups:history", "read replies in private channels"},
    {"channels:read", "find out in which public channels the bot is a member"},
    {"groups:read", "find out in which private channels the bot is a member"},
});

bool has(std::string_view list, std::string_view name) {
    while (!list.empty()) {
        const auto comma = std::min(list.find(','), list.size());
        auto one = list.substr(0, comma);
        while (one.starts_with(' ')) one.remove_prefix(1);
        while (one.ends_with(' ')) one.remove_suffix(1);
        if (one == name) return true;
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
    return false;
}

}  // namespace

std::span<const Scope> app_scopes() { return scopes; }

std::vector<std::string_view> missing_scopes(std::string_view granted) {
    std::vector<std::string_view> missing;
    for (const auto& scope : scopes) {
        if (!has(granted, scope.name)) missing.push_back(scope.name);
    }
    return missing;
}

std::string explain_missing_scopes(const std::vector<std::string_view>& missing) {
    std::string list;
    for (const auto& scope : scopes) {
        if (std::ranges::find(missing, scope.name) == missing.end()) continue;
        list += (list.empty() ? "" : ", ") + std::string{scope.name} + " (to " + std::string{scope.purpose} + ")";
    }
    return (missing.size() == 1 ? "the app lacks the scope " : "the app lacks the scopes ") + list +
           ": add it at the app's page, OAuth & Permissions, Bot Token Scopes, then install the app again";
}

}  // namespace countersign::channels::slack
