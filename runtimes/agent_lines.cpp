// SPDX-License-Identifier: Apache-2.0
#include "runtimes/agent_lines.hpp"

#include "core/limits.hpp"

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <utility>

namespace countersign::runtimes {

namespace asio = boost::asio;

namespace {

std::size_t bytes_of(const net::Line& line) { return line.text.size() + line.head.size() + 1; }

}  // namespace

asio::awaitable<std::optional<net::Line>> AgentLines::next() {
    while (ahead_.empty() && open_) co_await read_more();
    if (ahead_.empty()) co_return std::nullopt;
    auto line = std::move(ahead_.front());
    ahead_.pop_front();
    ahead_bytes_ -= bytes_of(line);
    co_return line;
}

// A read that is cancelled has taken nothing, and says nothing about the agent.
asio::awaitable<void> AgentLines::read_more() {
    const auto bytes = co_await child_.read();
    const auto state = co_await asio::this_coro::cancellation_state;
    const bool cancelled = state.cancelled() != asio::cancellation_type::none;
    if (!bytes && cancelled) co_return;
    open_ = bytes.has_value() && !bytes->empty();
    if (open_) {
        framing_.push(*bytes);
    } else {
        framing_.finish();
    }
    while (auto line = framing_.pop()) {
        ahead_bytes_ += bytes_of(*line);
        ahead_.push_back(std::move(*line));
    }
}

// Ends only by being cancelled.
asio::awaitable<void> AgentLines::read_ahead() {
    while (open_ && ahead_bytes_ < limits::agent_ahead_bytes_max) {
        co_await read_more();
        const auto state = co_await asio::this_coro::cancellation_state;
        if (state.cancelled() != asio::cancellation_type::none) co_return;
    }
    asio::steady_timer never{co_await asio::this_coro::executor, asio::steady_timer::time_point::max()};
    boost::system::error_code ignored;
    co_await never.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
}

asio::awaitable<Seen> AgentLines::read_during(asio::awaitable<Seen> look) {
    using namespace asio::experimental::awaitable_operators;
    auto ended = co_await (std::move(look) || read_ahead());
    // Only a task that is cancelled gets here without having looked; then nothing was seen, and the next wait ends it.
    if (auto* seen = std::get_if<0>(&ended)) co_return std::move(*seen);
    co_return Seen{.view = FileView{.complete = false, .in_time = false}};
}

}  // namespace countersign::runtimes
