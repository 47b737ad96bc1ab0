// SPDX-License-Identifier: Apache-2.0
// `run`: starts an agent and owns its session.
#include "app/commands/commands.hpp"
#include "app/commands/hosting.hpp"
#include "app/commands/input.hpp"
#include "app/config/config.hpp"
#include "app/config/warnings.hpp"
#include "app/process.hpp"
#include "channels/terminal/terminal.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <memory>

namespace countersign::app {
namespace {

namespace terminal = channels::terminal;

struct RunOptions {
    std::string agent_id = "agent";
    std::string session_key = "default";
    std::string state;
    std::string config;
    bool plain = false;
    bool share_stderr = false;
    std::vector<std::string> command;
};

Result<Configuration> configuration_of(const RunOptions& options) {
    auto file = options.config.empty() ? default_config_file() : Result<std::string>{options.config};
    if (!file) return file.error();
    auto loaded = load_config(*file);
    if (const auto* problems = std::get_if<std::vector<ConfigProblem>>(&loaded)) {
        for (const auto& problem : *problems) fmt::print(stderr, "{}\n", print(problem));
        return Error{Errc::bad_config, *file + " does not hold"};
    }
    auto resolved = resolve_groups(std::get<Configuration>(std::move(loaded)));
    print_warnings(resolved);
    return std::move(resolved.configuration);
}

// A channel that cannot start stops the command: a request that nobody sees would wait for ever.
Result<void> open_channels(Host& host, const RunOptions& options) {
    for (const auto& [name, channel] : host.bridge->configuration().channels) {
        const auto plain = channel.settings.find("plain");
        auto opened = terminal::Terminal::open(
            host.io.get_executor(),
            {.name = name,
             .plain = options.plain || (plain != channel.settings.end() && plain->second == "true"),
             .child_shares_terminal = options.share_stderr,
             .on_interrupt = [&host] { host.agent->stop("Ctrl-C"); },
             .on_closed = [&host](const std::string& why) { host.agent->stop(why); }},
            {.clock = host.bridge->clock(), .deliveries = host.bridge->hub(), .attempts = host.bridge->hub()});
        if (!opened) return Error{opened.error().code, "channel " + name + ": " + opened.error().detail};
        auto* screen = opened->get();
        host.bridge->hub().add_channel(*screen);
        host.channel_tasks.emplace_back([screen] { return screen->run(); });
        host.close_channels = [screen, before = host.close_channels] {
            before();
            screen->close();
        };
        host.channels.push_back(std::move(*opened));
    }
    return {};
}

int run_event(const RunOptions& options) {
    auto configuration = configuration_of(options);
    if (!configuration) return report(configuration.error());
    auto state = options.state.empty() ? default_state_directory() : Result<std::string>{options.state};
    if (!state) return report(state.error());

    Host host;
    auto bridge =
        Bridge::open(host.io, {.state = *state,
                               .configuration = std::make_shared<const Configuration>(std::move(*configuration)),
                               .command = "run event"});
    if (!bridge) return report(bridge.error());
    host.bridge = std::move(*bridge);
    fmt::print(stderr,
               "This hub runs as the same user as the agent: it guards against mistakes, not against an agent that "
               "attacks it (docs/THREAT_MODEL.md).\n");
    const auto opened = open_channels(host, options);
    if (!opened) return give_up(host, opened.error());

    auto* screen = static_cast<terminal::Terminal*>(host.channels.front().get());
    auto agent = AgentSession::start(
        *host.bridge, {.agent_id = options.agent_id,
                       .session_key = options.session_key,
                       .child = {.argv = options.command, .share_stderr = options.share_stderr},
                       .message = [screen](const std::string& text) { screen->say("agent: " + text); },
                       .complaint = [screen](const std::string& why) { screen->say("not accepted: " + why); }});
    if (!agent) return give_up(host, agent.error());
    host.agent = std::move(*agent);
    return host_until_end(host, [&](const net::ExitStatus& status) {
        if (!host.agent->stopped_because().empty()) {
            fmt::print(stderr, "stopped the agent: {}\n", host.agent->stopped_because());
        } else if (!status.clean()) {
            fmt::print(stderr, "the agent {}\n", net::describe(status));
        }
        const auto words = host.agent->last_words();
        if (!words.empty()) fmt::print(stderr, "the end of its standard error:\n{}\n", words);
    });
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
    auto* run = app.add_subcommand("run", "Start an agent and own its session");
    run->require_subcommand(1);
    auto* event = run->add_subcommand("event", "An agent that speaks the approval event on its standard streams");
    auto options = std::make_shared<RunOptions>();
    event->add_option("--agent", options->agent_id, "The agent's name in routes and records")->capture_default_str();
    event->add_option("--session", options->session_key, "The session's name, where an event gives none")
        ->capture_default_str();
    event->add_option("--state", options->state, "The state directory (default: ~/.local/state/countersign)");
    event->add_option("--config", options->config,
                      "The configuration (default: ~/.config/countersign/countersign.toml, then /etc/countersign/…)");
    event->add_flag("--plain", options->plain, "Numbered choices and whole lines, for pipes and screen readers");
    event->add_flag("--share-stderr", options->share_stderr, "Let the agent write its errors to our terminal");
    event->add_option("COMMAND", options->command, "The agent and its arguments, after --")->required();
    event->footer("Example: countersign run event --agent builder -- ./my-agent --task build");
    event->callback([&exit_code, options] { exit_code = run_event(*options); });
}

}  // namespace countersign::app
