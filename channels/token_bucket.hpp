// SPDX-License-Identifier: Apache-2.0
// TokenBucket: how fast something may go, as a value. No clock: whoever asks says what time it is.
#pragma once

#include "core/time.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace countersign::channels {

// So many at once, then one an interval. Zero at once: no bound. Of the burst, `reserve` is kept for what is urgent.
struct Rate {
    std::size_t burst = 0;
    std::chrono::milliseconds interval{0};
    std::size_t reserve = 0;
    friend bool operator==(const Rate&, const Rate&) = default;
};

// Kept as one time, when it will be full again, so that an idle bucket costs nothing and a full one may be forgotten.
class TokenBucket {
public:
    TokenBucket() = default;
    explicit TokenBucket(Rate rate) : rate_{rate} {}

    // When the next may go; in the past if it may at once.
    [[nodiscard]] BootTime ready_at() const {
        if (rate_.burst == 0) return {};
        return full_at_ - rate_.interval * static_cast<std::int64_t>(rate_.burst - 1);
    }
    // The same for what is not urgent: it leaves the reserve. Precondition: the reserve is less than the burst.
    [[nodiscard]] BootTime ready_beyond_reserve_at() const {
        return ready_at() + rate_.interval * static_cast<std::int64_t>(rate_.reserve);
    }
    [[nodiscard]] BootTime full_at() const { return full_at_; }
    // May take more than there are: then the next waits so much longer.
    void take(BootTime now, std::size_t count = 1) {
        if (rate_.burst == 0) return;
        full_at_ = std::max(full_at_, now) + rate_.interval * static_cast<std::int64_t>(count);
    }
    // It was taken, and nothing went.
    void give_back() { full_at_ -= rate_.burst == 0 ? std::chrono::milliseconds{0} : rate_.interval; }

private:
    Rate rate_;
    BootTime full_at_;
};

}  // namespace countersign::channels
