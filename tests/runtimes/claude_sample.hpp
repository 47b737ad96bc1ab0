// SPDX-License-Identifier: Apache-2.0
// Sample lines of Claude Code as in its recordings.
#pragma once

#include "core/json/members.hpp"
#include "core/json/read.hpp"
#include "core/json/write.hpp"
#include "runtimes/claude/translate.hpp"
#include "tests/runtimes/test_redactor.hpp"

#include <gtest/gtest.h>

#include <string>
#include <variant>

namespace countersign::runtimes::claude {

inline const std::string native = "\"0cf78da6-9fa3-4707-98f7-1d811eb6c221\"";

// A can_use_tool with these arguments. `more` is further members of the request, each preceded by a comma.
inline std::string asks(const std::string& tool, const std::string& input, const std::string& more = {}) {
    return R"({"type":"control_request","request_id":)" + native +
           R"(,"request":{"subtype":"can_use_tool","tool_name":")" + tool + R"(","display_name":"harmless","input":)" +
           input + R"(,"description":"something harmless","tool_use_id":"toolu_1")" + more + "}}";
}
inline std::string suggests(const std::string& suggestions) {
    return R"(,"permission_suggestions":[)" + suggestions + "]";
}
inline const std::string rule_suggestion =
    R"({"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"touch /w/x"}],"behavior":"allow",)"
    R"("destination":"localSettings"})";
inline const std::string mode_suggestion = R"({"type":"setMode","mode":"acceptEdits","destination":"session"})";
inline const std::string directory_suggestion =
    R"({"type":"addDirectories","directories":["/w"],"destination":"session"})";
inline const std::string bash_line =
    asks("Bash", R"({"command":"touch /w/x","description":"Create x"})",
         suggests(rule_suggestion + "," + directory_suggestion + "," + mode_suggestion));
inline const std::string question_input =
    R"({"questions":[{"question":"Which color?","header":"Color",)"
    R"("options":[{"label":"Red","description":"the red one"},)"
    R"({"label":"Blue","description":"the blue one"}],"multiSelect":false},)"
    R"({"question":"Which sizes?","header":"Sizes",)"
    R"("options":[{"label":"S","description":"small"},{"label":"L","description":"large"}],"multiSelect":true}]})";

inline const Rules no_rules{};

inline Context context(const Rules& rules = no_rules, AlwaysMode always = AlwaysMode::grant) {
    return {.id = *Ulid::parse("01ARZ3NDEKTSV4RRFFQ69G5FAV"),
            .agent_id = "dev",
            .session_key = "s0",
            .requester = "alice",
            .cwd = "/w",
            .always = always,
            .rules = rules,
            .redactor = test_redactor()};
}

// Precondition of both functions: the line asks for permission.
inline CanUseTool call_in(const std::string& line) {
    auto message = read_message(line);
    auto* call = std::get_if<CanUseTool>(&message);
    EXPECT_NE(call, nullptr) << line.substr(0, 200);
    return call == nullptr ? CanUseTool{} : std::move(*call);
}
inline Result<Translated> made(const std::string& line, const Context& with = context()) {
    return translate(call_in(line), with);
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

inline std::string answer(const std::string& body) {
    return R"({"type":"control_response","response":{"subtype":"success","request_id":)" + native + R"(,"response":)" +
           body + "}}";
}

}  // namespace countersign::runtimes::claude
