// SPDX-License-Identifier: Apache-2.0
#include "gateway/handover.hpp"

#include "gateway/first_of.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <optional>
#include <utility>

namespace countersign::gateway {

namespace asio = boost::asio;

struct Handover::Delivery final : ReplySlot {
    explicit Delivery(const asio::any_io_executor& executor) : done{executor, asio::steady_timer::time_point::max()} {}
    asio::steady_timer done;  // cancelled when there is an answer
    std::optional<Reply> reply;

    bool fill(Reply with) override {
        if (reply) return false;
        reply = std::move(with);
        done.cancel();
        return true;
    }
};

Handover::Handover(asio::any_io_executor executor, Clock& clock, const Bounds& bounds,
                   std::function<void(const std::string&)> stray)
    : executor_{executor}, clock_{clock}, bounds_{bounds}, handling_{std::move(executor), std::move(stray)} {}

asio::awaitable<void> Handover::run(Inbound* handler, InboundMessage message, std::shared_ptr<Delivery> delivery) {
    try {
        delivery->fill(co_await handler->handle(std::move(message)));
    } catch (...) {
        delivery->fill({.status = 500, .content_type = {}, .body = {}});
        throw;  // the task group reports it to the operator
    }
}

asio::awaitable<void> Handover::answered(std::shared_ptr<Delivery> delivery) {
    while (!delivery->reply) {
        boost::system::error_code woken;
        co_await delivery->done.async_wait(asio::redirect_error(asio::use_awaitable, woken));
    }
}

asio::awaitable<Response> Handover::give(const Endpoint* route, InboundMessage message) {
    if (handling_.size() >= bounds_.handles) {
        auto busy = refused({503, "too many deliveries are in hand: send it again"});
        busy.reply.headers.push_back({"Retry-After", "5"});
        co_return busy;
    }
    const auto delivery = std::make_shared<Delivery>(executor_);
    const auto arrived = message.arrived;
    message.slot = delivery;
    handling_.spawn(run(route->handler, std::move(message), delivery));
    // Waits for the reply, not for the handler, which must not be cancelled.
    co_await first_of(answered(delivery), clock_.sleep_until(arrived + route->handler->reply_max()));
    const bool late = delivery->fill(route->handler->deferred());
    auto response = sendable(*delivery->reply);  // cannot change any more: the slot is filled
    if (late) response.why = "the handler was late: its result follows";
    co_return response;
}

}  // namespace countersign::gateway
