// SPDX-License-Identifier: Apache-2.0
// What a line of Claude Code's output says, as far as anything here depends on it. No I/O.
//
// The stream is the one of `--output-format stream-json` with `--permission-prompt-tool stdio`. Types that are not
// named here are passed over, so that the CLI can grow.
#pragma once

#include "core/json/value.hpp"
#include "core/result.hpp"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace countersign::runtimes::claude {

// can_use_tool: the CLI waits until it is answered. All of it is raw.
struct CanUseTool {
    std::string native_id;  // the JSON of its request_id, byte for byte; this is how it goes back
    std::string tool_name;
    std::string tool_use_id;
    std::string raw_input;  // the very bytes of the arguments
    json::Value input;
    std::vector<std::string> suggestions;  // the bytes of each permission_suggestion
    std::string decision_reason;           // the CLI's own words on why it asks
    std::string inner_agent;               // empty: the main agent
    bool person_only = false;    // the CLI says that no stored permission may answer it, or its user's own rule asks
    bool flag_asks = false;      // a rule of --settings asks, which is the user's own unless we passed it
    bool no_always = false;      // the CLI says that a lasting rule would be broader than this call
    bool default_to_no = false;  // the CLI says that a stray key must not allow it
};
// control_cancel_request: nobody waits for the answer any more.
struct Withdrawn {
    std::string native_id;
};
// A control request of another kind, which waits for an answer, too.
struct OtherRequest {
    std::string native_id;
    std::string subtype;
};
// The answer to a control request of ours.
struct Answered {
    std::string native_id;
    std::string error;  // empty: it succeeded
};
struct Started {
    std::string session_id;
    std::string cwd;
};
struct ToolCall {
    std::string tool_use_id;
    std::string tool_name;
    json::Value input;
    bool exact = true;  // false: the line has two readings
};
// What the model said, and the calls it wants to make. Of an agent that it started within its own session the words are
// left out, the calls are not.
struct Said {
    std::string text;
    std::vector<ToolCall> calls;
};
struct ToolResult {
    // not_run: a rule or a hook of the CLI's refused the call, as the CLI itself says. own_error: the result's text
    // says that the CLI refused the arguments, which a command or the server of an MCP tool can write as well.
    enum class End { done, failed, own_error, not_run };
    std::string tool_use_id;
    End end = End::done;
    friend bool operator==(const ToolResult&, const ToolResult&) = default;
};
struct ToolResults {
    std::vector<ToolResult> results;
};
struct TurnEnd {
    bool failed = false;
    std::string subtype;  // "success", "error_during_execution" …
};
// A line that cannot be read. With a native_id the CLI waits for an answer to it.
struct Unreadable {
    std::string native_id;
    Error why;
};
struct Ignored {};

using Message = std::variant<Ignored, CanUseTool, Withdrawn, OtherRequest, Answered, Started, Said, ToolResults,
                             TurnEnd, Unreadable>;

[[nodiscard]] Message read_message(std::string_view line);
// A line of which only the head was kept.
[[nodiscard]] Message read_head(std::string_view head, std::size_t bytes);

}  // namespace countersign::runtimes::claude
