// SPDX-License-Identifier: Apache-2.0
#include "core/json/write.hpp"
#include "runtimes/binding.hpp"
#include "runtimes/event/translate.hpp"

#include <algorithm>

namespace countersign::runtimes::event {

namespace {

Result<void> add_option(json::Object& entry, const RawCall& raw, const Verdict& verdict) {
    const bool allowed = verdict.outcome == Outcome::allowed;
    if (verdict.option_id.empty()) {
        if (allowed) return Error{Errc::conflict, "an allow without an option"};
        return {};
    }
    const auto option = std::ranges::find(raw.options, verdict.option_id, &RawOption::option_id);
    if (option == raw.options.end()) return Error{Errc::unknown_option, "optionId: the event did not offer it"};
    if (allowed != (option->effect == Effect::allow)) {
        return Error{Errc::conflict, "the outcome and the option's effect disagree"};
    }
    entry.add("optionId", option->option_id);
    entry.add("nativeDecision", option->native_decision);
    return {};
}

Result<json::Value> answer_of(const RawCall& raw, const Answer& answer) {
    const auto question = std::ranges::find(raw.questions, answer.question_id, &RawQuestion::question_id);
    if (question == raw.questions.end()) return Error{Errc::unknown_option, "questionId: the event did not ask it"};
    if (answer.choices.size() > 1 && !question->multiple) return Error{Errc::conflict, "the question takes one choice"};
    if (!answer.text.empty() && !question->free_text) return Error{Errc::conflict, "the question takes no free text"};
    json::Array choices;
    for (const auto& shown : answer.choices) {
        const auto choice = std::ranges::find(question->choices, shown, &RawChoice::shown);
        if (choice == question->choices.end())
            return Error{Errc::unknown_option, "choices: the event did not offer it"};
        choices.emplace_back(choice->label);
    }
    json::Object out{{"questionId", answer.question_id}, {"choices", std::move(choices)}};
    if (!answer.text.empty()) out.add("text", answer.text);
    return json::Value{std::move(out)};
}

Result<void> add_answers(json::Object& entry, const RawCall& raw, const Verdict& verdict) {
    if (verdict.outcome == Outcome::allowed) return Error{Errc::conflict, "a question cannot be allowed"};
    json::Array answers;
    for (const auto& answer : verdict.answers) {
        auto made = answer_of(raw, answer);
        if (!made) return made.error();
        answers.push_back(std::move(*made));
    }
    if (verdict.outcome == Outcome::answered) entry.add("answers", std::move(answers));
    return {};
}

}  // namespace

Result<std::string> resolution(const RawCall& raw, const Verdict& verdict) {
    if (const auto bound = check_binding(raw.id, raw.tool, raw.raw_input, verdict); !bound) return bound.error();
    const bool question = !raw.questions.empty();
    json::Object entry{{"approvalId", raw.id.str()}, {"outcome", name(verdict.outcome)}};
    const auto added = question ? add_answers(entry, raw, verdict) : add_option(entry, raw, verdict);
    if (!added) return added.error();
    if (!verdict.reason.empty()) entry.add("reason", verdict.reason);
    json::Object line;
    line.add(question ? "resolvedQuestions" : "resolvedApprovals", json::Array{json::Value{std::move(entry)}});
    return json::canonical(line);
}

}  // namespace countersign::runtimes::event
