// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ports/clock.hpp"

namespace countersign::app {

// The machine's clocks.
class SystemClock final : public Clock {
public:
    [[nodiscard]] WallTime wall() const override;
    [[nodiscard]] BootTime boot() const override;
    boost::asio::awaitable<void> sleep_until(BootTime when) override;
};

}  // namespace countersign::app
