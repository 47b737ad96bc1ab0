// SPDX-License-Identifier: Apache-2.0
// RequestRate: limits how often one client may send requests. Each client has a bucket of tokens and pays one per
// request, whatever the result. So searching for paths, or keeping us busy with refused requests, is limited too.
#pragma once

#include "core/time.hpp"
#include "gateway/client_address.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

namespace countersign::gateway {

class RequestRate {
public:
    struct Bounds {
        std::size_t per_second;
        std::size_t burst;
        std::size_t clients;
    };
    explicit RequestRate(const Bounds& bounds) : bounds_{bounds} {}

    // Takes a token. Without one, returns how long to wait, at least a second. If the table is full, forgets the client
    // with the most tokens: it loses the least, and a client without tokens must not get new ones that way.
    [[nodiscard]] std::optional<std::chrono::seconds> take(const ClientAddress& client, BootTime now);
    [[nodiscard]] std::size_t size() const { return buckets_.size(); }

private:
    struct Bucket {
        std::int64_t thousandths = 0;  // of a token
        BootTime as_of;
    };
    [[nodiscard]] std::int64_t full() const { return static_cast<std::int64_t>(bounds_.burst) * 1000; }
    [[nodiscard]] std::int64_t left(const Bucket& bucket, BootTime now) const;
    Bucket& bucket_of(const ClientAddress& client, BootTime now);

    Bounds bounds_;
    std::map<ClientAddress, Bucket> buckets_;
};

}  // namespace countersign::gateway
