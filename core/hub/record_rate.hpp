// SPDX-License-Identifier: Apache-2.0
// RecordRate: how many records of one kind a minute may hold, so that nobody fills the disk by being refused.
#pragma once

#include "core/limits.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <optional>
#include <utility>

namespace countersign {

class RecordRate {
public:
    // How many were left out before this record, or nothing if this one is left out too.
    [[nodiscard]] std::optional<std::uint64_t> admit(BootTime now) {
        if (now - window_ >= std::chrono::minutes{1}) {
            window_ = now;
            in_window_ = 0;
        }
        if (in_window_ >= limits::refused_records_per_minute_max) {
            ++suppressed_;
            return std::nullopt;
        }
        ++in_window_;
        return std::exchange(suppressed_, 0);
    }

private:
    BootTime window_;
    std::size_t in_window_ = 0;
    std::uint64_t suppressed_ = 0;
};

}  // namespace countersign
