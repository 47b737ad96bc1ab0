// SPDX-License-Identifier: Apache-2.0
#include "runtimes/claude/translate.hpp"

#include "core/json/members.hpp"
#include "core/limits.hpp"
#include "core/utf8.hpp"
#include "runtimes/call_facts.hpp"
#include "runtimes/claude/options.hpp"
#include "runtimes/claude/questions.hpp"
#include "runtimes/scripts.hpp"
#include "runtimes/subject_display.hpp"
#include "runtimes/suspect_hosts.hpp"
#include "security/args_hash.hpp"

#include <algorithm>

namespace countersign::runtimes::claude {

namespace {

constexpr std::string_view runtime = "claude";
constexpr std::string_view plan_tool = "ExitPlanMode";

Result<Translated> begun(const CanUseTool& call, const Context& context) {
    const auto hash = security::args_hash(call.tool_name, call.raw_input);
    if (!hash) return hash.error();
    Translated made;
    made.request.id = context.id;
    made.request.agent_id = context.agent_id;
    made.request.runtime = runtime;
    made.request.session_key = shown_line(context.session_key, context.redactor);
    made.request.requester = context.requester;
    made.request.native_key = security::native_key(runtime, context.session_key, call.native_id);
    made.request.cwd = shown_line(context.cwd, context.redactor);
    made.request.args_hash = *hash;
    if (made.request.session_key.size() > limits::session_key_bytes_max) return Error{Errc::too_large, "session_id"};
    if (made.request.cwd.size() > limits::cwd_bytes_max) return Error{Errc::too_large, "cwd"};
    made.raw = {.id = context.id,
                .native_id = call.native_id,
                .tool = call.tool_name,
                .tool_use_id = call.tool_use_id,
                .raw_input = call.raw_input,
                .options = {},
                .questions = {}};
    return made;
}

// A plan is prose and is shown as such; the other arguments follow it.
SubjectDisplay display_of_plan(const CanUseTool& call, bool exact, const security::Redactor& redactor) {
    const auto& input = *call.input.object();
    if (input.empty())
        return {.text = "to leave plan mode and begin; the agent gave no plan", .diff = {}, .reason = {}};
    const auto plan = text_of(input, "plan");
    if (!exact || plan.empty()) return display_of_tool(call.tool_name, call.input, exact, redactor);
    json::Object rest;
    for (const auto& [name, value] : input.members()) {
        if (name != "plan") rest.add(name, value);
    }
    SubjectDisplay shown{.text = shown_block(plan, redactor), .diff = {}, .reason = {}};
    if (!rest.empty()) {
        shown.text += "\nother arguments: " + display_of_tool(call.tool_name, rest, exact, redactor).text;
    }
    return shown;
}

// What the CLI itself says about the call. Cut rather than refused, because it is not part of the call.
std::string words_of_the_cli(const CanUseTool& call, const security::Redactor& redactor) {
    std::string words;
    if (!call.inner_agent.empty()) words = "asked by the inner agent " + shown_line(call.inner_agent, redactor);
    if (!call.decision_reason.empty()) {
        words += (words.empty() ? "" : "\n") + ("Claude Code: " + shown_block(call.decision_reason, redactor));
    }
    constexpr auto bytes_max = limits::untrusted_reason_bytes_max / 2;
    if (words.size() <= bytes_max) return words;
    return std::string{utf8::head(words, bytes_max)} + "…";
}

CallFacts facts_of(const CanUseTool& call, const Context& context, bool exact) {
    auto facts = facts_of_tool(call.tool_name, call.input, exact);
    facts.agent_id = context.agent_id;
    // The CLI has no working directory per call: a member that names one is an unknown argument.
    facts.unknown_members |= !facts.cwd.empty();
    facts.cwd = context.cwd;
    return facts;
}

Judgement judgement_of(const CanUseTool& call, const CallFacts& facts, const Context& context, bool exact) {
    auto judgement = judge(facts, context.rules);
    if (!exact) ask_people(judgement, "arguments with two readings");
    if (wants_person(call, context)) ask_people(judgement, "Claude Code wants a person");
    return judgement;
}

Result<Translated> question_of(const CanUseTool& call, Translated made, const Context& context) {
    // Answers refer to the text of their question, so both sides must have the same text.
    if (!made.request.args_hash.canonical) return Error{Errc::malformed, "questions: with two readings"};
    auto questions = read_questions(call.input, context.redactor);
    if (!questions) return questions.error();
    made.request.judgement = {.risk = {RiskLevel::low, "question"}, .policy = {}, .may_grant = false};
    made.request.body = std::move(questions->shown);
    made.raw.questions = std::move(questions->raw);
    return made;
}

Translated approval_of(const CanUseTool& call, Translated made, CallFacts facts, const Context& context) {
    const bool exact = made.request.args_hash.canonical;
    Approval approval;
    look_at_files(facts, context.files);
    approval.suspect_hosts = find_suspect_hosts(facts, context.redactor);
    made.request.judgement = judgement_of(call, facts, context, exact);
    bind_scripts(made.request, facts, context.files, context.redactor);
    auto options = options_of(call, context);
    approval.subject =
        ToolUse{shown_line(call.tool_name, context.redactor), shown_line(call.tool_use_id, context.redactor)};
    approval.options = std::move(options.shown);
    approval.untrusted_reason = words_of_the_cli(call, context.redactor);
    auto display = call.tool_name == plan_tool ? display_of_plan(call, exact, context.redactor)
                                               : display_of_tool(call.tool_name, call.input, exact, context.redactor);
    display.text += link_lines(facts, context.redactor);
    show(std::move(display), made.request.args_hash, approval);
    // Drops options that cannot be shown, so that they cannot be chosen either.
    std::erase_if(options.raw, [&approval](const RawOption& raw) {
        return std::ranges::find(approval.options, raw.option_id, &Option::option_id) == approval.options.end();
    });
    made.raw.options = std::move(options.raw);
    made.request.body = std::move(approval);
    return made;
}

}  // namespace

bool wants_person(const CanUseTool& call, const Context& context) {
    return call.person_only || (call.flag_asks && !context.asks_everything);
}

Result<Draft> begin(const CanUseTool& call, const Context& context) {
    auto made = begun(call, context);
    if (!made) return made.error();
    Draft draft{.made = std::move(*made), .facts = {}};
    if (call.tool_name != question_tool) {
        draft.facts = facts_of(call, context, draft.made.request.args_hash.canonical);
    }
    return draft;
}

Sought sought_of(const Draft& draft, const Context& context) {
    if (draft.facts) return runtimes::sought_of(*draft.facts, context.redactor);
    return {.directory = context.cwd};
}

Result<Translated> finish(const CanUseTool& call, Draft draft, const Context& context) {
    if (!draft.facts) return question_of(call, std::move(draft.made), context);
    return approval_of(call, std::move(draft.made), std::move(*draft.facts), context);
}

Result<Translated> translate(const CanUseTool& call, const Context& context) {
    auto draft = begin(call, context);
    if (!draft) return draft.error();
    return finish(call, std::move(*draft), context);
}

}  // namespace countersign::runtimes::claude
