// SPDX-License-Identifier: Apache-2.0
// IP addresses in the forms that URLs use. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace countersign::security {

// True if the WHATWG parser treats the host as an IPv4 address: its last label is a number.
[[nodiscard]] bool ends_in_number(std::string_view host);

// Four decimal numbers, from any form that the WHATWG parser accepts: 0x7f.1, 017700000001, 2130706433.
[[nodiscard]] std::optional<std::string> ipv4_canonical(std::string_view host);

// `text` is the part between the brackets. The result is compressed, lower case and without brackets, with an embedded
// IPv4 address in hexadecimal.
[[nodiscard]] std::optional<std::string> ipv6_canonical(std::string_view text);

}  // namespace countersign::security
