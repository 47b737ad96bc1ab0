// SPDX-License-Identifier: Apache-2.0
// Configuration: the people, what each may decide, and where requests are shown. One immutable value, replaced as a
// whole.
//
// It contains no secrets, only the file or credential that each secret is read from.
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
    std::string language;  // for direct messages; empty: the route's language
};

struct ChannelKind;

struct ChannelConfig {
    std::string name;
    std::string kind;                             // "terminal", "telegram" …
    std::map<std::string, std::string> settings;  // the settings of that kind, checked when the file is read
    const ChannelKind* facts = nullptr;           // about that kind; borrowed from the registry. Null: unknown
};

struct Step {
    std::chrono::milliseconds after{0};
    std::string channel;
    std::string chat;                 // empty if people are named or the channel has only one place
    std::vector<std::string> people;  // each gets a direct message
    std::string thread = {};          // the platform's own topic within the chat; empty for the chat itself
};

// An empty pattern matches everything.
struct RouteMatch {
    std::string agent;
    std::string runtime;
    std::string tool;
    std::string session;
    std::optional<RiskLevel> risk;
};

struct Route {
    std::string name;                 // from the configuration, or "route-1" by position
    std::optional<RouteMatch> match;  // none: the catch-all, which must be the last route
    std::vector<Step> steps;
    std::vector<std::string> deciders;  // names of people, "@group"
    std::uint32_t required = 1;
    bool not_requester = false;
    Assurance assurance = Assurance::chat;
    std::optional<std::chrono::milliseconds> timeout;
    std::string language = "en";  // for messages in chats
    bool ends_deny = false;       // the operator confirmed that requests on it can't be allowed
    bool mention = true;          // whether messages in a chat mention the deciders
    // How long to wait before the first reminder. Zero: never. nullopt: reminder_first, but only if a request has no
    // deadline.
    std::optional<std::chrono::milliseconds> remind = std::nullopt;
};

struct ListenAddress {
    std::string host;  // an IP address
    std::uint16_t port = 0;
    friend bool operator==(const ListenAddress&, const ListenAddress&) = default;
};
// The addresses we listen on, if any. Without a certificate only loopback is served.
struct GatewayConfig {
    std::optional<ListenAddress> listen;  // webhooks
    std::optional<ListenAddress> admin;   // health
    std::string certificate_file;
    std::string key_file;
    std::vector<std::string> proxies;  // their header about the client's address is trusted
    // True: they write Forwarded (RFC 7239); false: X-Forwarded-For.
    bool proxies_write_forwarded = false;
};

// How much one agent may ask per minute, so that it can't fill the disk with requests that it withdraws again.
struct AskLimits {
    std::uint64_t requests = 1'200;
    std::uint64_t bytes = 8 * 1024 * 1024;  // of the text that is recorded
    friend bool operator==(const AskLimits&, const AskLimits&) = default;
};

// How often the log's checkpoint is published: after this much time or this many records, whichever comes first.
struct AnchorRhythm {
    std::chrono::milliseconds every{0};
    std::uint64_t records = 0;
};
// A chat where the checkpoint is posted.
struct AnchorConfig {
    std::string channel;
    std::string chat;
    AnchorRhythm rhythm;
};
// A witness that is asked to cosign the checkpoint.
struct WitnessConfig {
    std::string url;   // without a trailing slash
    std::string vkey;  // its verifier key
    AnchorRhythm rhythm;
};

struct Configuration {
    std::map<std::string, Person> people;
    std::map<std::string, std::vector<std::string>> groups;  // names of people; resolved when loaded
    // argv of a command that prints a group's members. Until it has run, the group exists and is empty.
    std::map<std::string, std::vector<std::string>> group_commands;
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

// The kind of the channel that uses this process's own terminal, or null if none is configured.
[[nodiscard]] const ChannelKind* own_terminal(const Configuration& configuration);

// The first route that matches, or null.
[[nodiscard]] const Route* route_for(const Configuration& configuration, const Request& request);

// The people that a step names, as principals of its channel's platform.
[[nodiscard]] std::vector<std::string> principals_of(const Configuration& configuration, const Step& step);

// A direct message is in the person's own language, or in the route's language if they have none; a chat message is in
// the route's language. `principal` is empty for a chat; `route` is null if it no longer exists.
[[nodiscard]] std::string language_for(const Configuration& configuration, const Route* route,
                                       std::string_view principal);

// The people who may decide on this route, with groups resolved, sorted and without duplicates.
[[nodiscard]] std::vector<std::string> deciders_of(const Configuration& configuration, const Route& route);

// The people who may decide this request: the deciders of the route, restricted to the event's authorizedSenders, and
// without the requester if the route says so.
[[nodiscard]] std::vector<std::string> deciders_of(const Configuration& configuration, const Route& route,
                                                   const Request& request);

}  // namespace countersign
