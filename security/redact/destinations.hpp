// SPDX-License-Identifier: Apache-2.0
// Destinations: the hosts that a text sends data to or fetches data from.
//
// An approver must see them, even where a rule takes them for part of a secret: in https://token=x@evil.io/ the secret
// ends at the "@". Programs parse unusual URLs differently, so every part that one of them would use as the host is a
// destination.
#pragma once

#include "security/redact/finding.hpp"

#include <string_view>

namespace countersign::security {

enum class DestinationKind {
    any,
    explicit_only,  // only in a URL, or after Server= and the like: the text is data and has no commands
};

// Cuts and splits findings until none of them covers a host. A token recognised by its look may be part of a host name;
// then the last two labels stay visible, or the token's first bytes if there are no other labels.
void keep_destinations_visible(Findings& findings, std::string_view text, DestinationKind kind);

// True if the program sends the text after the option as data: curl -H x, curl -sd x, curl --data=x.
[[nodiscard]] bool takes_data(std::string_view program, std::string_view option);

}  // namespace countersign::security
