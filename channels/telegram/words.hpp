// SPDX-License-Identifier: Apache-2.0
// Our own sentences on this channel: short, honest, and saying what to do next. Pure.
#pragma once

#include "core/outcome.hpp"
#include "core/result.hpp"

#include <chrono>
#include <string>
#include <string_view>

namespace countersign::channels::telegram {

// Why an attempt decided nothing. A person learns the class of the refusal; the operator's log has the detail.
[[nodiscard]] std::string refusal_words(const Error& why, std::string_view principal);
// Why a button did nothing, before any request was looked at.
[[nodiscard]] std::string_view button_words(Errc code);

struct OutcomeWords {
    std::string_view mark;     // "✅"
    std::string_view word;     // "Allowed"
    std::string_view meaning;  // where nobody decided; else empty
};
[[nodiscard]] OutcomeWords words_of(Outcome outcome);

// "850 ms", "12 s", "3 min 4 s", "2 h 5 min", "3 d 1 h"
[[nodiscard]] std::string duration(std::chrono::milliseconds span);

[[nodiscard]] std::string_view help_words();

}  // namespace countersign::channels::telegram
