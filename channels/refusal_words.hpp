// SPDX-License-Identifier: Apache-2.0
// Our own sentences for who pressed or wrote something: short, honest, and saying what to do next. Pure.
#pragma once

#include "core/result.hpp"

#include <string>
#include <string_view>

namespace countersign::channels {

// Why an attempt decided nothing. A person learns the class of the refusal; the operator's log has the detail.
[[nodiscard]] std::string refusal_words(const Error& why, std::string_view principal);
// Why a button did nothing, before any request was looked at.
[[nodiscard]] std::string_view button_words(Errc code);

[[nodiscard]] std::string_view help_words();

}  // namespace countersign::channels
