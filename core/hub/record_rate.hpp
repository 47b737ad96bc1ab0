// SPDX-License-Identifier: Apache-2.0
// RecordRate: how many records of one kind a minute may hold, so that nobody fills the disk by being refused. Those
// that are left out are counted, and the count is told with the next one or, where none comes, by itself.
#pragma once

#include "core/limits.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace countersign {

namespace limits {
// Anybody on the internet can make these, so there are few: they tell that it happens, and the count how often.
inline constexpr std::size_t unverified_records_per_minute_max = 6;
}  // namespace limits

class RecordRate {
public:
    explicit RecordRate(std::string kind, std::size_t per_minute = limits::refused_records_per_minute_max)
        : kind_{std::move(kind)}, per_minute_{per_minute} {}
    [[nodiscard]] const std::string& kind() const { return kind_; }

    // How many were left out before this record, or nothing if this one is left out too.
    [[nodiscard]] std::optional<std::uint64_t> admit(BootTime now) {
        if (now - window_ >= std::chrono::minutes{1}) {
            window_ = now;
            in_window_ = 0;
        }
        if (in_window_ >= per_minute_) {
            ++suppressed_;
            return std::nullopt;
        }
        ++in_window_;
        return std::exchange(suppressed_, 0);
    }

    // How many were left out and are told by nothing yet; from now on they are.
    [[nodiscard]] std::uint64_t take_left_out() { return std::exchange(suppressed_, 0); }
    // The record of that count was not written.
    void put_back(std::uint64_t left_out) { suppressed_ += left_out; }
    // Nothing of it is left to tell, and its minute is over.
    [[nodiscard]] bool is_quiet(BootTime now) const {
        return suppressed_ == 0 && now - window_ >= std::chrono::minutes{1};
    }

private:
    std::string kind_;
    std::size_t per_minute_;
    BootTime window_;
    std::size_t in_window_ = 0;
    std::uint64_t suppressed_ = 0;
};

}  // namespace countersign
