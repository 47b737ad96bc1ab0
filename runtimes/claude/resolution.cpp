// SPDX-License-Identifier: Apache-2.0
#include "runtimes/binding.hpp"
#include "runtimes/claude/outgoing.hpp"
#include "runtimes/claude/questions.hpp"
#include "runtimes/claude/translate.hpp"

#include <algorithm>

namespace countersign::runtimes::claude {

namespace {

std::string_view beginning(Outcome outcome, bool question) {
    switch (outcome) {
    case Outcome::denied:
        return "This was denied";
    case Outcome::cancelled:
        return question ? "The questions were dismissed without an answer" : "This was cancelled and not run";
    case Outcome::expired:
        return question ? "Nobody answered in time" : "Nobody decided in time, so this was not run";
    case Outcome::undeliverable:
        return question ? "Nobody could be asked" : "Nobody could be asked, so this was not run";
    case Outcome::unlogged:
        return "The decision could not be recorded, so this was not run";
    case Outcome::lost:
        return "The hub that asks people is gone, so this was not run";
    default:
        return "There is no decision, so this was not run";
    }
}

// The model reads this as the result of its call. The text says if no person decided, so that a failure does not look
// like a person's denial.
std::string told(const Verdict& verdict, bool question) {
    auto text = std::string{beginning(verdict.outcome, question)};
    return verdict.reason.empty() ? text + "." : text + ": " + verdict.reason;
}

// Every allow returns the input: it replaces what the CLI stored under this id, so that exactly what was shown runs.
// Older CLIs refuse an allow without it.
std::string allow_body(std::string_view input, std::string_view permission) {
    auto body = R"({"behavior":"allow","updatedInput":)" + std::string{input};
    if (!permission.empty()) body.append(R"(,"updatedPermissions":[)").append(permission).append("]");
    return body + "}";
}

Result<std::string> allowed(const RawCall& raw, const Verdict& verdict) {
    const auto option = std::ranges::find(raw.options, verdict.option_id, &RawOption::option_id);
    if (option == raw.options.end()) return Error{Errc::unknown_option, "optionId: was not offered"};
    if (option->effect != Effect::allow) return Error{Errc::conflict, "the outcome and the option's effect disagree"};
    return allow_body(raw.raw_input, option->permission);
}

Result<std::string> answered(const RawCall& raw, const Verdict& verdict) {
    const auto input = answered_input(raw, verdict.answers);
    if (!input) return input.error();
    return allow_body(*input, {});
}

}  // namespace

Result<std::string> decision_body(const RawCall& raw, const Verdict& verdict) {
    if (const auto bound = check_binding(raw.id, raw.tool, raw.raw_input, verdict); !bound) return bound.error();
    const bool question = !raw.questions.empty();
    if (verdict.outcome == (question ? Outcome::allowed : Outcome::answered)) {
        return Error{Errc::conflict, "a call is allowed, and a question answered"};
    }
    if (verdict.outcome == Outcome::answered) return answered(raw, verdict);
    if (verdict.outcome == Outcome::allowed) return allowed(raw, verdict);

    const auto option = std::ranges::find(raw.options, verdict.option_id, &RawOption::option_id);
    if (option != raw.options.end() && option->effect == Effect::allow) {
        return Error{Errc::conflict, "the outcome and the option's effect disagree"};
    }
    // A cancel is a plain deny. With `interrupt` it would end the turn and withdraw other open requests.
    return deny_body(told(verdict, question));
}

Result<std::string> resolution(const RawCall& raw, const Verdict& verdict) {
    const auto body = decision_body(raw, verdict);
    if (!body) return body.error();
    return success_line(raw.native_id, *body);
}

Result<std::string> hook_output(const RawCall& raw, const Verdict& verdict, bool unattended) {
    const auto body = decision_body(raw, verdict);
    if (!body) return body.error();
    const bool decided = verdict.outcome == Outcome::allowed || verdict.outcome == Outcome::answered ||
                         verdict.outcome == Outcome::denied || verdict.outcome == Outcome::cancelled;
    return decided || unattended ? hook_line(*body) : std::string{};
}

}  // namespace countersign::runtimes::claude
