// SPDX-License-Identifier: Apache-2.0
// Halted: who was stopped at a point of the log, so that a restart lets nobody go on whom a person stopped.
#pragma once

#include "audit/record.hpp"
#include "core/halts.hpp"

#include <vector>

namespace countersign::audit {

class Halted {
public:
    void take(const Record& record);
    [[nodiscard]] std::vector<Halt> halts() const { return halts_.all(); }

private:
    Halts halts_;
};

}  // namespace countersign::audit
