// SPDX-License-Identifier: Apache-2.0
// Our own sentences for who pressed or wrote something: short, honest, and saying what to do next. Pure.
#pragma once

#include "channels/phrase.hpp"
#include "core/ports/ledger.hpp"
#include "core/result.hpp"

#include <optional>
#include <string>

namespace countersign::channels {

// Whom it is said to, and what of it they need.
struct Listener {
    std::string principal;
    Language language = {};
};

// How a request ended that somebody came too late for.
struct EndedBefore {
    Winner winner;
    std::chrono::milliseconds ago{0};
};
// Why an attempt decided nothing. A person learns the class of the refusal; the operator's log has the detail.
[[nodiscard]] Phrase refusal_words(const Error& why, const Listener& to, const std::optional<EndedBefore>& ended = {});
// Why a button did nothing, before any request was looked at.
[[nodiscard]] Phrase button_words(Errc code, Language language);
// Why a written answer was not noted: the codes of read_answer.
[[nodiscard]] Key answer_fault(Errc code);

}  // namespace countersign::channels
