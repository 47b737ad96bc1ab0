// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ports/clock.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <functional>
#include <memory>

namespace countersign::channels {

// Called when what came of something that was heard is settled. Once.
using Handled = std::function<void()>;

// Waits until all of these were handled, or its time is over: the hub goes on with them by itself.
class Handling {
public:
    explicit Handling(boost::asio::any_io_executor executor);
    [[nodiscard]] Handled one_more();
    boost::asio::awaitable<void> all_handled(Clock& clock, std::chrono::milliseconds longest) const;

private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace countersign::channels
