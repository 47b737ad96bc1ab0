// SPDX-License-Identifier: Apache-2.0
#include "app/commands/hub_call.hpp"

#include "app/commands/hosting.hpp"
#include "app/sidecar/connection.hpp"
#include "app/sidecar/sidecar.hpp"
#include "core/limits.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <unistd.h>

namespace countersign::app {
namespace {

namespace asio = boost::asio;
using asio::local::stream_protocol;

// As long as a reload's commands that fill groups may take, or an agent that does not listen, and a little.
constexpr auto answer_max = limits::sidecar_verdict_max + 3 * limits::agent_write_max + limits::sidecar_join_max;
static_assert(answer_max > limits::group_command_max);

asio::awaitable<void> late() {
    asio::steady_timer timer{co_await asio::this_coro::executor, answer_max};
    co_await timer.async_wait(asio::use_awaitable);
}

asio::awaitable<Result<sidecar::Message>> ask(sidecar::Connection& connection, sidecar::Message question) {
    using namespace asio::experimental::awaitable_operators;
    if (const auto said = connection.write(question); !said) co_return said.error();
    Result<sidecar::Message> answer = Error{Errc::timeout, "the hub did not say in time what came of it"};
    const auto listen = [&]() -> asio::awaitable<void> {
        auto heard = co_await connection.read();
        if (heard) {
            answer = std::move(heard);
        } else {
            answer = Error{Errc::unavailable, "the hub ended the connection; is it of this release?"};
        }
    };
    co_await (listen() || connection.run_writer() || late());
    connection.close();
    co_return answer;
}

}  // namespace

Result<sidecar::Message> call_hub(const std::string& state, sidecar::Message question) {
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
    Result<sidecar::Message> answer;
    asio::co_spawn(io, ask(connection, std::move(question)),
                   [&](const std::exception_ptr& broken, Result<sidecar::Message> result) {
                       leave_if_broken(broken);
                       answer = std::move(result);
                   });
    io.run();
    return answer;
}

}  // namespace countersign::app
