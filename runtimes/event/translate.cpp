// SPDX-License-Identifier: Apache-2.0
#include "runtimes/event/translate.hpp"

#include "core/json/members.hpp"
#include "core/json/read.hpp"
#include "core/json/write.hpp"
#include "core/utf8.hpp"
#include "runtimes/call_facts.hpp"
#include "runtimes/event/fields.hpp"
#include "runtimes/event/options.hpp"
#include "runtimes/event/questions.hpp"
#include "runtimes/event/subject.hpp"
#include "runtimes/scripts.hpp"
#include "runtimes/suspect_hosts.hpp"
#include "security/args_hash.hpp"

namespace countersign::runtimes::event {

namespace {

// Agent text for an error message: redacted, safe in a terminal, and short.
std::string shortened(const std::string& text, const security::Redactor& redactor) {
    constexpr std::size_t bytes_max = 128;
    const auto shown = shown_line(text, redactor);
    return std::string{utf8::head(shown, bytes_max)} + (shown.size() > bytes_max ? "…" : "");
}

std::string unsupported(const std::string& given, std::string_view only, const security::Redactor& redactor) {
    return "\"" + shortened(given, redactor) + "\" is not supported, only " + std::string{only};
}

std::string printed_envelope(const json::Object& event, std::initializer_list<std::string_view> names,
                             std::string_view last_name, std::string_view last_value) {
    json::Object kept;
    for (const auto name : names) {
        if (const auto* value = event.find(name)) kept.add(std::string{name}, *value);
    }
    auto out = json::canonical(kept);
    out.pop_back();
    return out.append(",\"").append(last_name).append("\":").append(last_value).append("}");
}

// The elements of `options`, reduced to the known members.
json::Value known_options(const json::Array& options) {
    json::Array kept;
    for (const auto& option : options) {
        json::Object members;
        for (const auto* name : {"optionId", "label", "nativeDecision", "role", "effect", "scope", "detail"}) {
            if (const auto* value = option.object()->find(name)) members.add(name, *value);
        }
        kept.emplace_back(std::move(members));
    }
    return kept;
}

void read_common(Fields& event, const Context& context, Request& request) {
    const auto id_text = event.text("approvalId", limits::agent_line_bytes_max);
    const auto id = Ulid::parse(id_text);
    if (id_text.size() != limits::approval_id_chars) {
        event.fail("approvalId", "a ULID has 26 characters");
    } else if (!id) {
        event.fail("approvalId", "is no ULID: Crockford base 32 in upper case, at most 7ZZZZZZZZZZZZZZZZZZZZZZZZZ");
    } else {
        request.id = *id;
    }
    request.agent_id = context.agent_id;
    request.runtime = context.runtime;
    request.requester = context.requester;
    const auto claimed = event.optional_text("agentId", limits::agent_id_bytes_max);
    if (event.has("agentId") && !context.agent_id.empty() && claimed != context.agent_id) {
        event.fail("agentId", "is not the agent that is connected; leave it out", Errc::conflict);
    }
    const auto session =
        event.has("sessionKey") ? event.exact_text("sessionKey", limits::session_key_bytes_max) : context.session_key;
    request.session_key = event.shown_line("sessionKey", session, limits::session_key_bytes_max);
    request.native_key = security::native_key(context.runtime, session, id_text);
    if (const auto timeout = event.positive_integer("timeoutMs", limits::request_timeout_max.count())) {
        request.timeout = std::chrono::milliseconds{*timeout};
    }
}

// Can only narrow the set: the gate intersects it with the deciders of the route.
void read_senders(Fields& event, Request& request) {
    if (!event.has("authorizedSenders")) return;
    auto senders = event.texts("authorizedSenders", limits::authorized_senders_max, limits::principal_bytes_max);
    for (const auto& sender : senders) (void)event.shown_as_is("authorizedSenders", sender);
    request.authorized_senders = std::move(senders);
}

// Can only raise our own level: the asker must not choose how it is judged (I15).
std::optional<Risk> read_told_risk(Fields& event) {
    if (!event.has("risk")) return std::nullopt;
    const auto told = risk_level_named(event.optional_text("risk", limits::agent_line_bytes_max));
    if (told) return Risk{*told, "raised by the agent"};
    event.fail("risk", "must be one of low, medium, high");
    return std::nullopt;
}

void read_judgement(Fields& event, const Context& context, ReadSubject& subject, Request& request) {
    subject.facts.agent_id = context.agent_id;
    auto& judgement = request.judgement;
    judgement = judge(subject.facts, context.rules, read_told_risk(event));
    if (!subject.hash.canonical) ask_people(judgement, "arguments with two readings");
    if (subject.contradicts_itself) {
        ask_people(judgement, "command text differs");
        judgement.risk = {RiskLevel::high, "command text differs"};
    }
}

void read_told_hash(Fields& event, const ArgsHash& ours) {
    if (!event.has("argsHash")) return;
    const auto told = event.optional_text("argsHash", limits::agent_line_bytes_max);
    if (told != ours.hex) event.fail("argsHash", "is not the hash of the arguments", Errc::conflict);
}

void read_words(Fields& event, ReadSubject& subject, Approval& approval) {
    const auto told = event.optional_text("diff", limits::display_text_bytes_max);
    if (subject.display.diff.empty() && !told.empty()) {
        subject.display.diff = "as the agent tells it:\n" + shown_block(told, event.redactor());
    }
    const auto reason = event.optional_text("untrustedReason", limits::untrusted_reason_bytes_max);
    approval.untrusted_reason = event.shown_block("untrustedReason", reason, limits::untrusted_reason_bytes_max);
}

// A parsed approval whose files have not been inspected yet.
struct ReadApproval {
    ReadSubject subject;
    ReadOptions options;
};

ReadApproval read_approval(Fields& event, const Context& context, Request& request) {
    read_common(event, context, request);
    const auto source = event.text("approvalSource", limits::agent_line_bytes_max);
    if (source != "runtime_tool") {
        event.fail("approvalSource", unsupported(source, "\"runtime_tool\"", event.redactor()), Errc::unsupported);
    }
    auto subject = read_subject(event, context.cwd);
    auto options = read_options(event);
    return {std::move(subject), std::move(options)};
}

Translated judged_approval(Fields& event, const json::Object& object, const Context& context, ReadApproval read,
                           Translated made) {
    auto& [subject, options] = read;
    Approval approval;
    approval.subject = subject.shown;
    approval.options = std::move(options.shown);
    read_told_hash(event, subject.hash);
    approval.suspect_hosts = find_suspect_hosts(subject.facts, context.redactor);
    look_at_files(subject.facts, context.files);
    read_judgement(event, context, subject, made.request);
    bind_scripts(made.request, subject.facts, context.files, context.redactor);
    subject.display.text += link_lines(subject.facts, context.redactor);
    read_senders(event, made.request);
    read_words(event, subject, approval);
    made.request.cwd = event.shown_line("subject.cwd", subject.cwd, limits::cwd_bytes_max);
    made.request.args_hash = subject.hash;
    show(std::move(subject.display), subject.hash, approval);
    made.request.body = std::move(approval);
    made.raw = {.id = made.request.id,
                .tool = subject.tool,
                .raw_input = std::move(subject.raw_input),
                .options = std::move(options.raw),
                .questions = {},
                .event = {}};
    auto known = object;
    for (auto& [name, value] : known.members()) {
        if (name == "options" && !event.failed()) value = known_options(*value.array());
    }
    made.raw.event =
        printed_envelope(known,
                         {"type", "approvalId", "approvalSource", "options", "timeoutMs", "agentId", "sessionKey",
                          "argsHash", "risk", "diff", "untrustedReason", "authorizedSenders"},
                         "subject", subject.printed);
    return made;
}

Translated read_question(Fields& event, const json::Object& object, const Context& context) {
    constexpr std::string_view tool = "question";
    Translated made;
    read_common(event, context, made.request);
    read_senders(event, made.request);
    auto questions = read_questions(event);
    if (event.failed()) return made;
    const auto& value = *object.find("questions");
    const auto bytes = event.raw(value);
    const auto hash = security::args_hash(tool, bytes);
    if (!hash) {
        event.fail("questions", "cannot be hashed", hash.error().code);
        return made;
    }
    made.request.args_hash = *hash;
    read_told_hash(event, *hash);
    made.request.judgement = {.risk = {RiskLevel::low, "question"}, .policy = {}, .may_grant = false};
    made.request.body = std::move(questions.shown);
    auto text = hash->canonical ? json::canonical(value) : std::string{bytes};
    made.raw.event = printed_envelope(
        object, {"type", "approvalId", "timeoutMs", "agentId", "sessionKey", "argsHash", "authorizedSenders"},
        "questions", text);
    made.raw.id = made.request.id;
    made.raw.tool = tool;
    made.raw.raw_input = std::move(text);
    made.raw.questions = std::move(questions.raw);
    return made;
}

}  // namespace

std::optional<std::string> other_line(std::string_view line) {
    const auto document = json::read(line);
    const auto* object = document ? document->value.object() : nullptr;
    const auto* type = object == nullptr ? nullptr : object->find("type");
    const auto* word = type == nullptr ? nullptr : type->string();
    if (word == nullptr || (*word != "message" && *word != "approval_withdrawn")) return std::nullopt;
    return *word;
}

struct Draft::Parts {
    Parts(std::string_view line, const Context& borrowed)
        : document{json::read(line)},
          context{borrowed},
          reading{.line = line, .redactor = borrowed.redactor, .fault = std::nullopt} {}

    void read() {
        if (!document) return fail({document.error().code, "event: " + document.error().detail});
        if (document->value.object() == nullptr) return fail({Errc::malformed, "event: must be an object"});
        if (const auto twice = given_twice(document->value, "subject.rawInput")) {
            return fail({Errc::malformed, shortened(*twice, context.redactor) + ": is given twice"});
        }
        event = Fields{reading, document->value.object(), ""};
        const auto type = event.text("type", limits::agent_line_bytes_max);
        if (type == "approval_request") {
            approval = read_approval(event, context, made.request);
        } else if (type == "question_request") {
            made = read_question(event, *document->value.object(), context);
        } else {
            event.fail("type", unsupported(type, "\"approval_request\" and \"question_request\"", context.redactor),
                       Errc::unsupported);
        }
    }
    void fail(Error why) { reading.fault = std::move(why); }

    Result<json::Document> document;
    const Context& context;
    Reading reading;
    Fields event{reading, nullptr, ""};
    Translated made;
    std::optional<ReadApproval> approval;  // empty for a question
};

Draft::Draft(std::string_view line, const Context& context) : parts_{std::make_unique<Parts>(line, context)} {
    parts_->read();
}

Draft::~Draft() = default;

std::optional<Sought> Draft::sought() const {
    if (parts_->reading.fault) return std::nullopt;
    if (parts_->approval) return sought_of(parts_->approval->subject.facts, parts_->context.redactor);
    return Sought{};
}

Result<Translated> Draft::finish() {
    auto& [document, context, reading, event, made, approval] = *parts_;
    if (!reading.fault && approval) {
        made = judged_approval(event, *document->value.object(), context, std::move(*approval), std::move(made));
    }
    if (reading.fault) return *reading.fault;
    return std::move(made);
}

Result<Translated> translate(std::string_view line, const Context& context) { return Draft{line, context}.finish(); }

std::string print_event(const Translated& translated) { return translated.raw.event; }

}  // namespace countersign::runtimes::event
