// SPDX-License-Identifier: Apache-2.0
// Handover: passes a request to its handler and waits for the answer, but no longer than the platform is willing to
// wait.
//
// The handler runs in its own task group, so neither the deadline nor a peer that disconnects ends it: a click that
// arrived must be processed. After the deadline the peer gets the handler's deferred answer, which promises nothing.
#pragma once

#include "core/hub/task_group.hpp"
#include "core/ports/clock.hpp"
#include "gateway/bounds.hpp"
#include "gateway/response.hpp"
#include "gateway/router.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <functional>
#include <memory>
#include <string>

namespace countersign::gateway {

class Handover {
public:
    // Borrows the clock and the bounds.
    Handover(boost::asio::any_io_executor executor, Clock& clock, const Bounds& bounds,
             std::function<void(const std::string&)> stray);

    // 503 if too many handlers are running, including those after their deadline; 500 if the handler threw.
    boost::asio::awaitable<Response> give(const Endpoint* route, InboundMessage message);
    void cancel() { handling_.cancel(); }
    boost::asio::awaitable<void> join() { return handling_.join(); }

private:
    struct Delivery;
    static boost::asio::awaitable<void> run(Inbound* handler, InboundMessage message,
                                            std::shared_ptr<Delivery> delivery);
    static boost::asio::awaitable<void> answered(std::shared_ptr<Delivery> delivery);

    boost::asio::any_io_executor executor_;
    Clock& clock_;
    const Bounds& bounds_;
    TaskGroup handling_;
};

}  // namespace countersign::gateway
