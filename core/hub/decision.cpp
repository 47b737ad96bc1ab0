// SPDX-License-Identifier: Apache-2.0
#include "core/hub/decision.hpp"

#include <algorithm>
#include <utility>

namespace countersign {

namespace {

// Everyone whose vote was needed for the allow, in the order of the votes.
std::string deciders_of(const Decision& decision) {
    std::string names;
    if (decision.outcome == Outcome::allowed) {
        for (const auto& vote : decision.votes) names += vote.person + ", ";
    }
    return names + decision.decided_by;
}

// E.g. "1. React, Vue; 2. given"
std::string answered(const Request& request, const Decision& decision, const TextGuard& guard) {
    const auto* submit = std::get_if<Submit>(&decision.attempt.what);
    if (submit == nullptr || request.questionnaire() == nullptr) return {};
    const auto& questions = request.questionnaire()->questions;
    std::string words;
    for (const auto& answer : submit->answers) {
        const auto question = std::ranges::find(questions, answer.question_id, &Question::question_id);
        if (question == questions.end()) continue;
        words += words.empty() ? "" : "; ";
        if (questions.size() > 1) words += std::to_string(question - questions.begin() + 1) + ". ";
        std::string given;
        for (const auto& choice : answer.choices) given += (given.empty() ? "" : ", ") + choice;
        if (!answer.text.empty()) given += (given.empty() ? "" : ", ") + guard.clean(answer.text);
        words += question->secret ? "given" : given;
    }
    return words;
}

}  // namespace

const Option* option_of(const Attempt& attempt, const std::vector<Option>& offered) {
    const auto* choose = std::get_if<Choose>(&attempt.what);
    if (choose == nullptr) return refusal_of(offered);
    const auto found = std::ranges::find(offered, choose->option_id, &Option::option_id);
    return found == offered.end() ? nullptr : &*found;
}

Decision decision_of(Attempt attempt, const Permit& permit, Settling settling) {
    const auto& [open, votes, tally, always] = settling;
    Decision decision{
        .attempt = std::move(attempt), .decided_by = permit.person, .outcome = Outcome::cancelled, .votes = votes};
    decision.latency = std::max(decision.attempt.arrived - open.asked, std::chrono::milliseconds{0});
    if (std::holds_alternative<Submit>(decision.attempt.what)) decision.outcome = Outcome::answered;
    const auto* approval = open.request->approval();
    if (approval == nullptr) return decision;

    // With a quorum the narrowest vote is used, which may not be the last one.
    if (auto* choose = std::get_if<Choose>(&decision.attempt.what); choose != nullptr && !tally.option_id.empty()) {
        choose->option_id = tally.option_id;
    }
    const auto* chosen = option_of(decision.attempt, open.offered);
    if (chosen == nullptr) {  // no such option, e.g. no refusal: it ends without an option
        if (std::holds_alternative<Choose>(decision.attempt.what)) decision.outcome = Outcome::denied;
        return decision;
    }
    decision.chosen = *chosen;
    const bool cancels = std::holds_alternative<Cancel>(decision.attempt.what) || chosen->effect == Effect::cancel;
    if (!cancels) decision.outcome = chosen->effect == Effect::allow ? Outcome::allowed : Outcome::denied;
    const auto* sent = sent_for(approval->options, *chosen, always);
    if (sent != nullptr) decision.sent_option_id = sent->option_id;
    return decision;
}

Verdict verdict_of(const Request& request, const Decision& decision, const Halt* halt) {
    const auto* submit = std::get_if<Submit>(&decision.attempt.what);
    auto reason = decision.attempt.reason;
    // How to lift the halt matters to the person at the agent's terminal, not in the record.
    if (halt != nullptr && decision.attempt.principal == halt_principal(halt->by)) {
        reason = halt_refusal(*halt, request);
    }
    return {.request_id = request.id,
            .outcome = decision.outcome,
            .option_id = decision.sent_option_id,
            .answers = submit == nullptr ? std::vector<Answer>{} : submit->answers,
            .reason = std::move(reason),
            .args_hash = request.args_hash.hex,
            .edited_input = decision.attempt.edited_input};
}

Verdict refusal(const Request& request, Outcome outcome, std::string reason) {
    const auto* approval = request.approval();
    const auto* option = approval == nullptr ? nullptr : refusal_of(approval->options);
    return {.request_id = request.id,
            .outcome = outcome,
            .option_id = option == nullptr ? std::string{} : option->option_id,
            .reason = std::move(reason),
            .args_hash = request.args_hash.hex};
}

Conclusion conclusion_of(const Request& request, const Decision& decision, const Receipt& receipt,
                         const TextGuard& guard) {
    return {.request_id = request.id,
            .outcome = decision.outcome,
            .decided_by = deciders_of(decision),
            .channel = decision.attempt.where.channel,
            .option_label = decision.chosen.label,
            .answered = answered(request, decision, guard),
            .reason = guard.clean(decision.attempt.reason),
            .at = receipt.at,
            .took = decision.latency,
            .seq = receipt.seq,
            .root = receipt.root,
            .size = receipt.size};
}

}  // namespace countersign
