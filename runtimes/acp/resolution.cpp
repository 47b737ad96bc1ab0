// SPDX-License-Identifier: Apache-2.0
#include "runtimes/acp/outgoing.hpp"
#include "runtimes/acp/questions.hpp"
#include "runtimes/acp/translate.hpp"
#include "runtimes/binding.hpp"

#include <algorithm>

namespace countersign::runtimes::acp {

namespace {

Result<std::string> refused(const RawCall& raw, const Verdict& verdict) {
    const auto option = std::ranges::find(raw.options, verdict.option_id, &RawOption::option_id);
    if (option == raw.options.end()) {
        const bool declined = raw.kind == AskKind::elicitation && verdict.outcome == Outcome::denied;
        return declined ? decline_result() : cancelled_result(raw.kind);
    }
    if (option->effect == Effect::allow) return Error{Errc::conflict, "the outcome and the option's effect disagree"};
    return option->result;
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

}  // namespace countersign::runtimes::acp
