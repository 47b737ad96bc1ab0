// SPDX-License-Identifier: Apache-2.0
#include "app/commands/run.hpp"
#include "app/runtimes/registry.hpp"
#include "runtimes/event/adapter.hpp"

namespace countersign::app {
namespace {

struct EventOptions : RunOptions {
    std::vector<std::string> command;
};

Result<std::unique_ptr<AgentSession>> start_agent(Host& host, const EventOptions& options) {
    const auto home = host.home();
    const auto adapter = [&host, &options, home](net::Child& child) -> std::unique_ptr<runtimes::AgentAdapter> {
        return std::make_unique<runtimes::event::Adapter>(
            runtimes::event::Adapter::Options{
                .agent_id = options.agent_id,
                .session_key = options.session_key,
                .cwd = working_directory(),
                .look = runtimes::look_with(host.file_looks(), agent_files(), find_workplace()),
                .rules = home.rules,
                .message = [&](const std::string& text) { host.quote(options.agent_id, text); },
                .refused =
                    [&host](const Error& why) {
                        host.say_words(channels::Key::not_accepted, {{"why", describe(why)}});
                    }},
            child, home.hub, home.redactor);
    };
    return AgentSession::start(
        home,
        {.child = {.argv = options.command, .keep_environment = options.env, .share_stderr = options.share_stderr},
         .adapter = adapter,
         .complaint = host.say});
}

}  // namespace

void add_run_event(Command& run) {
    auto event = run.subcommand("event", "Run an agent of your own, which asks by approval events (docs/EVENTS.md)");
    auto options = std::make_shared<EventOptions>();
    options->runtime = "event";
    options->agent_id = "agent";
    add_run_options(event, *options);
    event.option("COMMAND", options->command, "The agent and its arguments, after --").required();
    event.footer("Example: countersign run event --agent builder -- ./my-agent --task build");
    event.runs(
        [options] { return run_agent(*options, [options](Host& host) { return start_agent(host, *options); }); });
}

}  // namespace countersign::app
