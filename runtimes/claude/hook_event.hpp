// SPDX-License-Identifier: Apache-2.0
// Reads what Claude Code gives a hook on standard input: one JSON object for each event. No I/O.
//
// PermissionRequest waits for an answer. It has no id: later events name a call only by its session, inner agent, tool
// and arguments, so CallId is made of these.
#pragma once

#include "core/result.hpp"
#include "runtimes/claude/message.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace countersign::runtimes::claude {

inline constexpr std::size_t hook_input_bytes_max = 16 * 1024 * 1024;  // the result of a call is part of some events
inline constexpr std::size_t hook_batch_calls_max = 256;

// Which agent of which session. The hashes of their names; plain file names may contain them.
struct HookAgent {
    std::string session;  // 16 hexadecimal digits
    std::string inner;    // the same for a sub-agent, "main" for the main agent
    [[nodiscard]] bool is_main() const { return inner == "main"; }
    friend bool operator==(const HookAgent&, const HookAgent&) = default;
};

// The CLI asks and waits for the hook.
struct PermissionAsked {
    std::string session_id;
    std::string cwd;
    HookAgent agent;
    std::string call;  // the hash of tool and arguments: 32 hexadecimal digits
    CanUseTool tool;
};
// These calls have ended, whether they ran or not. `whole_batch`: all calls that the model wanted in one turn.
struct CallsEnded {
    HookAgent agent;
    std::vector<std::string> calls;
    bool whole_batch = false;
};
// The agent waits for no call any more. `session_id` is set when the whole session is over.
struct AgentStopped {
    HookAgent agent;
    std::string session_id;
};
struct OtherEvent {
    std::string name;
};
using HookEvent = std::variant<OtherEvent, PermissionAsked, CallsEnded, AgentStopped>;

// Errc::malformed or too_large names the member.
[[nodiscard]] Result<HookEvent> read_hook_event(std::string_view text);

}  // namespace countersign::runtimes::claude
