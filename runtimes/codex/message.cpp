// SPDX-License-Identifier: Apache-2.0
#include "runtimes/codex/message.hpp"

#include "core/json/members.hpp"
#include "core/json/read.hpp"
#include "core/limits.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace countersign::runtimes::codex {

namespace {

constexpr auto methods = std::to_array<std::pair<std::string_view, AskKind>>({
    {"item/commandExecution/requestApproval", AskKind::command},
    {"item/fileChange/requestApproval", AskKind::file_change},
    {"execCommandApproval", AskKind::old_command},
    {"applyPatchApproval", AskKind::old_patch},
    {"item/permissions/requestApproval", AskKind::permissions},
    {"item/tool/requestUserInput", AskKind::question},
    {"mcpServer/elicitation/request", AskKind::elicitation},
});

// The arguments of an MCP tool are the model's; they may have two readings, which the hash then shows.
constexpr std::string_view arguments_of_tool = "_meta.tool_params";

Message read_ask(AskKind kind, const RpcMessage& message) {
    const auto bad = [&](Errc code, std::string why) { return Unreadable{kind, message.id, {code, std::move(why)}}; };
    auto read = json::read(message.params);
    if (!read) return bad(read.error().code, read.error().detail);
    const auto* object = read->value.object();
    if (object == nullptr) return bad(Errc::malformed, "params: must be an object");
    if (given_twice(read->value, arguments_of_tool)) return bad(Errc::malformed, "params: a member is given twice");
    if (!read->exact() && kind != AskKind::elicitation) return bad(Errc::malformed, "params: can be read in two ways");
    Ask ask{.kind = kind,
            .native_id = message.id,
            .thread_id = text_of(*object, "threadId"),
            .turn_id = text_of(*object, "turnId"),
            .item_id = text_of(*object, "itemId"),
            .outlives_turn =
                kind == AskKind::question && object->find("isBlocking") != nullptr && !truth_of(*object, "isBlocking"),
            .params = message.params,
            .value = {}};
    if (kind == AskKind::old_command || kind == AskKind::old_patch) {
        ask.thread_id = text_of(*object, "conversationId");
        ask.item_id = text_of(*object, "callId");
    }
    for (const auto* id : {&ask.thread_id, &ask.turn_id, &ask.item_id}) {
        if (id->size() > limits::native_id_bytes_max) return bad(Errc::too_large, "params: an id is too long");
    }
    ask.value = std::move(read->value);
    return ask;
}

std::optional<Item> read_item(const RpcMessage& message) {
    const auto read = json::read(message.params);
    const auto* params = read ? read->value.object() : nullptr;
    const auto* item = params == nullptr ? nullptr : find_object(*params, "item");
    if (item == nullptr) return std::nullopt;
    const auto bytes = bytes_of(message.params, *params->find("item"));
    auto own = json::read(bytes);
    if (!own) return std::nullopt;
    const bool exact = own->exact();
    return Item{.thread_id = text_of(*params, "threadId"),
                .turn_id = text_of(*params, "turnId"),
                .id = text_of(*item, "id"),
                .type = text_of(*item, "type"),
                .status = text_of(*item, "status"),
                .text = std::string{bytes},
                .value = std::move(own->value),
                .exact = exact};
}

Message read_notification(const RpcMessage& message) {
    if (message.method == "item/started" || message.method == "item/completed") {
        auto item = read_item(message);
        if (!item) return Ignored{};
        if (message.method == "item/started") return ItemStarted{std::move(*item)};
        return ItemCompleted{std::move(*item)};
    }
    const auto read = json::read(message.params);
    const auto* params = read ? read->value.object() : nullptr;
    if (params == nullptr) return Ignored{};
    const auto thread_id = text_of(*params, "threadId");
    if (message.method == "serverRequest/resolved") {
        const auto* id = params->find("requestId");
        return id == nullptr ? Message{Ignored{}} : Resolved{std::string{bytes_of(message.params, *id)}};
    }
    if (message.method == "item/commandExecution/terminalInteraction")
        return Typed{thread_id, text_of(*params, "stdin")};
    if (message.method == "thread/closed") return ThreadClosed{thread_id};
    const auto* turn = find_object(*params, "turn");
    if (turn == nullptr) return Ignored{};
    if (message.method == "turn/started") return TurnStarted{thread_id, text_of(*turn, "id")};
    if (message.method != "turn/completed") return Ignored{};
    const auto* error = find_object(*turn, "error");
    return TurnEnded{thread_id, text_of(*turn, "id"), text_of(*turn, "status"),
                     error == nullptr ? std::string{} : text_of(*error, "message")};
}

}  // namespace

Message read_message(const RpcMessage& message) {
    if (message.id.empty()) return read_notification(message);
    const auto known = std::ranges::find(methods, message.method, &decltype(methods)::value_type::first);
    if (known == methods.end()) return OtherRequest{message.id, message.method};
    return read_ask(known->second, message);
}

bool is_given(const json::Object& object, std::string_view name) {
    const auto* value = object.find(name);
    return value != nullptr && !value->is_null();
}

}  // namespace countersign::runtimes::codex
