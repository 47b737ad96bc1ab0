// SPDX-License-Identifier: Apache-2.0
#include "app/host.hpp"

#include "app/process.hpp"
#include "app/report.hpp"
#include "net/http_client.hpp"

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

// When the controlling terminal hangs up, the operator is gone. A service has no terminal; there the same signal tells
// it to reload its configuration.
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

// For a hub without its own agent: runs until it is told to stop.
asio::awaitable<Result<net::ExitStatus>> serve_until_stopped(Host& host) {
    asio::steady_timer stopped{host.io, asio::steady_timer::time_point::max()};
    host.stop_waiting = [&] { stopped.cancel(); };
    boost::system::error_code ignored;
    co_await stopped.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    host.stop_waiting = [] {};
    co_return net::ExitStatus{};
}

// Other processes use this hub too; they lose it only when the operator ends us.
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

asio::awaitable<void> start_one(Part& part, Result<void>& started) { started = co_await part.start(); }

}  // namespace

asio::awaitable<Result<void>> start_parts(Host& host) {
    TaskGroup starting{host.io.get_executor(), report_stray};
    std::vector<Result<void>> results(host.parts.size() - host.started, Error{Errc::internal, "it did not start"});
    std::vector<asio::awaitable<void>> tasks;
    for (auto& result : results) tasks.push_back(start_one(*host.parts[host.started++], result));
    co_await starting.run_together(std::move(tasks));
    for (const auto& result : results) {
        if (!result) co_return result;
    }
    co_return Result<void>{};
}

void run_parts(Host& host, TaskGroup& tasks) {
    for (const auto& part : host.parts) tasks.spawn(part->run());
}

asio::awaitable<int> host_until_end(Host& host, std::function<void(const net::ExitStatus&)> finished) {
    TaskGroup beside{host.io.get_executor(), report_stray};
    run_parts(host, beside);
    if (host.sidecars) beside.spawn(host.sidecars->run());
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
    watching.cancel();
    co_await watching.join();
    beside.cancel();
    co_await beside.join();
    if (!closed) co_return report(closed.error());
    if (without_hub) {
        co_return report({Errc::unavailable, "the hub was gone, and some of what was asked was not run"});
    }
    if (!status) co_return report(status.error());
    finished(*status);
    const bool stopped = host.agent && !host.agent->stopped_because().empty();
    co_return status->clean() && !stopped ? exit_holds : exit_does_not_hold;
}

asio::awaitable<Result<void>> close_all(Host& host) {
    for (const auto& part : host.parts) co_await part->stop_front();
    if (host.bridge) co_await host.bridge->stop();
    if (host.sidecars) host.sidecars->close();
    if (host.sidecar) co_await host.sidecar->close();
    for (const auto& part : host.parts) co_await part->finish();
    if (!host.bridge) co_return Result<void>{};
    auto closed = co_await host.bridge->close();
    if (closed && !host.hangs) {
        for (const auto& part : host.parts) co_await part->log_closed();
    }
    if (closed && host.hangs) closed = *host.hangs;
    if (!closed && closed.error().code == Errc::timeout) {
        report(closed.error());
        ::_exit(exit_disk_hangs);
    }
    co_return closed;
}

asio::awaitable<int> give_up(Host& host, Error why) {
    const auto code = report(why);
    if (const auto closed = co_await close_all(host); !closed) report(closed.error());
    co_return code;
}

int run_on(Host& host, asio::awaitable<int> command) {
    int code = exit_does_not_hold;
    asio::co_spawn(host.io, std::move(command), [&](const std::exception_ptr& failed, int result) {
        leave_if_broken(failed);
        code = result;
    });
    host.io.run();
    return code;
}

Host::~Host() {
    agent.reset();
    sidecars.reset();
    while (!parts.empty()) parts.pop_back();
}

HttpClient& Host::http_client() {
    if (!http) http = std::make_unique<net::CurlHttpClient>(io.get_executor());
    return *http;
}

std::vector<NamedOutbox> Host::outboxes() const {
    std::vector<NamedOutbox> found;
    for (const auto& part : parts) {
        if (auto outbox = part->outbox()) found.push_back(std::move(*outbox));
    }
    return found;
}

std::vector<std::string> Host::unready() const {
    std::vector<std::string> reasons;
    if (const auto healthy = bridge->log_health(); !healthy) reasons.push_back(healthy.error().detail);
    for (const auto& part : parts) {
        for (auto& reason : part->unready()) reasons.push_back(std::move(reason));
    }
    return reasons;
}

void Host::stop(const std::string& why) {
    stop_waiting();
    if (agent && !agent_ended) agent->stop(why);
}

}  // namespace countersign::app
