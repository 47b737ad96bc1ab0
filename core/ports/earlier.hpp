// SPDX-License-Identifier: Apache-2.0
// What the log knows of the requests of earlier processes, for the hub that comes after them.
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

// One that ended: whoever comes late gets an honest answer.
struct EndedRequest {
    Ulid id;
    std::string agent_id;
    std::string args_hash;
    Winner winner;
};

// One that was open, and whose agent may still be waiting: it lives in another process (I12).
struct Orphan {
    Ulid id;
    // What makes a request that is shown again the same one, under whatever id.
    std::string agent_id;
    std::string args_hash;
    std::string native_key;

    std::string session_key;
    std::string tool_name;
    std::string route;
    std::uint32_t required = 1;
    BootTime asked;                                                   // on this boot's clock
    std::optional<std::chrono::milliseconds> timeout = std::nullopt;  // its own, counted from there
    std::uint32_t generation = 0;                                     // of the buttons that were shown last
    std::vector<MessageRef> shown = {};                               // messages that may still have buttons
};

}  // namespace countersign
