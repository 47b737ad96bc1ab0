// SPDX-License-Identifier: Apache-2.0
#include "app/hub_listing.hpp"

#include "app/commands/audit/request_table.hpp"
#include "app/commands/audit/screen.hpp"
#include "app/commands/audit/zone.hpp"
#include "app/gateway.hpp"
#include "core/json/fields.hpp"
#include "core/utf8.hpp"
#include "security/display/display.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unistd.h>

namespace countersign::app {
namespace {

using channels::terminal::Ink;
using channels::terminal::paint;

std::string shown(std::string_view text) { return security::display(text, security::DisplayMode::line); }

std::int64_t since(BootTime then, BootTime now) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(now - then).count();
}

json::Object json_of(const Halt& halt) {
    return {{"agent", halt.who.agent_id}, {"session", halt.who.session_key}, {"by", halt.by}, {"at", rfc3339(halt.at)}};
}

// Channels that show everything at once have no outbox.
json::Array channels_of(const Host& host) {
    json::Array channels;
    const auto outboxes = host.outboxes();
    for (const auto& [name, channel] : host.bridge->configuration().channels) {
        json::Object one{{"name", name}, {"kind", channel.kind}};
        const auto outbox = std::ranges::find(outboxes, name, &NamedOutbox::channel);
        if (outbox != outboxes.end()) {
            std::uint64_t waiting = 0;
            for (const auto count : outbox->report(0).waiting) waiting += count;
            one.add("toSend", waiting);
        }
        channels.emplace_back(std::move(one));
    }
    return channels;
}

json::Object status_of(Host& host, const HubFacts& facts) {
    const auto& hub = host.bridge->hub();
    json::Array reasons;
    for (const auto& reason : host.unready()) reasons.emplace_back(utf8::repaired(reason));
    json::Array halts;
    const auto all = hub.halts().all();
    for (const auto& halt : all) {
        if (halts.size() < hub_listed_max) halts.emplace_back(json_of(halt));
    }
    const bool ready = reasons.empty();
    return {{"version", COUNTERSIGN_VERSION},
            {"pid", static_cast<std::int64_t>(::getpid())},
            {"upMs", since(facts.started, host.bridge->clock().boot())},
            {"state", utf8::repaired(host.bridge->state())},
            {"configuration", utf8::repaired(facts.configuration)},
            {"ready", ready},
            {"reasons", std::move(reasons)},
            {"channels", channels_of(host)},
            {"agents", static_cast<std::uint64_t>((host.sidecars ? host.sidecars->sidecars() : 0) +
                                                  (host.agent && !host.agent_ended ? 1 : 0))},
            {"pending", static_cast<std::uint64_t>(hub.pending())},
            {"awaitingAgent", static_cast<std::uint64_t>(hub.orphans())},
            {"grants", static_cast<std::uint64_t>(hub.grants().all().size())},
            {"halted", std::move(halts)},
            {"haltedTotal", static_cast<std::uint64_t>(all.size())},
            {"log", json::Object{{"directory", utf8::repaired(host.bridge->audit_directory())},
                                 {"records", host.bridge->log().checkpoint().tree.size}}}};
}

json::Object json_of(const OpenRequest& open, const std::optional<Queries::Standing>& standing, BootTime now) {
    const auto& request = *open.request;
    json::Array places;
    std::int64_t age = 0;
    if (standing) {
        age = since(standing->asked, now);
        for (const auto& channel : standing->shown_on) places.emplace_back(channel);
    }
    json::Object one{{"requestId", request.id.str()},
                     {"agentId", request.agent_id},
                     {"sessionKey", request.session_key},
                     {"kind", request.approval() != nullptr ? "approval" : "question"},
                     {"toolName", tool_name_of(request)},
                     {"summary", summary_of(request)},
                     {"ageMs", age},
                     {"shownOn", std::move(places)},
                     {"asked", open.asked},
                     {"waitingBehind", open.waiting}};
    if (request.approval() != nullptr) one.add("risk", name(request.judgement.risk.level));
    return one;
}

json::Object json_of(const Grant& grant, Now now) {
    json::Object one{{"grantId", grant.id.str()}, {"agentId", grant.agent_id}, {"runtime", grant.runtime}};
    one.add("toolName", grant.tool_name);
    one.add("summary", grant.summary);
    one.add("argsHash", grant.args_hash);
    one.add("cwd", utf8::repaired(grant.cwd));
    one.add("sessionKey", grant.session_key);
    one.add("grantedBy", grant.granted_by);
    one.add("until", rfc3339(now.wall + std::chrono::milliseconds{since(now.boot, grant.expires)}));
    one.add("usesLeft", grant.uses_left);
    return one;
}

// A name and its value, aligned with the widest name.
std::string line(const Screen& screen, std::string_view name, std::string_view value) {
    return hanging(screen, cell(name, 15), value);
}

std::string channel_words(json::Fields& listing) {
    std::string words;
    for (const auto& value : listing.array("channels")) {
        json::Fields channel{value};
        words += (words.empty() ? "" : ", ") + shown(channel.text("name")) + " (" + shown(channel.text("kind"));
        if (channel.has("toSend")) words += fmt::format(", {} to send", channel.integer("toSend"));
        words += ")";
        if (!channel.wrong().empty()) listing.fail("channels." + channel.wrong());
    }
    return words;
}

WallTime time_of(json::Fields& fields, std::string_view name) {
    const auto time = wall_time_of(fields.text(name));
    if (!time) fields.fail(name);
    return time.value_or(WallTime{});
}

std::string halt_words(const json::Value& value, json::Fields& listing, Zone zone) {
    json::Fields halt{value};
    const auto agent = halt.text("agent");
    const auto session = halt.text("session");
    auto words = agent.empty() ? "session " + shown(session) : shown(agent);
    if (!agent.empty() && !session.empty()) words += ", session " + shown(session);
    words += ", by " + shown(halt.text("by")) + " at " + moment_in(zone, time_of(halt, "at"));
    if (!halt.wrong().empty()) listing.fail("halted." + halt.wrong());
    return words;
}

std::string bytes_words(std::uint64_t bytes) {
    if (bytes < 10'000) return fmt::format("{} bytes", bytes);
    if (bytes < 1'000'000) return fmt::format("{} kB", bytes / 1'000);
    return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

std::uint64_t positive(std::int64_t number) { return static_cast<std::uint64_t>(std::max<std::int64_t>(number, 0)); }

std::string more_words(std::int64_t total, std::size_t listed) {
    const auto more = positive(total) - std::min<std::uint64_t>(positive(total), listed);
    return more == 0 ? std::string{} : fmt::format("  and {} more\n", grouped(more));
}

std::string places_words(const std::vector<std::string>& channels) {
    std::string words;
    for (const auto& channel : channels) words += (words.empty() ? "" : ", ") + shown(channel);
    return words.empty() ? "not shown yet" : words;
}

std::string id_words(const std::string& id, const Screen& screen) {
    return screen.terminal() ? short_id(shown(id)) : shown(id);
}

Result<std::string> checked(const json::Fields& fields, std::string text) {
    if (!fields.wrong().empty()) return Error{Errc::malformed, "the hub's answer: " + fields.wrong()};
    return text;
}

}  // namespace

json::Object pending_listing(const std::vector<OpenRequest>& open, const StandingOf& standing_of, BootTime now) {
    json::Array requests;
    for (const auto& one : open) {
        if (requests.size() == hub_listed_max) break;
        requests.emplace_back(json_of(one, standing_of(one.request->id), now));
    }
    return {{"requests", std::move(requests)}, {"total", static_cast<std::uint64_t>(open.size())}};
}

json::Object grants_listing(const std::vector<Grant>& grants, Now now) {
    json::Array listed;
    std::uint64_t total = 0;
    for (const auto& grant : grants) {
        if (grant.expires <= now.boot || grant.uses_left == 0) continue;
        if (++total <= hub_listed_max) listed.emplace_back(json_of(grant, now));
    }
    return {{"grants", std::move(listed)}, {"total", total}};
}

json::Value hub_listing(std::string_view what, Host& host, const HubFacts& facts) {
    if (what == "status") return status_of(host, facts);
    const auto& hub = host.bridge->hub();
    auto& clock = host.bridge->clock();
    if (what == "pending") {
        return pending_listing(
            hub.queries().open_requests(), [&](const Ulid& id) { return hub.queries().standing_of(id); }, clock.boot());
    }
    if (what == "grants") return grants_listing(hub.grants().all(), {.boot = clock.boot(), .wall = clock.wall()});
    return {};
}

Result<std::string> printed_status(const json::Value& listing, std::uint64_t log_bytes, const Screen& screen,
                                   Zone zone) {
    json::Fields fields{listing};
    auto text = fmt::format("countersign {} runs as process {}, up {}\n", shown(fields.text("version")),
                            fields.integer("pid"), short_span(fields.integer("upMs")));
    const bool ready = fields.truth("ready");
    text += line(screen, "ready:", paint(screen.style, ready ? Ink::good : Ink::bad, ready ? "yes" : "no"));
    for (const auto& reason : fields.texts("reasons")) text += line(screen, "", shown(reason));
    text += line(screen, "configuration:", shown(fields.text("configuration")));
    text += line(screen, "state:", shown(fields.text("state")));
    text += line(screen, "channels:", channel_words(fields));
    text += line(screen, "agents:", fmt::format("{} connected", fields.integer("agents")));
    const auto orphans = fields.integer("awaitingAgent");
    const auto waits = orphans > 0 ? fmt::format(", {} wait for their agents to come back", orphans) : "";
    text += line(screen, "pending:", std::to_string(fields.integer("pending")) + waits);
    text += line(screen, "grants:", std::to_string(fields.integer("grants")));
    const auto& halted = fields.array("halted");
    if (halted.empty()) text += line(screen, "halted:", "none");
    for (std::size_t at = 0; at < halted.size(); ++at) {
        text += line(screen, at == 0 ? "halted:" : "", halt_words(halted[at], fields, zone));
    }
    text += more_words(fields.integer("haltedTotal"), halted.size());
    json::Fields log{fields.value("log")};
    text += line(screen, "log:",
                 counted(positive(log.integer("records")), "record") + ", " + bytes_words(log_bytes) + " in " +
                     shown(log.text("directory")));
    if (!log.wrong().empty()) fields.fail("log." + log.wrong());
    return checked(fields, std::move(text));
}

Result<std::string> printed_pending(const json::Value& listing, const Screen& screen) {
    json::Fields fields{listing};
    std::vector<std::vector<std::string>> rows{{"ID", "AGE", "AGENT", "RISK", "SHOWN ON", "CALL"}};
    for (const auto& value : fields.array("requests")) {
        json::Fields request{value};
        rows.push_back({id_words(request.text("requestId"), screen), short_span(request.integer("ageMs")),
                        shown(request.text("agentId")), request.has("risk") ? shown(request.text("risk")) : "question",
                        places_words(request.texts("shownOn")),
                        shown(request.text("toolName") + ": " + request.text("summary"))});
        if (!request.wrong().empty()) fields.fail("requests." + request.wrong());
    }
    const auto total = fields.integer("total");
    if (rows.size() == 1) return checked(fields, "Nothing is pending.\n");
    return checked(fields, table(rows, screen) + more_words(total, rows.size() - 1));
}

Result<std::string> printed_grants(const json::Value& listing, const Screen& screen, Zone zone) {
    json::Fields fields{listing};
    std::vector<std::vector<std::string>> rows{{"ID", "AGENT", "FOR", "BY", "UNTIL", "USES LEFT", "CALL"}};
    for (const auto& value : fields.array("grants")) {
        json::Fields grant{value};
        const auto session = grant.text("sessionKey");
        rows.push_back({id_words(grant.text("grantId"), screen), shown(grant.text("agentId")),
                        session.empty() ? "all sessions" : "session " + shown(session), shown(grant.text("grantedBy")),
                        stamp_in(zone, time_of(grant, "until")), std::to_string(grant.integer("usesLeft")),
                        shown(grant.text("toolName") + ": " + grant.text("summary") + " in " + grant.text("cwd"))});
        if (!grant.wrong().empty()) fields.fail("grants." + grant.wrong());
    }
    const auto total = fields.integer("total");
    if (rows.size() == 1) return checked(fields, "No grant is in force.\n");
    return checked(fields, table(rows, screen) + more_words(total, rows.size() - 1));
}

}  // namespace countersign::app
