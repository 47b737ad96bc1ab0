// SPDX-License-Identifier: Apache-2.0
#include "runtimes/acp/translate.hpp"

#include "core/json/members.hpp"
#include "core/limits.hpp"
#include "core/utf8.hpp"
#include "runtimes/acp/options.hpp"
#include "runtimes/acp/questions.hpp"
#include "runtimes/call_facts.hpp"
#include "runtimes/scripts.hpp"
#include "runtimes/suspect_hosts.hpp"
#include "security/args_hash.hpp"

#include <algorithm>

namespace countersign::runtimes::acp {

namespace {

bool is_question(const Ask& ask) {
    return ask.kind == AskKind::elicitation && elicitation_kind(ask) == ElicitationKind::form;
}

Result<Translated> begun(const Ask& ask, std::string tool, std::string raw_input, const Context& context) {
    const auto hash = security::args_hash(tool, raw_input);
    if (!hash) return hash.error();
    Translated made;
    made.request.id = context.id;
    made.request.agent_id = context.agent_id;
    made.request.runtime = context.runtime;
    made.request.session_key = shown_line(context.session_key, context.redactor);
    made.request.requester = context.requester;
    made.request.native_key = security::native_key(context.runtime, context.session_key, ask.native_id);
    made.request.args_hash = *hash;
    if (made.request.session_key.size() > limits::session_key_bytes_max) return Error{Errc::too_large, "sessionId"};
    made.raw = raw_of(ask);
    made.raw.id = context.id;
    made.raw.tool = std::move(tool);
    made.raw.raw_input = std::move(raw_input);
    return made;
}

Result<Translated> question_of(const Ask& ask, const Context& context) {
    auto made = begun(ask, std::string{question_tool}, ask.params, context);
    if (!made) return made;
    // Answers refer to the texts, so both sides must have the same ones.
    if (!made->request.args_hash.canonical) return Error{Errc::malformed, "params: with two readings"};
    auto questions = read_questions(ask, context.redactor);
    if (!questions) return questions.error();
    made->request.cwd = shown_line(context.cwd, context.redactor);
    made->request.judgement = {.risk = {RiskLevel::low, "question"}, .policy = {}, .may_grant = false};
    made->request.body = std::move(questions->shown);
    made->raw.questions = std::move(questions->raw);
    return made;
}

// Cut rather than refused, because it is not part of the call.
std::string shown_words(const std::string& words, const security::Redactor& redactor) {
    auto shown = shown_block(words, redactor);
    constexpr auto bytes_max = limits::untrusted_reason_bytes_max / 2;
    if (shown.size() <= bytes_max) return shown;
    return std::string{utf8::head(shown, bytes_max)} + "…";
}

}  // namespace

RawCall raw_of(const Ask& ask) {
    return {.id = {},
            .kind = ask.kind,
            .native_id = ask.native_id,
            .session_id = ask.session_id,
            .call_id = ask.call_id,
            .elicitation_id = ask.elicitation_id,
            .tool = {},
            .raw_input = {},
            .options = {},
            .questions = {}};
}

bool can_be_asked(const Ask& ask) {
    return ask.kind != AskKind::elicitation || elicitation_kind(ask) != ElicitationKind::unsupported;
}

Result<Draft> begin(const Ask& ask, const Context& context) {
    if (is_question(ask)) {
        auto made = question_of(ask, context);
        if (!made) return made.error();
        return Draft{.made = std::move(*made), .subject = std::nullopt};
    }
    auto subject = read_subject(ask, context);
    if (!subject) return subject.error();
    auto made = begun(ask, subject->tool, subject->raw_input, context);
    if (!made) return made.error();
    made->request.args_hash.partial = subject->partial;
    made->request.cwd = shown_line(subject->cwd, context.redactor);
    if (made->request.cwd.size() > limits::cwd_bytes_max) return Error{Errc::too_large, "cwd"};
    return Draft{.made = std::move(*made), .subject = std::move(*subject)};
}

Sought sought_of(const Draft& draft, const Context& context) {
    if (draft.subject) return runtimes::sought_of(draft.subject->facts, context.redactor);
    return {.directory = context.cwd};
}

Result<Translated> finish(const Ask& ask, Draft draft, const Context& context) {
    auto made = std::move(draft.made);
    if (!draft.subject) return made;
    auto& subject = *draft.subject;
    Approval approval;
    look_at_files(subject.facts, context.files);
    approval.suspect_hosts = find_suspect_hosts(subject.facts, context.redactor);
    made.request.judgement = judge(subject.facts, context.rules);
    if (!made.request.args_hash.canonical) ask_people(made.request.judgement, "arguments with two readings");
    if (!subject.why_person.empty()) ask_people(made.request.judgement, subject.why_person);
    bind_scripts(made.request, subject.facts, context.files, context.redactor);
    auto options = options_of(ask, subject, context);
    if (!options) return options.error();
    approval.subject = subject.shown;
    approval.options = std::move(options->shown);
    approval.untrusted_reason = shown_words(subject.words, context.redactor);
    subject.display.text += link_lines(subject.facts, context.redactor);
    show(std::move(subject.display), made.request.args_hash, approval);
    // Drops options that cannot be shown, so that they cannot be chosen either.
    std::erase_if(options->raw, [&approval](const RawOption& raw) {
        return std::ranges::find(approval.options, raw.option_id, &Option::option_id) == approval.options.end();
    });
    made.raw.options = std::move(options->raw);
    made.request.body = std::move(approval);
    return made;
}

Result<Translated> translate(const Ask& ask, const Context& context) {
    auto draft = begin(ask, context);
    if (!draft) return draft.error();
    return finish(ask, std::move(*draft), context);
}

}  // namespace countersign::runtimes::acp
