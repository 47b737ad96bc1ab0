// SPDX-License-Identifier: Apache-2.0
// `policy test`: prints what a configuration's rules say about one call, without asking anyone.
#include "app/channels/registry.hpp"
#include "app/command_line/command.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/run.hpp"
#include "app/input.hpp"
#include "app/output.hpp"
#include "app/process.hpp"
#include "app/report.hpp"
#include "config/config.hpp"
#include "core/json/read.hpp"
#include "core/json/write.hpp"
#include "runtimes/claude/translate.hpp"
#include "runtimes/event/translate.hpp"
#include "security/display/display.hpp"
#include "security/redact/redactor.hpp"

#include <fmt/format.h>

#include <memory>

namespace countersign::app {
namespace {

struct PolicyTest {
    std::string config;
    std::string event;
    std::string agent = "agent";
    std::string session = "default";
    std::string cwd;
    bool as_json = false;
};

int bad_input(const Error& error) {
    (void)report(error);
    return exit_usage;
}

const std::string* text_member(const json::Object& object, std::string_view name) {
    const auto* value = object.find(name);
    return value == nullptr ? nullptr : value->string();
}

std::string start_directory(const PolicyTest& test) { return test.cwd.empty() ? working_directory() : test.cwd; }

// Reads the input of Claude Code's own hooks: tool_name and tool_input. Empty for any other line.
std::optional<Result<Request>> read_hook_input(std::string_view line, const PolicyTest& test, const Rules& rules,
                                               const security::Redactor& redactor) {
    const auto read = json::read(line);
    const auto* object = read ? read->value.object() : nullptr;
    if (object == nullptr || object->find("hook_event_name") == nullptr) return std::nullopt;
    const auto* tool = text_member(*object, "tool_name");
    const auto* input = object->find("tool_input");
    if (tool == nullptr || input == nullptr) {
        return Error{Errc::malformed, "tool_name, tool_input: a hook's input needs both"};
    }
    const auto* session = text_member(*object, "session_id");
    const auto* cwd = text_member(*object, "cwd");
    runtimes::claude::CanUseTool call;
    call.native_id = "0";
    call.tool_name = *tool;
    call.tool_use_id = "t0";
    call.raw_input = read->exact() ? json::canonical(*input) : std::string{line};
    call.input = *input;
    const auto made =
        runtimes::claude::translate(call, {.id = {},
                                           .agent_id = test.agent,
                                           .session_key = session == nullptr ? test.session : *session,
                                           .requester = {},
                                           .cwd = cwd == nullptr || !test.cwd.empty() ? start_directory(test) : *cwd,
                                           .rules = rules,
                                           .redactor = redactor,
                                           .files = agent_files()});
    if (!made) return made.error();
    return made->request;
}

Result<Request> read_request(const PolicyTest& test, const Rules& rules) {
    auto line = read_file(test.event);
    if (!line) return line.error();
    while (!line->empty() && (line->back() == '\n' || line->back() == '\r')) line->pop_back();
    if (const auto other = runtimes::event::other_line(*line)) {
        return Error{Errc::unsupported, "type: a line of type " + *other + " asks for nothing"};
    }
    const security::Redactor redactor{security::Secret::random(32), {}};
    if (auto hook = read_hook_input(*line, test, rules, redactor)) return *std::move(hook);
    auto made = runtimes::event::translate(*line, {.agent_id = test.agent,
                                                   .session_key = test.session,
                                                   .requester = {},
                                                   .cwd = start_directory(test),
                                                   .rules = rules,
                                                   .redactor = redactor,
                                                   .files = agent_files()});
    if (!made) return made.error();
    return std::move(made->request);
}

void print_json(const Request& request, const Configuration& configuration, const Route* route) {
    const auto& [risk, policy, may_grant] = request.judgement;
    json::Object out{{"effect", name(policy.effect)},
                     {"rule", policy.rule},
                     {"risk", name(risk.level)},
                     {"riskRule", risk.rule},
                     {"route", route == nullptr ? std::string{} : route->name}};
    json::Array deciders;
    if (route != nullptr) {
        for (const auto& decider : deciders_of(configuration, *route, request)) deciders.emplace_back(decider);
        out.add("required", std::uint64_t{route->required});
    }
    out.add("deciders", std::move(deciders));
    show("{}\n", json::canonical(out));
}

std::string route_text(const Request& request, const Configuration& configuration, const Route* route) {
    if (route == nullptr) return "none";
    const auto deciders = deciders_of(configuration, *route, request);
    const auto people = deciders.empty() ? std::string{"no decider, so it is denied"}
                                         : fmt::format("{} of {}", route->required, fmt::join(deciders, ", "));
    const bool asks = request.judgement.policy.effect == PolicyEffect::ask;
    return fmt::format("{} ({}){}", route->name, people, asks ? "" : ", not asked");
}

void print_text(const Request& request, const Configuration& configuration, const Route* route) {
    const auto& policy = request.judgement.policy;
    const auto& risk = request.judgement.risk;
    show("{}\n  rule   {}\n  risk   {}: {}\n  route  {}\n", name(policy.effect),
         policy.rule.empty() ? "none matched" : policy.rule, name(risk.level), risk.rule,
         route_text(request, configuration, route));
}

int test_policy(const PolicyTest& test) {
    const auto file = test.config.empty() ? default_config_file() : Result<std::string>{test.config};
    if (!file) return bad_input(file.error());
    auto loaded = config::load_config(*file, known_kinds());
    if (const auto* problems = std::get_if<std::vector<config::ConfigProblem>>(&loaded)) {
        for (const auto& problem : *problems) tell("{}\n", print(problem));
        return exit_usage;
    }
    const auto resolved = config::resolve_groups(std::get<Configuration>(std::move(loaded)));
    const auto& configuration = resolved.configuration;
    const auto request = read_request(test, configuration.rules);
    if (!request) return bad_input(request.error());
    const auto* route = route_for(configuration, *request);
    test.as_json ? print_json(*request, configuration, route) : print_text(*request, configuration, route);
    return exit_holds;
}

}  // namespace

void add_policy(Command& program) {
    auto policy = program.subcommand("policy", "Try the rules of a configuration");
    policy.needs_subcommand();
    auto test = policy.subcommand("test", "Print what the rules say of one call: allow, ask or deny");
    auto options = std::make_shared<PolicyTest>();
    test.option("EVENT.json", options->event,
                "An approval event, or the input of a Claude Code hook; - is standard input")
        .required();
    test.option("--config", options->config, "The configuration (default: the one that run uses)").type_name("FILE");
    test.option("--agent", options->agent, "The agent that asks").shows_default();
    test.option("--session", options->session, "Its session, if the event names none").shows_default();
    test.option("--cwd", options->cwd, "Where the agent was started (default: what the hook says, or here)")
        .type_name("DIR");
    test.flag("--json", options->as_json, "Print one line of JSON");
    test.footer(
        "The first word is allow, ask or deny; then come the rule, the risk and the route. Exit code 0, or 2 for "
        "an event or a configuration that is invalid. No person is asked and nothing is logged.\n\n"
        "Example: ./my-agent | head -n 1 | countersign policy test --config deploy/policy-starter.toml -\n"
        "docs/EVENTS.md has an event to begin with.");
    test.runs([options] { return test_policy(*options); });
}

}  // namespace countersign::app
