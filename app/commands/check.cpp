// SPDX-License-Identifier: Apache-2.0
// `check`: runs the program's rules one by one, for an operator who wants to know why something is refused.
#include "app/channels/registry.hpp"
#include "app/channels/secrets.hpp"
#include "app/command_line/command.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/run.hpp"
#include "app/input.hpp"
#include "app/output.hpp"
#include "app/process.hpp"
#include "app/report.hpp"
#include "app/system_clock.hpp"
#include "config/config.hpp"
#include "core/counted.hpp"
#include "core/json/read.hpp"
#include "core/json/write.hpp"
#include "runtimes/event/translate.hpp"
#include "security/args_hash.hpp"
#include "security/display/display.hpp"
#include "security/redact/redactor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>

namespace countersign::app {
namespace {

int check_canonical() {
    const auto input = read_input();
    if (!input) return report(input.error());
    const auto document = json::read(*input);
    if (!document) return report(document.error());
    // Fractions are rounded as RFC 8785 requires; with any other loss there is no canonical form.
    for (const auto& note : document->losses) {
        const auto where = security::display(note.where, security::DisplayMode::line);
        if (note.loss != json::Loss::inexact_fraction) {
            return report({Errc::unsupported,
                           fmt::format("no canonical form without loss: {} {}", json::name(note.loss), where)});
        }
        tell("note: {} has more digits than a double keeps; args-hash takes the raw bytes\n", where);
    }
    show("{}", json::canonical(document->value));
    return exit_holds;
}

int check_args_hash(const std::string& tool) {
    const auto input = read_input();
    if (!input) return report(input.error());
    const auto hash = security::args_hash(tool, *input);
    if (!hash) return report(hash.error());
    show("{} {}\n", hash->hex, hash->canonical ? "canonical" : "raw");
    return exit_holds;
}

security::Redactor passing_redactor() { return {security::Secret::random(32), {}}; }

int check_redact() {
    const auto input = read_input();
    if (!input) return report(input.error());
    const auto redactor = passing_redactor();
    const auto redacted = redactor.redact(*input);
    // As shown to people: the sanitiser runs after the redactor.
    show("{}", security::display(redacted.text, security::DisplayMode::block));
    for (const auto& rule : redacted.rules) tell("masked by {}\n", rule);
    return exit_holds;
}

int check_display(bool line) {
    const auto input = read_input();
    if (!input) return report(input.error());
    show("{}", security::display(*input, line ? security::DisplayMode::line : security::DisplayMode::block));
    return exit_holds;
}

int check_event(const std::string& file) {
    auto input = read_file(file);
    if (!input) return report(input.error());
    while (!input->empty() && (input->back() == '\n' || input->back() == '\r')) input->pop_back();
    if (const auto other = runtimes::event::other_line(*input)) {
        show("holds: a line of type {}, which asks for nothing\n", *other);
        return exit_holds;
    }
    const Rules rules;
    const auto redactor = passing_redactor();
    const auto translated = runtimes::event::translate(*input, {.agent_id = {}, .rules = rules, .redactor = redactor});
    if (!translated) return report(translated.error());
    const auto& request = translated->request;
    show("holds: {} {}, arguments {} {}, risk {} ({})\n", request.id.str(), tool_name_of(request),
         request.args_hash.hex, request.args_hash.canonical ? "canonical" : "raw", name(request.judgement.risk.level),
         request.judgement.risk.rule);
    if (const auto* approval = std::get_if<Approval>(&request.body)) {
        for (const auto& option : approval->options) {
            show("  option {} \"{}\": {}, {}\n", option.option_id, option.label, name(option.effect),
                 option.known ? name(option.scope) : "always, because its word is not known");
        }
    }
    return exit_holds;
}

int refuse(const std::vector<config::ConfigProblem>& problems) {
    for (const auto& problem : problems) tell("{}\n", print(problem));
    return exit_does_not_hold;
}

int check_config(const std::string& given) {
    const auto file = given.empty() ? default_config_file() : Result<std::string>{given};
    if (!file) return report(file.error());
    auto loaded = config::load_config(*file, known_kinds());
    if (const auto* problems = std::get_if<std::vector<config::ConfigProblem>>(&loaded)) return refuse(*problems);
    if (const auto missing = secret_problems(*file, std::get<Configuration>(loaded), SystemClock{}.wall());
        !missing.empty()) {
        return refuse(missing);
    }
    const auto resolved = config::resolve_groups(std::get<Configuration>(std::move(loaded)));
    const auto& configuration = resolved.configuration;
    print_warnings(resolved);
    std::string outside;
    if (const auto chats = configuration.log_anchors.size(); chats > 0) {
        outside +=
            ", " + counted(chats, "chat that keeps the log's checkpoints", "chats that keep the log's checkpoints");
    }
    if (const auto witnesses = configuration.log_witnesses.size(); witnesses > 0) {
        outside += ", " + counted(witnesses, "witness", "witnesses");
    }
    show("holds: {}, {}, {}, {}{}\n", counted(configuration.people.size(), "person", "people"),
         counted(configuration.channels.size(), "channel"), counted(configuration.routes.size(), "route"),
         counted(configuration.rules.policy.size(), "policy rule"), outside);
    for (const auto& route : configuration.routes) {
        const auto deciders = deciders_of(configuration, route);
        if (deciders.empty()) {
            show("  route {}: nobody, everything is denied\n", route.name);
        } else {
            show("  route {}: {} of {}\n", route.name, route.required, fmt::join(deciders, ", "));
        }
    }
    return exit_holds;
}

}  // namespace

void add_check(Command& program) {
    auto check = program.subcommand("check", "Find out why something was refused");
    check.needs_subcommand();

    check.subcommand("canonical", "Print the canonical form (RFC 8785) of the JSON on standard input")
        .runs(check_canonical);

    auto args_hash = check.subcommand("args-hash", "Print the hash that binds a decision to these arguments");
    auto tool = std::make_shared<std::string>();
    args_hash.option("--tool", *tool, "The tool's name").required();
    args_hash.runs([tool] { return check_args_hash(*tool); });

    check.subcommand("redact", "Print standard input with its secrets masked, as people would see it")
        .runs(check_redact);

    auto display = check.subcommand("display", "Print standard input with every invisible character made visible");
    auto line = std::make_shared<bool>(false);
    display.flag("--line", *line, "Show line breaks, too, so that the result is one line");
    display.runs([line] { return check_display(*line); });

    auto event = check.subcommand("event", "Say which limit an approval event breaks, if any");
    auto event_file = std::make_shared<std::string>();
    event.option("EVENT.json", *event_file, "The event; - is standard input").required();
    event.footer("Example: ./my-agent | head -n 1 | countersign check event -\n"
                 "docs/EVENTS.md has an event to begin with.");
    event.runs([event_file] { return check_event(*event_file); });

    auto config = check.subcommand("config", "Check a configuration, and say what to write where it is invalid");
    auto config_file = std::make_shared<std::string>();
    config.option("FILE", *config_file, "The configuration (default: the one that run uses)");
    config.footer("Example: countersign check config ./countersign.toml");
    config.runs([config_file] { return check_config(*config_file); });

    add_check_proof(check);
    add_check_render(check);
    add_check_signature(check);
}

}  // namespace countersign::app
