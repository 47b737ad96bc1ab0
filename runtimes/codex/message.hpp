// SPDX-License-Identifier: Apache-2.0
// Parses a message of `codex app-server`, as far as we depend on it. No I/O.
//
// Requests for a decision become an Ask. Unknown notifications are ignored, so that Codex can evolve; unknown requests
// get an error and never an approval.
#pragma once

#include "core/json/value.hpp"
#include "core/result.hpp"
#include "runtimes/json_rpc_peer.hpp"

#include <string>
#include <string_view>
#include <variant>

namespace countersign::runtimes::codex {

enum class AskKind {
    command,      // item/commandExecution/requestApproval
    file_change,  // item/fileChange/requestApproval
    old_command,  // execCommandApproval, of the first protocol version
    old_patch,    // applyPatchApproval, of the first protocol version
    permissions,  // item/permissions/requestApproval
    question,     // item/tool/requestUserInput
    elicitation,  // mcpServer/elicitation/request: a form of an MCP server, or an approval of its tool
};

// A request that waits for an answer. All fields are raw.
struct Ask {
    AskKind kind = AskKind::command;
    std::string native_id;  // the JSON of its id, byte for byte; our answer repeats it
    std::string thread_id;
    std::string turn_id;  // empty if Codex could not name one
    std::string item_id;
    bool outlives_turn = false;  // a question that the agent does not wait for
    std::string params;          // an object; the value was read from it
    json::Value value;
    // What earlier messages said about its item and its thread. The adapter fills it in.
    bool of_sub_agent = false;
    std::string changes = {};   // of a file change: the JSON of the list
    std::string mcp_tool = {};  // of an MCP tool's approval: the tool's name
};

// serverRequest/resolved: sent for every end of a request, also after our own answer.
struct Resolved {
    std::string native_id;
};

struct Item {
    std::string thread_id;
    std::string turn_id;
    std::string id;
    std::string type;
    std::string status;  // "inProgress", "completed", "failed", "declined" or empty
    std::string text;    // the JSON of the item; the value was read from it
    json::Value value;
    bool exact = true;  // false: it can be read in two ways
};
struct ItemStarted {
    Item item;
};
struct ItemCompleted {
    Item item;
};
// Input that the agent typed into a running command.
struct Typed {
    std::string thread_id;
    std::string text;
};
struct TurnStarted {
    std::string thread_id;
    std::string turn_id;
};
struct TurnEnded {
    std::string thread_id;
    std::string turn_id;
    std::string status;  // "completed", "interrupted" or "failed"
    std::string error;
};
struct ThreadClosed {
    std::string thread_id;
};
// A request of a kind that we do not support.
struct OtherRequest {
    std::string native_id;
    std::string method;
};
// A request of a known kind that cannot be read.
struct Unreadable {
    AskKind kind = AskKind::command;
    std::string native_id;
    Error why;
};
struct Ignored {};

using Message = std::variant<Ignored, Ask, Resolved, ItemStarted, ItemCompleted, Typed, TurnStarted, TurnEnded,
                             ThreadClosed, OtherRequest, Unreadable>;

[[nodiscard]] Message read_message(const RpcMessage& message);

// A string member whose null means the same as its absence.
[[nodiscard]] bool is_given(const json::Object& object, std::string_view name);

}  // namespace countersign::runtimes::codex
