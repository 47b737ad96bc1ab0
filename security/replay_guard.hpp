// SPDX-License-Identifier: Apache-2.0
// ReplayGuard: remembers which deliveries were handled already, by (channel, delivery id).
//
// It is a set and not a high-water mark: ids arrive out of order, and one forged high id must not block all later ones.
// The id is the platform's name for the delivery (update_id, interaction id, MessageSid), read from verified and
// decoded bytes. It must not be the signature or the body, because an attacker can write those in other ways that stay
// valid.
//
// Entries expire by time; if it is full, the oldest is forgotten first. A forgotten delivery must already be stale:
// keep entries for at least twice signature_age_max, because a signature may be dated in the future. If a platform
// signs no time, the caller must store the ids that changed state and restore them after a restart.
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

    // Claims the delivery for the caller. Errc::replayed for every later call while it is remembered, Errc::malformed
    // for an empty id, Errc::too_large for one over delivery_id_bytes_max. `now` must never decrease.
    [[nodiscard]] Result<void> take(std::string_view channel, std::string_view delivery_id, BootTime now);

    [[nodiscard]] std::size_t size() const { return seen_.size(); }

private:
    struct Kept {
        const std::string* key;  // into seen_, whose nodes never move
        BootTime expires;
    };
    void forget_oldest();

    Bounds bounds_;
    std::unordered_set<std::string> seen_;
    std::deque<Kept> by_age_;  // all entries live equally long, so they expire in order of arrival
};

}  // namespace countersign::security
