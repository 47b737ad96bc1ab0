// SPDX-License-Identifier: Apache-2.0
// Parses a line of Claude Code's output, as far as we depend on it. No I/O.
//
// The stream is that of `--output-format stream-json` with `--permission-prompt-tool stdio`. Unknown message types are
// ignored, so that the CLI can evolve.
#pragma once

#include "core/json/value.hpp"
#include "core/result.hpp"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace countersign::runtimes::claude {

// can_use_tool: the CLI waits for an answer. All fields are raw.
struct CanUseTool {
    std::string native_id;  // the JSON of its request_id, byte for byte; our answer repeats it
    std::string tool_name;
    std::string tool_use_id;
    std::string raw_input;  // the arguments, byte for byte
    json::Value input;
    std::vector<std::string> suggestions;  // the bytes of each permission_suggestion
    std::string decision_reason;           // the CLI's explanation why it asks
    std::string inner_agent;               // empty: the main agent
    bool person_only = false;              // no stored permission may answer it, or its user's own rule asks
    bool flag_asks = false;                // a rule from --settings asks; it is the user's own unless we passed it
    bool no_always = false;                // a lasting rule would be broader than this call
    bool default_to_no = false;            // a stray key press must not allow it
    bool only_deny = false;                // the CLI ignores an allow
};
// control_cancel_request: the CLI does not wait for the answer any more.
struct Withdrawn {
    std::string native_id;
};
// A control request of another kind, which also waits for an answer.
struct OtherRequest {
    std::string native_id;
    std::string subtype;
};
// The answer to one of our control requests.
struct Answered {
    std::string native_id;
    std::string error;  // empty on success
};
struct Started {
    std::string session_id;
    std::string cwd;
};
struct ToolCall {
    std::string tool_use_id;
    std::string tool_name;
    json::Value input;
    bool exact = true;  // false: the line can be read in two ways
};
// The model's text and the calls it wants to make. The text of a sub-agent in the same session is left out; its calls
// are not.
struct Said {
    std::string text;
    std::vector<ToolCall> calls;
};
struct ToolResult {
    // not_run: the CLI itself says that one of its rules or hooks refused the call. own_error: only the result's text
    // says that the CLI refused the arguments; a command or an MCP server could write the same text.
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
// A line that cannot be parsed. With a native_id, the CLI waits for an answer to it.
struct Unreadable {
    std::string native_id;
    Error why;
};
struct Ignored {};

using Message = std::variant<Ignored, CanUseTool, Withdrawn, OtherRequest, Answered, Started, Said, ToolResults,
                             TurnEnd, Unreadable>;

[[nodiscard]] Message read_message(std::string_view line);
// Reads a line of which only the beginning was kept.
[[nodiscard]] Message read_head(std::string_view head, std::size_t bytes);

}  // namespace countersign::runtimes::claude
