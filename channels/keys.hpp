// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "security/button_token.hpp"
#include "security/short_code.hpp"

#include <cstdint>

namespace countersign::channels {

// Borrowed; what buttons and codes are made and checked with.
struct Keys {
    const security::ButtonTokens& tokens;
    const security::ShortCodes& codes;
};

// What `question` of a button that decides says: the refusal is meant for those behind the request too.
inline constexpr std::uint8_t button_and_behind = 1;

// What `question` of a button that is about a reason says: it denies with the words that its message was sent for.
inline constexpr std::uint8_t button_with_reason = 1;

}  // namespace countersign::channels
