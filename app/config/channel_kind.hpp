// SPDX-License-Identifier: Apache-2.0
// What the configuration knows of each kind of channel: its settings, whose ids it brings, and how sure it makes us.
#pragma once

#include "core/attempt.hpp"

#include <span>
#include <string_view>

namespace countersign::app {

// The kinds that this release can start. A channel that is built adds its word here.
inline constexpr std::string_view available_kinds[] = {"terminal", "telegram"};

enum class SettingType {
    text,
    secret_file,  // an absolute path; the value is never shown in a problem, it may be the secret itself
    url,          // https, or http on this machine
    boolean,
    mode,        // poll or webhook
    moment,      // 2026-12-01T12:00:00Z
    public_key,  // an Ed25519 key, 64 hex digits
    digits,
    phone,
};
struct Setting {
    std::string_view name;
    SettingType type;
    bool required = false;
};

// Where a step on this kind goes to.
enum class Placing {
    one_place,       // chat is not written: there is one screen or page
    chat_or_people,  // one of the two must be written
    people,          // only to people, each alone
};

struct ChannelKind {
    std::string_view name;
    std::string_view principal;  // the key in [people.<name>] of those who act on it
    Assurance assurance;         // the most it can prove
    Placing placing;
    std::span<const Setting> settings;
    bool chats_are_numbers = false;  // and buttons come back with the number, whatever name they were sent to
    bool chats_have_topics = false;  // each with a number of its own
};
[[nodiscard]] std::span<const ChannelKind> known_kinds();
[[nodiscard]] const ChannelKind* kind_named(std::string_view name);  // null: unknown

}  // namespace countersign::app
