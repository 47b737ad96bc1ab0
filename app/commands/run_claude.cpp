// SPDX-License-Identifier: Apache-2.0
#include "app/commands/prompts.hpp"
#include "app/commands/run.hpp"
#include "app/invocation.hpp"
#include "app/output.hpp"
#include "app/report.hpp"
#include "app/runtimes/registry.hpp"
#include "runtimes/claude/adapter.hpp"
#include "runtimes/claude/command.hpp"

namespace countersign::app {
namespace {

namespace claude = runtimes::claude;

struct ClaudeOptions : RunOptions {
    std::string binary = "claude";
    std::string prompt;
    std::vector<std::string> arguments;
    bool ask_everything = false;

    [[nodiscard]] Result<claude::StartCommand> command() const {
        return claude::start_command(binary, arguments,
                                     ask_everything ? claude::Asks::everything : claude::Asks::what_the_cli_asks);
    }
};

std::vector<std::string> variables_of(const ClaudeOptions& options) {
    auto names = claude::inherited(environment_names());
    names.insert(names.end(), options.env.begin(), options.env.end());
    return names;
}

// With its own prompt the CLI would end after it or, because we send one as well, wait forever.
Result<void> no_prompt_among(const std::vector<std::string>& arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const auto& one = arguments[i];
        const bool prints = one == "-p" || one == "--print" || one.starts_with("--print=");
        const bool bare = !one.starts_with('-');
        const bool words =
            bare && (i == 0 || (one.find(' ') != std::string::npos && !arguments[i - 1].starts_with('-')));
        if (prints || words) {
            return Error{Errc::unsupported,
                         "\"" + one + "\" is no argument for the CLI here: write --prompt '…' before --"};
        }
    }
    return {};
}

void say_turn_end(Host& host, const claude::TurnEnd& end) {
    if (end.subtype != "success") host.say_words(channels::Key::turn_ended, {{"why", end.subtype}});
}

claude::Adapter::Options adapter_options(Host& host, const AgentHome& home, const ClaudeOptions& options) {
    return {.agent_id = options.agent_id,
            .session_key = options.session_key,
            .cwd = working_directory(),
            .asks_everything = options.ask_everything,
            .look = runtimes::look_with(host.file_looks(), agent_files(), find_workplace()),
            .rules = home.rules,
            .always = [home] { return home.always("claude"); },
            .message = [&host, agent = options.agent_id](const std::string& text) { host.quote(agent, text); },
            .turn_ended = [&host](const claude::TurnEnd& end) { say_turn_end(host, end); },
            .unasked =
                [&host, home](const UnaskedCall& call) {
                    home.hub.unasked(call);
                    if (host.narrates) host.say("· not asked: " + call.tool_name + " " + call.summary);
                },
            .refused =
                [&host](const Error& why) { host.say_words(channels::Key::not_accepted, {{"why", describe(why)}}); }};
}

Result<std::unique_ptr<AgentSession>> start_agent(Host& host, const ClaudeOptions& options) {
    const auto command = options.command();
    if (!command) return command.error();
    for (const auto& warning : command->warnings) tell("warning: {}\n", warning);
    const auto home = host.home();
    claude::Adapter* adapter = nullptr;
    auto session =
        AgentSession::start(home, {.child = {.argv = command->argv,
                                             .keep_environment = variables_of(options),
                                             .share_stderr = options.share_stderr},
                                   .adapter = [&](net::Child& child) -> std::unique_ptr<runtimes::AgentAdapter> {
                                       auto made =
                                           std::make_unique<claude::Adapter>(adapter_options(host, home, options),
                                                                             child, home.hub, home.ids, home.redactor);
                                       adapter = made.get();
                                       return made;
                                   },
                                   .complaint = host.say});
    if (session) {
        host.parts.push_back(std::make_unique<Prompts>(
            host, options.prompt, [adapter](std::string prompt) { return adapter->say(std::move(prompt)); },
            [adapter] { adapter->no_more_prompts(); }));
    }
    return session;
}

int run_claude(const ClaudeOptions& options) {
    const auto checked = no_prompt_among(options.arguments);
    const auto command = options.command();
    if (!checked || !command) {
        report(checked ? command.error() : checked.error());
        return exit_usage;
    }
    if (!can_be_started(options.binary)) {
        return report(
            {Errc::unavailable, options.binary + " is not on PATH: install Claude Code or give --binary PATH"});
    }
    return run_agent(options, [&](Host& host) -> Result<std::unique_ptr<AgentSession>> {
        if (const auto checked = check_prompt_source(host, options.prompt); !checked) return checked.error();
        return start_agent(host, options);
    });
}

}  // namespace

void add_run_claude(Command& run) {
    auto command = run.subcommand("claude", "Run Claude Code: what it would ask you is asked in your channels");
    auto options = std::make_shared<ClaudeOptions>();
    options->runtime = "claude";
    options->agent_id = "claude";
    add_run_options(command, *options);
    command.option("--prompt,-p", options->prompt, "The task; without it, each line of standard input is a task");
    command.flag("--ask-everything", options->ask_everything,
                 "Make Claude Code ask about every call, even reads and what its own settings allow");
    command.option("--binary", options->binary, "The program of Claude Code, by name or path").shows_default();
    command.option("ARGS", options->arguments, "Arguments for Claude Code, after --");
    command.footer("Example: countersign run claude --prompt 'make the tests pass' -- --model opus\n"
                   "docs/runtimes/claude.md lists what is asked and what isn't.");
    command.runs([options] { return run_claude(*options); });
}

}  // namespace countersign::app
