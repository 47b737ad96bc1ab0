// SPDX-License-Identifier: Apache-2.0
// RecordRate: limits the records of one kind per minute, so that an attacker can't fill the disk with refusals. Dropped
// records are counted, and the count is written with the next record or, if there is none, by itself.
#pragma once

#include "core/limits.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace countersign {

namespace limits {
// Anyone on the internet can cause these, so there are few: they show that it happens, and the count shows how often.
inline constexpr std::size_t unverified_records_per_minute_max = 6;
}  // namespace limits

class RecordRate {
public:
    explicit RecordRate(std::string kind, std::size_t per_minute = limits::refused_records_per_minute_max)
        : kind_{std::move(kind)}, per_minute_{per_minute} {}
    [[nodiscard]] const std::string& kind() const { return kind_; }

    // The number of records left out before this one, or nullopt if this one is left out too.
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

    // Returns the number of records left out that haven't been reported, and resets it.
    [[nodiscard]] std::uint64_t take_left_out() { return std::exchange(suppressed_, 0); }
    // The record with that count wasn't written.
    void put_back(std::uint64_t left_out) { suppressed_ += left_out; }
    // Nothing is left to report, and its minute is over.
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
