// SPDX-License-Identifier: Apache-2.0
// Decision: the Attempt that settled a request, with everything its record and its forwarding need. The functions are
// pure.
#pragma once

#include "core/attempt.hpp"
#include "core/configuration.hpp"
#include "core/halts.hpp"
#include "core/hub/pending.hpp"
#include "core/outcome.hpp"
#include "core/ports/authoriser.hpp"
#include "core/ports/channel.hpp"
#include "core/ports/runtime.hpp"
#include "core/ports/text_guard.hpp"
#include "core/quorum.hpp"
#include "core/receipt.hpp"
#include "core/request.hpp"

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace countersign {

inline constexpr std::string_view log_unavailable = "audit log unavailable";

struct Decision {
    Attempt attempt;
    std::string decided_by;  // the person, "grant:<id>" or "policy:<rule>"
    Outcome outcome = Outcome::denied;
    Option chosen;               // default for a question
    std::string sent_option_id;  // what the agent gets; another one where a grant stands for a persistent option (I14)
    std::vector<Vote> votes;     // those before the completing one
    std::chrono::milliseconds latency{0};
};

// The option that an attempt is about: the chosen one, or what a cancel stands for. Null if it is not offered.
[[nodiscard]] const Option* option_of(const Attempt& attempt, const std::vector<Option>& offered);

struct Settling {
    const Pending& open;
    std::vector<Vote> votes;  // that stand, without this one
    const Tally& tally;
    AlwaysMode always;
};
[[nodiscard]] Decision decision_of(Attempt attempt, const Permit& permit, Settling settling);
// `halt`: the one in force for this agent, if any.
[[nodiscard]] Verdict verdict_of(const Request& request, const Decision& decision, const Halt* halt);
// What the agent hears when no person decided: the refusal of its own vocabulary, with the outcome that says why.
[[nodiscard]] Verdict refusal(const Request& request, Outcome outcome, std::string reason);
[[nodiscard]] Conclusion conclusion_of(const Request& request, const Decision& decision, const Receipt& receipt,
                                       const TextGuard& guard);

}  // namespace countersign
