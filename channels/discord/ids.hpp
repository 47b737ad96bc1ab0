// SPDX-License-Identifier: Apache-2.0
// Discord's ids, and which of them name what. All of them are the platform's; none is a name that can pass to another.
//
// A channel and a person have ids of the same form. So a direct message is the chat "@" and the person's id: what is
// sent there is looked up when it is sent, and what comes from there is told by its sender.
#pragma once

#include "core/time.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::channels::discord {

// "53908232506183680": 64 bits in decimal digits, the upper 42 of them a time.
[[nodiscard]] inline bool is_snowflake(std::string_view text) {
    std::uint64_t number = 0;
    const auto* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    return text.size() >= 15 && text.front() != '0' && read.ec == std::errc{} && read.ptr == end;
}

// When the platform made it.
[[nodiscard]] inline std::optional<WallTime> moment_of(std::string_view snowflake) {
    if (!is_snowflake(snowflake)) return std::nullopt;
    std::uint64_t number = 0;
    std::from_chars(snowflake.data(), snowflake.data() + snowflake.size(), number);
    constexpr std::uint64_t epoch = 1'420'070'400'000;  // 2015-01-01, in milliseconds
    return WallTime{std::chrono::milliseconds{static_cast<std::int64_t>((number >> 22U) + epoch)}};
}

// The user of "discord:53908232506183680".
[[nodiscard]] inline std::optional<std::string> user_of(std::string_view principal) {
    constexpr std::string_view prefix = "discord:";
    if (!principal.starts_with(prefix) || !is_snowflake(principal.substr(prefix.size()))) return std::nullopt;
    return std::string{principal.substr(prefix.size())};
}
[[nodiscard]] inline std::string principal_of(std::string_view user) { return "discord:" + std::string{user}; }

// The chat of the direct messages with a person.
[[nodiscard]] inline std::string direct_chat(std::string_view user) { return "@" + std::string{user}; }
[[nodiscard]] inline std::optional<std::string> direct_user(std::string_view chat) {
    if (!chat.starts_with('@') || !is_snowflake(chat.substr(1))) return std::nullopt;
    return std::string{chat.substr(1)};
}
[[nodiscard]] inline bool is_direct(std::string_view chat) { return direct_user(chat).has_value(); }

// A message by our name for it: its id; in a thread that we opened "thread/id", because the chat is the channel that
// has the thread. A message that has a thread gives it its own id.
struct MessageName {
    std::string message;
    std::string thread = {};  // empty: in the chat itself
    friend bool operator==(const MessageName&, const MessageName&) = default;
};
[[nodiscard]] inline std::string name_of(const MessageName& name) {
    return name.thread.empty() ? name.message : name.thread + "/" + name.message;
}
[[nodiscard]] inline std::optional<MessageName> message_name(std::string_view text) {
    const auto slash = text.find('/');
    if (slash == std::string_view::npos) {
        if (!is_snowflake(text)) return std::nullopt;
        return MessageName{.message = std::string{text}};
    }
    const auto thread = text.substr(0, slash);
    const auto message = text.substr(slash + 1);
    if (!is_snowflake(thread) || !is_snowflake(message)) return std::nullopt;
    return MessageName{.message = std::string{message}, .thread = std::string{thread}};
}

// What a person did in the app, by the platform's id of it. It takes the place of a message's name where an answer is
// for that person alone, and names no message. The token that answers it is a credential and never part of a name.
[[nodiscard]] inline std::string interaction_name(std::string_view id) { return "i" + std::string{id}; }
[[nodiscard]] inline std::optional<std::string> interaction_of(std::string_view name) {
    if (!name.starts_with('i') || !is_snowflake(name.substr(1))) return std::nullopt;
    return std::string{name.substr(1)};
}

// What a component of ours is called. The name of a button is its token alone; of the others a letter and a token: a
// list has that of its first choice, and each choice has its own as its value; a window that of the button that opened
// it.
enum class Part { button, list, answers, reason };
struct PartName {
    Part part = Part::button;
    std::string token;
    friend bool operator==(const PartName&, const PartName&) = default;
};
inline constexpr std::string_view part_letters = "sar";  // of Part, from the second on
[[nodiscard]] inline std::string custom_id(Part part, std::string_view token) {
    if (part == Part::button) return std::string{token};
    return part_letters[static_cast<std::size_t>(part) - 1] + std::string{token};
}
// The token is not verified here.
[[nodiscard]] inline PartName part_named(std::string_view custom_id) {
    const auto letter = custom_id.empty() ? std::string_view::npos : part_letters.find(custom_id.front());
    if (letter == std::string_view::npos) return {Part::button, std::string{custom_id}};
    return {static_cast<Part>(letter + 1), std::string{custom_id.substr(1)}};
}

// A field of a window that was submitted, or a list: what was typed, or the values that were chosen.
struct Field {
    std::string id;
    std::vector<std::string> values;
    friend bool operator==(const Field&, const Field&) = default;
};
using Fields = std::vector<Field>;

}  // namespace countersign::channels::discord
