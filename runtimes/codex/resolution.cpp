// SPDX-License-Identifier: Apache-2.0
#include "runtimes/binding.hpp"
#include "runtimes/codex/outgoing.hpp"
#include "runtimes/codex/questions.hpp"
#include "runtimes/codex/translate.hpp"

#include <algorithm>

namespace countersign::runtimes::codex {

namespace {

// The first protocol version shows the model why. The text says if no person decided, so that a failure does not look
// like a person's denial.
std::string told(const Verdict& verdict) {
    std::string text;
    switch (verdict.outcome) {
    case Outcome::denied:
        text = "This was denied";
        break;
    case Outcome::expired:
        text = "No one decided in time, so this was not run";
        break;
    case Outcome::undeliverable:
        text = "No one could be asked, so this was not run";
        break;
    case Outcome::unlogged:
        text = "The decision could not be recorded, so this was not run";
        break;
    default:
        text = "There is no decision, so this was not run";
    }
    return verdict.reason.empty() ? text + "." : text + ": " + verdict.reason;
}

bool is_old(AskKind kind) { return kind == AskKind::old_command || kind == AskKind::old_patch; }

Result<std::string> refused(const RawCall& raw, const Verdict& verdict) {
    const auto option = std::ranges::find(raw.options, verdict.option_id, &RawOption::option_id);
    if (option != raw.options.end()) {
        if (option->effect == Effect::allow)
            return Error{Errc::conflict, "the outcome and the option's effect disagree"};
        const bool says_why = is_old(raw.kind) && option->effect == Effect::deny;
        return says_why ? refusal_result(raw.kind, told(verdict)) : option->result;
    }
    const bool form = raw.kind == AskKind::elicitation && !raw.questions.empty();
    if (form && verdict.outcome == Outcome::cancelled) return elicitation_result("cancel", "null", "null");
    return refusal_result(raw.kind, told(verdict));
}

}  // namespace

Result<std::string> resolution(const RawCall& raw, const Verdict& verdict) {
    if (const auto bound = check_binding(raw.id, raw.tool, raw.raw_input, verdict); !bound) return bound.error();
    const bool question = !raw.questions.empty();
    if (verdict.outcome == (question ? Outcome::allowed : Outcome::answered)) {
        return Error{Errc::conflict, "a call is allowed, and a question answered"};
    }
    if (verdict.outcome == Outcome::answered) return answers_result(raw, verdict.answers);
    if (verdict.outcome != Outcome::allowed) return refused(raw, verdict);

    const auto option = std::ranges::find(raw.options, verdict.option_id, &RawOption::option_id);
    if (option == raw.options.end()) return Error{Errc::unknown_option, "optionId: was not offered"};
    if (option->effect != Effect::allow) return Error{Errc::conflict, "the outcome and the option's effect disagree"};
    return option->result;
}

}  // namespace countersign::runtimes::codex
