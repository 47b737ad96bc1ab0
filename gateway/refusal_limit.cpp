// SPDX-License-Identifier: Apache-2.0
#include "gateway/refusal_limit.hpp"

#include <algorithm>

namespace countersign::gateway {
namespace {

constexpr std::chrono::minutes window{1};

}  // namespace

bool RefusalLimit::admits(const ClientAddress& client, BootTime now) const {
    const auto found = minutes_.find(client);
    return found == minutes_.end() || now - found->second.began >= window || found->second.refusals <= per_minute_;
}

void RefusalLimit::count(const ClientAddress& client, BootTime now) {
    auto found = minutes_.find(client);
    if (found == minutes_.end()) {
        if (minutes_.size() >= clients_max_) {
            const auto began = [](const auto& entry) { return entry.second.began; };
            minutes_.erase(std::ranges::min_element(minutes_, {}, began));
        }
        found = minutes_.emplace(client, Minute{.began = now}).first;
    } else if (now - found->second.began >= window) {
        found->second = {.began = now};
    }
    ++found->second.refusals;
}

}  // namespace countersign::gateway
