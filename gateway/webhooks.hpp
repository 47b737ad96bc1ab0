// SPDX-License-Identifier: Apache-2.0
// The public paths: /webhooks/<kind>/<channel>, and below it where a platform needs several. What arrives goes to the
// channel unread: it verifies the raw bytes before it parses them (I5).
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
    Inbound* inbound = nullptr;  // borrowed; outlives the server
    bool answers_get = false;    // besides POST: some platforms prove with a GET who owns the URL
    std::string below = {};      // the last part of the path; empty: the channel's own path
};

// Errc::bad_config for a kind or name that is no plain part of a path, and for two of the same.
[[nodiscard]] Result<std::vector<Endpoint>> webhook_routes(const std::vector<Webhook>& webhooks);

}  // namespace countersign::gateway
