// SPDX-License-Identifier: Apache-2.0
// What the log says about the requests of earlier processes. The next hub starts with it.
#pragma once

#include "core/attempt.hpp"
#include "core/receipt.hpp"
#include "core/time.hpp"
#include "core/ulid.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace countersign {

// A request that ended. A late click on it still gets a correct answer.
struct EndedRequest {
    Ulid id;
    std::string agent_id;
    std::string args_hash;
    Winner winner;
};

// A request that was open and whose agent may still be waiting, because it runs in another process (I12).
struct Orphan {
    Ulid id;
    // These identify a request that the agent submits again, even under another id.
    std::string agent_id;
    std::string args_hash;
    std::string native_key;

    std::string session_key;
    std::string tool_name;
    std::string route;
    std::uint32_t required = 1;
    BootTime asked;                                                   // on this boot's clock
    std::optional<std::chrono::milliseconds> timeout = std::nullopt;  // the request's own timeout, counted from `asked`
    std::uint32_t generation = 0;                                     // of the buttons that were shown last
    std::vector<MessageRef> shown = {};                               // messages that may still have buttons
};

}  // namespace countersign
