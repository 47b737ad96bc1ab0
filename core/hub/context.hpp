// SPDX-License-Identifier: Apache-2.0
// HubContext: shared by all parts of the hub: the ports, the current configuration, the open requests, the task group.
// The Hub owns it, and it outlives every part and every task.
#pragma once

#include "core/configuration.hpp"
#include "core/hub/notes.hpp"
#include "core/hub/pending_table.hpp"
#include "core/hub/task_group.hpp"
#include "core/ports/authoriser.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/ids.hpp"
#include "core/ports/ledger.hpp"
#include "core/ports/text_guard.hpp"

#include <boost/asio/any_io_executor.hpp>

#include <memory>
#include <utility>

namespace countersign {

// Borrowed: main owns them, and they outlive every task of the hub.
struct HubPorts {
    Ledger& ledger;
    Clock& clock;
    Ids& ids;
    const Authoriser& authoriser;
    const TextGuard& guard;
};

struct HubContext {
    HubContext(boost::asio::any_io_executor with, HubPorts given, std::shared_ptr<const Configuration> today,
               std::function<void(const std::string&)> stray)
        : ports{given},
          configuration{std::move(today)},
          executor{std::move(with)},
          tasks{executor, stray},
          agent_calls{executor, std::move(stray)} {}

    [[nodiscard]] BootTime now() const { return ports.clock.boot(); }
    [[nodiscard]] const Route* route_of(const Pending& open) const { return configuration->route_named(open.route); }

    HubPorts ports;
    std::shared_ptr<const Configuration> configuration;
    boost::asio::any_io_executor executor;
    TaskGroup tasks;
    // Calls to agents: answers and interrupts. An agent may never read its input, so no task of the other group waits
    // for one of these, and a stopping hub cancels them. They start in the order in which they were spawned.
    TaskGroup agent_calls;
    Notes notes{tasks, ports.ledger, ports.clock};
    PendingTable pending;
    bool stopping = false;
};

}  // namespace countersign
