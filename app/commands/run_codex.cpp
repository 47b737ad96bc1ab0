// SPDX-License-Identifier: Apache-2.0
#include "app/commands/prompts.hpp"
#include "app/commands/run.hpp"
#include "app/invocation.hpp"
#include "app/output.hpp"
#include "app/report.hpp"
#include "app/runtimes/registry.hpp"
#include "net/byte_stream.hpp"
#include "net/line_stream.hpp"
#include "runtimes/codex/adapter.hpp"
#include "runtimes/codex/command.hpp"

namespace countersign::app {
namespace {

namespace codex = runtimes::codex;

struct CodexOptions : RunOptions {
    std::string binary = "codex";
    std::string prompt;
    std::vector<std::string> arguments;
    codex::StartOptions start;

    [[nodiscard]] Result<codex::StartCommand> command() const { return codex::start_command(binary, arguments, start); }
};

std::vector<std::string> variables_of(const CodexOptions& options) {
    auto names = codex::inherited(environment_names());
    names.insert(names.end(), options.env.begin(), options.env.end());
    return names;
}

void say_turn_end(Host& host, const codex::TurnEnded& end) {
    if (end.status == "completed") return;
    const auto why = end.error.empty() ? end.status : end.status + ": " + end.error;
    host.say_words(channels::Key::turn_ended, {{"why", why}});
}

codex::Adapter::Options adapter_options(Host& host, const AgentHome& home, net::Child& child,
                                        const CodexOptions& options) {
    return {.agent_id = options.agent_id,
            .session_key = options.session_key,
            .requester = {},
            .version = COUNTERSIGN_VERSION,
            .thread = {.cwd = working_directory(),
                       .approval_policy = options.start.approval_policy,
                       .sandbox = options.start.sandbox},
            .look = runtimes::look_with(host.file_looks(), agent_files(), find_workplace()),
            .rules = home.rules,
            .always = [home] { return home.always("codex"); },
            .end = [&child] { child.close_stdin(); },
            .message = [&host, agent = options.agent_id](const std::string& text) { host.quote(agent, text); },
            .turn_ended = [&host](const codex::TurnEnded& end) { say_turn_end(host, end); },
            .unasked =
                [&host, home](const UnaskedCall& call) {
                    home.hub.unasked(call);
                    if (host.narrates) host.say("· not asked: " + call.tool_name + " " + call.summary);
                },
            .refused =
                [&host](const Error& why) { host.say_words(channels::Key::not_accepted, {{"why", describe(why)}}); }};
}

Result<std::unique_ptr<AgentSession>> start_agent(Host& host, const CodexOptions& options) {
    const auto command = options.command();
    if (!command) return command.error();
    for (const auto& warning : command->warnings) tell("warning: {}\n", warning);
    const auto home = host.home();
    codex::Adapter* adapter = nullptr;
    auto session =
        AgentSession::start(home, {.child = {.argv = command->argv,
                                             .keep_environment = variables_of(options),
                                             .share_stderr = options.share_stderr},
                                   .adapter = [&](net::Child& child) -> std::unique_ptr<runtimes::AgentAdapter> {
                                       auto made = std::make_unique<codex::Adapter>(
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

int run_codex(const CodexOptions& options) {
    if (const auto command = options.command(); !command) {
        report(command.error());
        return exit_usage;
    }
    if (!can_be_started(options.binary)) {
        return report({Errc::unavailable, options.binary + " is not on PATH: install Codex or give --binary PATH"});
    }
    return run_agent(options, [&](Host& host) -> Result<std::unique_ptr<AgentSession>> {
        if (const auto checked = check_prompt_source(host, options.prompt); !checked) return checked.error();
        return start_agent(host, options);
    });
}

}  // namespace

void add_run_codex(Command& run) {
    auto command = run.subcommand("codex", "Codex: each call it would ask about is asked here");
    auto options = std::make_shared<CodexOptions>();
    options->runtime = "codex";
    options->agent_id = "codex";
    add_run_options(command, *options);
    command.option("--prompt,-p", options->prompt, "The task; without it each line of standard input is one");
    command
        .option("--approval-policy", options->start.approval_policy,
                "untrusted: asks about all but known harmless commands; on-request: asks to leave the sandbox")
        .shows_default();
    command.option("--sandbox", options->start.sandbox, "read-only, workspace-write or danger-full-access")
        .shows_default();
    command.option("--binary", options->binary, "The CLI, by name or path").shows_default();
    command.option("ARGS", options->arguments, "Settings for the CLI, after --: -c key=value, --enable, --disable");
    command.footer("Example: countersign run codex --prompt 'make the tests pass' -- -c model=o3\n"
                   "docs/runtimes/codex.md says what is asked and what is not.");
    command.runs([options] { return run_codex(*options); });
}

}  // namespace countersign::app
