// SPDX-License-Identifier: Apache-2.0
#include "core/hub/records.hpp"

#include "core/json/members.hpp"
#include "core/json/write.hpp"

#include <algorithm>

namespace countersign::records {
namespace {

json::Array strings(const std::vector<std::string>& texts) {
    json::Array array;
    for (const auto& text : texts) array.emplace_back(text);
    return array;
}

// The members that identify a request in each of its records.
json::Object naming(const Request& request) {
    return {{"requestId", request.id.str()},
            {"agentId", request.agent_id},
            {"sessionKey", request.session_key},
            {"toolName", tool_name_of(request)},
            {"argsHash", request.args_hash.hex}};
}

json::Array options_of(const Request& request) {
    json::Array options;
    if (const auto* approval = request.approval()) {
        for (const auto& option : approval->options) {
            options.emplace_back(json::Object{{"optionId", option.option_id},
                                              {"label", option.label},
                                              {"effect", name(option.effect)},
                                              {"scope", name(option.scope)}});
        }
    }
    return options;
}

// The answers; a secret answer only leaves "given".
json::Array answers_of(const Request& request, const Submit& submit, const TextGuard& guard) {
    json::Array answers;
    for (const auto& answer : submit.answers) {
        const auto& questions = request.questionnaire()->questions;
        const auto question = std::ranges::find(questions, answer.question_id, &Question::question_id);
        json::Object entry{{"questionId", answer.question_id}};
        if (question == questions.end() || question->secret) {
            entry.add("answer", "given");
        } else {
            std::string whole;
            for (const auto& choice : answer.choices) whole += choice + "\n";
            whole += answer.text;
            entry.add("answerHash", guard.digest(whole));
            entry.add("choices", strings(answer.choices));
            if (!answer.text.empty()) entry.add("text", guard.clean(answer.text));
        }
        answers.emplace_back(std::move(entry));
    }
    return answers;
}

// Into the record if the JSON form fits, which may be twice as long as the text; otherwise into a file next to the log.
void add_or_set_aside(LogEntry& entry, std::string name, std::string text, const std::string& hash) {
    if (json::canonical(text).size() <= limits::record_display_bytes_max) {
        entry.fields.add(std::move(name), std::move(text));
    } else {
        entry.long_text = LogEntry::LongText{.hash = hash, .text = std::move(text)};
    }
}

// Adds only known fields.
void add_workplace(json::Object& fields, const Workplace& workplace) {
    if (!workplace.host.empty()) fields.add("host", workplace.host);
    if (!workplace.repository.empty()) fields.add("repository", workplace.repository);
    if (!workplace.branch.empty()) fields.add("branch", workplace.branch);
}

void add_suspect_hosts(json::Object& fields, const Request& request) {
    const auto* approval = request.approval();
    if (approval == nullptr || approval->suspect_hosts.empty()) return;
    json::Array hosts;
    for (const auto& host : approval->suspect_hosts) {
        hosts.emplace_back(json::Object{
            {"kind", name(host.kind)}, {"shown", host.shown}, {"ascii", host.ascii}, {"looksLike", host.looks_like}});
    }
    fields.add("suspectHosts", std::move(hosts));
}

// A long list is only counted: the configuration's record has the names.
void add_deciders(json::Object& fields, const std::vector<std::string>& deciders) {
    auto names = strings(deciders);
    fields.add("decidersCount", deciders.size());
    if (json::canonical(names).size() <= limits::record_deciders_bytes_max) fields.add("deciders", std::move(names));
}

// Named in the record of its effect, so that the delivery is recognised after a restart (I5).
void add_delivery(json::Object& fields, const Attempt& attempt) {
    if (!attempt.delivery.empty()) fields.add("delivery", attempt.delivery);
}

void add_answers(LogEntry& entry, json::Array answers, const TextGuard& guard) {
    auto text = json::canonical(answers);
    if (text.size() <= limits::record_display_bytes_max) {
        entry.fields.add("answers", std::move(answers));
        return;
    }
    const auto hash = guard.digest(text);
    entry.fields.add("answersHash", hash);
    entry.long_text = LogEntry::LongText{.hash = hash, .text = std::move(text)};
}

// The hash is of the text that the agent gets; the recorded text is redacted.
void add_edited_input(LogEntry& entry, const std::string& input, const TextGuard& guard) {
    entry.fields.add("editedHash", guard.digest(input));
    json::Value text{guard.clean(input)};
    if (json::canonical(text).size() <= limits::record_display_bytes_max) {
        entry.fields.add("editedText", std::move(text));
        return;
    }
    const auto hash = guard.digest(*text.string());
    entry.fields.add("editedTextHash", hash);
    entry.long_text = LogEntry::LongText{.hash = hash, .text = *text.string()};
}

std::string_view action_of(const Order& order) {
    switch (order.kind) {
    case Order::Kind::halt:
        return "halt";
    case Order::Kind::resume:
        return "resume";
    case Order::Kind::revoke:
        return "revoke";
    }
    return "halt";
}

void add_order(json::Object& fields, const Order& order, const std::string& person) {
    fields.add("person", person);
    fields.add("principal", order.principal);
    fields.add("channel", order.where.channel);
    fields.add("assurance", name(order.assurance));
    if (!order.delivery.empty()) fields.add("delivery", order.delivery);
    if (order.local_uid) fields.add("localUid", *order.local_uid);
}

}  // namespace

LogEntry request(const Request& request, const RouteInForce& route, const TextGuard& guard, bool sidecar) {
    auto fields = naming(request);
    auto shown = shown_text(request);
    const auto hash = guard.digest(shown);
    fields.add("runtime", request.runtime);
    fields.add("argsCanonical", request.args_hash.canonical);
    fields.add("argsPartial", request.args_hash.partial);
    fields.add("cwd", request.cwd);
    add_workplace(fields, request.workplace);
    fields.add("nativeKey", request.native_key);
    if (sidecar) fields.add("sidecar", true);
    if (sidecar && request.timeout) fields.add("timeoutMs", request.timeout->count());
    fields.add("requester", request.requester);
    fields.add("risk", name(request.judgement.risk.level));
    fields.add("riskRule", request.judgement.risk.rule);
    add_suspect_hosts(fields, request);
    fields.add("policy", name(request.judgement.policy.effect));
    fields.add("policyRule", request.judgement.policy.rule);
    fields.add("route", route.name);
    add_deciders(fields, route.deciders);
    fields.add("required", route.required);
    fields.add("options", options_of(request));
    fields.add("displayHash", hash);
    fields.add("summary", summary_of(request));
    LogEntry entry{.kind = "request", .fields = std::move(fields)};
    add_or_set_aside(entry, "displayText", std::move(shown), hash);
    return entry;
}

LogEntry resumed(const Request& request, const RouteInForce& route, std::uint32_t generation) {
    auto fields = naming(request);
    fields.add("generation", generation);
    fields.add("route", route.name);
    add_deciders(fields, route.deciders);
    fields.add("required", route.required);
    return {.kind = "resumed", .fields = std::move(fields)};
}

LogEntry vote(const Request& request, const Attempt& attempt, const std::string& person, const Tally& tally) {
    auto fields = naming(request);
    fields.add("person", person);
    fields.add("principal", attempt.principal);
    fields.add("channel", attempt.where.channel);
    fields.add("assurance", name(attempt.assurance));
    fields.add("optionId", std::get<Choose>(attempt.what).option_id);
    fields.add("have", tally.have);
    fields.add("need", tally.need);
    add_delivery(fields, attempt);
    return {.kind = "vote", .fields = std::move(fields)};
}

LogEntry decision(const Request& request, const Decision& decision, WallTime at, const TextGuard& guard) {
    auto fields = naming(request);
    fields.add("decision", name(decision.outcome));
    fields.add("decidedBy", decision.decided_by);
    fields.add("decidedAt", rfc3339(at));
    fields.add("channel", decision.attempt.where.channel);
    fields.add("decisionLatencyMs", decision.latency.count());
    fields.add("principal", decision.attempt.principal);
    fields.add("assurance", name(decision.attempt.assurance));
    fields.add("chosenOption", decision.chosen.option_id);
    fields.add("sentOption", decision.sent_option_id);
    fields.add("reason", guard.clean(decision.attempt.reason));
    json::Array votes;
    for (const auto& vote : decision.votes) votes.emplace_back(vote.seq);
    fields.add("votes", std::move(votes));
    add_delivery(fields, decision.attempt);
    LogEntry entry{.kind = "decision", .fields = std::move(fields)};
    if (const auto* submit = std::get_if<Submit>(&decision.attempt.what);
        submit != nullptr && request.questionnaire()) {
        add_answers(entry, answers_of(request, *submit, guard), guard);
    }
    if (decision.attempt.edited_input) add_edited_input(entry, *decision.attempt.edited_input, guard);
    return entry;
}

LogEntry ended(const Request& request, Outcome outcome, const std::string& reason) {
    auto fields = naming(request);
    fields.add("outcome", name(outcome));
    fields.add("reason", reason);
    return {.kind = "ended", .fields = std::move(fields)};
}

LogEntry ended(const Orphan& orphan, const Winner& winner, const std::string& reason) {
    json::Object fields{{"requestId", orphan.id.str()},
                        {"agentId", orphan.agent_id},
                        {"sessionKey", orphan.session_key},
                        {"toolName", orphan.tool_name},
                        {"argsHash", orphan.args_hash},
                        {"outcome", name(winner.outcome)},
                        {"reason", reason}};
    if (!winner.decided_by.empty()) fields.add("decidedBy", winner.decided_by);
    if (!winner.channel.empty()) fields.add("channel", winner.channel);
    return {.kind = "ended", .fields = std::move(fields)};
}

LogEntry forwarded(const Request& request, std::uint64_t decision_seq) {
    return {.kind = "forwarded", .fields = {{"requestId", request.id.str()}, {"decisionSeq", decision_seq}}};
}

LogEntry forward_failed(const Request& request, std::uint64_t decision_seq, const std::string& why) {
    return {.kind = "forward_failed",
            .fields = {{"requestId", request.id.str()}, {"decisionSeq", decision_seq}, {"why", why}}};
}

LogEntry presented(const Ulid& request_id, const MessageRef& ref, bool whole) {
    return {.kind = "presented", .fields = {{"requestId", request_id.str()}, {"ref", str(ref)}, {"whole", whole}}};
}

LogEntry dead_letter(const DeadLetter& letter, std::uint64_t suppressed) {
    json::Object fields;
    if (letter.request) fields.add("requestId", letter.request->str());
    fields.add("channel", letter.channel);
    if (!letter.chat.empty()) fields.add("chat", letter.chat);
    fields.add("what", letter.what);
    fields.add("why", letter.why);
    if (letter.what != "card") fields.add("suppressed", suppressed);
    return {.kind = "dead_letter", .fields = std::move(fields)};
}

LogEntry shared(const Ulid& request_id, const Ulid& with, std::uint32_t generation) {
    return {.kind = "shared",
            .fields = {{"requestId", request_id.str()}, {"with", with.str()}, {"generation", generation}}};
}

LogEntry renewed(const Ulid& request_id, std::uint32_t generation) {
    return {.kind = "renewed", .fields = {{"requestId", request_id.str()}, {"generation", generation}}};
}

LogEntry concluded(const Ulid& request_id, const MessageRef& ref) {
    return {.kind = "concluded", .fields = {{"requestId", request_id.str()}, {"ref", str(ref)}}};
}

LogEntry refused(const RefusedAttempt& attempt, const Error& why, std::uint64_t suppressed, const TextGuard& guard) {
    json::Object fields;
    if (attempt.request_id) fields.add("requestId", attempt.request_id->str());
    fields.add("principal", guard.clean(attempt.principal));
    fields.add("channel", attempt.channel);
    fields.add("why", name(why.code));
    fields.add("detail", guard.clean(why.detail));
    fields.add("suppressed", suppressed);
    return {.kind = "refused", .fields = std::move(fields)};
}

// "refused: chat:666 on phone, request 01HZ…: not_authorised: not a decider (5 more before it)"
std::string line_of_refused(const LogEntry& refused) {
    std::string line = "refused: ";
    const auto add = [&](std::string_view before, std::string_view field) {
        const auto text = text_of(refused.fields, field);
        if (!text.empty()) line.append(before).append(text);
        return !text.empty();
    };
    if (!add("", "principal")) line += "an unverified sender";
    add(" on ", "channel");
    add(", request ", "requestId");
    add(", ", "action");
    add(" ", "target");
    add(": ", "why");
    add(": ", "detail");
    const auto* left_out = refused.fields.find("suppressed");
    if (left_out->number()->lexeme != "0") line += " (" + left_out->number()->lexeme + " more before it)";
    std::ranges::replace_if(line, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, ' ');
    return line;
}

LogEntry turned_away(const Request& request, const Error& why, std::uint64_t suppressed) {
    auto fields = naming(request);
    fields.add("why", name(why.code));
    fields.add("detail", why.detail);
    fields.add("suppressed", suppressed);
    return {.kind = "turned_away", .fields = std::move(fields)};
}

LogEntry unreadable(const std::string& agent_id, const Error& why, std::uint64_t suppressed, const TextGuard& guard) {
    return {.kind = "unreadable",
            .fields = {{"agentId", agent_id},
                       {"why", name(why.code)},
                       {"detail", guard.clean(why.detail)},
                       {"suppressed", suppressed}}};
}

LogEntry unasked(const UnaskedCall& call, std::uint64_t suppressed) {
    json::Object fields{{"agentId", call.agent_id},
                        {"sessionKey", call.session_key},
                        {"toolName", call.tool_name},
                        {"summary", summary_of(call.summary)},
                        {"displayText", unasked_text_of(call.display_text)},
                        {"suppressed", suppressed}};
    if (call.failed) fields.add("failed", true);
    return {.kind = "unasked", .fields = std::move(fields)};
}

LogEntry left_out(const std::string& kind, std::uint64_t suppressed, const std::string& agent_id) {
    json::Object fields{{"detail", std::to_string(suppressed) + " more in this minute, without a record each"},
                        {"suppressed", suppressed}};
    if (!agent_id.empty()) fields.add("agentId", agent_id);
    return {.kind = kind, .fields = std::move(fields)};
}

LogEntry grant(const Grant& grant, const Ulid& request_id, Scope scope) {
    json::Object fields{{"grantId", grant.id.str()},
                        {"requestId", request_id.str()},
                        {"agentId", grant.agent_id},
                        {"runtime", grant.runtime},
                        {"toolName", grant.tool_name},
                        {"argsHash", grant.args_hash},
                        {"cwd", grant.cwd},
                        {"sessionKey", grant.session_key},
                        {"scope", name(scope)},
                        {"grantedBy", grant.granted_by},
                        {"uses", grant.uses_left}};
    if (!grant.script_hash.empty()) fields.add("scriptHash", grant.script_hash);
    return {.kind = "grant", .fields = std::move(fields)};
}

LogEntry halt(const Order& order, const std::string& person, const Asker& who) {
    json::Object fields{{"action", action_of(order)}, {"agentId", who.agent_id}, {"sessionKey", who.session_key}};
    add_order(fields, order, person);
    return {.kind = "halt", .fields = std::move(fields)};
}

LogEntry revoke(const Order& order, const std::string& person, const Grant& grant) {
    json::Object fields{{"grantId", grant.id.str()},
                        {"agentId", grant.agent_id},
                        {"sessionKey", grant.session_key},
                        {"toolName", grant.tool_name},
                        {"argsHash", grant.args_hash}};
    add_order(fields, order, person);
    return {.kind = "revoke", .fields = std::move(fields)};
}

LogEntry refused(const Order& order, const Error& why, std::uint64_t suppressed, const TextGuard& guard) {
    const auto target = order.kind == Order::Kind::revoke ? order.grant.str() : guard.clean(order.target);
    return {.kind = "refused",
            .fields = {{"action", action_of(order)},
                       {"target", target},
                       {"principal", guard.clean(order.principal)},
                       {"channel", order.where.channel},
                       {"why", name(why.code)},
                       {"detail", guard.clean(why.detail)},
                       {"suppressed", suppressed}}};
}

}  // namespace countersign::records
