// SPDX-License-Identifier: Apache-2.0
#include "app/commands/prompts.hpp"
#include "app/commands/run.hpp"
#include "app/invocation.hpp"
#include "app/output.hpp"
#include "app/report.hpp"
#include "app/runtimes/registry.hpp"
#include "net/byte_stream.hpp"
#include "net/line_stream.hpp"
#include "runtimes/acp/adapter.hpp"
#include "runtimes/acp/command.hpp"

namespace countersign::app {
namespace {

namespace acp = runtimes::acp;

// A known agent: its program, and the arguments that make it speak the protocol.
struct KnownAgent {
    std::string_view binary;
    std::string_view argument;
};

struct AcpOptions : RunOptions {
    std::string binary;  // empty: the arguments are the whole command
    std::string mode;    // the argument that makes the binary speak the protocol
    std::string prompt;
    std::string auth_method;
    std::vector<std::string> arguments;

    [[nodiscard]] Result<acp::StartCommand> command() const {
        if (binary.empty()) return acp::start_command({}, arguments);
        return acp::start_command({binary, mode}, arguments);
    }
};

std::vector<std::string> variables_of(const AcpOptions& options) {
    auto names = acp::inherited(environment_names());
    names.insert(names.end(), options.env.begin(), options.env.end());
    return names;
}

void say_turn_end(Host& host, const acp::TurnEnd& end) {
    if (end.failed || end.why != "end_turn") host.say_words(channels::Key::turn_ended, {{"why", end.why}});
}

acp::Adapter::Options adapter_options(Host& host, const AgentHome& home, net::Child& child, const AcpOptions& options) {
    return {.agent_id = options.agent_id,
            .runtime = options.runtime,
            .session_key = options.session_key,
            .requester = {},
            .version = COUNTERSIGN_VERSION,
            .cwd = working_directory(),
            .auth_method = options.auth_method,
            .look = runtimes::look_with(host.file_looks(), agent_files(), find_workplace()),
            .rules = home.rules,
            .always = [home, runtime = options.runtime] { return home.always(runtime); },
            .end = [&child] { child.close_stdin(); },
            .stop =
                [&host] {
                    if (host.agent) host.agent->stop("it did not end with its input");
                },
            .message = [&host, agent = options.agent_id](const std::string& text) { host.quote(agent, text); },
            .turn_ended = [&host](const acp::TurnEnd& end) { say_turn_end(host, end); },
            .unasked =
                [&host, home](const UnaskedCall& call) {
                    home.hub.unasked(call);
                    if (host.narrates) host.say("· not asked: " + call.tool_name + " " + call.summary);
                },
            .refused =
                [&host](const Error& why) { host.say_words(channels::Key::not_accepted, {{"why", describe(why)}}); }};
}

Result<std::unique_ptr<AgentSession>> start_agent(Host& host, const AcpOptions& options) {
    const auto command = options.command();
    if (!command) return command.error();
    for (const auto& warning : command->warnings) tell("warning: {}\n", warning);
    const auto home = host.home();
    acp::Adapter* adapter = nullptr;
    auto session =
        AgentSession::start(home, {.child = {.argv = command->argv,
                                             .keep_environment = variables_of(options),
                                             .share_stderr = options.share_stderr},
                                   .adapter = [&](net::Child& child) -> std::unique_ptr<runtimes::AgentAdapter> {
                                       auto made = std::make_unique<acp::Adapter>(
                                           adapter_options(host, home, child, options),
                                           std::make_unique<net::LineStream>(net::child_bytes(child)), home.executor,
                                           home.hub, home.ids, home.redactor);
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

int run_acp(const AcpOptions& options) {
    const auto command = options.command();
    if (!command) {
        report(command.error());
        return exit_usage;
    }
    const auto& program = command->argv.front();
    if (!can_be_started(program)) {
        const auto* hint = options.binary.empty() ? ": install the agent or give the path of its program"
                                                  : ": install the agent or give --binary PATH";
        return report({Errc::unavailable, program + " is not on PATH" + hint});
    }
    return run_agent(options, [&](Host& host) -> Result<std::unique_ptr<AgentSession>> {
        if (const auto checked = check_prompt_source(host, options.prompt); !checked) return checked.error();
        return start_agent(host, options);
    });
}

void add_common_options(Command& command, AcpOptions& options) {
    add_run_options(command, options);
    command.option("--prompt,-p", options.prompt, "The task; without it, each line of standard input is a task");
    command.option("--auth-method", options.auth_method, "Log in with this method of the agent first, e.g. an API key");
}

void add_known(Command& run, const std::string& name, const std::string& title, const KnownAgent& agent) {
    auto command = run.subcommand(name, "Run " + title + ": what it would ask you is asked in your channels");
    auto options = std::make_shared<AcpOptions>();
    options->runtime = name;
    options->agent_id = name;
    options->binary = agent.binary;
    options->mode = agent.argument;
    add_common_options(command, *options);
    command.option("--binary", options->binary, "The program of " + title + ", by name or path").shows_default();
    command.option("ARGS", options->arguments, "Arguments for " + title + ", after --");
    command.footer("Example: countersign run " + name +
                   " --prompt 'make the tests pass'\ndocs/runtimes/acp.md lists what is asked and what isn't.");
    command.runs([options] { return run_acp(*options); });
}

}  // namespace

void add_run_acp(Command& run) {
    auto command = run.subcommand("acp", "Run any agent that speaks the Agent Client Protocol (docs/runtimes/acp.md)");
    auto options = std::make_shared<AcpOptions>();
    options->runtime = "acp";
    options->agent_id = "acp";
    add_common_options(command, *options);
    command.option("COMMAND", options->arguments, "The agent and its arguments, after --").required();
    command.footer("Example: countersign run acp --agent helper --prompt 'make the tests pass' -- my-agent --acp");
    command.runs([options] { return run_acp(*options); });
}

void add_run_gemini(Command& run) { add_known(run, "gemini", "Gemini CLI", {"gemini", "--acp"}); }

void add_run_opencode(Command& run) { add_known(run, "opencode", "OpenCode", {"opencode", "acp"}); }

}  // namespace countersign::app
