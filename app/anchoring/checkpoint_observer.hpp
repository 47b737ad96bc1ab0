// SPDX-License-Identifier: Apache-2.0
// CheckpointObserver: receives the log's checkpoints in a place that the log's writer cannot change: a chat or a
// witness.
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
    // Returns true once the observer has the checkpoint. On failure it tells the operator itself; nothing waits for it,
    // and it is tried again later.
    virtual boost::asio::awaitable<bool> show(audit::Checkpoint checkpoint) = 0;
    // Whether it can still be shown a checkpoint after the log, the hub and its channels were closed.
    [[nodiscard]] virtual bool sees_the_end() const { return false; }
};

// How an observer reports to us.
struct Telling {
    std::function<void(LogEntry)> record;              // writes to the log without waiting
    std::function<void(const std::string& line)> say;  // tells the operator
};

}  // namespace countersign::app
