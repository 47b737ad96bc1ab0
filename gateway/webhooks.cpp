// SPDX-License-Identifier: Apache-2.0
#include "gateway/webhooks.hpp"

#include "core/limits.hpp"

#include <algorithm>

namespace countersign::gateway {
namespace {

bool is_plain_part(std::string_view text) {
    const auto plain = [](char symbol) {
        return (symbol >= 'a' && symbol <= 'z') || (symbol >= '0' && symbol <= '9') || symbol == '-' || symbol == '_';
    };
    return !text.empty() && text.size() <= limits::config_name_bytes_max && std::ranges::all_of(text, plain);
}

}  // namespace

Result<std::vector<Endpoint>> webhook_routes(const std::vector<Webhook>& webhooks) {
    std::vector<Endpoint> routes;
    for (const auto& webhook : webhooks) {
        if (!is_plain_part(webhook.kind) || !is_plain_part(webhook.channel)) {
            return Error{Errc::bad_config, "the channel " + webhook.channel +
                                               " cannot have a webhook: rename it with 1 to 64 of a-z, 0-9, _ and -"};
        }
        const auto& below = webhook.below;
        if (!below.empty() && !is_plain_part(below)) {
            return Error{Errc::internal, "a webhook of " + webhook.kind + " has an address that is not plain"};
        }
        const Endpoint post{
            .method = "POST",
            .path = "/webhooks/" + webhook.kind + '/' + webhook.channel + (below.empty() ? "" : '/' + below),
            .name = "webhook " + webhook.kind + ' ' + webhook.channel + (below.empty() ? "" : ' ' + below),
            .body_bytes_max = limits::webhook_body_bytes_max,
            .handler = webhook.inbound,
            .counts_refusals = true};
        routes.push_back(post);
        if (!webhook.answers_get) continue;
        routes.push_back(post);
        routes.back().method = "GET";
        routes.back().body_bytes_max = 0;
    }
    // Two accounts on one path would read each other's deliveries; the router refuses that.
    if (const auto checked = Router::make(routes); !checked) return checked.error();
    return routes;
}

}  // namespace countersign::gateway
