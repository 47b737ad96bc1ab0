// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ulid.hpp"

#include <cstdint>
#include <span>

namespace countersign {

// Ids: new ids, and random bytes. Tests use a seeded implementation, so that whole logs are byte-identical.
class Ids {
public:
    virtual ~Ids() = default;
    [[nodiscard]] virtual Ulid next() = 0;
    virtual void random(std::span<std::uint8_t> bytes) = 0;
};

}  // namespace countersign
