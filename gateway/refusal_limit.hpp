// SPDX-License-Identifier: Apache-2.0
// RefusalLimit: ignores clients that were refused too often recently. A wrong secret costs its sender budget, so that
// no client can try many; a right one costs nothing.
#pragma once

#include "core/time.hpp"
#include "gateway/client_address.hpp"

#include <cstddef>
#include <map>

namespace countersign::gateway {

class RefusalLimit {
public:
    RefusalLimit(std::size_t per_minute, std::size_t clients_max)
        : per_minute_{per_minute}, clients_max_{clients_max} {}

    [[nodiscard]] bool admits(const ClientAddress& client, BootTime now) const;
    // If the table is full, forgets the client whose minute began first.
    void count(const ClientAddress& client, BootTime now);
    [[nodiscard]] std::size_t size() const { return minutes_.size(); }

private:
    struct Minute {
        BootTime began;
        std::size_t refusals = 0;
    };
    std::size_t per_minute_;
    std::size_t clients_max_;
    std::map<ClientAddress, Minute> minutes_;
};

}  // namespace countersign::gateway
