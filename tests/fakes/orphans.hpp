// SPDX-License-Identifier: Apache-2.0
// A request as a restart leaves it: the data that the log still has about it.
#pragma once

#include "core/ports/earlier.hpp"
#include "core/request.hpp"

namespace countersign::fakes {

// For the route of small_configuration, shown nowhere.
inline Orphan orphan_of(const Request& request, BootTime asked) {
    return {.id = request.id,
            .agent_id = request.agent_id,
            .args_hash = request.args_hash.hex,
            .native_key = request.native_key,
            .session_key = request.session_key,
            .tool_name = tool_name_of(request),
            .route = "all",
            .asked = asked};
}

}  // namespace countersign::fakes
