// SPDX-License-Identifier: Apache-2.0
// Headers with a value of several words: Authorization: Bearer …, Cookie: a=b; c=d.
#pragma once

#include "security/redact/values.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace countersign::security {

// Where the secret starts in the value of an Authorization header: in "Bearer abc" at the a.
[[nodiscard]] std::size_t after_scheme(std::string_view value);

// The secrets in unquoted credentials: the word after the scheme, and each further name=value after a comma. Inside
// quotes (`quoted`), a word after an unknown scheme is also a secret.
[[nodiscard]] std::vector<Stretch> credential_parts(std::string_view text, std::size_t begin, bool quoted);

// The values of unquoted cookies: name=value; name=value; Secure. A part without "=" that isn't an attribute ends them,
// because it may be a command. The separators stay visible, because a shell could take one for the end of a command.
[[nodiscard]] std::vector<Stretch> cookie_values(std::string_view text, std::size_t begin);

}  // namespace countersign::security
