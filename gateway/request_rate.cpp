// SPDX-License-Identifier: Apache-2.0
#include "gateway/request_rate.hpp"

#include <algorithm>

namespace countersign::gateway {

// One token per second is one thousandth per millisecond, so no fraction is lost between requests.
std::int64_t RequestRate::left(const Bucket& bucket, BootTime now) const {
    const auto per_millisecond = static_cast<std::int64_t>(bounds_.per_second);
    if (per_millisecond == 0) return bucket.thousandths;
    // Bounded by the time to fill the bucket, so that a client that returns after a year cannot cause an overflow.
    const auto passed = std::clamp<std::int64_t>((now - bucket.as_of).count(), 0, full() / per_millisecond + 1);
    return std::min(full(), bucket.thousandths + passed * per_millisecond);
}

RequestRate::Bucket& RequestRate::bucket_of(const ClientAddress& client, BootTime now) {
    const auto found = buckets_.find(client);
    if (found != buckets_.end()) {
        found->second = {.thousandths = left(found->second, now), .as_of = now};
        return found->second;
    }
    if (buckets_.size() >= bounds_.clients && !buckets_.empty()) {
        buckets_.erase(std::ranges::max_element(buckets_, {}, [&](const auto& one) { return left(one.second, now); }));
    }
    return buckets_.emplace(client, Bucket{.thousandths = full(), .as_of = now}).first->second;
}

std::optional<std::chrono::seconds> RequestRate::take(const ClientAddress& client, BootTime now) {
    constexpr std::int64_t one = 1000;
    auto& bucket = bucket_of(client, now);
    if (bucket.thousandths >= one) {
        bucket.thousandths -= one;
        return std::nullopt;
    }
    const auto rate = std::max<std::int64_t>(1, static_cast<std::int64_t>(bounds_.per_second));
    const auto wait = (one - bucket.thousandths + rate - 1) / rate;
    return std::max(std::chrono::seconds{1}, std::chrono::ceil<std::chrono::seconds>(std::chrono::milliseconds{wait}));
}

}  // namespace countersign::gateway
