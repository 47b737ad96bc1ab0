// SPDX-License-Identifier: Apache-2.0
// Parses a message of an ACP agent (protocol version 1), as far as we depend on it. No I/O.
//
// Unknown notifications, updates and members are ignored, so that agents can evolve; unknown requests get an error and
// never an approval.
#pragma once

#include "core/json/value.hpp"
#include "core/result.hpp"
#include "runtimes/acp/tool_call.hpp"
#include "runtimes/json_rpc_peer.hpp"

#include <string>
#include <variant>

namespace countersign::runtimes::acp {

enum class AskKind {
    permission,   // session/request_permission
    elicitation,  // elicitation/create: a form, or a page to open
};

// A request that waits for an answer. All fields are raw.
struct Ask {
    AskKind kind = AskKind::permission;
    std::string native_id;  // the JSON of its id, byte for byte; our answer repeats it
    std::string session_id;
    std::string call_id;         // empty: an elicitation that is not about a tool call
    std::string elicitation_id;  // of a page to open
    std::string params;          // an object; the value was read from it
    json::Value value;
    ToolCall call = {};  // of a permission; the adapter adds what the agent said earlier
};

// $/cancel_request: the agent does not wait for a decision any more, but still for an answer.
struct CancelRequest {
    std::string native_id;
};
// elicitation/complete: what the page was for has happened.
struct ElicitationDone {
    std::string elicitation_id;
};

struct CallUpdate {
    std::string session_id;
    std::string call_id;
    ToolCall call;
    std::string status;      // "pending", "in_progress", "completed", "failed" or empty
    bool announces = false;  // a new call
    bool not_run = false;    // the agent itself says that the call was refused
};
// A piece of the agent's text.
struct Said {
    std::string session_id;
    std::string text;
};
struct ModeChanged {
    std::string session_id;
    std::string mode;
};
// A request of a kind that we do not support.
struct OtherRequest {
    std::string native_id;
    std::string method;
};
// A message of a known kind that cannot be read.
struct Unreadable {
    AskKind kind = AskKind::permission;
    std::string native_id;  // empty: no answer is expected
    Error why;
};
struct Ignored {};

using Message =
    std::variant<Ignored, Ask, CancelRequest, ElicitationDone, CallUpdate, Said, ModeChanged, OtherRequest, Unreadable>;

[[nodiscard]] Message read_message(const RpcMessage& message);

}  // namespace countersign::runtimes::acp
