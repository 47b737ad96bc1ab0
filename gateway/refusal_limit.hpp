// SPDX-License-Identifier: Apache-2.0
// RefusalLimit: who was refused too often lately is not listened to. A wrong secret costs its sender its budget, so
// that nobody tries many; a right one costs nothing.
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
    // When the table is full, the client whose minute began first is forgotten.
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
