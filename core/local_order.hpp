// SPDX-License-Identifier: Apache-2.0
// An order given on this machine by the user who runs the hub, or by root: over the hub's local socket, or directly to
// the log if no hub is running.
#pragma once

#include "core/order.hpp"
#include "core/ports/clock.hpp"

#include <string>

namespace countersign {

[[nodiscard]] inline Order local_order(Order::Kind kind, std::string target, std::uint32_t uid, const Clock& clock) {
    Order order;
    order.kind = kind;
    order.target = std::move(target);
    order.principal = "terminal:" + std::to_string(uid);
    order.local_uid = uid;
    order.where.channel = "command line";
    order.assurance = Assurance::chat;
    order.arrived = clock.boot();
    order.made = clock.wall();
    return order;
}

}  // namespace countersign
