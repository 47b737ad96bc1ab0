// SPDX-License-Identifier: Apache-2.0
#include "runtimes/claude/message.hpp"

#include "core/json/members.hpp"
#include "core/json/read.hpp"
#include "core/limits.hpp"
#include "runtimes/envelope.hpp"

namespace countersign::runtimes::claude {

namespace {

// The id of a request, byte for byte; empty if it is not a valid id.
std::string native_id_in(std::string_view bytes) {
    const auto read = json::read(bytes);
    const bool names = read && (read->value.string() != nullptr || read->value.number() != nullptr);
    return names ? std::string{bytes} : std::string{};
}

std::string native_id_of(std::string_view line, const json::Object& object) {
    const auto* value = object.find("request_id");
    return value == nullptr ? std::string{} : native_id_in(bytes_of(line, *value));
}

std::string outer_text(std::string_view text, std::string_view name) {
    const auto bytes = outer_scalar(text, name);
    const auto read = bytes ? json::read(*bytes) : Result<json::Document>{};
    return read && read->value.string() != nullptr ? *read->value.string() : std::string{};
}

// Reads only the outermost members: who waits for an answer, and whether a turn is over.
Message message_from_outside(std::string_view text, Error why) {
    const auto type = outer_text(text, "type");
    if (type == "control_request") {
        return Unreadable{native_id_in(outer_scalar(text, "request_id").value_or("")), std::move(why)};
    }
    if (type == "result") return TurnEnd{outer_scalar(text, "is_error") == "true", outer_text(text, "subtype")};
    const bool known = type == "assistant" || type == "user" || type == "system" || type == "stream_event";
    if (known && why.code == Errc::too_large) return Ignored{};
    return Unreadable{{}, std::move(why)};
}

bool exact(std::string_view bytes) {
    const auto read = json::read(bytes);
    return read && read->exact();
}

Result<void> check_tool(std::string_view line, const json::Object& request) {
    const auto* name = request.find("tool_name");
    if (name == nullptr || name->string() == nullptr || name->string()->empty()) {
        return Error{Errc::malformed, "request.tool_name: is missing"};
    }
    if (name->string()->size() > limits::tool_name_bytes_max) return Error{Errc::too_large, "request.tool_name"};
    if (!exact(bytes_of(line, *name))) return Error{Errc::malformed, "request.tool_name: is not valid Unicode"};
    if (text_of(request, "tool_use_id").size() > limits::tool_id_bytes_max) {
        return Error{Errc::too_large, "request.tool_use_id"};
    }
    if (find_object(request, "input") == nullptr) return Error{Errc::malformed, "request.input: must be an object"};
    return {};
}

// Which settings rules ask. The CLI names a broad rule first, but another one may follow.
struct AskRules {
    bool of_flag = false;  // from --settings
    bool of_user = false;  // from a settings file
};

AskRules ask_rules_in(const json::Object& request) {
    AskRules rules;
    const auto add = [&rules](const std::string& source) {
        (source == "flagSettings" ? rules.of_flag : rules.of_user) = true;
    };
    if (const auto* rule = find_object(request, "matched_ask_rule")) {
        const bool all = text_of(*rule, "tool_name") == "*" && rule->find("rule_content") == nullptr;
        add(all ? text_of(*rule, "source") : "a rule of its own");
    }
    const auto source = text_of(request, "decision_reason_rule_source");
    if (text_of(request, "decision_reason_type") == "rule" && !source.empty()) add(source);
    return rules;
}

Message read_can_use_tool(std::string_view line, std::string native_id, const json::Object& request) {
    if (const auto checked = check_tool(line, request); !checked) return Unreadable{native_id, checked.error()};
    CanUseTool call;
    call.native_id = std::move(native_id);
    call.tool_name = text_of(request, "tool_name");
    call.tool_use_id = text_of(request, "tool_use_id");
    call.input = *request.find("input");
    call.raw_input = bytes_of(line, call.input);
    if (const auto* suggestions = find_array(request, "permission_suggestions")) {
        for (const auto& one : *suggestions) call.suggestions.emplace_back(bytes_of(line, one));
    }
    call.decision_reason = text_of(request, "decision_reason");
    call.inner_agent = text_of(request, "agent_id");
    const auto rules = ask_rules_in(request);
    call.person_only = truth_of(request, "requires_user_interaction") || rules.of_user;
    call.flag_asks = rules.of_flag;
    call.no_always = truth_of(request, "suppress_always_allow_rule");
    call.default_to_no = truth_of(request, "default_to_no");
    return call;
}

Message read_control_request(std::string_view line, const json::Value& value) {
    const auto& object = *value.object();
    auto native_id = native_id_of(line, object);
    if (native_id.empty()) return Unreadable{{}, {Errc::malformed, "request_id: is missing"}};
    if (native_id.size() > limits::native_id_bytes_max) {
        return Unreadable{std::move(native_id), {Errc::too_large, "request_id"}};
    }
    if (const auto twice = given_twice(value, "request.input")) {
        // With duplicate names the CLI uses the last one.
        return message_from_outside(line, {Errc::malformed, "a member is given twice"});
    }
    const auto* request = find_object(object, "request");
    if (request == nullptr) return Unreadable{std::move(native_id), {Errc::malformed, "request: must be an object"}};
    auto subtype = text_of(*request, "subtype");
    if (subtype == "can_use_tool") return read_can_use_tool(line, std::move(native_id), *request);
    return OtherRequest{std::move(native_id), std::move(subtype)};
}

Message read_control_response(std::string_view line, const json::Object& object) {
    const auto* response = find_object(object, "response");
    if (response == nullptr) return Ignored{};
    Answered answered{.native_id = native_id_of(line, *response), .error = {}};
    if (text_of(*response, "subtype") != "success") {
        answered.error = text_of(*response, "error");
        if (answered.error.empty()) answered.error = "no reason given";
    }
    return answered;
}

const json::Array* content_of(const json::Object& object) {
    const auto* message = find_object(object, "message");
    return message == nullptr ? nullptr : find_array(*message, "content");
}

Message read_assistant(const json::Object& object, bool exact) {
    const auto* content = content_of(object);
    if (content == nullptr) return Ignored{};
    const bool main_agent = text_of(object, "parent_tool_use_id").empty();
    Said said;
    for (const auto& part : *content) {
        const auto* block = part.object();
        if (block == nullptr) continue;
        const auto type = text_of(*block, "type");
        if (type == "text" && main_agent) {
            said.text.append(said.text.empty() ? "" : "\n").append(text_of(*block, "text"));
        } else if (type == "tool_use") {
            const auto* input = block->find("input");
            said.calls.push_back({.tool_use_id = text_of(*block, "id"),
                                  .tool_name = text_of(*block, "name"),
                                  .input = input == nullptr ? json::Value{} : *input,
                                  .exact = exact});
        }
    }
    return said;
}

// The CLI's metadata about how a call ended; null if there is none.
const json::Object* meta_of(const json::Object& line, std::string_view tool_use_id) {
    const auto* all = find_array(line, "tool_result_meta");
    if (all == nullptr) return nullptr;
    for (const auto& one : *all) {
        const auto* meta = one.object();
        if (meta != nullptr && text_of(*meta, "id") == tool_use_id) return meta;
    }
    return nullptr;
}

// Whether a result's text begins like this. The text is one string or several blocks.
bool text_begins_with(const json::Object& result, std::string_view beginning) {
    const auto* blocks = find_array(result, "content");
    if (blocks == nullptr) return text_of(result, "content").starts_with(beginning);
    const auto* first = blocks->empty() ? nullptr : blocks->front().object();
    return first != nullptr && text_of(*first, "text").starts_with(beginning);
}

// How the CLI's own errors begin: unknown tool, invalid arguments.
constexpr std::string_view own_error = "<tool_use_error>";

ToolResult::End end_of(const json::Object& result, const json::Object* meta) {
    using End = ToolResult::End;
    if (!truth_of(result, "is_error")) return End::done;
    if (meta == nullptr) return text_begins_with(result, own_error) ? End::own_error : End::failed;
    const auto* decision = find_object(*meta, "permission_decision");
    const bool rejected = decision != nullptr && text_of(*decision, "decision") == "reject";
    return rejected || meta->find("non_execution_kind") != nullptr ? End::not_run : End::failed;
}

Message read_user(const json::Object& object) {
    const auto* content = content_of(object);
    if (content == nullptr) return Ignored{};
    ToolResults found;
    for (const auto& part : *content) {
        const auto* block = part.object();
        if (block == nullptr || text_of(*block, "type") != "tool_result") continue;
        const auto id = text_of(*block, "tool_use_id");
        found.results.push_back({id, end_of(*block, meta_of(object, id))});
    }
    return found;
}

}  // namespace

Message read_message(std::string_view line) {
    if (line.size() > limits::agent_line_bytes_max) return read_head(line, line.size());
    const auto document = json::read(line);
    if (!document) return message_from_outside(line, document.error());
    const auto* object = document->value.object();
    if (object == nullptr) return Unreadable{{}, {Errc::malformed, "a line must be an object"}};
    const auto type = text_of(*object, "type");
    if (type == "control_request") return read_control_request(line, document->value);
    if (type == "control_cancel_request") return Withdrawn{native_id_of(line, *object)};
    if (type == "control_response") return read_control_response(line, *object);
    if (type == "assistant") return read_assistant(*object, document->exact());
    if (type == "user") return read_user(*object);
    if (type == "result") return TurnEnd{truth_of(*object, "is_error"), text_of(*object, "subtype")};
    if (type == "system" && text_of(*object, "subtype") == "init") {
        return Started{text_of(*object, "session_id"), text_of(*object, "cwd")};
    }
    return Ignored{};
}

Message read_head(std::string_view head, std::size_t bytes) {
    return message_from_outside(head, {Errc::too_large, "a line of " + std::to_string(bytes) + " bytes, at most " +
                                                            std::to_string(limits::agent_line_bytes_max)});
}

}  // namespace countersign::runtimes::claude
