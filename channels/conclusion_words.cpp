// SPDX-License-Identifier: Apache-2.0
#include "channels/conclusion_words.hpp"

#include "core/limits.hpp"
#include "security/encoding.hpp"

#include <algorithm>
#include <array>

namespace countersign::channels {

OutcomeWords words_of(Outcome outcome) {
    switch (outcome) {
    case Outcome::allowed:
        return {"✅", "Allowed", ""};
    case Outcome::denied:
        return {"⛔", "Denied", ""};
    case Outcome::answered:
        return {"✅", "Answered", ""};
    case Outcome::cancelled:
        return {"⛔", "Cancelled", ""};
    case Outcome::expired:
        return {"⌛", "Expired", "nobody decided in time, the agent gets its refusal"};
    case Outcome::withdrawn:
        return {"↩", "Withdrawn", "the agent no longer waits"};
    case Outcome::undeliverable:
        return {"⚠", "Undeliverable", "nobody could be shown it, the agent gets its refusal"};
    case Outcome::lost:
        return {"⚠", "Lost", "not run, please retry"};
    case Outcome::unlogged:
        return {"⚠", "Not logged", "the audit log is unavailable, nothing was allowed"};
    case Outcome::indeterminate:
        return {"⚠", "Indeterminate", "nobody can say whether the agent got the answer"};
    }
    return {"⚠", "Ended", ""};
}

bool is_decision(Outcome outcome) { return words_of(outcome).meaning.empty(); }

std::string anchor_of(const Conclusion& conclusion) {
    const auto root = security::base64_decode(conclusion.root);
    if (conclusion.size == 0 || !root) return {};
    const auto hex = security::hex(*root);
    if (hex.size() < limits::anchor_root_chars_shown) return {};
    return std::to_string(conclusion.size) + " " + hex.substr(0, limits::anchor_root_chars_shown);
}

std::string_view reason_beside_meaning(const Conclusion& conclusion) {
    // The hub's own words for the common ways to end, as the agent hears them.
    constexpr std::array<std::string_view, 3> said{"nobody decided in time", "nobody could be shown the request",
                                                   "audit log unavailable"};
    const bool repeats = !is_decision(conclusion.outcome) && std::ranges::find(said, conclusion.reason) != said.end();
    return repeats ? std::string_view{} : std::string_view{conclusion.reason};
}

}  // namespace countersign::channels
