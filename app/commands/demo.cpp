// SPDX-License-Identifier: Apache-2.0
// `demo`: shows a request from start to end, in this terminal, without any setup.
#include "app/channels/open.hpp"
#include "app/channels/registry.hpp"
#include "app/command_line/command.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/run.hpp"
#include "app/demo/agent.hpp"
#include "app/demo/narrator.hpp"
#include "app/demo/unattended.hpp"
#include "app/demo/workspace.hpp"
#include "app/host.hpp"
#include "app/invocation.hpp"
#include "app/output.hpp"
#include "app/report.hpp"
#include "audit/verifier.hpp"
#include "channels/terminal/terminal.hpp"
#include "config/config.hpp"
#include "core/counted.hpp"
#include "runtimes/event/adapter.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <unistd.h>

namespace countersign::app {
namespace {

namespace terminal = channels::terminal;

struct DemoOptions {
    bool loop = false;
    bool once = false;  // the default
    bool plain = false;
    std::string answer;
};

// The embedded default configuration: the person at this terminal decides, and everything is asked.
std::string attended_toml() {
    return fmt::format(R"([people.you]
terminal = {}
roles    = ["approve", "approve-always"]

[channels.terminal]
kind = "terminal"

[[routes]]
ask      = [ {{ channel = "terminal" }} ]
deciders = ["you"]

[log]
origin = "countersign.local/demo"
)",
                       ::getuid());
}

Result<Configuration> attended() {
    auto parsed = config::parse_config(attended_toml(), "demo.toml", known_kinds());
    if (const auto* problems = std::get_if<std::vector<config::ConfigProblem>>(&parsed)) {
        return Error{Errc::internal, print(problems->front())};
    }
    return std::get<Configuration>(std::move(parsed));
}

// The configuration without people. A file cannot express it, because its person's name is not allowed in a file.
Configuration unattended() {
    Configuration configuration;
    configuration.people[demo::unattended_principal] = {.name = demo::unattended_principal,
                                                        .principals = {demo::unattended_principal},
                                                        .permissions = {Permission::approve}};
    configuration.routes.push_back(
        {.name = "demo", .steps = {{.channel = "terminal"}}, .deciders = {demo::unattended_principal}});
    configuration.log_origin = "countersign.local/demo";
    return configuration;
}

void print_out(const std::string& text) { show("{}", text); }

// How the demo ended. Ctrl-C is the normal way to leave it, not a failure.
enum class Leaving { by_itself, interrupted };

// Adds the channel without people.
struct UnattendedPart final : Part {
    UnattendedPart(Bridge& bridge, demo::UnattendedAnswer answer)
        : channel{"terminal", answer, {bridge.clock(), bridge.hub().deliveries(), bridge.hub()}, print_out} {}
    demo::Unattended channel;
};

// Opens the channel, and returns how to print next to it.
Result<demo::Narrator::Voice> open_channel(Host& host, const DemoOptions& options, Leaving& leaving) {
    if (!options.answer.empty()) {
        const auto answer = options.answer == "allow" ? demo::UnattendedAnswer::allow : demo::UnattendedAnswer::deny;
        auto part = std::make_unique<UnattendedPart>(*host.bridge, answer);
        host.bridge->hub().add_channel(part->channel);
        host.parts.push_back(std::move(part));
        return demo::Narrator::Voice{.say = say_to_output,
                                     .quote = [](const std::string& words) { quote_to_output("agent", words); }};
    }
    const auto opened = add_terminal(host, {.name = "terminal",
                                            .plain = options.plain,
                                            .on_interrupt =
                                                [&host, &leaving] {
                                                    leaving = Leaving::interrupted;
                                                    host.stop("Ctrl-C");
                                                },
                                            .on_closed = [&host](const std::string& why) { host.stop(why); }});
    if (!opened) return opened.error();
    auto* screen = *opened;
    return demo::Narrator::Voice{.say = [screen](const std::string& line) { (void)screen->say(line); },
                                 .quote = [screen](const std::string& words) { screen->quote("agent", words); }};
}

// If the agent failed, the demo ended early; its last words say why.
void say_what_failed(const AgentSession& agent, const net::ExitStatus& status) {
    if (!agent.stopped_because().empty()) return tell("the demo ended early: {}\n", agent.stopped_because());
    if (status.clean()) return;
    const auto words = agent.last_words();
    tell("the agent {}{}\n", net::describe(status), words.empty() ? "" : "; its last words:");
    if (!words.empty()) quote_to_errors("agent", words);
}

void say_goodbye(const demo::Workspace& workspace) {
    const auto checked = audit::verify(audit::posix_file_system(), workspace.state + "/audit", {});
    if (checked && checked->ok()) {
        show("\n{}, {}, all intact.\nLook at them, or change one and try again:\n", counted(checked->records, "record"),
             counted(checked->signatures, "signature"));
    }
    show("  {0} audit list   --state {1}\n"
         "  {0} audit tail   --state {1}\n"
         "  {0} audit verify --state {1}\n"
         "  rm -r {2}\n",
         own_command(), shell_word(workspace.state), shell_word(workspace.root));
}

Result<std::unique_ptr<AgentSession>> start_agent(Host& host, const demo::Workspace& workspace,
                                                  demo::Narrator& narrator, bool once) {
    std::vector<std::string> command{std::filesystem::read_symlink("/proc/self/exe").string(), "demo-agent"};
    if (once) command.emplace_back("--once");
    const auto home = host.home();
    const auto adapter = [&, home](net::Child& child) -> std::unique_ptr<runtimes::AgentAdapter> {
        return std::make_unique<runtimes::event::Adapter>(
            runtimes::event::Adapter::Options{
                .agent_id = "demo",
                .session_key = "demo-1",
                .cwd = workspace.project,
                .look = runtimes::look_with(host.file_looks(), agent_files(), {}),
                .rules = home.rules,
                .message = [&](const std::string& text) { narrator.agent_said(text); },
                .refused = [&](const Error& why) { narrator.agent_was_wrong(describe(why)); }},
            child, home.hub, home.redactor);
    };
    return AgentSession::start(home, {.child = {.argv = command, .directory = workspace.project},
                                      .adapter = adapter,
                                      .complaint = [&](const std::string& why) { narrator.agent_was_wrong(why); }});
}

boost::asio::awaitable<int> demonstrate(Host& host, const DemoOptions& options, const demo::Workspace& workspace) {
    auto leaving = Leaving::by_itself;
    auto voice = open_channel(host, options, leaving);
    if (!voice) co_return co_await give_up(host, voice.error());
    host.say = voice->say;

    demo::Narrator narrator{host.bridge->audit_directory(), *voice};
    const auto heard = host.bridge->hub().subscribe([&](const Hub::Event& event) {
        if (event.kind == Hub::Event::Kind::requested) narrator.request_opened();
        if (event.kind == Hub::Event::Kind::ended) narrator.request_ended(event.request->id);
    });
    if (!heard) co_return report(heard.error());
    auto agent = start_agent(host, workspace, narrator, !options.loop);
    if (!agent) co_return co_await give_up(host, agent.error());
    host.agent = std::move(*agent);
    narrator.begins(workspace.project);
    const auto code = co_await host_until_end(host, [&](const net::ExitStatus& status) {
        if (leaving != Leaving::interrupted) say_what_failed(*host.agent, status);
        say_goodbye(workspace);
    });
    co_return leaving == Leaving::interrupted ? exit_holds : code;
}

int run_demo(const DemoOptions& options) {
    const auto workspace = demo::make_workspace();
    if (!workspace) return report(workspace.error());
    auto configuration = options.answer.empty() ? attended() : Result<Configuration>{unattended()};
    if (!configuration) return report(configuration.error());

    Host host;
    auto bridge =
        Bridge::open(host.io, {.state = workspace->state,
                               .configuration = std::make_shared<const Configuration>(std::move(*configuration)),
                               .command = options.answer.empty() ? "demo" : "demo --answer"});
    if (!bridge) return report(bridge.error());
    host.bridge = std::move(*bridge);
    return run_on(host, demonstrate(host, options, *workspace));
}

}  // namespace

void add_demo(Command& program) {
    auto demo = program.subcommand("demo", "Try it: a demonstration agent asks, you answer in this terminal");
    auto options = std::make_shared<DemoOptions>();
    const auto loop = demo.flag("--loop", options->loop, "Begin again after each round, until Ctrl-C");
    demo.flag("--once", options->once, "One round, which is the default").excludes(loop);
    demo.flag("--plain", options->plain, "Numbered choices and whole lines, for pipes and screen readers");
    demo.option("--answer", options->answer, "Answer everything with allow, or with deny, without a person")
        .one_of({"allow", "deny"})
        .value_text("allow|deny");
    demo.footer("The agent works in a new temporary directory. It changes nothing else, opens no port and doesn't use "
                "the network.\n\n"
                "  countersign demo --once --answer allow");
    demo.runs([options] {
        if (!options->answer.empty()) options->loop = false;  // a loop would never end without a person
        return run_demo(*options);
    });

    auto agent = program.subcommand("demo-agent", "");
    agent.hide();  // not in --help: only the demo starts it
    auto once = std::make_shared<bool>(false);
    agent.flag("--once", *once, "");
    agent.runs([once] { return demo::run_agent(*once); });
}

}  // namespace countersign::app
