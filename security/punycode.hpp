// SPDX-License-Identifier: Apache-2.0
// Punycode (RFC 3492), as host names use it: one label, without "xn--".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace countersign::security {

// Nothing for what is no punycode, or stands for more than host_label_chars_max characters or none beyond ASCII.
[[nodiscard]] std::optional<std::u32string> punycode_decoded(std::string_view label);
// Nothing for what would be longer than a label of a host may be.
[[nodiscard]] std::optional<std::string> punycode_encoded(std::u32string_view label);

}  // namespace countersign::security
