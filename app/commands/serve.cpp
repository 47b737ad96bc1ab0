// SPDX-License-Identifier: Apache-2.0
// `serve`: the hub without an agent. `reload`: tells the hub that runs to read its configuration again.
#include "app/commands/commands.hpp"
#include "app/commands/input.hpp"
#include "app/commands/run.hpp"
#include "app/output.hpp"
#include "app/process.hpp"
#include "app/sidecar/connection.hpp"
#include "app/sidecar/sidecar.hpp"
#include "security/display.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <memory>
#include <unistd.h>

namespace countersign::app {
namespace {

namespace asio = boost::asio;
using asio::local::stream_protocol;

// As long as the commands that fill groups may take, and a little.
constexpr auto answer_max = limits::group_command_max + limits::sidecar_join_max;

asio::awaitable<Result<void>> heard(sidecar::Connection& connection) {
    const auto message = co_await connection.read();
    if (!message) co_return Error{Errc::unavailable, "the hub ended the connection; does it know reload?"};
    const auto* reloaded = std::get_if<sidecar::Reloaded>(&*message);
    if (reloaded == nullptr) co_return Error{Errc::malformed, "the hub answered something else"};
    if (reloaded->failed) co_return Error{*reloaded->failed, reloaded->detail};
    co_return Result<void>{};
}

asio::awaitable<void> late() {
    asio::steady_timer timer{co_await asio::this_coro::executor, answer_max};
    co_await timer.async_wait(asio::use_awaitable);
}

asio::awaitable<Result<void>> ask(sidecar::Connection& connection) {
    using namespace asio::experimental::awaitable_operators;
    if (const auto said = connection.write(sidecar::Message{sidecar::Reload{}}); !said) co_return said;
    Result<void> answer = Error{Errc::timeout, "the hub did not say in time what came of it"};
    const auto listen = [&]() -> asio::awaitable<void> { answer = co_await heard(connection); };
    co_await (listen() || connection.run_writer() || late());
    connection.close();
    co_return answer;
}

Result<void> reload(const std::string& state) {
    asio::io_context io{1};
    stream_protocol::socket socket{io};
    const auto path = sidecar::socket_of(state);
    if (path.size() >= sizeof(sockaddr_un::sun_path))
        return Error{Errc::bad_config, path + " is too long for a socket"};
    boost::system::error_code failed;
    socket.connect(stream_protocol::endpoint{path}, failed);
    if (failed) return Error{Errc::unavailable, "no hub runs on " + state + ": " + failed.message()};
    sidecar::Connection connection{std::move(socket)};
    const auto uid = connection.peer_uid();
    if (!uid) return uid.error();
    if (*uid != 0 && *uid != ::geteuid()) return Error{Errc::not_authorised, "the hub is another user's"};
    Result<void> answer;
    asio::co_spawn(io, ask(connection), [&](const std::exception_ptr& broken, Result<void> result) {
        leave_if_broken(broken);
        answer = std::move(result);
    });
    io.run();
    return answer;
}

int reload_hub(const std::string& given) {
    const auto state = given.empty() ? default_state_directory() : Result<std::string>{given};
    if (!state) return report(state.error());
    const auto done = reload(*state);
    if (done) {
        show("The hub goes by the new configuration.\n");
        return exit_holds;
    }
    if (done.error().code != Errc::bad_config) return report(done.error());
    tell("{}\nNothing changed.\n", security::display(done.error().detail, security::DisplayMode::block));
    return exit_does_not_hold;
}

}  // namespace

void add_serve(Command& program) {
    auto command = program.subcommand("serve", "Run the hub alone, for agents that other processes start");
    auto options = std::make_shared<RunOptions>();
    command.option("--state", options->state, "The state directory (default: ~/.local/state/countersign)");
    command.option("--config", options->config,
                   "The configuration (default: ~/.config/countersign/countersign.toml, then /etc/countersign/…)");
    command.flag("--plain", options->plain, "Numbered choices and whole lines, for pipes and screen readers");
    command.footer("As a service, SIGHUP does what countersign reload does.");
    command.runs([options] { return serve(*options); });
}

void add_reload(Command& program) {
    auto command = program.subcommand("reload", "Let the hub that runs read its configuration, secrets and "
                                                "certificate again; if anything is wrong, nothing changes");
    auto state = std::make_shared<std::string>();
    command.option("--state", *state, "The state directory (default: ~/.local/state/countersign)");
    command.runs([state] { return reload_hub(*state); });
}

}  // namespace countersign::app
