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

// An attempt that a way in refused before the hub saw it: only what is known of it.
struct RefusedAttempt {
    std::optional<Ulid> request_id;  // the one that it names, verified or not; none if it names none
    std::string principal;           // empty if nothing says who it was, as for a webhook with a wrong secret
    std::string channel;
};

// Attempts: where every way in hands what it verified. The hub implements it.
class Attempts {
public:
    virtual ~Attempts() = default;
    // One may come of what is being read: what it will need may wake up meanwhile.
    virtual void expect() {}
    // Starts the decision in the hub's own task group, which no caller can cancel. `done`, where given, is called on
    // the owner's thread with the receipt, or with why nothing was decided, which is for the caller to say to whoever
    // tried; a vote below the quorum is a receipt too. A receipt means that the record is on disk, not that the agent
    // has its answer: an agent that does not listen must not hold up a person.
    virtual void submit(Attempt attempt, std::function<void(const Result<Receipt>&)> done) = 0;
    // The same for what is about no single request. `done` hears of it when its record is on disk, and with it the
    // refusals of what was open; or why nothing was done. It waits halt_answer_max at most for the turns of whom it
    // stopped to end. A stop is in force before anything of it is written.
    virtual void order(Order order, std::function<void(const Result<Carried>&)> done) = 0;
    // A way in refused something by itself. It is counted, recorded at a bounded rate, and the operator hears of it.
    virtual void refused(const RefusedAttempt& attempt, const Error& why) = 0;
};

}  // namespace countersign
