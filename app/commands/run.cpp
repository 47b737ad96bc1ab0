// SPDX-License-Identifier: Apache-2.0
// `run`: starts an agent and owns its session.
#include "app/commands/run.hpp"

#include "app/channels/registry.hpp"
#include "app/commands/commands.hpp"
#include "app/join_hub.hpp"
#include "app/open_hub.hpp"
#include "app/output.hpp"
#include "app/process.hpp"
#include "app/report.hpp"
#include "app/runtimes/registry.hpp"
#include "config/config.hpp"
#include "config/route_rules.hpp"
#include "security/display/display.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

namespace countersign::app {

namespace asio = boost::asio;

namespace {

// A full path, because a later reload must find the same file. Empty if there is none.
std::string config_file(const RunOptions& options) {
    const auto file = options.config.empty() ? default_config_file() : Result<std::string>{options.config};
    if (!file) return {};
    std::error_code failed;
    const auto whole = std::filesystem::absolute(*file, failed);
    return failed ? *file : whole.string();
}

HubChoices choices_of(const RunOptions& options) {
    return {.channels = {.plain = options.plain, .child_shares_terminal = options.share_stderr},
            .access_log = options.access_log ? AccessLog::written : AccessLog::left_out,
            .file = config_file(options)};
}

}  // namespace

void print_warnings(const config::ResolvedGroups& resolved) {
    for (const auto& warning : resolved.warnings) tell("warning: {}\n", warning);
    if (const auto stranger = config::stranger_at_the_terminal(resolved.configuration, ::geteuid())) {
        tell("warning: {}\n", *stranger);
    }
}

Result<Configuration> configuration_from(const std::string& given) {
    const auto file = given.empty() ? default_config_file() : Result<std::string>{given};
    if (!file) return file.error();
    auto loaded = config::load_config(*file, known_kinds());
    if (const auto* problems = std::get_if<std::vector<config::ConfigProblem>>(&loaded)) {
        for (const auto& problem : *problems) tell("{}\n", print(problem));
        return Error{Errc::bad_config, *file + ": invalid configuration"};
    }
    auto resolved = config::resolve_groups(std::get<Configuration>(std::move(loaded)));
    print_warnings(resolved);
    return std::move(resolved.configuration);
}

namespace {

void say_how_it_ended(const Host& host, const std::string& agent, const net::ExitStatus& status) {
    if (!host.agent->stopped_because().empty()) {
        tell("stopped the agent: {}\n", host.agent->stopped_because());
    } else if (const auto halted = host.agent->halted_because(); !halted.empty()) {
        tell("the agent was {}\n", security::display(halted, security::DisplayMode::line));
    } else if (!status.clean()) {
        tell("the agent {}\n", net::describe(status));
    }
    const auto words = host.agent->last_words();
    if (words.empty()) return;
    tell("the end of its standard error:\n");
    quote_to_errors(agent, words);
}

}  // namespace

std::string working_directory() {
    std::error_code ignored;
    return std::filesystem::current_path(ignored).string();
}

runtimes::FindWorkplace find_workplace() {
    return [host = host_name()](const std::string& directory) { return runtimes::read_workplace(directory, host); };
}

runtimes::AgentFiles agent_files() {
    const auto* home = std::getenv("HOME");
    return runtimes::local_files(home == nullptr ? "" : home);
}

namespace {

// Opens the hub here, or joins the one that holds the lock; then starts the agent.
asio::awaitable<int> run_with(Host& host, const RunOptions& options, const StartAgent& start,
                              Result<std::unique_ptr<Bridge>> bridge, std::string state,
                              std::shared_ptr<const Configuration> configuration) {
    const Asker asker{.agent_id = options.agent_id, .session_key = options.session_key};
    if (bridge) {
        host.bridge = std::move(*bridge);
        if (const auto halted = halted_in(host.bridge->hub(), asker); !halted.empty()) {
            co_return co_await give_up(host, {Errc::not_authorised, halted});
        }
        if (const auto ready = co_await open_hub(host, choices_of(options)); !ready) {
            co_return co_await give_up(host, ready.error());
        }
    } else if (const auto joined = co_await join_hub(host, state, configuration, asker, bridge.error()); !joined) {
        co_return co_await give_up(host, joined.error());
    } else if (!options.config.empty()) {
        tell("{} is used for nothing more: its rules are the hub's.\n",
             security::display(options.config, security::DisplayMode::line));
    }
    auto agent = start(host);
    if (!agent) co_return co_await give_up(host, agent.error());
    host.agent = std::move(*agent);
    co_return co_await host_until_end(
        host, [&](const net::ExitStatus& status) { say_how_it_ended(host, options.agent_id, status); });
}

// Tells the operator which of several files and bots this hub uses.
void introduce(const Host& host, const std::string& config) {
    const auto say = [](const std::string& line) {
        tell("{}\n", security::display(line, security::DisplayMode::line));
    };
    say("configuration: " + config);
    for (const auto& part : host.parts) {
        if (const auto line = part->introduction(); !line.empty()) say(line);
    }
}

asio::awaitable<int> serve_with(Host& host, const RunOptions& options) {
    const auto choices = choices_of(options);
    if (const auto ready = co_await open_hub(host, choices); !ready) co_return co_await give_up(host, ready.error());
    if (!choices.file.empty()) introduce(host, choices.file);
    tell(
        "This hub serves agents that are started with countersign run and the same --state; Ctrl-C or SIGTERM ends.\n");
    co_return co_await host_until_end(host, [](const net::ExitStatus&) {});
}

}  // namespace

int run_agent(const RunOptions& options, const StartAgent& start) {
    auto loaded = configuration_from(options.config);
    if (!loaded) return report(loaded.error());
    const auto configuration = std::make_shared<const Configuration>(std::move(*loaded));
    const auto state = state_directory(options.state);
    if (!state) return report(state.error());

    Host host;
    host.say = say_to_output;
    auto bridge =
        Bridge::open(host.io, {.state = *state, .configuration = configuration, .command = "run " + options.runtime});
    if (!bridge && bridge.error().code != Errc::busy) return report(bridge.error());
    return run_on(host, run_with(host, options, start, std::move(bridge), *state, configuration));
}

int serve(const RunOptions& options) {
    auto loaded = configuration_from(options.config);
    if (!loaded) return report(loaded.error());
    const auto state = state_directory(options.state);
    if (!state) return report(state.error());
    Host host;
    host.say = say_to_output;
    auto bridge = Bridge::open(host.io, {.state = *state,
                                         .configuration = std::make_shared<const Configuration>(std::move(*loaded)),
                                         .command = "serve"});
    if (!bridge) return report(with_state_hint(bridge.error()));
    host.bridge = std::move(*bridge);
    return run_on(host, serve_with(host, options));
}

namespace {

std::string is_variable_name(const std::string& text) {
    if (!text.empty() && text.find('=') == std::string::npos) return {};
    return "give the NAME of a variable that is set here, not a value";
}

}  // namespace

void add_run_options(Command& command, RunOptions& options) {
    command.option("--agent", options.agent_id, "The agent's name in routes and records").shows_default();
    command.option("--session", options.session_key, "The session's name, if the agent gives none").shows_default();
    command.option("--state", options.state, "The state directory (default: ~/.local/state/countersign)")
        .type_name("DIR");
    command.option("--config", options.config,
                   "The configuration (default: ~/.config/countersign/countersign.toml, then /etc/countersign/…)");
    command.option("--env", options.env, "Pass the environment variable NAME to the agent; can be given several times")
        .check(is_variable_name)
        .one_at_a_time();
    command.flag("--plain", options.plain, "Numbered choices and whole lines, for pipes and screen readers");
    command.flag("--access-log", options.access_log,
                 "Log each HTTP request to [gateway] as a line of JSON on standard error, as serve does");
    command.flag("--share-stderr", options.share_stderr,
                 "Let the agent write its standard error straight to this terminal, unfiltered; not possible with a "
                 "terminal channel");
}

void add_run(Command& program) {
    auto run = program.subcommand("run", "Start an agent and have people answer its requests");
    run.needs_subcommand();
    std::string examples;
    for (const auto& entry : runtime_registry()) {
        if (entry.add_run == nullptr) continue;
        entry.add_run(run);
        if (entry.example.empty()) continue;
        examples += (examples.empty() ? "" : "\n") + std::string{entry.example};
    }
    run.footer(examples);
}

}  // namespace countersign::app
