// SPDX-License-Identifier: Apache-2.0
#include "sidecar/request_codec.hpp"

#include "core/json/fields.hpp"
#include "core/limits.hpp"

namespace countersign::sidecar {
namespace {

json::Array strings(const std::vector<std::string>& texts) {
    json::Array array;
    for (const auto& text : texts) array.emplace_back(text);
    return array;
}

json::Value json_of(const Option& option) {
    return json::Object{{"optionId", option.option_id}, {"label", option.label},         {"detail", option.detail},
                        {"role", name(option.role)},    {"effect", name(option.effect)}, {"scope", name(option.scope)},
                        {"known", option.known},        {"exactCall", option.exact_call}};
}

json::Value json_of(const SuspectHost& host) {
    return json::Object{
        {"kind", name(host.kind)}, {"shown", host.shown}, {"ascii", host.ascii}, {"looksLike", host.looks_like}};
}

json::Value json_of(const Approval& approval) {
    json::Array options;
    for (const auto& option : approval.options) options.push_back(json_of(option));
    json::Object object{{"displayText", approval.display_text},
                        {"diff", approval.diff},
                        {"untrustedReason", approval.untrusted_reason},
                        {"options", std::move(options)}};
    if (!approval.suspect_hosts.empty()) {
        json::Array hosts;
        for (const auto& host : approval.suspect_hosts) hosts.push_back(json_of(host));
        object.add("suspectHosts", std::move(hosts));
    }
    if (!approval.summary.empty()) object.add("summary", approval.summary);
    if (const auto* tool = std::get_if<ToolUse>(&approval.subject)) {
        object.add("toolName", tool->tool_name);
        object.add("toolId", tool->tool_id);
    }
    return object;
}

json::Value json_of(const Question& question) {
    json::Array choices;
    for (const auto& choice : question.choices) {
        choices.emplace_back(json::Object{{"label", choice.label}, {"description", choice.description}});
    }
    return json::Object{{"questionId", question.question_id}, {"text", question.text},
                        {"choices", std::move(choices)},      {"multiple", question.multiple},
                        {"freeText", question.free_text},     {"secret", question.secret},
                        {"required", question.required}};
}

// Reads the elements in order; the first invalid one makes the whole array invalid.
template <class Element, class Read>
std::vector<Element> all_of(json::Fields& fields, std::string_view name, std::size_t count_max, Read read) {
    std::vector<Element> elements;
    const auto& array = fields.array(name);
    if (array.size() > count_max) return fields.fail(name), elements;
    for (const auto& value : array) {
        json::Fields element{value};  // NOLINT(misc-const-correctness): some of the readers note what is wrong in it
        elements.push_back(read(element));
        if (!element.wrong().empty()) fields.fail(std::string{name} + "." + element.wrong());
    }
    return elements;
}

std::string bounded(json::Fields& fields, std::string_view name, std::size_t bytes_max) {
    auto text = fields.text(name);
    if (text.size() > bytes_max) fields.fail(name);
    return text;
}

Option option_of(json::Fields& fields) {
    return {.option_id = bounded(fields, "optionId", limits::option_id_bytes_max),
            .label = bounded(fields, "label", limits::option_label_chars_max * 4),
            .detail = bounded(fields, "detail", limits::option_detail_bytes_max),
            .role = fields.word("role", role_named),
            .effect = fields.word("effect", effect_named),
            .scope = fields.word("scope", scope_named),
            .known = fields.truth("known"),
            .exact_call = fields.truth("exactCall")};
}

SuspectHost suspect_host_of(json::Fields& fields) {
    return {.kind = fields.word("kind", suspect_host_named),
            .shown = bounded(fields, "shown", limits::display_text_bytes_max),
            .ascii = bounded(fields, "ascii", limits::display_text_bytes_max),
            .looks_like = bounded(fields, "looksLike", limits::display_text_bytes_max)};
}

Approval approval_of(json::Fields& fields) {
    Approval approval{.display_text = bounded(fields, "displayText", limits::display_text_bytes_max),
                      .diff = bounded(fields, "diff", limits::display_text_bytes_max),
                      .untrusted_reason = bounded(fields, "untrustedReason", limits::display_text_bytes_max),
                      .options = all_of<Option>(fields, "options", limits::options_max, option_of)};
    if (fields.has("suspectHosts")) {
        approval.suspect_hosts =
            all_of<SuspectHost>(fields, "suspectHosts", limits::suspect_hosts_max, suspect_host_of);
    }
    // Older sidecars send none. The hub cuts it to its bound.
    if (fields.has("summary")) approval.summary = bounded(fields, "summary", limits::display_text_bytes_max);
    if (fields.has("toolName")) {
        approval.subject = ToolUse{.tool_name = bounded(fields, "toolName", limits::tool_name_bytes_max),
                                   .tool_id = bounded(fields, "toolId", limits::tool_id_bytes_max)};
    } else {
        approval.subject = ShellExec{};
    }
    return approval;
}

Question question_of(json::Fields& fields) {
    const auto choice_of = [](json::Fields& choice) {
        return Choice{.label = bounded(choice, "label", limits::choice_label_bytes_max),
                      .description = bounded(choice, "description", limits::question_text_bytes_max)};
    };
    return {.question_id = bounded(fields, "questionId", limits::question_id_bytes_max),
            .text = bounded(fields, "text", limits::display_text_bytes_max),
            .choices = all_of<Choice>(fields, "choices", limits::choices_max, choice_of),
            .multiple = fields.truth("multiple"),
            .free_text = fields.truth("freeText"),
            .secret = fields.truth("secret"),
            .required = fields.truth("required")};
}

void add_optional(json::Object& object, const Request& request) {
    const auto& [host, repository, branch] = request.workplace;
    if (!host.empty()) object.add("host", host);
    if (!repository.empty()) object.add("repository", repository);
    if (!branch.empty()) object.add("branch", branch);
    if (!request.script_hash.empty()) object.add("scriptHash", request.script_hash);
    if (!request.grant_note.empty()) object.add("grantNote", request.grant_note);
    if (request.takes_edits) object.add("takesEdits", true);
    if (request.timeout) object.add("timeoutMs", request.timeout->count());
    if (request.authorized_senders) object.add("authorizedSenders", strings(*request.authorized_senders));
}

void read_optional(json::Fields& fields, Request& request) {
    const auto place = [&fields](std::string_view name) {
        return fields.has(name) ? bounded(fields, name, limits::workplace_text_bytes_max) : std::string{};
    };
    request.workplace = {.host = place("host"), .repository = place("repository"), .branch = place("branch")};
    if (fields.has("scriptHash")) request.script_hash = bounded(fields, "scriptHash", limits::session_key_bytes_max);
    if (fields.has("grantNote")) request.grant_note = bounded(fields, "grantNote", limits::option_detail_bytes_max);
    request.takes_edits = fields.has("takesEdits") && fields.truth("takesEdits");
    if (fields.has("timeoutMs")) {
        request.timeout = std::chrono::milliseconds{fields.integer("timeoutMs")};
        if (*request.timeout <= std::chrono::milliseconds{0} || *request.timeout > limits::request_timeout_max) {
            fields.fail("timeoutMs");
        }
    }
    if (fields.has("authorizedSenders")) {
        request.authorized_senders = fields.texts("authorizedSenders");
        if (request.authorized_senders->size() > limits::authorized_senders_max) fields.fail("authorizedSenders");
    }
}

}  // namespace

json::Value json_of(const Request& request) {
    json::Object object{{"approvalId", request.id.str()},
                        {"agentId", request.agent_id},
                        {"runtime", request.runtime},
                        {"sessionKey", request.session_key},
                        {"requester", request.requester},
                        {"nativeKey", request.native_key},
                        {"cwd", request.cwd},
                        {"argsHash", request.args_hash.hex},
                        {"argsCanonical", request.args_hash.canonical},
                        {"argsPartial", request.args_hash.partial},
                        {"risk", name(request.judgement.risk.level)},
                        {"riskRule", request.judgement.risk.rule},
                        {"policy", name(request.judgement.policy.effect)},
                        {"policyRule", request.judgement.policy.rule},
                        {"mayGrant", request.judgement.may_grant}};
    if (const auto* approval = request.approval()) {
        object.add("approval", json_of(*approval));
    } else {
        json::Array questions;
        for (const auto& question : request.questionnaire()->questions) questions.push_back(json_of(question));
        object.add("questions", std::move(questions));
    }
    add_optional(object, request);
    return object;
}

Result<Request> request_of(const json::Value& value) {
    json::Fields fields{value};
    Request request{.id = fields.ulid("approvalId"),
                    .agent_id = bounded(fields, "agentId", limits::agent_id_bytes_max),
                    .runtime = bounded(fields, "runtime", limits::agent_id_bytes_max),
                    .session_key = bounded(fields, "sessionKey", limits::session_key_bytes_max),
                    .requester = bounded(fields, "requester", limits::principal_bytes_max),
                    .native_key = bounded(fields, "nativeKey", limits::session_key_bytes_max),
                    .cwd = bounded(fields, "cwd", limits::display_text_bytes_max),
                    .args_hash = {.hex = bounded(fields, "argsHash", limits::session_key_bytes_max),
                                  .canonical = fields.truth("argsCanonical"),
                                  .partial = fields.truth("argsPartial")}};
    request.judgement = {
        .risk = {.level = fields.word("risk", risk_level_named), .rule = fields.text("riskRule")},
        .policy = {.effect = fields.word("policy", policy_effect_named), .rule = fields.text("policyRule")},
        .may_grant = fields.truth("mayGrant")};
    if (fields.has("approval")) {
        json::Fields approval{fields.value("approval")};
        request.body = approval_of(approval);
        if (!approval.wrong().empty()) fields.fail("approval." + approval.wrong());
    } else {
        request.body = Questionnaire{all_of<Question>(fields, "questions", limits::questions_max, question_of)};
        if (request.questionnaire()->questions.empty()) fields.fail("questions");
    }
    read_optional(fields, request);
    if (!fields.wrong().empty()) return Error{Errc::malformed, "a sidecar's request: " + fields.wrong()};
    return request;
}

}  // namespace countersign::sidecar
