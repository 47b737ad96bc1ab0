// SPDX-License-Identifier: Apache-2.0
// A kind of channel as the configuration sees it: its settings and their rules, the ids of the people who use it, and
// how well it can identify them. Each platform defines its own in its folder; a registry lists them.
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
    secret_file,  // an absolute path; problems never show the value, because it may be the secret itself
    url,          // https, or http to this machine
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
    bool reloadable = false;  // can change while the channel runs
};

// The problem with a value, and what to write instead; both empty if the value is valid.
struct Complaint {
    std::string what;
    std::string instead;
};
struct SettingComplaint {
    std::string_view setting;
    Complaint complaint;
};
// The settings in the file, by name. A setting whose value was rejected is present and empty.
using WrittenSettings = std::map<std::string, std::string, std::less<>>;

// An id as the operator wrote it, as text or as an integer. Both pointers are null if it is neither.
struct WrittenId {
    const std::string* text = nullptr;
    const std::int64_t* integer = nullptr;
};
// The immutable id that a platform vouches for, never a name that could pass to another person (I4).
struct PrincipalKind {
    std::string_view name;  // the key in [people.<name>] and the part before the colon
    std::string_view what;  // "a Telegram user id"
    std::optional<std::string> (*read)(const WrittenId& id);
    std::string_view instead;     // what to write and where to find it
    bool is_long_number = false;  // exact as a TOML integer, but rounded by programs that read it as a double
};

// Where the messages of a step go.
enum class Placing {
    one_place,       // `chat` must not be set: there is only one screen or page
    chat_or_people,  // either `chat` or `people` must be set
    people,          // only to people, each separately
};

// The numbered topics of a chat.
struct Topics {
    std::int64_t least;
    std::int64_t most;
    Complaint (*check)(std::int64_t topic);
    std::string_view chat;  // what to write if the chat is missing
};

struct ChannelKind {
    std::string_view name;
    PrincipalKind principal;  // of the people who use it
    Assurance assurance;      // the strongest that it can provide
    Placing placing;
    std::span<const Setting> settings = {};
    // Checks rules that involve several settings.
    std::vector<SettingComplaint> (*check)(const WrittenSettings& settings) = nullptr;
    Complaint (*check_chat)(std::string_view chat) = nullptr;  // null: any text is a valid chat id
    const Topics* topics = nullptr;                            // null: chats have no topics
    bool is_own_terminal = false;  // the terminal of this process; the user it runs as decides there
};

// A kind that a configuration may name, and whether this release supports it.
struct KnownKind {
    const ChannelKind* kind;
    bool available;
};

// What to write for a setting that names a file: an example value, and the whole line.
[[nodiscard]] std::string example_path(std::string_view setting);
[[nodiscard]] std::string write_file(std::string_view setting);

// Helpers for PrincipalKind::read.
[[nodiscard]] std::optional<std::string> integer_between(const WrittenId& id, std::int64_t least, std::int64_t most);
[[nodiscard]] std::optional<std::string> text_if(const WrittenId& id, bool (*fits)(std::string_view));
[[nodiscard]] bool is_digits(std::string_view text, std::size_t least, std::size_t most);
[[nodiscard]] bool is_phone_number(std::string_view text);  // E.164: +447700900123

}  // namespace countersign
