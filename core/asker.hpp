// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/request.hpp"

#include <compare>
#include <string>

namespace countersign {

// Who asks: an agent in one of its sessions. Sessions of different agents are different, even if their names are equal.
struct Asker {
    std::string agent_id;     // empty: any agent with a session of that name
    std::string session_key;  // empty: the agent in all of its sessions
    friend auto operator<=>(const Asker&, const Asker&) = default;
};
[[nodiscard]] inline Asker asker_of(const Request& request) {
    return {.agent_id = request.agent_id, .session_key = request.session_key};
}
// True if `one` includes `other`: both are the same, or `one` is the whole agent, or any agent's session of that name.
[[nodiscard]] inline bool covers(const Asker& one, const Asker& other) {
    return (one.agent_id.empty() || one.agent_id == other.agent_id) &&
           (one.session_key.empty() || one.session_key == other.session_key);
}

}  // namespace countersign
