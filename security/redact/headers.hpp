// SPDX-License-Identifier: Apache-2.0
// Headers whose value has several words: Authorization: Bearer …, Cookie: a=b; c=d.
#pragma once

#include "security/redact/values.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace countersign::security {

// Where the secret begins in an Authorization's value: "Bearer abc" is no secret up to its a.
[[nodiscard]] std::size_t after_scheme(std::string_view value);

// The secrets in bare credentials: the word behind the scheme, and each name=value that commas join to it. Within
// quotes (`quoted`) a word behind a scheme that nobody knows counts too.
[[nodiscard]] std::vector<Stretch> credential_parts(std::string_view text, std::size_t begin, bool quoted);

// The values of bare cookies: name=value; name=value; Secure. A stretch without "=" that is no attribute ends them, for
// it may be a command; what stands between them is shown, for a shell could take it for the end of one.
[[nodiscard]] std::vector<Stretch> cookie_values(std::string_view text, std::size_t begin);

}  // namespace countersign::security
