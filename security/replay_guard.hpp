// SPDX-License-Identifier: Apache-2.0
// ReplayGuard: which deliveries were handled already, by (channel, delivery id).
//
// A set and never a high-water mark: ids arrive out of order, and one invented high id must not silence all that
// follow. The id is what the platform calls the delivery (update_id, interaction id, MessageSid), read from verified
// and decoded bytes; never the signature or the body, which an attacker can spell in other ways without breaking them.
//
// It forgets by time, and when it is full the oldest goes first. What it forgot must be stale by then: keep entries at
// least twice signature_age_max, because a signature may be dated ahead. Where a platform signs no time, the caller
// stores the ids that changed state and remembers them again after a restart.
#pragma once

#include "core/limits.hpp"
#include "core/result.hpp"
#include "core/time.hpp"

#include <chrono>
#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_set>

namespace countersign::security {

class ReplayGuard {
public:
    struct Bounds {
        std::chrono::milliseconds keep = 2 * limits::signature_age_max;
        std::size_t entries_max = limits::replay_entries_max;
    };
    explicit ReplayGuard(Bounds bounds) : bounds_{bounds} {}
    ReplayGuard() : ReplayGuard{Bounds{}} {}

    // Takes the delivery for the caller, once: Errc::replayed for every later call while it is remembered,
    // Errc::malformed for an empty id, Errc::too_large for one over delivery_id_bytes_max. `now` never goes back.
    [[nodiscard]] Result<void> take(std::string_view channel, std::string_view delivery_id, BootTime now);

    [[nodiscard]] std::size_t size() const { return seen_.size(); }

private:
    struct Kept {
        const std::string* key;  // into seen_, whose nodes stay where they are
        BootTime expires;
    };
    void forget_oldest();

    Bounds bounds_;
    std::unordered_set<std::string> seen_;
    std::deque<Kept> by_age_;  // every entry lives equally long, so arrival is the order of expiry
};

}  // namespace countersign::security
