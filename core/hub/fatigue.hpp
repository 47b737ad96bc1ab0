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

// Of an agent in all its sessions together, then its requests wait: it could name a new session for each request.
inline constexpr std::size_t fatigue_agent_denials_max = 6;
inline constexpr std::size_t fatigue_agents_max = 1'000;

class Fatigue {
public:
    // A person refused a request of this session, which counts for its agent too. Past fatigue_sessions_max the session
    // that was refused least lately is forgotten; past fatigue_agents_max that agent.
    void refused(const Asker& session, BootTime now);
    // A session was refused fatigue_denials_max times within fatigue_window, or an agent (an Asker without a session)
    // fatigue_agent_denials_max times: its requests wait one behind the other.
    [[nodiscard]] bool is_tiring(const Asker& asker, BootTime now) const;

private:
    using Refusals = std::map<Asker, std::deque<BootTime>>;  // the newest of each, up to the number that is tiring
    static void note(Refusals& refusals, const Asker& asker, std::size_t denials_max, std::size_t askers_max,
                     BootTime now);
    Refusals sessions_;
    Refusals agents_;
};

}  // namespace countersign
