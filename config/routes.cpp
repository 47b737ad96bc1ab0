// SPDX-License-Identifier: Apache-2.0
#include "config/nearest.hpp"
#include "config/pattern_mistakes.hpp"
#include "config/route_rules.hpp"
#include "config/sections.hpp"
#include "core/glob.hpp"
#include "core/limits.hpp"

#include <algorithm>
#include <utility>

namespace countersign::config {

namespace {

using std::chrono::milliseconds;

std::optional<RouteMatch> read_match(Fields& route, const Known& known) {
    const auto* node = route.node("match");
    if (node == nullptr) return std::nullopt;
    if (node->table() != nullptr && node->table()->empty()) {
        route.reject("match", "an empty match fits everything",
                     "name agent, runtime, tool, session or risk, or leave match out of the last route");
        return std::nullopt;
    }
    Fields fields{*node, route.key_of("match"), route.problems()};
    RouteMatch match;
    match.agent = fields.text("agent", "\"prod-*\"").value_or("");
    match.runtime = fields.text("runtime", "\"" + known.example_runtime + "\"").value_or("");
    match.tool = fields.text("tool", "\"Bash\"").value_or("");
    if (!is_tool_pattern(match.tool)) {
        fields.reject("tool", "no tool is called " + match.tool,
                      "write one pattern, such as tool = \"Bash\", and a "
                      "route for each");
    }
    match.session = fields.text("session", "\"release-*\"").value_or("");
    match.risk = fields.one_of("risk", risk_level_named, {"low", "medium", "high"});
    const auto fits = [&](std::string_view runtime) { return glob_fits(match.runtime, runtime); };
    if (!match.runtime.empty() && std::ranges::none_of(known.runtimes, fits)) {
        fields.reject("runtime", "no runtime fits this",
                      did_you_mean(match.runtime, known.runtimes, "runtimes are: " + joined(known.runtimes)));
    }
    fields.finish();
    return match;
}

void read_deciders(Fields& fields, const Configuration& configuration, Route& route) {
    const auto words = fields.words("deciders", example_person(configuration));
    const auto* node = fields.node("deciders");
    if (node == nullptr || (node->list() != nullptr && node->list()->empty())) {
        fields.reject("deciders", "nobody may decide", "write deciders = [" + example_person(configuration) + "]");
    }
    for (const auto& word : words) {
        const bool group = word.text.starts_with('@');
        if (group && !configuration.groups.contains(word.text.substr(1))) {
            fields.problems().add(word.at, word.key, "there is no such group",
                                  did_you_mean(word.text.substr(1), names_of(configuration.groups),
                                               "write a name that stands in [groups]"));
        } else if (group || is_person(word, configuration, fields.problems())) {
            route.deciders.push_back(word.text);
        }
    }
    refuse_repeats(words, fields.problems());
}

// "never" or a duration. Zero means never, so that an empty result can mean "not set".
std::optional<milliseconds> read_remind(Fields& fields) {
    const auto* node = fields.node("remind");
    if (node == nullptr) return std::nullopt;
    if (node->text() != nullptr && *node->text() == "never") return milliseconds{0};
    if (node->text() == nullptr || !parse_duration(*node->text())) {
        fields.reject("remind", "this is neither a duration nor \"never\"",
                      "write remind = \"15m\", or remind = \"never\"");
        return std::nullopt;
    }
    return fields.duration("remind", limits::reminder_interval_min);
}

Route read_route(const Row& row, std::size_t index, const Configuration& configuration, const Known& known,
                 Problems& problems) {
    Fields fields{*row.node, row.path, problems};
    Route route;
    route.name = "route-" + std::to_string(index + 1);
    if (auto given = fields.text("name", "\"production\"")) {
        if (!is_name(*given)) fields.reject("name", "this is no name", "write 1 to 64 of a-z, 0-9, _ and -");
        route.name = std::move(*given);
    }
    route.match = read_match(fields, known);
    route.ends_deny = fields.word_among("ends", {"deny"}).has_value();
    route.timeout = fields.duration("timeout", milliseconds{1});
    read_deciders(fields, configuration, route);
    route.required = static_cast<std::uint32_t>(fields.integer("required", 1, limits::quorum_max).value_or(1));
    route.not_requester = fields.boolean("not_requester").value_or(false);
    route.assurance =
        fields.one_of("assurance", assurance_named, {"sms-code", "chat", "token", "passkey"}).value_or(Assurance::chat);
    route.language = read_language(fields, known).value_or("en");
    route.mention = fields.boolean("mention").value_or(true);
    route.remind = read_remind(fields);
    read_steps(fields, configuration, route);
    fields.finish();
    return route;
}

void check_quorum(const Row& row, const Configuration& configuration, const Route& route, Problems& problems) {
    // The members from a command are not known yet; resolve_groups checks again.
    if (route.ends_deny || has_command_group(configuration, route)) return;
    auto shortage = shortage_of(configuration, route);
    if (!shortage) return;
    problems.add(row.node->at, row.path + ".deciders", std::move(shortage->what), std::move(shortage->instead));
}

// A pending request stores its route's name over a reload, so names must be unique.
void check_names(const std::vector<Row>& rows, const Configuration& configuration, Problems& problems) {
    std::set<std::string_view> seen;
    for (std::size_t i = 0; i < configuration.routes.size(); ++i) {
        const auto& name = configuration.routes[i].name;
        if (seen.insert(name).second) continue;
        problems.add(rows[i].node->at, rows[i].path + ".name", "another route is called " + name,
                     "write another name; without one it is route-<position>");
    }
}

// Compares only routes without problems: a partly read match would fit more than intended.
void check_order(const std::vector<Row>& rows, const std::vector<bool>& readable, const Configuration& configuration,
                 Problems& problems) {
    const auto& routes = configuration.routes;
    for (std::size_t i = 1; i < routes.size() && !problems.full(); ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            if (!readable[k] || !readable[i] || !covers(routes[k].match, routes[i].match)) continue;
            problems.add(rows[i].node->at, rows[i].path,
                         "no request gets here: " + rows[k].path + " takes all that fit this",
                         "move it before " + rows[k].path + ", or leave it out");
            break;
        }
    }
    if (!routes.empty() && routes.back().match &&
        std::ranges::all_of(routes, [](const Route& r) { return r.match.has_value(); })) {
        problems.add(rows.back().node->at, rows.back().path + ".match", "what fits no route would have nobody to ask",
                     "leave match out of the last route, or add one without it");
    }
}

}  // namespace

void read_routes(Fields& root, Configuration& configuration, const Known& known) {
    auto& problems = root.problems();
    const auto found = rows(root, "routes", limits::routes_max);
    if (found.empty() && (root.node("routes") == nullptr || root.node("routes")->list() != nullptr)) {
        root.reject("routes", "there are no routes, so nobody would be asked", "write [[routes]]");
    }
    // Too few deciders are only reported if routes and people are otherwise valid.
    const bool people_hold = problems.count() == 0;
    std::vector<bool> readable;
    for (std::size_t i = 0; i < found.size() && !problems.full(); ++i) {
        const auto before = problems.count();
        auto route = read_route(found[i], i, configuration, known, problems);
        readable.push_back(problems.count() == before);
        if (people_hold && readable.back()) check_quorum(found[i], configuration, route, problems);
        configuration.routes.push_back(std::move(route));
    }
    if (configuration.routes.size() != found.size()) return;
    check_names(found, configuration, problems);
    check_order(found, readable, configuration, problems);
}

}  // namespace countersign::config
