// SPDX-License-Identifier: Apache-2.0
#include "runtimes/claude/hook_event.hpp"

#include "core/json/members.hpp"
#include "core/json/read.hpp"
#include "core/limits.hpp"
#include "runtimes/claude/questions.hpp"
#include "security/args_hash.hpp"

namespace countersign::runtimes::claude {
namespace {

constexpr std::string_view plan_tool = "ExitPlanMode";

// Short names for files. 64 bits are enough to tell the sessions of one user apart, 128 for calls, which a model makes.
std::string short_hash(std::string_view kind, std::string_view text) {
    return security::native_key("claude-hook", kind, text).substr(0, 16);
}

Result<HookAgent> agent_of(const json::Object& object) {
    const auto session = text_of(object, "session_id");
    if (session.empty()) return Error{Errc::malformed, "session_id: is missing"};
    if (session.size() > limits::session_key_bytes_max) return Error{Errc::too_large, "session_id"};
    const auto inner = text_of(object, "agent_id");
    return HookAgent{.session = short_hash("session", session),
                     .inner = inner.empty() ? "main" : short_hash("agent", inner)};
}

// The answers to questions become part of the arguments, so only the questions identify the call.
Result<std::string> call_of(std::string_view text, const json::Object& object) {
    const auto tool = text_of(object, "tool_name");
    if (tool.empty()) return Error{Errc::malformed, "tool_name: is missing"};
    const auto* input = object.find("tool_input");
    if (input == nullptr || input->object() == nullptr) return Error{Errc::malformed, "tool_input: must be an object"};
    const auto* questions = tool == question_tool ? input->object()->find("questions") : nullptr;
    const auto hash = security::args_hash(tool, bytes_of(text, questions == nullptr ? *input : *questions));
    if (!hash) return hash.error();
    return hash->hex.substr(0, 32);
}

Result<void> check_tool(std::string_view text, const json::Object& object) {
    const auto* name = object.find("tool_name");
    if (name->string()->size() > limits::tool_name_bytes_max) return Error{Errc::too_large, "tool_name"};
    const auto read = json::read(bytes_of(text, *name));
    if (!read || !read->exact()) return Error{Errc::malformed, "tool_name: is not valid Unicode"};
    return {};
}

std::string inner_name(const json::Object& object) {
    const auto id = text_of(object, "agent_id");
    const auto type = text_of(object, "agent_type");
    return id.empty() || type.empty() ? id : type + " " + id;
}

Result<HookEvent> read_asked(std::string_view text, const json::Value& value, HookAgent agent) {
    if (text.size() > limits::json_bytes_max) return Error{Errc::too_large, "the request"};
    if (const auto twice = given_twice(value, "tool_input")) {
        return Error{Errc::malformed, "a member is given twice"};
    }
    const auto& object = *value.object();
    auto call = call_of(text, object);
    if (!call) return call.error();
    if (const auto checked = check_tool(text, object); !checked) return checked.error();
    PermissionAsked asked{.session_id = text_of(object, "session_id"),
                          .cwd = text_of(object, "cwd"),
                          .agent = std::move(agent),
                          .call = std::move(*call),
                          .tool = {}};
    asked.tool.tool_name = text_of(object, "tool_name");
    asked.tool.input = *object.find("tool_input");
    asked.tool.raw_input = bytes_of(text, asked.tool.input);
    asked.tool.inner_agent = inner_name(object);
    asked.tool.only_deny = asked.tool.tool_name == plan_tool;
    if (const auto* suggestions = find_array(object, "permission_suggestions")) {
        for (const auto& one : *suggestions) asked.tool.suggestions.emplace_back(bytes_of(text, one));
    }
    // Without suggestions, an ask rule or another hook made it ask. Which one isn't said; it may be the user's own.
    asked.tool.flag_asks = object.find("permission_suggestions") == nullptr;
    return HookEvent{std::move(asked)};
}

Result<HookEvent> read_ended(std::string_view text, const json::Object& object, HookAgent agent) {
    auto call = call_of(text, object);
    if (!call) return call.error();
    return HookEvent{CallsEnded{.agent = std::move(agent), .calls = {std::move(*call)}}};
}

Result<HookEvent> read_batch(std::string_view text, const json::Object& object, HookAgent agent) {
    CallsEnded ended{.agent = std::move(agent), .calls = {}, .whole_batch = true};
    const auto* calls = find_array(object, "tool_calls");
    if (calls == nullptr) return Error{Errc::malformed, "tool_calls: must be an array"};
    if (calls->size() > hook_batch_calls_max) return Error{Errc::too_large, "tool_calls"};
    for (const auto& one : *calls) {
        if (one.object() == nullptr) return Error{Errc::malformed, "tool_calls: must be objects"};
        auto call = call_of(text, *one.object());
        if (!call) return call.error();
        ended.calls.push_back(std::move(*call));
    }
    return HookEvent{std::move(ended)};
}

}  // namespace

Result<HookEvent> read_hook_event(std::string_view text) {
    const auto read = json::read(text, hook_input_bytes_max);
    if (!read) return read.error();
    const auto* object = read->value.object();
    if (object == nullptr) return Error{Errc::malformed, "must be an object"};
    auto name = text_of(*object, "hook_event_name");
    if (name.empty()) return Error{Errc::malformed, "hook_event_name: is missing"};
    const bool stopped = name == "Stop" || name == "SubagentStop" || name == "SessionEnd";
    const bool ended = name == "PostToolUse" || name == "PostToolUseFailure";
    if (name != "PermissionRequest" && name != "PostToolBatch" && !stopped && !ended) {
        return HookEvent{OtherEvent{std::move(name)}};
    }
    auto agent = agent_of(*object);
    if (!agent) return agent.error();
    if (name == "PermissionRequest") return read_asked(text, read->value, std::move(*agent));
    if (name == "PostToolBatch") return read_batch(text, *object, std::move(*agent));
    if (ended) return read_ended(text, *object, std::move(*agent));
    if (name == "SubagentStop" && agent->is_main()) return Error{Errc::malformed, "agent_id: is missing"};
    return HookEvent{AgentStopped{.agent = std::move(*agent),
                                  .session_id = name == "SessionEnd" ? text_of(*object, "session_id") : std::string{}}};
}

}  // namespace countersign::runtimes::claude
