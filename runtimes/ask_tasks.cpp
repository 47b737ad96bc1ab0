// SPDX-License-Identifier: Apache-2.0
#include "runtimes/ask_tasks.hpp"

#include "runtimes/at_end.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <utility>

namespace countersign::runtimes {

namespace asio = boost::asio;

namespace {

asio::awaitable<void> act(std::function<void()> action) {
    action();
    co_return;
}

}  // namespace

asio::awaitable<void> AskTasks::start(asio::awaitable<void> ask) {
    while (running_ >= limits::agent_asks_max) co_await changed();
    ++running_;
    tasks_.spawn(run(std::move(ask)));
}

asio::awaitable<void> AskTasks::run(asio::awaitable<void> ask) {
    const AtEnd ended{[this] {
        --running_;
        changed_.cancel();
    }};
    co_await std::move(ask);
}

asio::awaitable<Seen> AskTasks::look(asio::awaitable<Seen> look) {
    const auto turn = looks_++;
    while (looked_ != turn) co_await changed();
    const AtEnd ended{[this] {
        ++looked_;
        changed_.cancel();
    }};
    co_return co_await std::move(look);
}

void AskTasks::next_turn(std::function<void()> action) { tasks_.spawn(act(std::move(action))); }

asio::awaitable<void> AskTasks::changed() {
    boost::system::error_code ignored;
    co_await changed_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
}

}  // namespace countersign::runtimes
