// SPDX-License-Identifier: Apache-2.0
// Fatigue: rules that keep an agent from wearing people down. Pure apart from its memory; the hub passes in the time.
//
// It decides nothing. It only says which requests share a card and which wait behind one.
#pragma once

#include "core/asker.hpp"
#include "core/request.hpp"
#include "core/time.hpp"

#include <deque>
#include <map>

namespace countersign {

// True if one card may cover both: the same call of the same session, with the same text on the card and the same
// options. A partially reported call is never the same as another.
[[nodiscard]] bool is_same_call(const Request& one, const Request& other);

// For an agent in all its sessions together: it could name a new session for each request.
inline constexpr std::size_t fatigue_agent_denials_max = 6;
inline constexpr std::size_t fatigue_agents_max = 1'000;

class Fatigue {
public:
    // A person refused a request of this session; this also counts against its agent. Above fatigue_sessions_max, the
    // session whose last refusal is oldest is forgotten; above fatigue_agents_max, such an agent.
    void refused(const Asker& session, BootTime now);
    // True if a session was refused fatigue_denials_max times within fatigue_window, or an agent (an Asker without a
    // session) fatigue_agent_denials_max times. Its requests must then wait for each other.
    [[nodiscard]] bool is_tiring(const Asker& asker, BootTime now) const;

private:
    using Refusals = std::map<Asker, std::deque<BootTime>>;  // the newest refusals of each, up to the maximum
    static void note(Refusals& refusals, const Asker& asker, std::size_t denials_max, std::size_t askers_max,
                     BootTime now);
    Refusals sessions_;
    Refusals agents_;
};

}  // namespace countersign
