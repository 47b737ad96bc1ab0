// SPDX-License-Identifier: Apache-2.0
// Slack's ids, and which of them name what. All of them are the platform's; none is a name that can pass to another.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace countersign::channels::slack {

[[nodiscard]] inline bool is_id(std::string_view text, std::string_view first) {
    const auto is_capital_or_digit = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); };
    return text.size() >= 2 && text.size() <= 24 && first.find(text[0]) != std::string_view::npos &&
           std::ranges::all_of(text, is_capital_or_digit);
}
[[nodiscard]] inline bool is_team(std::string_view text) { return is_id(text, "TE"); }  // or an organisation
[[nodiscard]] inline bool is_user(std::string_view text) { return is_id(text, "UW"); }
[[nodiscard]] inline bool is_channel(std::string_view text) { return is_id(text, "CG"); }  // others read there too
[[nodiscard]] inline bool is_direct(std::string_view text) { return is_id(text, "D"); }

// "1548261231.000200": a message, by when it was posted.
[[nodiscard]] inline bool is_timestamp(std::string_view text) {
    const auto point = text.find('.');
    const auto digits = [](std::string_view part) {
        return !part.empty() && part.size() <= 12 &&
               std::ranges::all_of(part, [](char c) { return c >= '0' && c <= '9'; });
    };
    return point != std::string_view::npos && digits(text.substr(0, point)) && digits(text.substr(point + 1));
}

[[nodiscard]] inline bool is_command(std::string_view text) {
    const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_'; };
    return text.size() >= 2 && text.size() <= 32 && text.front() == '/' && std::ranges::all_of(text.substr(1), fits);
}

// The user of "slack:T0123/U061F7AUR".
[[nodiscard]] inline std::optional<std::string> user_of(std::string_view principal) {
    constexpr std::string_view prefix = "slack:";
    if (!principal.starts_with(prefix)) return std::nullopt;
    const auto slash = principal.find('/');
    if (slash == std::string_view::npos) return std::nullopt;
    const auto user = principal.substr(slash + 1);
    if (!is_user(user)) return std::nullopt;
    return std::string{user};
}

// Where an answer goes that only one person may see: "@U1", or "@U1 1548261231.000200" below a message. It is used in
// the place of a message's name, and names none.
struct Private {
    std::string user;
    std::string thread = {};
};
[[nodiscard]] inline std::string private_name(const Private& to) {
    return "@" + to.user + (to.thread.empty() ? "" : " " + to.thread);
}
[[nodiscard]] inline std::optional<Private> private_of(std::string_view name) {
    if (!name.starts_with('@')) return std::nullopt;
    const auto space = name.find(' ');
    const bool has_thread = space != std::string_view::npos;
    Private to{std::string{name.substr(1, has_thread ? space - 1 : space)},
               has_thread ? std::string{name.substr(space + 1)} : std::string{}};
    if (!is_user(to.user) || (has_thread && !is_timestamp(to.thread))) return std::nullopt;
    return to;
}

}  // namespace countersign::channels::slack
