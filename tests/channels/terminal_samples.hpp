// SPDX-License-Identifier: Apache-2.0
// Requests as a terminal gets them, the same in every test of it.
#pragma once

#include "channels/terminal/keys.hpp"
#include "core/ports/channel.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace countersign::channels::terminal::samples {

inline Ulid id_of(std::uint8_t number) {
    return {WallTime{std::chrono::milliseconds{1'763'258'400'000}}, {0, 0, 0, 0, 0, 0, 0, 0, 0, number}};
}

inline std::vector<Option> options() {
    return {
        {.option_id = "allow", .label = "Allow once", .detail = "runs this call", .effect = Effect::allow},
        {.option_id = "session",
         .label = "This call, session",
         .detail = "",
         .effect = Effect::allow,
         .scope = Scope::session,
         .grants = true},
        {.option_id = "deny", .label = "Deny", .detail = "the agent hears no", .effect = Effect::deny},
    };
}

inline Request approval(std::uint8_t number = 1) {
    Request request;
    request.id = id_of(number);
    request.agent_id = "builder";
    request.runtime = "claude";
    request.session_key = "s-7";
    request.cwd = "/srv/app";
    request.judgement.risk = {.level = RiskLevel::high, .rule = "removes-files"};
    request.body = Approval{.subject = ToolUse{.tool_name = "Bash", .tool_id = "t1"},
                            .display_text = "rm -rf build\nmake all",
                            .diff = "",
                            .untrusted_reason = "I need a clean build.",
                            .options = options()};
    return request;
}

inline Question stack() {
    return {.question_id = "Stack",
            .text = "Pick a framework",
            .choices = {{"React", "the usual"}, {"Vue", ""}, {"Svelte", ""}},
            .multiple = false,
            .free_text = true};
}
inline Question targets() {
    return {.question_id = "Targets",
            .text = "Which targets?",
            .choices = {{"web", ""}, {"ios", ""}, {"android", ""}},
            .multiple = true};
}
inline Question notes() {
    Question question{.question_id = "Notes", .text = "Anything else?", .choices = {}, .free_text = true};
    question.required = false;
    return question;
}

inline Request question(std::vector<Question> questions, std::uint8_t number = 2) {
    auto request = approval(number);
    request.body = Questionnaire{std::move(questions)};
    return request;
}

inline Presentation presentation(Request request, DeliveryId id) {
    Presentation made;
    made.id = id;
    if (const auto* approval = request.approval()) made.offered = approval->options;
    made.request = std::make_shared<const Request>(std::move(request));
    return made;
}

inline Key typed(std::string text) { return {KeyKind::text, std::move(text)}; }
inline Key key(KeyKind kind) { return {kind, kind == KeyKind::space ? " " : ""}; }

}  // namespace countersign::channels::terminal::samples
