// SPDX-License-Identifier: Apache-2.0
// Most text needs no escapes in a JSON string. This finds the length of such text, eight bytes at a time.
#pragma once

#include <cstddef>
#include <string_view>

namespace countersign::json {

// The number of bytes at the start that are ASCII and need no escape: no control character, quote or backslash.
[[nodiscard]] std::size_t plain_length(std::string_view text);

}  // namespace countersign::json
