// SPDX-License-Identifier: Apache-2.0
// Flow: the part of the Hub that its other parts may call. The Hub implements it.
#pragma once

#include "core/attempt.hpp"
#include "core/outcome.hpp"
#include "core/ports/authoriser.hpp"
#include "core/receipt.hpp"
#include "core/result.hpp"

#include <boost/asio/awaitable.hpp>

#include <optional>
#include <string>

namespace countersign {

class Flow {
public:
    virtual ~Flow() = default;
    // Authorise, settle on disk, forward. With a permit the gate is skipped.
    virtual boost::asio::awaitable<Result<Receipt>> decide(Attempt attempt, std::optional<Permit> permit) = 0;
    // Ends a request without a decision, in a task of its own.
    virtual void end_later(const Ulid& id, Outcome outcome, std::string reason) = 0;
};

}  // namespace countersign
