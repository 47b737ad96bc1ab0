// SPDX-License-Identifier: Apache-2.0
// The files that `setup` writes: the tables of a new channel and its person, and private files.
#pragma once

#include "core/channel_kind.hpp"
#include "core/result.hpp"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace countersign::app::setup {

// A newly connected channel, and the person who was paired on it.
struct NewChannel {
    const ChannelKind* kind = nullptr;
    std::string title;   // of the platform
    std::string person;  // their name in the configuration
    std::string id;      // their id on the platform, without its kind
    std::string channel;
    std::string chat = {};  // where requests are shown; empty: the person's private chat
    std::vector<std::pair<std::string, std::string>> settings = {};  // of the channel's table, without the kind
    std::map<std::string, std::string> groups = {};                  // id → title
};
// "telegram:77"
[[nodiscard]] std::string principal_of(const NewChannel& made);
// The line with the person's id; the tables of the person and of the channel, each with its header. Pure.
[[nodiscard]] std::string id_toml(const NewChannel& made);
[[nodiscard]] std::string person_toml(const NewChannel& made);
[[nodiscard]] std::string channel_toml(const NewChannel& made);
// The element for a route's `ask`. Pure.
[[nodiscard]] std::string step_toml(const NewChannel& made);
// A text as a TOML string. Pure.
[[nodiscard]] std::string toml_string(std::string_view text);
// The whole configuration; what the groups would need is added as comments. Pure.
[[nodiscard]] std::string configuration_toml(const NewChannel& made);

// Creates a file of mode 0600 in a directory of mode 0700; it is on disk when this returns. An existing file is kept
// unless `replace` is set.
[[nodiscard]] Result<void> write_private(const std::string& path, std::string_view text, bool replace);

// Copies a file to the first free name of FILE.bak, FILE.bak.1 … FILE.bak.9, so that the original is kept; if all
// exist, replaces the last one. Returns the copy's name, or an empty string if there is nothing to copy.
[[nodiscard]] Result<std::string> keep_copy(const std::string& file);

// A configuration name for a person with this first name: its a-z, 0-9, - and _ in lower case, or "me" if nothing is
// left.
[[nodiscard]] std::string name_from(std::string_view first_name);

}  // namespace countersign::app::setup
