// SPDX-License-Identifier: Apache-2.0
// Fatigue: rules that keep an agent from wearing people out. Pure but for what it remembers; the hub brings the time.
//
// None of them decides anything: they only say what shares a card, and what waits behind one.
#pragma once

#include "core/asker.hpp"
#include "core/request.hpp"
#include "core/time.hpp"

#include <deque>
#include <map>

namespace countersign {

// Whether one card may stand for both: the same call of the same session, with the same words on the card and the same
// ways to answer. What the agent did not tell all of is never the same.
[[nodiscard]] bool is_same_call(const Request& one, const Request& other);

class Fatigue {
public:
    // Somebody refused a request of this session. Past fatigue_sessions_max the session that was refused least lately
    // is forgotten.
    void refused(const Asker& session, BootTime now);
    // It was refused fatigue_denials_max times within fatigue_window: its requests wait one behind the other.
    [[nodiscard]] bool is_tiring(const Asker& session, BootTime now) const;

private:
    std::map<Asker, std::deque<BootTime>> refusals_;  // the newest fatigue_denials_max of each
};

}  // namespace countersign
