// SPDX-License-Identifier: Apache-2.0
// How a request ended, in the words that every channel uses. Pure.
#pragma once

#include "channels/catalogue.hpp"
#include "core/ports/channel.hpp"

#include <string>
#include <string_view>

namespace countersign::channels {

struct OutcomeWords {
    std::string_view mark;     // "✅"
    std::string_view word;     // "Allowed"
    std::string_view meaning;  // where nobody decided; else empty
};
[[nodiscard]] OutcomeWords words_of(Outcome outcome, Language language = {});

// Somebody decided: then there is no meaning to explain, and whether the agent has the answer is worth a word.
[[nodiscard]] bool is_decision(Outcome outcome);

// "14 89abcdef01234567": how many records the log had and the head of their root, as `audit verify --anchor` takes it.
// A message that shows it proves later what was in the log. Empty where it is not known.
[[nodiscard]] std::string anchor_of(const Conclusion& conclusion);

// For how long the hub allows the same call by itself from now on; empty if it asks again.
[[nodiscard]] std::string_view granted_words(const Conclusion& conclusion, Language language = {});

// The reason, unless the meaning of the outcome says the same already.
[[nodiscard]] std::string_view reason_beside_meaning(const Conclusion& conclusion);

}  // namespace countersign::channels
