// SPDX-License-Identifier: Apache-2.0
// Decision: the Attempt that decided a request, with everything that its record and the answer to the agent need. The
// functions are pure.
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
    std::string sent_option_id;  // sent to the agent; another option if a grant replaces a persistent one (I14)
    std::vector<Vote> votes;     // the votes before the completing one
    std::chrono::milliseconds latency{0};
};

// The option that an attempt chooses, or the one that a cancel means. Null if it isn't offered.
[[nodiscard]] const Option* option_of(const Attempt& attempt, const std::vector<Option>& offered);

struct Settling {
    const Pending& open;
    std::vector<Vote> votes;  // the valid votes, without this one
    const Tally& tally;
    AlwaysMode always;
};
[[nodiscard]] Decision decision_of(Attempt attempt, const Permit& permit, Settling settling);
// `halt`: the one that applies to this agent, or null.
[[nodiscard]] Verdict verdict_of(const Request& request, const Decision& decision, const Halt* halt);
// The answer when no person decided: the agent's own refusal, with the outcome as the reason.
[[nodiscard]] Verdict refusal(const Request& request, Outcome outcome, std::string reason);
[[nodiscard]] Conclusion conclusion_of(const Request& request, const Decision& decision, const Receipt& receipt,
                                       const TextGuard& guard);

}  // namespace countersign
