// SPDX-License-Identifier: Apache-2.0
// Configuration: who exists, who may decide what, and where it is shown. One immutable value, swapped as a whole.
//
// Secrets are not in it; it says only which file or credential holds one.
#pragma once

#include "core/attempt.hpp"
#include "core/policy.hpp"
#include "core/request.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace countersign {

enum class Permission { approve, approve_always };
[[nodiscard]] std::string_view name(Permission permission);
[[nodiscard]] std::optional<Permission> permission_named(std::string_view text);

struct Person {
    std::string name;                     // its key in the configuration: alice
    std::vector<std::string> principals;  // "telegram:77"; each belongs to exactly one person
    std::set<Permission> permissions;
    std::string language;  // of what they are shown directly; empty: that of the route
};

struct ChannelKind;

struct ChannelConfig {
    std::string name;
    std::string kind;                             // "terminal", "telegram" …
    std::map<std::string, std::string> settings;  // what that kind understands, checked when it is read
    const ChannelKind* facts = nullptr;           // about that kind; borrowed from the registry. Null: not known
};

struct Step {
    std::chrono::milliseconds after{0};
    std::string channel;
    std::string chat;                 // empty where people are named, or the channel has only one place
    std::vector<std::string> people;  // to each of them directly
    std::string thread = {};          // the platform's own topic within the chat; empty for the chat itself
};

// Empty patterns fit everything.
struct RouteMatch {
    std::string agent;
    std::string runtime;
    std::string tool;
    std::string session;
    std::optional<RiskLevel> risk;
};

struct Route {
    std::string name;                 // given, or "route-1" by position
    std::optional<RouteMatch> match;  // none: the catch-all, which is the last
    std::vector<Step> steps;
    std::vector<std::string> deciders;  // names of people, "@group"
    std::uint32_t required = 1;
    bool not_requester = false;
    Assurance assurance = Assurance::chat;
    std::optional<std::chrono::milliseconds> timeout;
    std::string language = "en";  // of what chats are shown
    bool ends_deny = false;       // the operator knows that nobody can allow on it
    bool mention = true;          // in a chat, who may decide is called by name
    // The first wait before people are reminded; zero: never. Nothing: reminder_first where a request has no deadline.
    std::optional<std::chrono::milliseconds> remind = std::nullopt;
};

struct ListenAddress {
    std::string host;  // an IP address
    std::uint16_t port = 0;
    friend bool operator==(const ListenAddress&, const ListenAddress&) = default;
};
// Where others reach us, if anywhere. Without a certificate only loopback is served.
struct GatewayConfig {
    std::optional<ListenAddress> listen;  // webhooks
    std::optional<ListenAddress> admin;   // health
    std::string certificate_file;
    std::string key_file;
    std::vector<std::string> proxies;  // whose header about the client is believed
    // They write Forwarded (RFC 7239); else X-Forwarded-For.
    bool proxies_write_forwarded = false;
};

// What one agent may ask in a minute, so that it can't fill the disk with requests that it takes back.
struct AskLimits {
    std::uint64_t requests = 1'200;
    std::uint64_t bytes = 8 * 1024 * 1024;  // of the text that is recorded
    friend bool operator==(const AskLimits&, const AskLimits&) = default;
};

// How often somebody outside sees the log's checkpoint: after so much time, or so many records, whichever is first.
struct AnchorRhythm {
    std::chrono::milliseconds every{0};
    std::uint64_t records = 0;
};
// A chat where it is posted.
struct AnchorConfig {
    std::string channel;
    std::string chat;
    AnchorRhythm rhythm;
};
// A witness that is asked to cosign it.
struct WitnessConfig {
    std::string url;   // without a slash at the end
    std::string vkey;  // its verifier key
    AnchorRhythm rhythm;
};

struct Configuration {
    std::map<std::string, Person> people;
    std::map<std::string, std::vector<std::string>> groups;  // names of people; resolved when it was loaded
    std::map<std::string, std::vector<std::string>>
        group_commands;  // argv that prints a group's members; until it ran,
                         // the group is there and empty
    std::map<std::string, ChannelConfig> channels;
    std::vector<Route> routes;
    Rules rules;
    std::map<std::string, AlwaysMode> always;  // by runtime; missing means grant
    GatewayConfig gateway;
    AskLimits ask_limits;
    std::string log_origin = "countersign.local";  // the name of the log in its checkpoints
    std::vector<AnchorConfig> log_anchors;
    std::vector<WitnessConfig> log_witnesses;

    [[nodiscard]] const Person* person_of(std::string_view principal) const;
    [[nodiscard]] const Route* route_named(std::string_view name) const;
    [[nodiscard]] AlwaysMode always_of(const std::string& runtime) const;
};

// The kind of channel that asks at this process's own terminal, if one is configured, or null.
[[nodiscard]] const ChannelKind* own_terminal(const Configuration& configuration);

// The first route that fits, or null.
[[nodiscard]] const Route* route_for(const Configuration& configuration, const Request& request);

// Whom a step names, as the ids that its channel's platform knows them by.
[[nodiscard]] std::vector<std::string> principals_of(const Configuration& configuration, const Step& step);

// What somebody is shown directly is in their own language, and in the route's if they have none; a chat's is the
// route's. `principal` is empty for a chat, `route` null where it is gone.
[[nodiscard]] std::string language_for(const Configuration& configuration, const Route* route,
                                       std::string_view principal);

// The people who may decide on this route today, groups resolved, each once, sorted.
[[nodiscard]] std::vector<std::string> deciders_of(const Configuration& configuration, const Route& route);

// The deciders of this request: those of the route, narrowed by the event's authorizedSenders and without the requester
// where the route says so.
[[nodiscard]] std::vector<std::string> deciders_of(const Configuration& configuration, const Route& route,
                                                   const Request& request);

}  // namespace countersign
