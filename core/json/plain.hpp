// SPDX-License-Identifier: Apache-2.0
// Most text stands in a JSON string as it is. This finds out how much of it, eight bytes at a time.
#pragma once

#include <cstddef>
#include <string_view>

namespace countersign::json {

// How many bytes from the beginning are ASCII and stand for themselves in a string: no control, quote or backslash.
[[nodiscard]] std::size_t plain_length(std::string_view text);

}  // namespace countersign::json
