// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ports/clock.hpp"
#include "core/ports/ids.hpp"

namespace countersign::app {

// Ids from the kernel's random number generator. Borrows the clock.
class SystemIds final : public Ids {
public:
    explicit SystemIds(const Clock& clock) : clock_{clock} {}
    [[nodiscard]] Ulid next() override;
    void random(std::span<std::uint8_t> bytes) override;

private:
    const Clock& clock_;
};

}  // namespace countersign::app
