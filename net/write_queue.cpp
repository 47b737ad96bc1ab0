// SPDX-License-Identifier: Apache-2.0
#include "net/write_queue.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <deque>

namespace countersign::net {

namespace asio = boost::asio;

struct WriteQueue::State {
    explicit State(const asio::any_io_executor& executor) : changed{executor, asio::steady_timer::time_point::max()} {}
    std::deque<std::uint64_t> order;
    std::uint64_t next = 0;
    std::size_t bytes = 0;
    asio::steady_timer changed;
};

WriteQueue::Turn::Turn(std::shared_ptr<State> state, std::size_t bytes)
    : state_{std::move(state)}, ticket_{state_->next++}, bytes_{bytes} {
    state_->order.push_back(ticket_);
    state_->bytes += bytes_;
}

WriteQueue::Turn::~Turn() {
    if (!state_) return;  // moved from
    std::erase(state_->order, ticket_);
    state_->bytes -= bytes_;
    state_->changed.cancel();
}

bool WriteQueue::Turn::has_come() const { return state_->order.front() == ticket_; }

WriteQueue::WriteQueue(const asio::any_io_executor& executor, std::size_t bytes_max)
    : bytes_max_{bytes_max}, state_{std::make_shared<State>(executor)} {}

asio::awaitable<Result<WriteQueue::Turn>> WriteQueue::enter(std::size_t bytes) {
    if (bytes > bytes_max_ || state_->bytes > bytes_max_ - bytes) {
        co_return Error{Errc::busy, "too much waits to be written"};
    }
    Turn turn{state_, bytes};
    while (!turn.has_come()) {
        boost::system::error_code ignored;  // if cancelled, the next round throws
        co_await turn.state_->changed.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }
    co_return Result<Turn>{std::move(turn)};
}

}  // namespace countersign::net
