// SPDX-License-Identifier: Apache-2.0
#include "security/replay_guard.hpp"

namespace countersign::security {
namespace {

// The length prefix keeps ("a", "bc") and ("ab", "c") apart.
std::string key_of(std::string_view channel, std::string_view delivery_id) {
    return std::to_string(channel.size()).append(":").append(channel).append(delivery_id);
}

}  // namespace

Result<void> ReplayGuard::take(std::string_view channel, std::string_view delivery_id, BootTime now) {
    if (delivery_id.empty()) return Error{Errc::malformed, "a delivery without an id cannot be told from its replay"};
    if (delivery_id.size() > limits::delivery_id_bytes_max) return Error{Errc::too_large, "delivery id"};
    while (!by_age_.empty() && by_age_.front().expires <= now) forget_oldest();

    const auto [place, is_new] = seen_.insert(key_of(channel, delivery_id));
    if (!is_new) return Error{Errc::replayed, "this delivery was handled already"};
    by_age_.push_back({&*place, now + bounds_.keep});
    if (seen_.size() > bounds_.entries_max) forget_oldest();
    return {};
}

void ReplayGuard::forget_oldest() {
    seen_.erase(seen_.find(*by_age_.front().key));
    by_age_.pop_front();
}

}  // namespace countersign::security
