// SPDX-License-Identifier: Apache-2.0
// Sample requests of Codex as in its recordings.
#pragma once

#include "core/json/members.hpp"
#include "core/json/read.hpp"
#include "core/json/write.hpp"
#include "runtimes/codex/translate.hpp"
#include "tests/runtimes/test_redactor.hpp"

#include <gtest/gtest.h>

#include <string>
#include <variant>

namespace countersign::runtimes::codex {

inline const std::string ids = R"("threadId":"t1","turnId":"u1","itemId":"call_1","startedAtMs":1794786805749)";
inline const std::string amendment = R"({"acceptWithExecpolicyAmendment":{"execpolicy_amendment":["touch", "/w/x"]}})";
inline const std::string offers = R"(,"availableDecisions":["accept",)" + amendment + R"(,"cancel"])";

// The parameters of a command's approval. `more` is further members, each preceded by a comma.
inline std::string command_params(const std::string& command = "/bin/bash -lc 'touch /w/x'",
                                  const std::string& more = offers, const std::string& kind = "command") {
    return R"({"kind":")" + kind + "\"," + ids + R"(,"environmentId":"local","command":)" +
           json::canonical(json::Value{command}) +
           R"(,"cwd":"/w","commandActions":[{"type":"unknown","command":"harmless"}])" + more + "}";
}
inline const std::string human_params =
    command_params("/bin/bash -lc 'touch /w/x'",
                   R"(,"approvalId":"a-1","reason":"requires human approval","availableDecisions":["accept",)"
                   R"("acceptForSession",)" +
                       amendment + R"(,"decline","cancel"])",
                   "humanCommand");
inline const std::string change_params = "{" + ids + R"(,"reason":null,"grantRoot":null})";
inline const std::string added_file = R"([{"path":"/w/new.txt","kind":{"type":"add"},"diff":"hello\n"}])";
inline const std::string old_command_params =
    R"({"conversationId":"t1","callId":"call_1","approvalId":null,"command":["bash","-lc","make"],"cwd":"/w",)"
    R"("reason":"to build","parsedCmd":[]})";
inline const std::string old_patch_params =
    R"({"conversationId":"t1","callId":"call_1","fileChanges":{"/w/a":{"type":"update","unified_diff":"@@ -1 +1 @@)"
    R"(\n-one\n+two\n","move_path":null}},"reason":null,"grantRoot":null})";
inline const std::string asked_permissions =
    R"({"network":{"enabled":true},"fileSystem":{"read":null,"write":["/outside"],)"
    R"("entries":[{"path":{"type":"path","path":"/outside"},"access":"write"}]}})";
inline const std::string permission_params =
    "{" + ids + R"(,"environmentId":"local","cwd":"/w","reason":"need net","permissions":)" + asked_permissions + "}";
inline const std::string question_params =
    "{" + ids +
    R"(,"questions":[{"id":"color","header":"Color","question":"Which color?","isOther":true,"isSecret":false,)"
    R"("options":[{"label":"Red","description":"the red one"},{"label":"Blue","description":"the blue one"}]},)"
    R"({"id":"key","header":"","question":"The key?","isOther":false,"isSecret":true,"options":null}],)"
    R"("isBlocking":true,"autoResolutionMs":null})";
inline const std::string tool_params =
    R"({"threadId":"t1","turnId":"u1","serverName":"demo","mode":"form",)"
    R"("_meta":{"codex_approval_kind":"mcp_tool_call",)"
    R"("persist":["session","always"],"tool_description":"asks","tool_params":{"text":"hi"},"tool_params_display":[]},)"
    R"("message":"Allow the demo MCP server to run tool \"ask\"?",)"
    R"("requestedSchema":{"type":"object","properties":{}}})";
inline std::string form_params(const std::string& properties, const std::string& required = {}) {
    return R"({"threadId":"t1","turnId":null,"serverName":"demo","mode":"form","_meta":null,"message":"Who are you?",)"
           R"("requestedSchema":{"type":"object","properties":{)" +
           properties + R"(},"required":[)" + required + "]}}";
}

inline std::string method_of(AskKind kind) {
    switch (kind) {
    case AskKind::command:
        return "item/commandExecution/requestApproval";
    case AskKind::file_change:
        return "item/fileChange/requestApproval";
    case AskKind::old_command:
        return "execCommandApproval";
    case AskKind::old_patch:
        return "applyPatchApproval";
    case AskKind::permissions:
        return "item/permissions/requestApproval";
    case AskKind::question:
        return "item/tool/requestUserInput";
    case AskKind::elicitation:
        break;
    }
    return "mcpServer/elicitation/request";
}

inline const Rules no_rules{};

inline Context context(const Rules& rules = no_rules, AlwaysMode always = AlwaysMode::grant) {
    return {.id = *Ulid::parse("01ARZ3NDEKTSV4RRFFQ69G5FAV"),
            .agent_id = "dev",
            .session_key = "t1",
            .requester = "alice",
            .cwd = "/w",
            .always = always,
            .rules = rules,
            .redactor = test_redactor()};
}
inline Context native_context(const Rules& rules = no_rules) { return context(rules, AlwaysMode::native); }

// Precondition: the parameters are readable.
inline Ask ask_of(AskKind kind, const std::string& params) {
    auto message = read_message({.id = "0", .method = method_of(kind), .params = params});
    auto* ask = std::get_if<Ask>(&message);
    EXPECT_NE(ask, nullptr) << params.substr(0, 300);
    return ask == nullptr ? Ask{} : std::move(*ask);
}
inline Result<Translated> made(AskKind kind, const std::string& params, const Context& with = context()) {
    auto ask = ask_of(kind, params);
    if (kind == AskKind::file_change) ask.changes = added_file;
    if (kind == AskKind::elicitation) ask.mcp_tool = "ask";
    return translate(ask, with);
}
inline Result<Translated> made_command(const std::string& command, const Context& with = context()) {
    return made(AskKind::command, command_params(command), with);
}
inline Approval approval_in(const Result<Translated>& translated) {
    return std::get<Approval>(translated->request.body);
}

inline Verdict verdict(const Translated& translated, Outcome outcome, std::string option_id = {},
                       std::string reason = {}) {
    return {.request_id = translated.request.id,
            .outcome = outcome,
            .option_id = std::move(option_id),
            .answers = {},
            .reason = std::move(reason),
            .args_hash = translated.request.args_hash.hex};
}
inline Result<std::string> allowed(const Result<Translated>& translated, const std::string& option) {
    return resolution(translated->raw, verdict(*translated, Outcome::allowed, option));
}
inline Result<std::string> denied(const Result<Translated>& translated, const std::string& option,
                                  Outcome outcome = Outcome::denied) {
    return resolution(translated->raw, verdict(*translated, outcome, option, "not today"));
}

}  // namespace countersign::runtimes::codex
