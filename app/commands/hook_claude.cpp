// SPDX-License-Identifier: Apache-2.0
// The hook process of an interactive Claude Code session: asks the running hub about one call, and waits until a person
// answers there or in the terminal.
#include "app/commands/hook_claude.hpp"
#include "app/channels/registry.hpp"
#include "app/commands/run.hpp"
#include "app/host.hpp"
#include "app/input.hpp"
#include "app/output.hpp"
#include "app/process.hpp"
#include "app/report.hpp"
#include "config/config.hpp"
#include "core/json/write.hpp"
#include "runtimes/claude/hook_adapter.hpp"
#include "runtimes/claude/outgoing.hpp"
#include "runtimes/claude/terminal_watch.hpp"
#include "runtimes/claude/waiting_hooks.hpp"
#include "security/display/display.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <charconv>
#include <csignal>
#include <cstdlib>
#include <poll.h>
#include <unistd.h>

namespace countersign::app {
namespace {

namespace asio = boost::asio;
namespace claude = runtimes::claude;
using namespace std::chrono_literals;

constexpr auto look_interval = 100ms;
constexpr auto hub_away_max = 60s;        // a hub that restarts is back sooner
constexpr auto after_signal_max = 800ms;  // the CLI kills a hook 1.3 s after its signal, or later

// Every path that ends without a decision passes here. The terminal's dialog stays; without a person there, deny.
int leave(const ClaudeHookOptions& options, const std::string& why, bool deny) {
    tell("countersign: no answer from here: {}\n", security::display(why, security::DisplayMode::line));
    if (deny && options.unattended) {
        show("{}\n", claude::hook_line(claude::deny_body("No one was asked, so this was not run: " +
                                                         security::display(why, security::DisplayMode::line))));
    }
    return exit_holds;
}

std::string variable(const char* name) {
    const auto* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing here changes the environment
    return value == nullptr ? std::string{} : std::string{value};
}

std::string waiting_directory(const std::string& state) { return state + "/hooks"; }

// Without the people: only the hub needs them.
Result<Configuration> rules_of(const std::string& given) {
    const auto file = given.empty() ? default_config_file() : Result<std::string>{given};
    if (!file) return file.error();
    auto loaded = config::load_config(*file, known_kinds());
    if (const auto* problems = std::get_if<std::vector<config::ConfigProblem>>(&loaded)) {
        return Error{Errc::bad_config,
                     problems->empty() ? *file + ": invalid configuration" : print(problems->front())};
    }
    return std::get<Configuration>(std::move(loaded));
}

// The CLI's process, from its environment. 0: unknown.
pid_t agent_process() {
    const auto text = variable("CLAUDE_PID");
    pid_t pid = 0;
    const auto* end = text.data() + text.size();
    const auto [rest, failed] = std::from_chars(text.data(), end, pid);
    return failed == std::errc{} && rest == end && pid > 0 ? pid : 0;
}

std::string session_file(pid_t agent) {
    auto directory = variable("CLAUDE_CONFIG_DIR");
    if (directory.empty()) directory = variable("HOME") + "/.claude";
    return directory + "/sessions/" + std::to_string(agent) + ".json";
}

Result<void> print_line(const std::string& line) {
    show("{}\n", line);
    if (result_written()) return {};
    return Error{Errc::unavailable, "the CLI doesn't read the answer"};
}

// Whether the CLI closed the other end of our standard output.
bool reader_is_gone() {
    pollfd output{.fd = STDOUT_FILENO, .events = 0, .revents = 0};
    return ::poll(&output, 1, 0) == 1 && (output.revents & (POLLERR | POLLHUP)) != 0;
}

// Surroundings: everything that tells a waiting hook that it need not wait any more.
class Surroundings {
public:
    Surroundings(const ClaudeHookOptions& options, const claude::PermissionAsked& asked, const Sidecar& sidecar,
                 Clock& clock)
        : session_id_{asked.session_id},
          is_main_{asked.agent.is_main()},
          agent_{agent_process()},
          sidecar_{sidecar},
          clock_{clock} {
        if (is_main_ || options.unattended) return;
        sub_agent_until_ = clock.boot() + std::chrono::seconds{options.sub_agent_wait};
    }

    // Later hook processes find us there. Without it the hint and the signals remain.
    void meet_in(const std::string& directory, const claude::WaitingCall& call) {
        if (auto file = claude::WaitingFile::create(directory, call)) file_.emplace(std::move(*file));
    }
    void answered_here() {
        if (file_) file_->answered_here();
    }
    void signalled() { signalled_ = clock_.boot(); }

    // Why not to wait any more. `terminal_waits`: no one answered there either, and the CLI will ask there.
    struct Over {
        std::string why;
        bool terminal_waits = false;
    };
    std::optional<Over> over() {
        observe();
        const auto now = clock_.boot();
        if (signalled_) return after_signal(now);
        if (file_) {
            if (const auto told = file_->told()) return Over{std::string{words_for(*told)}};
        }
        if (watch_.dialog_gone(now)) return answered();
        if (reader_is_gone()) return Over{"the session at the terminal is gone"};
        if (sub_agent_until_ && now >= *sub_agent_until_) {
            return Over{"no one answered in time; the terminal asks now", true};
        }
        if (sidecar_.connected()) away_ = std::nullopt;
        if (!sidecar_.connected() && !away_) away_ = now;
        if (away_ && now - *away_ >= hub_away_max) return Over{"the hub is away; the terminal decides", true};
        return std::nullopt;
    }

    // Before an answer is printed. The dialog may just be making room for another one.
    asio::awaitable<bool> still_asked() {
        observe();
        if (watch_.in_doubt()) {
            co_await clock_.sleep_until(clock_.boot() + claude::TerminalWatch::settled);
            observe();
        }
        co_return !signalled_ && !watch_.dialog_gone(clock_.boot()) && !(file_ && file_->told());
    }

private:
    static Over answered() { return {std::string{words_for(claude::WaitEnd::answered_in_terminal)}}; }

    // A sub-agent's dialog comes only after its hook has ended.
    void observe() {
        if (!is_main_ || agent_ == 0) return;
        const auto text = read_file(session_file(agent_));
        watch_.observe(text ? claude::waits_for_person(*text, session_id_) : std::nullopt, clock_.boot());
    }

    // A signal is a No, the end of the session, or the hook's own timeout. The file tells which, but a little later.
    std::optional<Over> after_signal(BootTime now) const {
        if (!is_main_) return Over{"its turn or its session ended at the terminal"};
        if (watch_.in_doubt()) return answered();
        if (now - *signalled_ < after_signal_max) return std::nullopt;
        return Over{"answered at the terminal, or the session or the hook's time ended"};
    }

    std::string session_id_;
    bool is_main_;
    pid_t agent_;
    std::optional<BootTime> sub_agent_until_;  // a sub-agent's dialog waits for its hook
    const Sidecar& sidecar_;
    Clock& clock_;
    claude::TerminalWatch watch_;
    std::optional<claude::WaitingFile> file_;
    std::optional<BootTime> signalled_;
    std::optional<BootTime> away_;
};

asio::awaitable<void> watch_signals(asio::signal_set& signals, Surroundings& around, claude::HookAdapter& adapter) {
    boost::system::error_code failed;
    co_await signals.async_wait(asio::redirect_error(asio::use_awaitable, failed));
    if (failed) co_return;
    around.signalled();
    adapter.wake();
}

asio::awaitable<Result<void>> join(Host& host, const std::string& state,
                                   std::shared_ptr<const Configuration> configuration, Asker asker) {
    auto opened = Sidecar::open(
        host.io.get_executor(), state, std::move(configuration), [](const std::string&) {}, std::move(asker), true);
    if (!opened) co_return Error{opened.error().code, opened.error().detail + "; start one with countersign serve"};
    host.sidecar = std::move(*opened);
    auto joined = co_await host.sidecar->joined();
    if (!joined && joined.error().code == Errc::conflict) {
        joined = Error{Errc::conflict, "the hub uses another configuration: " + joined.error().detail +
                                           "; give the hook the hub's with --config"};
    }
    if (!joined) co_await host.sidecar->close();
    co_return joined;
}

claude::HookAdapter::Options adapter_options(Host& host, const AgentHome& home, const ClaudeHookOptions& options,
                                             Surroundings& around) {
    return {.agent_id = options.agent_id,
            .asks_everything = options.ask_everything,
            .unattended = options.unattended,
            .look = runtimes::look_with(host.file_looks(), agent_files(), find_workplace()),
            .rules = home.rules,
            .always = [home] { return home.always("claude"); },
            .still_asked = [&around] { return around.still_asked(); },
            .print = print_line};
}

asio::awaitable<int> ask_people(Host& host, ClaudeHookOptions options, claude::PermissionAsked asked, std::string state,
                                std::shared_ptr<const Configuration> configuration) {
    const Asker asker{.agent_id = options.agent_id, .session_key = asked.session_id};
    asio::signal_set signals{host.io, SIGINT, SIGTERM, SIGHUP};
    if (const auto joined = co_await join(host, state, std::move(configuration), asker); !joined) {
        co_return leave(options, joined.error().detail, true);
    }
    const auto home = host.home();
    const auto id = home.ids.next();
    Surroundings around{options, asked, *host.sidecar, home.clock};
    around.meet_in(waiting_directory(state), {.agent = asked.agent, .call = asked.call, .id = id.str()});
    claude::HookAdapter adapter{adapter_options(host, home, options, around), host.io.get_executor(), home.hub,
                                home.redactor};
    TaskGroup tasks{host.io.get_executor(), [](const std::string& what) { report({Errc::internal, what}); }};
    const auto watching = tasks.spawn(watch_signals(signals, around, adapter));
    tasks.spawn(adapter.ask(std::move(asked), id));
    bool may_deny = true;
    while (!adapter.end()) {
        co_await adapter.ended(look_interval);
        if (adapter.end()) break;
        if (const auto over = around.over()) {
            adapter.withdraw(over->why);
            may_deny = over->terminal_waits;
        }
    }
    if (adapter.end()->printed) around.answered_here();
    co_await host.sidecar->close();
    signals.cancel();
    watching.cancel();
    co_await tasks.join();
    if (adapter.end()->printed) co_return exit_holds;
    co_return leave(options, adapter.end()->why, may_deny);
}

// The grants of a session end with it.
asio::awaitable<int> end_session(Host& host, Asker asker, std::string state,
                                 std::shared_ptr<const Configuration> configuration) {
    if (!co_await join(host, state, std::move(configuration), asker)) co_return exit_holds;
    host.sidecar->session_over(asker);
    co_await host.sidecar->close();
    co_return exit_holds;
}

int answer(const ClaudeHookOptions& options, const std::string& state, claude::PermissionAsked asked) {
    auto configuration = rules_of(options.config);
    if (!configuration) return leave(options, configuration.error().detail, true);
    Host host;
    return run_on(host, ask_people(host, options, std::move(asked), state,
                                   std::make_shared<const Configuration>(std::move(*configuration))));
}

// Tells the hooks that wait for these calls. Also forgets the calls that a hook answered.
template <class Event> void tell_waiting(const std::string& state, const Event& event, claude::WaitEnd end) {
    const auto directory = waiting_directory(state);
    const auto known = claude::waiting_calls(directory, std::chrono::system_clock::now());
    claude::report_over(directory, claude::calls_over(event, known), end);
}

int end_agent(const ClaudeHookOptions& options, const std::string& state, const claude::AgentStopped& stopped) {
    tell_waiting(state, stopped, claude::WaitEnd::turn_ended);
    if (stopped.session_id.empty()) return exit_holds;
    auto configuration = rules_of(options.config);
    if (!configuration) return exit_holds;
    Host host;
    return run_on(host, end_session(host, {.agent_id = options.agent_id, .session_key = stopped.session_id}, state,
                                    std::make_shared<const Configuration>(std::move(*configuration))));
}

}  // namespace

int run_claude_hook(const ClaudeHookOptions& options) {
    if (::isatty(STDIN_FILENO) == 1) {
        return usage_error("Claude Code starts this command and gives it an event; to have it do so, run "
                           "countersign hook claude --install");
    }
    const auto text = read_input();
    if (!text) return leave(options, text.error().detail, false);
    auto event = claude::read_hook_event(*text);
    if (!event) return leave(options, "the event can't be read: " + describe(event.error()), true);
    const auto state = state_directory(options.state);
    if (!state) return leave(options, state.error().detail, true);
    if (auto* asked = std::get_if<claude::PermissionAsked>(&*event)) return answer(options, *state, std::move(*asked));
    if (const auto* ended = std::get_if<claude::CallsEnded>(&*event)) {
        tell_waiting(*state, *ended, claude::WaitEnd::answered_in_terminal);
    } else if (const auto* stopped = std::get_if<claude::AgentStopped>(&*event)) {
        return end_agent(options, *state, *stopped);
    } else {
        tell("countersign: this hook has nothing to do for the event {}\n",
             security::display(std::get<claude::OtherEvent>(*event).name, security::DisplayMode::line));
    }
    return exit_holds;
}

}  // namespace countersign::app
