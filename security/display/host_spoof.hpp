// SPDX-License-Identifier: Apache-2.0
// Host names that may not be the ones they look like: "аррӏе.com" in Cyrillic, "gооgle.com" in two scripts, and
// "xn--…", which nobody reads at all. Pure.
//
// It marks what to look at twice and clears nothing: a name that imitates with digits, accents or other words
// ("g00gle", "paypal-login") is not found.
#pragma once

#include "core/request.hpp"

#include <optional>
#include <string_view>

namespace countersign::security {

// Nothing for a host that is what it looks like. The members of the answer are as raw as the host: redact and sanitise
// them before anybody is shown them. %-escapes are read as a client would.
[[nodiscard]] std::optional<SuspectHost> suspect_host(std::string_view host);

// Whether an eye is deceived. A name in punycode that stands for an honest one is only worth a line.
[[nodiscard]] bool deceives(const SuspectHost& host);

}  // namespace countersign::security
