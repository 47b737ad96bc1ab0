// SPDX-License-Identifier: Apache-2.0
// What `setup` writes: the tables of a new channel and its person, and private files.
#pragma once

#include "core/channel_kind.hpp"
#include "core/result.hpp"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace countersign::app::setup {

// A channel that was connected, and the person who was paired on it.
struct NewChannel {
    const ChannelKind* kind = nullptr;
    std::string title;   // of the platform
    std::string person;  // their name in the configuration
    std::string id;      // and at the platform, without its kind
    std::string channel;
    std::string chat = {};  // where requests are shown; empty: the person's private chat
    std::vector<std::pair<std::string, std::string>> settings = {};  // of its table, besides the kind
    std::map<std::string, std::string> groups = {};                  // id, title
};
// "telegram:77"
[[nodiscard]] std::string principal_of(const NewChannel& made);
// The line that gives the person their id, and the tables of the person and of the channel, each with its header. Pure.
[[nodiscard]] std::string id_toml(const NewChannel& made);
[[nodiscard]] std::string person_toml(const NewChannel& made);
[[nodiscard]] std::string channel_toml(const NewChannel& made);
// The element of a route's `ask`. Pure.
[[nodiscard]] std::string step_toml(const NewChannel& made);
// A text as TOML writes it. Pure.
[[nodiscard]] std::string toml_string(std::string_view text);
// The whole configuration, with what the groups would need as comments. Pure.
[[nodiscard]] std::string configuration_toml(const NewChannel& made);

// A new file of mode 0600 in a directory of mode 0700, on disk when this returns. An old one stays unless `replace`.
[[nodiscard]] Result<void> write_private(const std::string& path, std::string_view text, bool replace);

// Copies a file to the first of FILE.bak, FILE.bak.1 … FILE.bak.9 that is not there, so that the first original stays;
// when all are there the last one is replaced. Which one it was; empty if there is nothing to copy.
[[nodiscard]] Result<std::string> keep_copy(const std::string& file);

// What a person of this first name could be called in a configuration: its a-z, 0-9, - and _, in lower case; "me" if
// nothing is left.
[[nodiscard]] std::string name_from(std::string_view first_name);

}  // namespace countersign::app::setup
