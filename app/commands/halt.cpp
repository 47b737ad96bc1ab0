// SPDX-License-Identifier: Apache-2.0
// `halt` and `resume`: halt or resume an agent or a session without a chat, through the running hub or else directly in
// its log.
#include "app/ask_hub.hpp"
#include "app/command_line/command.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/run.hpp"
#include "app/host.hpp"
#include "app/output.hpp"
#include "app/process.hpp"
#include "app/report.hpp"
#include "channels/order_words.hpp"
#include "core/limits.hpp"
#include "core/local_order.hpp"
#include "security/display/display.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <unistd.h>

namespace countersign::app {
namespace {

// Long enough for a hub with a slow disk, and bounded even if agents do not read their input.
constexpr auto answer_max = limits::sidecar_verdict_max + 3 * limits::agent_write_max + limits::sidecar_join_max;

// An agent's own shell has no terminal, so it cannot resume itself by mistake. This does not stop an agent that
// attacks; see docs/THREAT_MODEL.md.
Result<void> somebody_is_there(bool resume) {
    if (!resume || has_controlling_terminal()) return {};
    return Error{Errc::not_authorised,
                 "only a person at a terminal may resume: type the command in a terminal of your own"};
}

// The hub received the order but closed the connection before it answered.
bool was_cut_off(const HubAnswer& answer) {
    return !answer.nothing_listens && !answer.message && answer.message.error().code == Errc::unavailable;
}

Error maybe_carried_out(Error cut_off) {
    cut_off.detail += "; the order may have been carried out: countersign audit tail shows it";
    return cut_off;
}

// Halts given here are always authorised, so not_authorised concerns a resume.
Error with_next_step(Error refused) {
    if (refused.code == Errc::busy) refused.detail += "; resume some first: countersign resume NAME";
    if (refused.code != Errc::not_authorised) return refused;
    refused.detail += fmt::format("; send /resume in a chat while a hub runs (countersign serve), or give a decider "
                                  "\"terminal = {}\" in the configuration",
                                  ::geteuid());
    return refused;
}

struct Given {
    bool resume = false;
    std::string target;
    std::string state;
    std::string config;
};

// The hub's description of what it did, or the error.
Result<std::string> words_of(const Result<sidecar::Message>& answer) {
    if (!answer) return answer.error();
    const auto* carried = std::get_if<sidecar::OrderCarried>(&*answer);
    if (carried == nullptr) return Error{Errc::malformed, "the hub answered something else"};
    if (carried->failed) return Error{*carried->failed, carried->detail};
    return carried->said;
}

boost::asio::awaitable<int> order_here(Host& host, const Given& given) {
    const auto order = local_order(given.resume ? Order::Kind::resume : Order::Kind::halt, given.target, ::geteuid(),
                                   host.bridge->clock());
    boost::asio::steady_timer heard{host.io, boost::asio::steady_timer::time_point::max()};
    std::optional<Result<Carried>> carried;
    host.bridge->hub().order(order, [&](const Result<Carried>& came_of_it) {
        carried = came_of_it;
        heard.cancel();
    });
    boost::system::error_code ignored;
    while (!carried) co_await heard.async_wait(boost::asio::redirect_error(boost::asio::use_awaitable, ignored));
    if (!*carried) co_return co_await give_up(host, with_next_step(carried->error()));
    const auto said = channels::order_words(order, *carried, {}).text();
    if (const auto closed = co_await close_all(host); !closed) co_return report(closed.error());
    show("{}\n", security::display(said, security::DisplayMode::block));
    co_return exit_holds;
}

// Whether a hub has used this directory, or will: `countersign setup --no-test` creates one without a log. Any other
// path is most likely a typo.
bool is_of_a_hub(const Given& given, const std::string& state) {
    std::error_code unreadable;
    if (std::filesystem::exists(state + "/audit", unreadable)) return true;
    // Without a log there is no halt to lift.
    if (given.resume) return false;
    if (!std::filesystem::exists(state, unreadable)) return given.state.empty();
    return std::filesystem::exists(state + "/keys", unreadable) || std::filesystem::is_empty(state, unreadable);
}

// If no hub runs, this process acts as one briefly, with the same lock, gate and log. The agent's next run sees the
// halt.
int order_without_hub(const Given& given, const std::string& state) {
    std::error_code unreadable;
    const bool first = !std::filesystem::exists(state + "/audit", unreadable);
    auto configuration = configuration_from(given.config);
    if (!configuration) return report(configuration.error());
    Host host;
    auto bridge = Bridge::open(host.io, {.state = state,
                                         .configuration = std::make_shared<const Configuration>(*configuration),
                                         .command = given.resume ? "resume" : "halt"});
    if (!bridge) return report(bridge.error());
    host.bridge = std::move(*bridge);
    const auto code = run_on(host, order_here(host, given));
    if (first && code == exit_holds) {
        tell("No hub has run here yet. The halt is in the new log below {}, and the next run finds it.\n", state);
    }
    return code;
}

int give_order(const Given& given) {
    if (const auto there = somebody_is_there(given.resume); !there) return report(there.error());
    const auto state = state_directory(given.state);
    if (!state) return report(state.error());
    const sidecar::GiveOrder order{.resume = given.resume, .target = given.target};
    auto answer = ask_hub_if_any(*state, sidecar::Message{order}, answer_max);
    // A hub with too many connections closes the oldest. Halting twice is harmless; resuming twice could lift another's
    // halt.
    if (was_cut_off(answer) && !given.resume) answer = ask_hub_if_any(*state, sidecar::Message{order}, answer_max);
    if (answer.nothing_listens && is_of_a_hub(given, *state)) return order_without_hub(given, *state);
    const auto said = words_of(answer.message);
    if (!said && was_cut_off(answer)) return report(maybe_carried_out(said.error()));
    if (!said) return report(with_next_step(said.error()));
    show("{}\n", security::display(*said, security::DisplayMode::block));
    return exit_holds;
}

constexpr auto who_halts =
    "The user who runs the hub, and root, may always halt. It also works while no hub runs. The agent "
    "stays halted until countersign resume, even if the hub restarts.";
constexpr auto who_resumes =
    "You need to be a person in the configuration, with your `id -u` as terminal, who may approve requests of this "
    "agent, and you must type the command at a terminal. Requests that were refused meanwhile stay refused.";

void add_order(Command command, bool resume) {
    auto given = std::make_shared<Given>(Given{.resume = resume});
    command.option("NAME", given->target, "The agent or session, as shown on its cards").required();
    command.option("--state", given->state, "The state directory (default: ~/.local/state/countersign)")
        .type_name("DIR");
    command.option("--config", given->config, "The configuration, used if no hub runs (default: as for run)");
    command.footer(resume ? who_resumes : who_halts);
    command.runs([given] { return give_order(*given); });
}

}  // namespace

void add_halt(Command& program) {
    add_order(program.subcommand("halt", "Stop an agent or session: deny its open requests and everything it asks "
                                         "until resume"),
              false);
}

void add_resume(Command& program) { add_order(program.subcommand("resume", "Resume a halted agent or session"), true); }

}  // namespace countersign::app
