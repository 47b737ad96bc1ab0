// SPDX-License-Identifier: Apache-2.0
// Decision: the Attempt that settled a request, with everything its record and its forwarding need.
#pragma once

#include "core/attempt.hpp"
#include "core/outcome.hpp"
#include "core/quorum.hpp"
#include "core/request.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace countersign {

struct Decision {
    Attempt attempt;
    std::string decided_by;  // the person, "grant:<id>" or "policy:<rule>"
    Outcome outcome = Outcome::denied;
    Option chosen;               // default for a question
    std::string sent_option_id;  // what the agent gets; another one where a grant stands for a persistent option (I14)
    std::vector<Vote> votes;     // those before the completing one
    std::chrono::milliseconds latency{0};
};

}  // namespace countersign
