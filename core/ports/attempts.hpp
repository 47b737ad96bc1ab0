// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attempt.hpp"
#include "core/order.hpp"
#include "core/receipt.hpp"
#include "core/result.hpp"

#include <functional>
#include <optional>
#include <string>

namespace countersign {

// An attempt that an entry point refused before the hub saw it. The fields contain only what is known.
struct RefusedAttempt {
    std::optional<Ulid> request_id;  // the request that it names, verified or not; none if it names none
    std::string principal;           // empty if the sender is unknown, e.g. for a webhook with a wrong secret
    std::string channel;
};

// Attempts: where every entry point submits what it has verified. The hub implements it.
class Attempts {
public:
    virtual ~Attempts() = default;
    // The caller is about to read data that may contain an attempt. The hub may wake up the log's writer thread early.
    virtual void expect() {}
    // Starts the decision in the hub's own task group, so that no caller can cancel it. `done`, if given, is called on
    // the owner thread with the receipt or with the reason why nothing was decided; the caller must tell the sender. A
    // vote that doesn't reach the quorum also gets a receipt. A receipt means that the record is on disk, not that the
    // agent has its answer: an agent that doesn't read its input must not delay a person.
    virtual void submit(Attempt attempt, std::function<void(const Result<Receipt>&)> done) = 0;
    // The same for an order, which isn't about a single request. `done` is called once the order's record and the
    // denials of the open requests are on disk, or with the reason why nothing was done. It also waits for the halted
    // turns to end, but at most for halt_answer_max. A halt takes effect before its record is written.
    virtual void order(Order order, std::function<void(const Result<Carried>&)> done) = 0;
    // An entry point refused an attempt itself. The hub counts it, records it at a bounded rate and tells the operator.
    virtual void refused(const RefusedAttempt& attempt, const Error& why) = 0;
};

}  // namespace countersign
