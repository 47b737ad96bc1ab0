// SPDX-License-Identifier: Apache-2.0
// Detects host names that may not be what they look like: "аррӏе.com" in Cyrillic, "gооgle.com" in two scripts, and
// "xn--…", which people can't read. Pure.
//
// It only marks names to check; a name that isn't marked may still imitate another one with digits, accents or other
// words ("g00gle", "paypal-login").
#pragma once

#include "core/request.hpp"

#include <optional>
#include <string_view>

namespace countersign::security {

// nullopt for a host that is what it looks like. The members of the result are as raw as the host: redact and sanitise
// them before showing them. %-escapes are decoded as a client would.
[[nodiscard]] std::optional<SuspectHost> suspect_host(std::string_view host);

// True if a reader would be deceived. Punycode for an ordinary name only needs an explanation.
[[nodiscard]] bool deceives(const SuspectHost& host);

}  // namespace countersign::security
