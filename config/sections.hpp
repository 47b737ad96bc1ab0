// SPDX-License-Identifier: Apache-2.0
// The sections of a configuration, one reader each, in the order they build on one another. A reader takes what it
// knows from the root table, reports what is wrong and goes on, so that an operator sees all of it at once.
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

// [people.<name>]: everything written about somebody becomes principals, which belong to one person only.
void read_people(Fields& root, Configuration& configuration, const Known& known);

// [groups]: names of people, or the command that prints them.
void read_groups(Fields& root, Configuration& configuration);

// [channels.<name>]: of one of these kinds.
void read_channels(Fields& root, Configuration& configuration, std::span<const KnownKind> kinds);

// [[routes]]: who is asked where, and who may decide. Needs people, groups and channels.
void read_routes(Fields& root, Configuration& configuration, const Known& known);

// `ask` of one route, whose timeout and `ends` are read already.
void read_steps(Fields& fields, const Configuration& configuration, Route& route);

// [[risk]], [[policy]] and [always]. Policy rules may name risk rules.
void read_risk(Fields& root, Configuration& configuration);
void read_policy(Fields& root, Configuration& configuration);
void read_always(Fields& root, Configuration& configuration, std::span<const std::string_view> runtimes);

// [log]: its name, and the chats and witnesses that see its checkpoints. Needs channels.
void read_log(Fields& root, Configuration& configuration, const Known& known);

// [gateway]: where webhooks and the health pages are served.
void read_gateway(Fields& root, Configuration& configuration);

// [limits]: what one agent may ask in a minute.
void read_limits(Fields& root, Configuration& configuration);

// `channel`, for what `whose` says; null, with a problem, if there is no such channel.
[[nodiscard]] const ChannelKind* read_channel_name(Fields& fields, const Configuration& configuration,
                                                   std::string& channel, std::string_view whose);
// `chat`: the platform's own id, which is a number on one and a string on another. Empty if it is not there.
[[nodiscard]] std::string read_chat(Fields& fields);
// A problem, if it is not as this platform writes it.
void check_chat(Fields& fields, const ChannelKind& kind, std::string_view chat);

// https, or http to this machine; nothing before an @.
[[nodiscard]] bool is_web_address(std::string_view text);

// The names of a map's keys, to suggest from.
template <class Map> [[nodiscard]] std::vector<std::string_view> names_of(const Map& map) {
    std::vector<std::string_view> names;
    names.reserve(map.size());
    for (const auto& [name, value] : map) names.emplace_back(name);
    return names;
}

// The language key of a table.
[[nodiscard]] std::optional<std::string> read_language(Fields& fields, const Known& known);

// Somebody to write in a suggestion: the first who is there, in quotes.
[[nodiscard]] std::string example_person(const Configuration& configuration);

// False, with a problem, if the word names nobody in the configuration.
[[nodiscard]] bool is_person(const Word& word, const Configuration& configuration, Problems& problems);
void refuse_repeats(const std::vector<Word>& words, Problems& problems);

}  // namespace countersign::config
