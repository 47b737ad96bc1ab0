// SPDX-License-Identifier: Apache-2.0
// Punycode (RFC 3492) as used in host names: one label, without "xn--".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace countersign::security {

// nullopt if the label isn't punycode, or decodes to more than host_label_chars_max characters or to ASCII only.
[[nodiscard]] std::optional<std::u32string> punycode_decoded(std::string_view label);
// nullopt if the result would be longer than a host label may be.
[[nodiscard]] std::optional<std::string> punycode_encoded(std::u32string_view label);

}  // namespace countersign::security
