// SPDX-License-Identifier: Apache-2.0
// Sample requests of ACP agents as in their recordings.
#pragma once

#include "core/json/members.hpp"
#include "core/json/read.hpp"
#include "core/json/write.hpp"
#include "runtimes/acp/translate.hpp"
#include "tests/runtimes/test_redactor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <variant>

namespace countersign::runtimes::acp {

inline const std::string once = R"({"optionId":"once","kind":"allow_once","name":"Allow once"})";
inline const std::string always = R"({"optionId":"always","kind":"allow_always","name":"Always allow"})";
inline const std::string reject = R"({"optionId":"reject","kind":"reject_once","name":"Reject"})";
inline const std::string three_options = once + "," + always + "," + reject;

// `call`: the members of the tool call but its id.
inline std::string permission_params(const std::string& call, const std::string& options = three_options) {
    return R"({"sessionId":"s1","toolCall":{"toolCallId":"call_1",)" + call + R"(},"options":[)" + options + "]}";
}
inline std::string command_call(const std::string& command = "touch /w/x") {
    return R"("title":"touch","kind":"execute","status":"pending","rawInput":{"command":)" +
           json::canonical(json::Value{command}) + "}";
}
// Without raw input, as some agents ask.
inline const std::string titled_call =
    R"x("status":"pending","title":"touch /w/x","content":[{"type":"content","content":{"type":"text",)x"
    R"x("text":"[current working directory /w] (Create x)"}}],"locations":[],"kind":"execute")x";
inline const std::string diff_call =
    R"("status":"pending","title":"Writing to a.txt","kind":"edit","locations":[{"path":"/w/a.txt"}],)"
    R"("content":[{"type":"diff","path":"/w/a.txt","oldText":"one\n","newText":"two\n"}])";
inline std::string form_params(const std::string& properties, const std::string& required = {}) {
    return R"({"sessionId":"s1","mode":"form","message":"Please answer.","requestedSchema":{"type":"object",)"
           R"("properties":{)" +
           properties + R"(},"required":[)" + required + "]}}";
}
inline const std::string page_params =
    R"({"sessionId":"s1","mode":"url","message":"Log in","elicitationId":"e1","url":"https://login.example/x"})";

inline const Rules no_rules{};

inline Context context(const Rules& rules = no_rules, AlwaysMode mode = AlwaysMode::grant) {
    return {.id = *Ulid::parse("01ARZ3NDEKTSV4RRFFQ69G5FAV"),
            .agent_id = "dev",
            .session_key = "s1",
            .requester = "alice",
            .cwd = "/w",
            .always = mode,
            .rules = rules,
            .redactor = test_redactor()};
}
inline Context native_context(const Rules& rules = no_rules) { return context(rules, AlwaysMode::native); }

inline std::string method_of(AskKind kind) {
    return kind == AskKind::permission ? "session/request_permission" : "elicitation/create";
}
inline Message read(AskKind kind, const std::string& params) {
    return read_message({.id = "0", .method = method_of(kind), .params = params});
}
// Precondition: the parameters are readable.
inline Ask ask_of(AskKind kind, const std::string& params) {
    auto message = read(kind, params);
    auto* ask = std::get_if<Ask>(&message);
    EXPECT_NE(ask, nullptr) << params.substr(0, 300);
    return ask == nullptr ? Ask{} : std::move(*ask);
}
inline Result<Translated> made(AskKind kind, const std::string& params, const Context& with = context()) {
    return translate(ask_of(kind, params), with);
}
inline Result<Translated> made_call(const std::string& call, const Context& with = context(),
                                    const std::string& options = three_options) {
    return made(AskKind::permission, permission_params(call, options), with);
}
inline Result<Translated> made_form(const std::string& properties, const std::string& required = {}) {
    return made(AskKind::elicitation, form_params(properties, required));
}
inline Approval approval_in(const Result<Translated>& translated) {
    return std::get<Approval>(translated->request.body);
}
inline std::vector<Question> questions_in(const Result<Translated>& translated) {
    return std::get<Questionnaire>(translated->request.body).questions;
}
inline std::vector<std::string> labels_of(const std::vector<Option>& options) {
    std::vector<std::string> labels;
    for (const auto& option : options) labels.push_back(option.label);
    return labels;
}
inline Option option_in(const Result<Translated>& translated, const std::string& id) {
    const auto options = approval_in(translated).options;
    const auto found = std::ranges::find(options, id, &Option::option_id);
    EXPECT_NE(found, options.end()) << id;
    return found == options.end() ? Option{} : *found;
}

inline Verdict verdict(const Translated& translated, Outcome outcome, std::string option_id = {},
                       std::vector<Answer> answers = {}) {
    return {.request_id = translated.request.id,
            .outcome = outcome,
            .option_id = std::move(option_id),
            .answers = std::move(answers),
            .reason = "because",
            .args_hash = translated.request.args_hash.hex};
}
inline Result<std::string> allowed(const Result<Translated>& translated, const std::string& option) {
    return resolution(translated->raw, verdict(*translated, Outcome::allowed, option));
}
inline Result<std::string> denied(const Result<Translated>& translated, const std::string& option,
                                  Outcome outcome = Outcome::denied) {
    return resolution(translated->raw, verdict(*translated, outcome, option));
}
inline Result<std::string> answered(const Result<Translated>& translated, std::vector<Answer> answers) {
    return resolution(translated->raw, verdict(*translated, Outcome::answered, {}, std::move(answers)));
}
inline std::string selected(const std::string& id) {
    return R"({"outcome":{"outcome":"selected","optionId":")" + id + "\"}}";
}
inline const std::string cancelled = R"({"outcome":{"outcome":"cancelled"}})";

}  // namespace countersign::runtimes::acp
