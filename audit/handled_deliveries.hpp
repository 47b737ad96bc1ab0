// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "audit/record.hpp"
#include "core/ports/ledger.hpp"

#include <deque>
#include <vector>

namespace countersign::audit {

// The deliveries that decided, voted or ordered something, so that none of them has an effect again (I5). The latest,
// of all channels.
class HandledDeliveries {
public:
    void take(const Record& record);
    [[nodiscard]] std::vector<HandledDelivery> deliveries() const { return {latest_.begin(), latest_.end()}; }

private:
    std::deque<HandledDelivery> latest_;  // oldest first
};

}  // namespace countersign::audit
