// SPDX-License-Identifier: Apache-2.0
// WriteQueue: decides which writer may write, in the order of their calls, bounded in bytes. It moves no bytes itself.
#pragma once

#include "core/result.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace countersign::net {

class WriteQueue {
    struct State;

public:
    // A writer's place in the queue, returned on destruction, e.g. if the writer is cancelled.
    class Turn {
    public:
        Turn(std::shared_ptr<State> state, std::size_t bytes);
        Turn(Turn&&) = default;
        Turn& operator=(Turn&&) = delete;
        ~Turn();
        [[nodiscard]] bool has_come() const;

    private:
        friend class WriteQueue;
        std::shared_ptr<State> state_;
        std::uint64_t ticket_;
        std::size_t bytes_;
    };

    WriteQueue(const boost::asio::any_io_executor& executor, std::size_t bytes_max);
    // Resolves when all earlier writers have returned their turns. Errc::busy past the bound.
    boost::asio::awaitable<Result<Turn>> enter(std::size_t bytes);

private:
    std::size_t bytes_max_;
    std::shared_ptr<State> state_;  // shared with the turns, which may outlive the queue
};

}  // namespace countersign::net
