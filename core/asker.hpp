// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/request.hpp"

#include <compare>
#include <string>

namespace countersign {

// Who asks: an agent, in one of its sessions. What another agent calls the same is another session.
struct Asker {
    std::string agent_id;     // empty: a session of that name, whoever's
    std::string session_key;  // empty: the agent, in whatever session
    friend auto operator<=>(const Asker&, const Asker&) = default;
};
[[nodiscard]] inline Asker asker_of(const Request& request) {
    return {.agent_id = request.agent_id, .session_key = request.session_key};
}
// Whether the first stands for the second: it is the very same, the whole agent, or whoever's session of that name.
[[nodiscard]] inline bool covers(const Asker& one, const Asker& other) {
    return (one.agent_id.empty() || one.agent_id == other.agent_id) &&
           (one.session_key.empty() || one.session_key == other.session_key);
}

}  // namespace countersign
