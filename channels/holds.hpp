// SPDX-License-Identifier: Apache-2.0
// Holds: which buckets of a platform have to wait, and until when. A platform counts some calls apart, for example all
// edits of a bot: while it wants fewer of those, everything else goes on.
#pragma once

#include "core/time.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>

namespace countersign::limits {

// One more is not remembered: its letters ask the platform themselves.
inline constexpr std::size_t held_buckets_max = 256;

}  // namespace countersign::limits

namespace countersign::channels {

class Holds {
public:
    void hold(const std::string& bucket, BootTime until, BootTime now) {
        std::erase_if(held_, [now](const auto& one) { return one.second <= now; });
        if (held_.size() >= limits::held_buckets_max && !held_.contains(bucket)) return;
        auto& end = held_[bucket];
        end = std::max(end, until);
    }
    // In the past where it need not wait.
    [[nodiscard]] BootTime until(const std::string& bucket) const {
        const auto found = held_.find(bucket);
        return found == held_.end() ? BootTime{} : found->second;
    }

private:
    std::map<std::string, BootTime> held_;
};

}  // namespace countersign::channels
