// SPDX-License-Identifier: Apache-2.0
#include "app/ask_hub.hpp"

#include "app/runtimes/registry.hpp"

#include "app/invocation.hpp"
#include "app/process.hpp"
#include "sidecar/connection.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <unistd.h>

namespace countersign::app {
namespace {

namespace asio = boost::asio;
using asio::local::stream_protocol;
using sidecar::Connection;
using sidecar::Message;

asio::awaitable<void> late(std::chrono::milliseconds deadline) {
    asio::steady_timer timer{co_await asio::this_coro::executor, deadline};
    co_await timer.async_wait(asio::use_awaitable);
}

asio::awaitable<Result<Message>> ask(Connection& connection, const Message& question,
                                     std::chrono::milliseconds deadline) {
    using namespace asio::experimental::awaitable_operators;
    if (const auto said = connection.write(question); !said) co_return said.error();
    Result<Message> answer = Error{Errc::timeout, "the hub did not answer in time"};
    const auto listen = [&]() -> asio::awaitable<void> {
        answer = co_await connection.read();
        if (!answer) answer = Error{Errc::unavailable, "the hub ended the connection; is it of this release?"};
    };
    co_await (listen() || connection.run_writer() || late(deadline));
    connection.close();
    co_return answer;
}

Result<Message> answer_on(asio::io_context& io, stream_protocol::socket socket, const Message& question,
                          std::chrono::milliseconds deadline) {
    Connection connection{std::move(socket)};
    const auto uid = connection.peer_uid();
    if (!uid) return uid.error();
    if (*uid != 0 && *uid != ::geteuid()) return Error{Errc::not_authorised, "the hub is another user's"};
    std::optional<Result<Message>> answer;
    asio::co_spawn(io, ask(connection, question, deadline),
                   [&](const std::exception_ptr& broken, Result<Message> result) {
                       leave_if_broken(broken);
                       answer = std::move(result);
                   });
    io.run();
    return answer.value_or(Error{Errc::unavailable, "the hub did not answer"});
}

// There is no socket, or only one left behind by a hub that was killed.
bool is_absent(const boost::system::error_code& failed) {
    return failed == boost::system::errc::no_such_file_or_directory || failed == asio::error::connection_refused;
}

Error no_hub(const std::string& state, const std::string& why) {
    return {Errc::unavailable, "no hub runs on " + state + " (" + why + "): start one with countersign serve --state " +
                                   shell_word(state) + ", or with an agent: countersign run " + example_runtime()};
}

}  // namespace

Result<Message> ask_hub(const std::string& state, const Message& question, std::chrono::milliseconds deadline) {
    return ask_hub_if_any(state, question, deadline).message;
}

HubAnswer ask_hub_if_any(const std::string& state, const Message& question, std::chrono::milliseconds deadline) {
    asio::io_context io{1};
    stream_protocol::socket socket{io};
    const auto path = sidecar::socket_of(state);
    if (path.size() >= sizeof(sockaddr_un::sun_path)) {
        return {Error{Errc::bad_config, path + " is too long for a socket"}};
    }
    boost::system::error_code failed;
    socket.connect(stream_protocol::endpoint{path}, failed);
    if (is_absent(failed)) return {no_hub(state, failed.message()), true};
    if (failed) return {Error{Errc::unavailable, "cannot connect to " + path + ": " + failed.message()}};
    return {answer_on(io, std::move(socket), question, deadline)};
}

}  // namespace countersign::app
