// SPDX-License-Identifier: Apache-2.0
#include "app/commands/hosting.hpp"

#include "app/commands/input.hpp"
#include "app/process.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <csignal>
#include <exception>
#include <unistd.h>

namespace countersign::app {

namespace asio = boost::asio;

namespace {

asio::awaitable<void> stop_on_signal(asio::signal_set& signals, AgentSession& agent) {
    for (;;) {
        co_await signals.async_wait(asio::use_awaitable);
        agent.stop("a signal asked us to end");
    }
}

asio::awaitable<Result<net::ExitStatus>> run_to_end(Host& host) {
    TaskGroup channels{host.io.get_executor(), [](const std::string& what) { report({Errc::internal, what}); }};
    for (const auto& task : host.channel_tasks) channels.spawn(task());
    asio::signal_set signals{host.io, SIGINT, SIGTERM, SIGHUP};
    TaskGroup watching{host.io.get_executor(), [](const std::string& what) { report({Errc::internal, what}); }};
    watching.spawn(stop_on_signal(signals, *host.agent));

    const auto status = co_await host.agent->run();
    watching.cancel();
    co_await watching.join();
    // The log last: everything above it may still have something to say.
    const auto closed = co_await host.bridge->close();
    host.close_channels();
    co_await channels.join();
    if (!closed) co_return closed.error();
    co_return status;
}

asio::awaitable<Result<void>> close_early(Host& host) {
    auto closed = co_await host.bridge->close();
    host.close_channels();
    co_return closed;
}

}  // namespace

int give_up(Host& host, const Error& why) {
    const auto code = report(why);
    asio::co_spawn(host.io, close_early(host), [&](const std::exception_ptr& failed, const Result<void>& closed) {
        if (failed) std::rethrow_exception(failed);
        if (!closed) report(closed.error());
    });
    host.io.run();
    return code;
}

int host_until_end(Host& host, const std::function<void(const net::ExitStatus&)>& finished) {
    Result<net::ExitStatus> ended;
    asio::co_spawn(host.io, run_to_end(host), [&](const std::exception_ptr& failed, Result<net::ExitStatus> result) {
        if (failed) std::rethrow_exception(failed);
        ended = std::move(result);
    });
    host.io.run();
    if (!ended) {
        const auto code = report(ended.error());
        // The writer hangs in the disk and cannot be joined; nothing it could still do would be believed.
        if (ended.error().code == Errc::timeout) ::_exit(exit_disk_hangs);
        return code;
    }
    finished(*ended);
    return ended->clean() && host.agent->stopped_because().empty() ? exit_holds : exit_does_not_hold;
}

}  // namespace countersign::app
