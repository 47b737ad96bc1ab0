// SPDX-License-Identifier: Apache-2.0
// Sample events, and a function to change one member of them.
#pragma once

#include "core/json/read.hpp"
#include "core/json/write.hpp"
#include "runtimes/event/translate.hpp"
#include "tests/runtimes/test_redactor.hpp"

#include <string>
#include <string_view>

namespace countersign::runtimes::event {

inline const std::string tool_use_event =
    R"({"type":"approval_request","approvalId":"01ARZ3NDEKTSV4RRFFQ69G5FAV",)"
    R"("approvalSource":"runtime_tool","subject":{"kind":"tool_use","toolName":"Bash","toolId":"toolu_1",)"
    R"("rawInput":{"command":"ls -la"},"displayArgs":{"command":"something harmless"}},)"
    R"("options":[{"optionId":"allow","label":"Allow","nativeDecision":"allow","role":"primary"},)"
    R"({"optionId":"always","label":"Always","nativeDecision":"allow_always"},)"
    R"({"optionId":"deny","label":"Deny","nativeDecision":"deny","role":"destructive"}],"timeoutMs":60000})";

inline const std::string shell_event =
    R"({"type":"approval_request","approvalId":"01ARZ3NDEKTSV4RRFFQ69G5FAV",)"
    R"("approvalSource":"runtime_tool","subject":{"kind":"shell_exec","argv":["ls -la src"],"cwd":"/w",)"
    R"("commandText":"ls -la src","displayCommandText":"nothing to see"},)"
    R"("options":[{"optionId":"accept","label":"Accept","nativeDecision":"accept"},)"
    R"({"optionId":"decline","label":"Decline","nativeDecision":"decline"}]})";

inline const std::string question_event =
    R"({"type":"question_request","approvalId":"01ARZ3NDEKTSV4RRFFQ69G5FAV",)"
    R"("sessionKey":"s1","questions":[{"questionId":"color","text":"Which color?",)"
    R"("choices":[{"label":"Red","description":"the warm one"},{"label":"Blue"}]},)"
    R"({"questionId":"notes","text":"Anything else?","freeText":true,"required":false}]})";

// Follows names of members and, written as numbers, indexes of elements: "options.1.label".
inline json::Value* at(json::Value& value, std::string_view path) {
    const auto dot = path.find('.');
    const auto head = path.substr(0, dot);
    json::Value* next = nullptr;
    if (auto* object = value.object()) {
        for (auto& [name, member] : object->members()) {
            if (name == head) next = &member;
        }
        if (next == nullptr) {
            object->add(std::string{head}, nullptr);
            next = &object->members().back().second;
        }
    } else if (auto* array = value.array()) {
        next = &array->at(static_cast<std::size_t>(std::stoi(std::string{head})));
    }
    return dot == path.npos ? next : at(*next, path.substr(dot + 1));
}

inline std::string with(const std::string& event, std::string_view path, json::Value value) {
    auto document = json::read(event);
    *at(document->value, path) = std::move(value);
    return json::canonical(document->value);
}

inline std::string without(const std::string& event, std::string_view path) {
    auto document = json::read(event);
    const auto dot = path.rfind('.');
    auto* parent = dot == path.npos ? &document->value : at(document->value, path.substr(0, dot));
    const auto name = dot == path.npos ? path : path.substr(dot + 1);
    std::erase_if(parent->object()->members(), [name](const auto& member) { return member.first == name; });
    return json::canonical(document->value);
}

inline const Rules no_rules{};

inline Context context(const Rules& rules = no_rules) {
    return {.agent_id = "dev",
            .runtime = "event",
            .session_key = "s0",
            .requester = "alice",
            .rules = rules,
            .redactor = test_redactor()};
}

inline Result<Translated> read(const std::string& line) { return translate(line, context()); }
inline std::string refusal(const std::string& line) {
    const auto made = read(line);
    return made ? "accepted" : made.error().detail;
}
inline const Approval& approval_of(const Result<Translated>& made) { return std::get<Approval>(made->request.body); }

}  // namespace countersign::runtimes::event
