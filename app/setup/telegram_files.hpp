// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace countersign::app::setup {

struct TelegramSetup {
    std::string person;  // their name in the configuration
    std::int64_t telegram_id = 0;
    std::string token_file;
    std::string base_url;                       // empty: Telegram's own
    std::map<std::string, std::string> groups;  // id, title
    std::string channel = "phone";
};
// The tables of the person and of the channel, each with its header. Pure.
[[nodiscard]] std::string person_toml(const TelegramSetup& setup);
[[nodiscard]] std::string channel_toml(const TelegramSetup& setup);
// A text as TOML writes it. Pure.
[[nodiscard]] std::string toml_string(std::string_view text);
// The whole configuration, with what the groups would need as comments. Pure.
[[nodiscard]] std::string telegram_toml(const TelegramSetup& setup);

// A new file of mode 0600 in a directory of mode 0700, on disk when this returns. An old one stays unless `replace`.
[[nodiscard]] Result<void> write_private(const std::string& path, std::string_view text, bool replace);

// Copies a file to the first of FILE.bak, FILE.bak.1 … FILE.bak.9 that is not there, so that the first original stays;
// when all are there the last one is replaced. Which one it was; empty if there is nothing to copy.
[[nodiscard]] Result<std::string> keep_copy(const std::string& file);

// What a person of this first name could be called in a configuration: its a-z, 0-9, - and _, in lower case; "me" if
// nothing is left.
[[nodiscard]] std::string name_from(std::string_view first_name);

}  // namespace countersign::app::setup
