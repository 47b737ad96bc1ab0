// SPDX-License-Identifier: Apache-2.0
// What Telegram says about a bot's webhook, and what is wrong with it in words that say what to do. Pure.
#pragma once

#include "core/json/value.hpp"
#include "core/result.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::channels::telegram {

struct WebhookInfo {
    std::string url;           // empty: none is set. Sanitised: others may have set it
    std::int64_t waiting = 0;  // updates that were not delivered yet
    std::optional<WallTime> failed_at;
    std::string failure;               // of the last delivery that failed; sanitised
    std::vector<std::string> allowed;  // kinds of updates; empty: Telegram's default, which has ours
};
// The result of getWebhookInfo. Errc::malformed if it is none.
[[nodiscard]] Result<WebhookInfo> read_webhook_info(const json::Value& result);

// Why taps do not come in by it, a line each; empty if nothing is known to be wrong. `url` is what it should be; where
// that is not known, `path` is what it should end with.
struct WebhookWanted {
    std::string url;
    std::string path;
};
[[nodiscard]] std::vector<std::string> webhook_problems(const WebhookInfo& info, const WebhookWanted& wanted,
                                                        WallTime now);

// What probably is the matter, by Telegram's own words about a delivery that failed; empty where they say it best.
[[nodiscard]] std::string_view explain_failure(std::string_view failure);

}  // namespace countersign::channels::telegram
