// SPDX-License-Identifier: Apache-2.0
// The public routes: /webhooks/<kind>/<channel>, with a further part if a platform needs several. The body goes to the
// channel unparsed: it verifies the raw bytes before it parses them (I5).
#pragma once

#include "core/ports/inbound.hpp"
#include "core/result.hpp"
#include "gateway/router.hpp"

#include <string>
#include <vector>

namespace countersign::gateway {

struct Webhook {
    std::string kind;            // "telegram"
    std::string channel;         // its name in the configuration
    Inbound* inbound = nullptr;  // borrowed; must outlive the server
    bool answers_get = false;    // besides POST: some platforms use a GET to prove who owns the URL
    std::string below = {};      // the last part of the path; may be empty
};

// Errc::bad_config for a kind or name that cannot be part of a path, and for duplicates.
[[nodiscard]] Result<std::vector<Endpoint>> webhook_routes(const std::vector<Webhook>& webhooks);

}  // namespace countersign::gateway
