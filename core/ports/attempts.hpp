// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attempt.hpp"
#include "core/ports/ledger.hpp"
#include "core/result.hpp"

#include <functional>

namespace countersign {

// Attempts: where every way in hands what it verified. The hub implements it.
class Attempts {
public:
    virtual ~Attempts() = default;
    // Starts the decision in the hub's own task group, which no caller can cancel. `done`, where given, is called on
    // the owner's thread with the receipt, or with why nothing was decided; a vote below the quorum is a receipt too. A
    // channel's own Channel::refuse, ::update and ::conclude say the same to people.
    virtual void submit(Attempt attempt, std::function<void(const Result<Receipt>&)> done) = 0;
};

}  // namespace countersign
