// SPDX-License-Identifier: Apache-2.0
// One reader for each section of a configuration, in dependency order. A reader takes its keys from the root table,
// reports problems and continues, so that an operator sees all of them at once.
#pragma once

#include "config/config.hpp"
#include "config/fields.hpp"
#include "core/channel_kind.hpp"
#include "core/configuration.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::config {

// [people.<name>]: each account becomes a principal, which belongs to one person only.
void read_people(Fields& root, Configuration& configuration, const Known& known);

// [groups]: lists of people, or a command that prints them.
void read_groups(Fields& root, Configuration& configuration);

// [channels.<name>]: each of one of these kinds.
void read_channels(Fields& root, Configuration& configuration, std::span<const KnownKind> kinds);

// [[routes]]: who is asked where, and who may decide. Needs people, groups and channels.
void read_routes(Fields& root, Configuration& configuration, const Known& known);

// The `ask` of one route. Read the timeout and `ends` first.
void read_steps(Fields& fields, const Configuration& configuration, Route& route);

// [[risk]], [[policy]] and [always]. Policy rules may name risk rules.
void read_risk(Fields& root, Configuration& configuration);
void read_policy(Fields& root, Configuration& configuration);
void read_always(Fields& root, Configuration& configuration, std::span<const std::string_view> runtimes);

// [log]: its name, and the chats and witnesses that see its checkpoints. Needs channels.
void read_log(Fields& root, Configuration& configuration, const Known& known);

// [gateway]: where to serve webhooks and the health pages.
void read_gateway(Fields& root, Configuration& configuration);

// [limits]: how much one agent may ask per minute.
void read_limits(Fields& root, Configuration& configuration);

// Reads `channel`; `whose` describes the setting in problems. Null, with a problem, if there is no such channel.
[[nodiscard]] const ChannelKind* read_channel_name(Fields& fields, const Configuration& configuration,
                                                   std::string& channel, std::string_view whose);
// Reads `chat`: the platform's id, a number on some platforms and a string on others. Empty if it is missing.
[[nodiscard]] std::string read_chat(Fields& fields);
// Reports a chat that does not have this platform's format.
void check_chat(Fields& fields, const ChannelKind& kind, std::string_view chat);

// https, or http to this machine; without user name and password.
[[nodiscard]] bool is_web_address(std::string_view text);

// The keys of a map, for suggestions.
template <class Map> [[nodiscard]] std::vector<std::string_view> names_of(const Map& map) {
    std::vector<std::string_view> names;
    names.reserve(map.size());
    for (const auto& [name, value] : map) names.emplace_back(name);
    return names;
}

// Reads the language key of a table.
[[nodiscard]] std::optional<std::string> read_language(Fields& fields, const Known& known);

// A person's name for a suggestion: the first in the configuration, in quotes.
[[nodiscard]] std::string example_person(const Configuration& configuration);

// False, with a problem, if the configuration has no such person.
[[nodiscard]] bool is_person(const Word& word, const Configuration& configuration, Problems& problems);
void refuse_repeats(const std::vector<Word>& words, Problems& problems);

}  // namespace countersign::config
