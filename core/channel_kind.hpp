// SPDX-License-Identifier: Apache-2.0
// A kind of channel as the configuration sees it: its settings and their rules, the ids of the people who act on it,
// and how much it can prove. Each platform has its own in its folder; a registry lists them.
#pragma once

#include "core/attempt.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace countersign {

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
    bool reloadable = false;  // a running channel takes another value
};

// What is wrong with a value, and what to write; empty if nothing is.
struct Complaint {
    std::string what;
    std::string instead;
};
struct SettingComplaint {
    std::string_view setting;
    Complaint complaint;
};
// The settings that are written, by name. One whose value was refused is there and empty.
using WrittenSettings = std::map<std::string, std::string, std::less<>>;

// An id as an operator writes it: one of the two is there, or neither.
struct WrittenId {
    const std::string* text = nullptr;
    const std::int64_t* integer = nullptr;
};
// The immutable id that a platform signs for, never a name that can pass to another person (I4).
struct PrincipalKind {
    std::string_view name;  // the key in [people.<name>], and the part before the colon
    std::string_view what;  // "a Telegram user id"
    std::optional<std::string> (*read)(const WrittenId& id);
    std::string_view instead;     // what to write and where to find it
    bool is_long_number = false;  // as an integer it is right in TOML and rounded by a program that reads a double
};

// Where a step on this kind goes to.
enum class Placing {
    one_place,       // chat is not written: there is one screen or page
    chat_or_people,  // one of the two must be written
    people,          // only to people, each alone
};

// The numbered parts of a chat.
struct Topics {
    std::int64_t least;
    std::int64_t most;
    Complaint (*check)(std::int64_t topic);
    std::string_view chat;  // what to write where the chat is missing
};

struct ChannelKind {
    std::string_view name;
    PrincipalKind principal;  // of the people who act on it
    Assurance assurance;      // the most it can prove
    Placing placing;
    std::span<const Setting> settings = {};
    // Rules across settings.
    std::vector<SettingComplaint> (*check)(const WrittenSettings& settings) = nullptr;
    Complaint (*check_chat)(std::string_view chat) = nullptr;  // null: any text is a chat's id
    const Topics* topics = nullptr;                            // null: chats have none
    bool is_own_terminal = false;  // at the terminal of the process, where the user that it runs as decides
};

// A kind that a configuration may name, and whether this release can start it.
struct KnownKind {
    const ChannelKind* kind;
    bool available;
};

// What to write for a setting that names a file: its value, and the whole line.
[[nodiscard]] std::string example_path(std::string_view setting);
[[nodiscard]] std::string write_file(std::string_view setting);

// For PrincipalKind::read.
[[nodiscard]] std::optional<std::string> integer_between(const WrittenId& id, std::int64_t least, std::int64_t most);
[[nodiscard]] std::optional<std::string> text_if(const WrittenId& id, bool (*fits)(std::string_view));
[[nodiscard]] bool is_digits(std::string_view text, std::size_t least, std::size_t most);
[[nodiscard]] bool is_phone_number(std::string_view text);  // E.164: +447700900123

}  // namespace countersign
