// SPDX-License-Identifier: Apache-2.0
// What some agents do beyond the protocol, and the protocol has no word for. Only for better words and stricter checks:
// an agent that is not listed here works.
#pragma once

#include "core/json/value.hpp"

#include <string_view>

namespace countersign::runtimes::acp {

// `agent`: its own name, from its answer to initialize. True if it ends its turn for its reject option "cancel".
[[nodiscard]] bool cancel_ends_turn(std::string_view agent);

// In this mode the agent, or a model in place of a person, lets calls run.
[[nodiscard]] bool asks_no_person(std::string_view mode);

// An option that switches the agent to such a mode.
[[nodiscard]] bool ends_the_asking(std::string_view option_id);

// `update`: of a tool call that failed. The agent says that it refused the call itself.
[[nodiscard]] bool says_not_run(const json::Object& update);

}  // namespace countersign::runtimes::acp
