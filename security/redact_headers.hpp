// SPDX-License-Identifier: Apache-2.0
// Headers whose value has several words: Authorization: Bearer …, Cookie: a=b; c=d.
#pragma once

#include "security/redact_values.hpp"

#include <cstddef>
#include <optional>
#include <string_view>

namespace countersign::security {

// Where the secret begins in an Authorization's value: "Bearer abc" is no secret up to its a.
[[nodiscard]] std::size_t after_scheme(std::string_view value);

// Where bare credentials end: at the quote around the header; without one, behind the word after the scheme and what
// commas join to it.
[[nodiscard]] std::size_t end_of_credentials(std::string_view text, const LexedValue& value,
                                             const std::optional<Quote>& around);

// Where bare cookies end: name=value; name=value; Secure. A stretch without "=" that is no attribute ends them, for it
// may be a command.
[[nodiscard]] std::size_t end_of_cookies(std::string_view text, std::size_t at);

}  // namespace countersign::security
