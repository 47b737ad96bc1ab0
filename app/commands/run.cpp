// SPDX-License-Identifier: Apache-2.0
// `run`: starts an agent and owns its session.
#include "app/commands/run.hpp"

#include "app/anchoring/open.hpp"
#include "app/channels/open.hpp"
#include "app/channels/registry.hpp"
#include "app/commands/commands.hpp"
#include "app/config/config.hpp"
#include "app/config/effective.hpp"
#include "app/config/warnings.hpp"
#include "app/gateway.hpp"
#include "app/hub_listing.hpp"
#include "app/narration.hpp"
#include "app/outbox_listing.hpp"
#include "app/output.hpp"
#include "app/process.hpp"
#include "app/reload.hpp"
#include "app/report.hpp"
#include "app/runtimes/registry.hpp"
#include "security/display/display.hpp"

#include <boost/asio/co_spawn.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>

namespace countersign::app {
namespace {

// A whole path: a later reload must find the same file.
Result<std::string> config_file(const RunOptions& options) {
    auto file = options.config.empty() ? default_config_file() : Result<std::string>{options.config};
    if (!file) return file;
    std::error_code failed;
    const auto whole = std::filesystem::absolute(*file, failed);
    return failed ? *file : whole.string();
}

}  // namespace

Result<Configuration> configuration_from(const std::string& given) {
    const auto file = given.empty() ? default_config_file() : Result<std::string>{given};
    if (!file) return file.error();
    auto loaded = load_config(*file, known_kinds());
    if (const auto* problems = std::get_if<std::vector<ConfigProblem>>(&loaded)) {
        for (const auto& problem : *problems) tell("{}\n", print(problem));
        return Error{Errc::bad_config, *file + ": invalid configuration"};
    }
    auto resolved = resolve_groups(std::get<Configuration>(std::move(loaded)));
    print_warnings(resolved);
    return std::move(resolved.configuration);
}

namespace {

// The terminal channel shows the cards itself; without one the person who started us would see nothing. A person who
// started an agent in another process that asks here is told in any case.
Result<void> narrate(Host& host) {
    host.narrates = own_terminal(host.bridge->configuration()) == nullptr;
    auto heard = host.bridge->hub().subscribe([&host](const Hub::Event& event) {
        const auto line = narrated(event, host.bridge->configuration(), host.bridge->hub().grants().all());
        if (line && host.narrates) host.say(*line);
        if (!host.sidecars) return;
        host.sidecars->narrate(event.request->id, line.value_or(""), event.kind == Hub::Event::Kind::ended);
    });
    if (!heard) return heard.error();
    host.heard = std::move(heard->subscription);
    return {};
}

std::string halted_in(const Hub& hub, const Asker& asker) {
    const auto* halt = hub.halts().of(asker);
    return halt == nullptr ? std::string{} : halt_notice(*halt);
}

// Nobody holds the state directory: we are its hub.
Result<void> become_hub(Host& host, const RunOptions& options) {
    tell("This hub runs as the same user as the agent: it guards against mistakes, not against an agent that "
         "attacks it (docs/THREAT_MODEL.md).\n");
    if (auto opened = open_channels(host, {.plain = options.plain, .child_shares_terminal = options.share_stderr});
        !opened) {
        return opened;
    }
    const auto log = options.access_log ? AccessLog::written : AccessLog::left_out;
    if (auto served = open_gateway(host, log); !served) return served;
    if (auto anchored = open_anchoring(host); !anchored) return anchored;
    if (auto told = narrate(host); !told) return told;
    host.bridge->take_up_earlier();
    auto sidecars = sidecar::Server::open(
        host.io.get_executor(), sidecar::socket_of(host.bridge->state()), host.bridge->hub(), host.bridge->clock(),
        rules_fingerprint(host.bridge->configuration()), [&host](const std::string& what) { host.say(what); });
    if (!sidecars) return sidecars.error();
    host.sidecars = std::move(*sidecars);
    if (auto file = config_file(options)) open_reload(host, std::move(*file));
    host.sidecars->on_reload(host.reload);
    host.sidecars->take_orders(host.bridge->hub());
    host.sidecars->on_join([&host](const Asker& asker) { return halted_in(host.bridge->hub(), asker); });
    host.sidecars->on_list_outbox(
        [&host] { return json::Value{outbox_listing(host.outboxes, host.bridge->hub().dead_letters())}; });
    const auto configuration = config_file(options);
    HubFacts facts{.started = host.bridge->clock().boot(), .configuration = configuration ? *configuration : ""};
    host.sidecars->on_list_hub(
        [&host, facts = std::move(facts)](const std::string& what) { return hub_listing(what, host, facts); });
    host.beside.emplace_back([&host] { return host.sidecars->run(); });
    return {};
}

// One state directory has one hub.
Error with_state_hint(Error busy) {
    if (busy.code == Errc::busy) busy.detail += ": end it first; --state DIR uses another";
    return busy;
}

// What must be answered before anything else starts.
Result<void> answer_of(Host& host, boost::asio::awaitable<Result<void>> question) {
    std::optional<Result<void>> answer;
    boost::asio::co_spawn(host.io, std::move(question), [&](const std::exception_ptr& failed, Result<void> result) {
        leave_if_broken(failed);
        answer = std::move(result);
    });
    while (!answer && host.io.run_one() > 0) {}
    if (host.io.stopped()) host.io.restart();
    return answer.value_or(Error{Errc::unavailable, "it did not answer"});
}

// Somebody does: our agent asks there, over its local socket. One bot, one log.
Result<void> join_hub(Host& host, const std::string& state, std::shared_ptr<const Configuration> configuration,
                      const Asker& asker, const Error& busy) {
    auto joined = sidecar::Sidecar::open(
        host.io.get_executor(), state, std::move(configuration), [&host](const std::string& what) { host.say(what); },
        asker);
    if (!joined) {
        return with_state_hint({busy.code, busy.detail + ", and it takes no sidecar (" + joined.error().detail + ")"});
    }
    host.sidecar = std::move(*joined);
    const auto hub = security::display(busy.detail, security::DisplayMode::line);
    if (const auto taken = answer_of(host, host.sidecar->joined()); !taken) {
        if (taken.error().code != Errc::conflict) return Error{busy.code, hub + ", and " + taken.error().detail};
        return Error{Errc::conflict, hub + ", and it uses another configuration: " + taken.error().detail +
                                         "; start with the hub's configuration, or with another --state"};
    }
    if (const auto halted = host.sidecar->halted(); !halted.empty()) return Error{Errc::not_authorised, halted};
    tell("{}; this agent asks there, and people, routes and channels are those of that hub.\n", hub);
    return {};
}

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
    const Asker asker{.agent_id = options.agent_id, .session_key = options.session_key};
    if (bridge) {
        host.bridge = std::move(*bridge);
        if (const auto halted = halted_in(host.bridge->hub(), asker); !halted.empty()) {
            return give_up(host, {Errc::not_authorised, halted});
        }
        if (const auto ready = become_hub(host, options); !ready) return give_up(host, ready.error());
    } else if (const auto joined = join_hub(host, *state, configuration, asker, bridge.error()); !joined) {
        return give_up(host, joined.error());
    } else if (!options.config.empty()) {
        tell("{} is used for nothing more: its rules are the hub's.\n",
             security::display(options.config, security::DisplayMode::line));
    }
    auto agent = start(host);
    if (!agent) return give_up(host, agent.error());
    host.agent = std::move(*agent);
    return host_until_end(host,
                          [&](const net::ExitStatus& status) { say_how_it_ended(host, options.agent_id, status); });
}

namespace {

// Which of several files and bots this hub is about.
void introduce(const Host& host, const std::string& config) {
    const auto say = [](const std::string& line) {
        tell("{}\n", security::display(line, security::DisplayMode::line));
    };
    say("configuration: " + config);
    for (const auto& line : host.introductions) say(line);
}

}  // namespace

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
    if (const auto ready = become_hub(host, options); !ready) return give_up(host, ready.error());
    if (const auto file = config_file(options)) introduce(host, *file);
    tell(
        "This hub serves agents that are started with countersign run and the same --state; Ctrl-C or SIGTERM ends.\n");
    return host_until_end(host, [](const net::ExitStatus&) {});
}

namespace {

std::string is_variable_name(const std::string& text) {
    if (!text.empty() && text.find('=') == std::string::npos) return {};
    return "give the NAME of a variable that is set here, not a value";
}

}  // namespace

void add_run_options(Command& command, RunOptions& options) {
    command.option("--agent", options.agent_id, "The agent's name in routes and records").shows_default();
    command.option("--session", options.session_key, "The session's name, where the agent gives none").shows_default();
    command.option("--state", options.state, "The state directory (default: ~/.local/state/countersign)");
    command.option("--config", options.config,
                   "The configuration (default: ~/.config/countersign/countersign.toml, then /etc/countersign/…)");
    command.option("--env", options.env, "A further variable of ours that the agent gets, by its NAME; repeatable")
        .check(is_variable_name)
        .one_at_a_time();
    command.flag("--plain", options.plain, "Numbered choices and whole lines, for pipes and screen readers");
    command.flag("--access-log", options.access_log,
                 "Write a line of JSON for each request to [gateway] to standard error, as serve does");
    command.flag("--share-stderr", options.share_stderr,
                 "Let the agent write its errors to our terminal, unfiltered; not with a terminal channel");
}

void add_run(Command& program) {
    auto run = program.subcommand("run", "Start an agent and own its session");
    run.needs_subcommand();
    std::string examples;
    for (const auto& entry : runtime_registry()) {
        if (entry.add_run == nullptr) continue;
        examples += (examples.empty() ? "" : "\n") + std::string{entry.example};
        entry.add_run(run);
    }
    run.footer(examples);
}

}  // namespace countersign::app
