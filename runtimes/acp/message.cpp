// SPDX-License-Identifier: Apache-2.0
#include "runtimes/acp/message.hpp"

#include "core/json/members.hpp"
#include "core/json/read.hpp"
#include "core/limits.hpp"
#include "runtimes/acp/known_agents.hpp"

#include <utility>

namespace countersign::runtimes::acp {

namespace {

bool is_id(const std::string& id) { return !id.empty() && id.size() <= limits::native_id_bytes_max; }

Message read_permission(const RpcMessage& message, json::Value value, Ask ask) {
    const auto bad = [&](Errc code, std::string why) {
        return Unreadable{AskKind::permission, message.id, {code, std::move(why)}};
    };
    const auto& params = *value.object();
    // With two members of one name, people could be shown another one than the agent uses.
    if (given_twice(value, "toolCall.rawInput")) return bad(Errc::malformed, "params: a member is given twice");
    const auto* call = find_object(params, "toolCall");
    if (call == nullptr) return bad(Errc::malformed, "toolCall: must be an object");
    ask.call_id = text_of(*call, "toolCallId");
    if (!is_id(ask.call_id)) return bad(Errc::malformed, "toolCall.toolCallId: is missing or too long");
    ask.call = ToolCall{*call, message.params};
    ask.value = std::move(value);
    return ask;
}

Message read_elicitation(const RpcMessage& message, json::Value value, bool exact, Ask ask) {
    // The answer refers to names and values, so both sides must read the same ones.
    if (!exact) {
        const Error why{Errc::malformed, "params: can be read in two ways"};
        return Unreadable{AskKind::elicitation, message.id, why};
    }
    ask.call_id = text_of(*value.object(), "toolCallId");
    ask.elicitation_id = text_of(*value.object(), "elicitationId");
    for (const auto* id : {&ask.call_id, &ask.elicitation_id}) {
        if (id->size() <= limits::native_id_bytes_max) continue;
        return Unreadable{AskKind::elicitation, message.id, {Errc::too_large, "params: an id is too long"}};
    }
    ask.value = std::move(value);
    return ask;
}

Message read_ask(AskKind kind, const RpcMessage& message) {
    auto read = json::read(message.params);
    if (!read) return Unreadable{kind, message.id, read.error()};
    const auto* params = read->value.object();
    if (params == nullptr) return Unreadable{kind, message.id, {Errc::malformed, "params: must be an object"}};
    Ask ask{.kind = kind,
            .native_id = message.id,
            .session_id = text_of(*params, "sessionId"),
            .call_id = {},
            .elicitation_id = {},
            .params = message.params,
            .value = {}};
    if (ask.session_id.size() > limits::native_id_bytes_max) {
        return Unreadable{kind, message.id, {Errc::too_large, "sessionId"}};
    }
    if (kind == AskKind::permission) return read_permission(message, std::move(read->value), std::move(ask));
    return read_elicitation(message, std::move(read->value), read->exact(), std::move(ask));
}

Message read_update(const RpcMessage& message, const json::Value& value) {
    const auto& params = *value.object();
    const auto* update = find_object(params, "update");
    if (update == nullptr) return Ignored{};
    const auto kind = text_of(*update, "sessionUpdate");
    auto session_id = text_of(params, "sessionId");
    if (session_id.size() > limits::native_id_bytes_max) return Ignored{};
    if (kind == "agent_message_chunk") {
        const auto* content = find_object(*update, "content");
        return content == nullptr ? Message{Ignored{}} : Said{std::move(session_id), text_of(*content, "text")};
    }
    if (kind == "current_mode_update") return ModeChanged{std::move(session_id), text_of(*update, "currentModeId")};
    if (kind != "tool_call" && kind != "tool_call_update") return Ignored{};
    auto call_id = text_of(*update, "toolCallId");
    if (!is_id(call_id)) return Unreadable{{}, {}, {Errc::malformed, "toolCallId: is missing or too long"}};
    if (given_twice(value, "update.rawInput"))
        return Unreadable{{}, {}, {Errc::malformed, "update: a member is given twice"}};
    return CallUpdate{.session_id = std::move(session_id),
                      .call_id = std::move(call_id),
                      .call = ToolCall{*update, message.params},
                      .status = text_of(*update, "status"),
                      .announces = kind == "tool_call",
                      .not_run = says_not_run(*update)};
}

Message read_notification(const RpcMessage& message) {
    const auto read = json::read(message.params);
    const auto* params = read ? read->value.object() : nullptr;
    if (params == nullptr) return Ignored{};
    if (message.method == "session/update") return read_update(message, read->value);
    if (message.method == "elicitation/complete") return ElicitationDone{text_of(*params, "elicitationId")};
    if (message.method != "$/cancel_request") return Ignored{};
    const auto* id = params->find("requestId");
    return id == nullptr ? Message{Ignored{}} : CancelRequest{std::string{bytes_of(message.params, *id)}};
}

}  // namespace

Message read_message(const RpcMessage& message) {
    if (message.id.empty()) return read_notification(message);
    if (message.method == "session/request_permission") return read_ask(AskKind::permission, message);
    if (message.method == "elicitation/create") return read_ask(AskKind::elicitation, message);
    return OtherRequest{message.id, message.method};
}

}  // namespace countersign::runtimes::acp
