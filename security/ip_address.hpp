// SPDX-License-Identifier: Apache-2.0
// IP addresses as URLs spell them. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace countersign::security {

// True when the WHATWG parser takes the host for an IPv4 address: its last label is a number.
[[nodiscard]] bool ends_in_number(std::string_view host);

// Four decimal numbers, from any spelling that the WHATWG parser reads: 0x7f.1, 017700000001, 2130706433.
[[nodiscard]] std::optional<std::string> ipv4_canonical(std::string_view host);

// Of the text between the brackets: compressed, lower case, without brackets. An embedded IPv4 address is hexadecimal.
[[nodiscard]] std::optional<std::string> ipv6_canonical(std::string_view text);

}  // namespace countersign::security
