// SPDX-License-Identifier: Apache-2.0
// Destinations: the hosts that a text sends data to, or fetches data from.
//
// An approver must see them, whatever a rule takes for the value of a secret: in https://token=x@evil.io/ the secret
// ends at the "@". Programs read a strange URL in different ways, so every part that one of them takes for the host is
// one here.
#pragma once

#include "security/redact/finding.hpp"

#include <string_view>

namespace countersign::security {

enum class DestinationKind {
    any,
    explicit_only,  // in a URL, or behind Server= and the like: the text is data, and no command has it as an operand
};

// Cuts and splits findings until none of them covers a host. A token by its look may be part of a host's name; then the
// last two labels stay visible, or the token's first bytes if there are no others.
void keep_destinations_visible(Findings& findings, std::string_view text, DestinationKind kind);

// Whether the program sends what follows the option as data: curl -H x, curl -sd x, curl --data=x.
[[nodiscard]] bool takes_data(std::string_view program, std::string_view option);

}  // namespace countersign::security
