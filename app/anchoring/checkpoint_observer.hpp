// SPDX-License-Identifier: Apache-2.0
// CheckpointObserver: receives the log's checkpoints in a place that the log's writer can't change: a chat, a witness.
#pragma once

#include "audit/batch_writer.hpp"
#include "core/ports/ledger.hpp"

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <string>

namespace countersign::app {

class CheckpointObserver {
public:
    virtual ~CheckpointObserver() = default;
    // True once it has it. It tells the operator itself why not; nothing waits for it, and it is tried again.
    virtual boost::asio::awaitable<bool> show(audit::Checkpoint checkpoint) = 0;
    // Whether it can still be shown one when the log is closed, and with it the hub and its channels.
    [[nodiscard]] virtual bool sees_the_end() const { return false; }
};

// What an outsider says to us.
struct Telling {
    std::function<void(LogEntry)> record;              // in the log; nobody waits for it
    std::function<void(const std::string& line)> say;  // to the operator
};

}  // namespace countersign::app
