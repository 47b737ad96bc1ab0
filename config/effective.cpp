// SPDX-License-Identifier: Apache-2.0
#include "config/effective.hpp"

#include "core/json/write.hpp"
#include "security/args_hash.hpp"

#include <string>
#include <utility>
#include <vector>

namespace countersign::config {

namespace {

json::Array list_of(const std::vector<std::string>& words) { return {words.begin(), words.end()}; }

void add_if(json::Object& object, std::string_view key, const std::string& text) {
    if (!text.empty()) object.add(std::string{key}, text);
}

json::Object person_json(const Person& person) {
    json::Array roles;
    for (const auto role : person.permissions) roles.emplace_back(name(role));
    json::Object out{{"principals", list_of(person.principals)}, {"roles", std::move(roles)}};
    add_if(out, "language", person.language);
    return out;
}

json::Object channel_json(const ChannelConfig& channel) {
    json::Object settings;
    for (const auto& [key, value] : channel.settings) settings.add(key, value);
    return {{"kind", channel.kind}, {"settings", std::move(settings)}};
}

json::Object match_json(const RouteMatch& match) {
    json::Object out;
    add_if(out, "agent", match.agent);
    add_if(out, "runtime", match.runtime);
    add_if(out, "tool", match.tool);
    add_if(out, "session", match.session);
    if (match.risk) out.add("risk", name(*match.risk));
    return out;
}

json::Object step_json(const Step& step) {
    json::Object out{{"afterMs", step.after.count()}, {"channel", step.channel}};
    add_if(out, "chat", step.chat);
    add_if(out, "topic", step.thread);
    if (!step.people.empty()) out.add("people", list_of(step.people));
    return out;
}

json::Object route_json(const Route& route) {
    json::Array steps;
    for (const auto& step : route.steps) steps.emplace_back(step_json(step));
    json::Object out{{"name", route.name},
                     {"ask", std::move(steps)},
                     {"deciders", list_of(route.deciders)},
                     {"required", route.required},
                     {"notRequester", route.not_requester},
                     {"assurance", name(route.assurance)},
                     {"language", route.language},
                     {"mention", route.mention}};
    if (route.match) out.add("match", match_json(*route.match));
    if (route.timeout) out.add("timeoutMs", route.timeout->count());
    if (route.remind) out.add("remindMs", route.remind->count());
    if (route.ends_deny) out.add("ends", "deny");
    return out;
}

// A single value as itself, several as a list.
void add_values(json::Object& out, std::string name, const Patterns& values) {
    if (values.all().size() == 1) return add_if(out, std::move(name), values.all().front());
    if (values.empty()) return;
    json::Array list;
    for (const auto& value : values.all()) list.emplace_back(value);
    out.add(std::move(name), std::move(list));
}

template <class Rule> void add_patterns(json::Object& out, const Rule& rule) {
    add_values(out, "tool", rule.tool);
    add_if(out, "command", rule.command);
    add_if(out, "path", rule.path);
    add_if(out, "host", rule.host);
}

json::Array policy_json(const std::vector<PolicyRule>& rules) {
    json::Array out;
    for (const auto& rule : rules) {
        json::Object one{{"name", rule.name}, {"effect", name(rule.effect)}};
        add_if(one, "agent", rule.agent);
        add_patterns(one, rule);
        if (rule.risk) one.add("risk", name(*rule.risk));
        add_values(one, "riskRule", rule.risk_rule);
        out.emplace_back(std::move(one));
    }
    return out;
}

json::Array risk_json(const std::vector<RiskRule>& rules) {
    json::Array out;
    for (const auto& rule : rules) {
        json::Object one{{"name", rule.name}, {"level", name(rule.level)}};
        add_patterns(one, rule);
        out.emplace_back(std::move(one));
    }
    return out;
}

json::Object always_json(const std::map<std::string, AlwaysMode>& always) {
    json::Object out;
    for (const auto& [runtime, mode] : always) out.add(runtime, mode == AlwaysMode::native ? "native" : "grant");
    return out;
}

void add_rhythm(json::Object& out, const AnchorRhythm& rhythm) {
    out.add("everyMs", rhythm.every.count());
    out.add("records", rhythm.records);
}

json::Object log_json(const Configuration& configuration) {
    json::Array anchors;
    for (const auto& anchor : configuration.log_anchors) {
        json::Object one{{"channel", anchor.channel}, {"chat", anchor.chat}};
        add_rhythm(one, anchor.rhythm);
        anchors.emplace_back(std::move(one));
    }
    json::Array witnesses;
    for (const auto& witness : configuration.log_witnesses) {
        json::Object one{{"url", witness.url}, {"vkey", witness.vkey}};
        add_rhythm(one, witness.rhythm);
        witnesses.emplace_back(std::move(one));
    }
    return {{"anchors", std::move(anchors)}, {"witnesses", std::move(witnesses)}};
}

std::string address_text(const std::optional<ListenAddress>& address) {
    return address ? address->host + " port " + std::to_string(address->port) : std::string{};
}

json::Object gateway_json(const GatewayConfig& gateway) {
    json::Object out{{"listen", address_text(gateway.listen)},
                     {"admin", address_text(gateway.admin)},
                     {"tls", !gateway.certificate_file.empty()},
                     {"proxies", list_of(gateway.proxies)}};
    if (gateway.proxies_write_forwarded) out.add("proxyHeader", "forwarded");
    return out;
}

}  // namespace

json::Object effective(const Configuration& configuration) {
    json::Object people;
    for (const auto& [key, person] : configuration.people) people.add(key, person_json(person));
    json::Object groups;
    for (const auto& [key, members] : configuration.groups) groups.add(key, list_of(members));
    json::Object commands;
    for (const auto& [key, argv] : configuration.group_commands) {
        if (!argv.empty()) commands.add(key, argv.front());
    }
    json::Object channels;
    for (const auto& [key, channel] : configuration.channels) channels.add(key, channel_json(channel));
    json::Array routes;
    for (const auto& route : configuration.routes) routes.emplace_back(route_json(route));
    const auto& asks = configuration.ask_limits;
    return {{"gateway", gateway_json(configuration.gateway)},
            {"limits", json::Object{{"asksPerMinute", asks.requests}, {"askBytesPerMinute", asks.bytes}}},
            {"people", std::move(people)},
            {"groups", std::move(groups)},
            {"groupCommands", std::move(commands)},
            {"channels", std::move(channels)},
            {"routes", std::move(routes)},
            {"policy", policy_json(configuration.rules.policy)},
            {"risk", risk_json(configuration.rules.risk)},
            {"always", always_json(configuration.always)},
            {"logOrigin", configuration.log_origin},
            {"log", log_json(configuration)}};
}

std::string rules_fingerprint(const Configuration& configuration) {
    return security::display_hash(json::canonical(json::Object{{"policy", policy_json(configuration.rules.policy)},
                                                               {"risk", risk_json(configuration.rules.risk)},
                                                               {"always", always_json(configuration.always)}}));
}

}  // namespace countersign::config
