// SPDX-License-Identifier: Apache-2.0
#include "app/commands/hosting.hpp"

#include "app/process.hpp"
#include "app/report.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <csignal>
#include <exception>
#include <fcntl.h>
#include <unistd.h>

namespace countersign::app {

namespace asio = boost::asio;

namespace {

void report_stray(const std::string& what) { report({Errc::internal, what}); }

// A terminal that hangs up means that nobody is there any more; a service has none, and is told by the same signal to
// read its configuration again.
asio::awaitable<void> act_on_signal(asio::signal_set& signals, Host& host) {
    const bool reloads = host.reload && !has_controlling_terminal();
    for (;;) {
        const int signal = co_await signals.async_wait(asio::use_awaitable);
        if (signal == SIGHUP && reloads) {
            const auto done = co_await host.reload();
            if (!done && done.error().code == Errc::busy) host.say(done.error().detail);
        } else {
            host.stop("a signal asked us to end");
        }
    }
}

// A hub without an agent of its own: until somebody ends it.
asio::awaitable<Result<net::ExitStatus>> serve_until_stopped(Host& host) {
    asio::steady_timer stopped{host.io, asio::steady_timer::time_point::max()};
    host.stop_waiting = [&] { stopped.cancel(); };
    boost::system::error_code ignored;
    co_await stopped.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    host.stop_waiting = [] {};
    co_return net::ExitStatus{};
}

// Other processes ask here too; they lose their hub only when somebody ends us.
asio::awaitable<void> wait_for_sidecars(Host& host) {
    if (!host.agent || !host.sidecars || !host.agent->stopped_because().empty()) co_return;
    bool stopped = false;
    asio::steady_timer pause{host.io};
    host.stop_waiting = [&] {
        stopped = true;
        pause.cancel();
    };
    for (std::size_t said = 0; host.sidecars->connections() > 0 && !stopped;) {
        const auto left = host.sidecars->connections();
        const auto words = left == 1 ? channels::Key::waits_for_other : channels::Key::waits_for_others;
        if (left != said) host.say_words(words, {{"count", std::to_string(left)}});
        said = left;
        boost::system::error_code ignored;
        pause.expires_after(limits::sidecars_look_interval);
        co_await pause.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }
    if (stopped) {
        const auto left = host.sidecars->connections();
        const auto words = left == 1 ? channels::Key::ended_despite_other : channels::Key::ended_despite_others;
        host.say_words(words, {{"count", std::to_string(left)}});
    }
    host.stop_waiting = [] {};
}

asio::awaitable<Result<net::ExitStatus>> run_to_end(Host& host) {
    TaskGroup beside{host.io.get_executor(), report_stray};
    for (const auto& work : host.beside) beside.spawn(work());
    asio::signal_set signals{host.io, SIGINT, SIGTERM, SIGHUP};
    TaskGroup watching{host.io.get_executor(), report_stray};
    watching.spawn(act_on_signal(signals, host));

    Result<net::ExitStatus> status;
    if (host.agent) {
        status = co_await host.agent->run();
    } else {
        status = co_await serve_until_stopped(host);
    }
    host.agent_ended = true;
    co_await wait_for_sidecars(host);
    const bool without_hub = host.sidecar && host.sidecar->went_without_hub();
    const auto closed = co_await close_all(host);
    leave_if_disk_hangs(closed);
    watching.cancel();
    co_await watching.join();
    beside.cancel();
    co_await beside.join();
    if (!closed) co_return closed.error();
    if (without_hub) co_return Error{Errc::unavailable, "the hub was gone, and some of what was asked was not run"};
    co_return status;
}

}  // namespace

asio::awaitable<Result<void>> close_all(Host& host) {
    for (const auto& end : host.fronts_end) co_await end();
    if (host.bridge) co_await host.bridge->stop();
    if (host.sidecars) host.sidecars->close();
    if (host.sidecar) co_await host.sidecar->close();
    for (const auto& end : host.ends) co_await end();
    if (!host.bridge) co_return Result<void>{};
    const auto closed = co_await host.bridge->close();
    if (!closed) co_return closed;
    if (!host.hangs) {
        for (const auto& work : host.log_closed) co_await work();
    }
    if (host.hangs) co_return *host.hangs;
    co_return closed;
}

void Host::stop(const std::string& why) {
    stop_waiting();
    if (agent && !agent_ended) agent->stop(why);
}

void leave_if_disk_hangs(const Result<void>& closed) {
    if (closed || closed.error().code != Errc::timeout) return;
    report(closed.error());
    ::_exit(exit_disk_hangs);
}

Result<void> close_now(Host& host) {
    Result<void> result = Error{Errc::internal, "it was not closed"};
    asio::co_spawn(host.io, close_all(host), [&](const std::exception_ptr& failed, const Result<void>& closed) {
        leave_if_broken(failed);
        leave_if_disk_hangs(closed);
        result = closed;
    });
    host.io.run();
    return result;
}

int give_up(Host& host, const Error& why) {
    const auto code = report(why);
    if (const auto closed = close_now(host); !closed) report(closed.error());
    return code;
}

int host_until_end(Host& host, const std::function<void(const net::ExitStatus&)>& finished) {
    Result<net::ExitStatus> ended;
    asio::co_spawn(host.io, run_to_end(host), [&](const std::exception_ptr& failed, Result<net::ExitStatus> result) {
        leave_if_broken(failed);
        ended = std::move(result);
    });
    host.io.run();
    if (!ended) return report(ended.error());
    finished(*ended);
    const bool stopped = host.agent && !host.agent->stopped_because().empty();
    return ended->clean() && !stopped ? exit_holds : exit_does_not_hold;
}

}  // namespace countersign::app
