// SPDX-License-Identifier: Apache-2.0
#include "sidecar/wire.hpp"

#include "core/json/fields.hpp"
#include "core/json/read.hpp"
#include "core/json/write.hpp"
#include "sidecar/request_codec.hpp"

namespace countersign::sidecar {
namespace {

std::optional<Errc> errc_named(std::string_view text) {
    for (int code = 0; code <= static_cast<int>(Errc::damaged); ++code) {
        if (name(static_cast<Errc>(code)) == text) return static_cast<Errc>(code);
    }
    return std::nullopt;
}

void add_failure(json::Object& object, const std::optional<Errc>& failed, const std::string& detail) {
    if (!failed) return;
    object.add("failed", name(*failed));
    object.add("detail", detail);
}

json::Object with_asker(json::Object object, const Asker& who) {
    if (!who.agent_id.empty()) object.add("agentId", who.agent_id);
    if (!who.session_key.empty()) object.add("sessionKey", who.session_key);
    return object;
}

json::Object json_of(const Hello& hello) {
    auto object = with_asker({{"type", "hello"}, {"rules", hello.rules}}, {hello.agent_id, hello.session_key});
    if (hello.asks_once) object.add("asksOnce", true);
    return object;
}
json::Object json_of(const Welcome& welcome) {
    json::Object object{{"type", "welcome"}};
    add_failure(object, welcome.failed, welcome.detail);
    if (!welcome.halted.empty()) object.add("halted", welcome.halted);
    return object;
}
json::Object json_of(const Ask& ask) { return {{"type", "ask"}, {"request", sidecar::json_of(ask.request)}}; }
json::Object json_of(const Withdraw& withdraw) {
    return {{"type", "withdraw"}, {"id", withdraw.id.str()}, {"why", withdraw.why}};
}
json::Object json_of(const Gone& gone) { return with_asker({{"type", "gone"}, {"why", gone.why}}, gone.who); }
json::Object json_of(const SessionEnded& ended) {
    return with_asker({{"type", "session_ended"}, {"failure", ended.failure}}, ended.who);
}
json::Object json_of(const Unreadable& unreadable) {
    json::Object object{{"type", "unreadable"}, {"agentId", unreadable.agent_id}};
    add_failure(object, unreadable.code, unreadable.detail);
    return object;
}
json::Object json_of(const Unasked& unasked) {
    return {{"type", "unasked"},
            {"agentId", unasked.call.agent_id},
            {"sessionKey", unasked.call.session_key},
            {"toolName", unasked.call.tool_name},
            {"summary", unasked.call.summary},
            {"displayText", unasked.call.display_text},
            {"failed", unasked.call.failed}};
}
json::Object json_of(const Asked& asked) {
    json::Object object{{"type", "asked"}, {"id", asked.id.str()}};
    add_failure(object, asked.failed, asked.detail);
    return object;
}
json::Object json_of(const Forwarded& forwarded) {
    json::Object object{{"type", "forwarded"}, {"id", forwarded.id.str()}};
    add_failure(object, forwarded.failed, forwarded.detail);
    return object;
}
json::Object json_of(const Reload&) { return {{"type", "reload"}}; }
json::Object json_of(const Reloaded& reloaded) {
    json::Object object{{"type", "reloaded"}};
    add_failure(object, reloaded.failed, reloaded.detail);
    return object;
}
json::Object json_of(const Interrupt& interrupt) {
    return with_asker({{"type", "interrupt"}, {"number", interrupt.number}, {"why", interrupt.why}}, interrupt.who);
}
json::Object json_of(const Interrupted& interrupted) {
    json::Object object{{"type", "interrupted"}, {"number", interrupted.number}};
    add_failure(object, interrupted.failed, interrupted.detail);
    return object;
}
json::Object json_of(const GiveOrder& order) {
    return {{"type", "order"}, {"action", order.resume ? "resume" : "halt"}, {"target", order.target}};
}
json::Object json_of(const OrderCarried& carried) {
    json::Object object{{"type", "carried"}, {"said", carried.said}};
    add_failure(object, carried.failed, carried.detail);
    return object;
}
json::Object json_of(const Narrated& narrated) { return {{"type", "narrated"}, {"line", narrated.line}}; }
json::Object json_of(const ListOutbox&) { return {{"type", "list_outbox"}}; }
json::Object json_of(const OutboxListed& listed) { return {{"type", "outbox_listed"}, {"listing", listed.listing}}; }
json::Object json_of(const ListHub& list) { return {{"type", "list_hub"}, {"what", list.what}}; }
json::Object json_of(const HubListed& listed) { return {{"type", "hub_listed"}, {"listing", listed.listing}}; }
json::Object json_of(const TimedVerdict& timed) {
    const auto& verdict = timed.verdict;
    json::Array answers;
    for (const auto& answer : verdict.answers) {
        json::Array choices;
        for (const auto& choice : answer.choices) choices.emplace_back(choice);
        answers.emplace_back(
            json::Object{{"questionId", answer.question_id}, {"choices", std::move(choices)}, {"text", answer.text}});
    }
    json::Object object{{"type", "verdict"},
                        {"id", verdict.request_id.str()},
                        {"outcome", name(verdict.outcome)},
                        {"optionId", verdict.option_id},
                        {"answers", std::move(answers)},
                        {"reason", verdict.reason},
                        {"argsHash", verdict.args_hash},
                        {"validUntil", timed.valid_until.time_since_epoch().count()}};
    if (verdict.edited_input) object.add("editedInput", *verdict.edited_input);
    return object;
}

// Returns whether the action is a resume.
std::optional<bool> action_named(std::string_view text) {
    if (text == "halt" || text == "resume") return text == "resume";
    return std::nullopt;
}

// Older hubs and sidecars send none, and have one interrupt at a time.
std::int64_t number_of(json::Fields& fields) { return fields.has("number") ? fields.integer("number") : 0; }

std::string optional_text(json::Fields& fields, std::string_view name) {
    return fields.has(name) ? fields.text(name) : std::string{};
}

Asker asker_of(json::Fields& fields) {
    return {.agent_id = optional_text(fields, "agentId"), .session_key = optional_text(fields, "sessionKey")};
}

std::optional<Errc> failure_of(json::Fields& fields) {
    if (!fields.has("failed")) return std::nullopt;
    return fields.word("failed", errc_named);
}
std::string detail_of(json::Fields& fields) { return fields.has("failed") ? fields.text("detail") : std::string{}; }

Verdict verdict_of(json::Fields& fields) {
    Verdict verdict{.request_id = fields.ulid("id"),
                    .outcome = fields.word("outcome", outcome_named),
                    .option_id = fields.text("optionId"),
                    .reason = fields.text("reason"),
                    .args_hash = fields.text("argsHash")};
    if (fields.has("editedInput")) verdict.edited_input = fields.text("editedInput");
    for (const auto& value : fields.array("answers")) {
        json::Fields answer{value};
        verdict.answers.push_back({.question_id = answer.text("questionId"),
                                   .choices = answer.texts("choices"),
                                   .text = answer.text("text")});
        if (!answer.wrong().empty()) fields.fail("answers." + answer.wrong());
    }
    return verdict;
}

Result<Message> message_of(json::Fields& fields) {
    const auto type = fields.text("type");
    if (type == "ask") {
        auto request = request_of(fields.value("request"));
        if (!request) return request.error();
        return Message{Ask{std::move(*request)}};
    }
    if (type == "hello") {
        const auto rules = fields.text("rules");
        return Message{Hello{rules, optional_text(fields, "agentId"), optional_text(fields, "sessionKey"),
                             fields.has("asksOnce") && fields.truth("asksOnce")}};
    }
    if (type == "welcome") {
        const auto failed = failure_of(fields);
        return Message{Welcome{failed, detail_of(fields), optional_text(fields, "halted")}};
    }
    if (type == "narrated") return Message{Narrated{fields.text("line")}};
    if (type == "withdraw") return Message{Withdraw{fields.ulid("id"), fields.text("why")}};
    if (type == "gone") return Message{Gone{fields.text("why"), asker_of(fields)}};
    if (type == "session_ended") return Message{SessionEnded{fields.text("failure"), asker_of(fields)}};
    if (type == "unreadable") {
        return Message{Unreadable{fields.text("agentId"), fields.word("failed", errc_named), fields.text("detail")}};
    }
    if (type == "unasked") {
        // Older sidecars send fewer members.
        const auto text = [&](std::string_view name) { return fields.has(name) ? fields.text(name) : std::string{}; };
        return Message{Unasked{{.agent_id = fields.text("agentId"),
                                .tool_name = fields.text("toolName"),
                                .summary = text("summary"),
                                .session_key = text("sessionKey"),
                                .display_text = text("displayText"),
                                .failed = fields.has("failed") && fields.truth("failed")}}};
    }
    if (type == "asked") return Message{Asked{fields.ulid("id"), failure_of(fields), detail_of(fields)}};
    if (type == "forwarded") return Message{Forwarded{fields.ulid("id"), failure_of(fields), detail_of(fields)}};
    if (type == "reload") return Message{Reload{}};
    if (type == "reloaded") return Message{Reloaded{failure_of(fields), detail_of(fields)}};
    if (type == "interrupt") return Message{Interrupt{number_of(fields), fields.text("why"), asker_of(fields)}};
    if (type == "interrupted") {
        return Message{Interrupted{number_of(fields), failure_of(fields), detail_of(fields)}};
    }
    if (type == "order") return Message{GiveOrder{fields.word("action", action_named), fields.text("target")}};
    if (type == "carried") {
        const auto said = fields.text("said");
        return Message{OrderCarried{failure_of(fields), detail_of(fields), said}};
    }
    if (type == "list_outbox") return Message{ListOutbox{}};
    if (type == "outbox_listed") {
        const auto& listing = fields.value("listing");
        if (listing.object() == nullptr) fields.fail("listing");
        return Message{OutboxListed{listing}};
    }
    if (type == "list_hub") return Message{ListHub{fields.text("what")}};
    if (type == "hub_listed") {
        const auto& listing = fields.value("listing");
        if (listing.object() == nullptr) fields.fail("listing");
        return Message{HubListed{listing}};
    }
    if (type == "verdict") {
        auto verdict = verdict_of(fields);
        return Message{
            TimedVerdict{std::move(verdict), BootTime{std::chrono::milliseconds{fields.integer("validUntil")}}}};
    }
    fields.fail("type");
    return Message{};
}

}  // namespace

std::string print(const Message& message) {
    return json::canonical(std::visit([](const auto& one) { return json_of(one); }, message));
}

Result<Message> parse(std::string_view line) {
    const auto document = json::read(line);
    if (!document) return Error{Errc::malformed, "no JSON"};
    json::Fields fields{document->value};
    auto message = message_of(fields);
    if (!message) return message;
    if (!fields.wrong().empty()) return Error{Errc::malformed, "a sidecar's message: " + fields.wrong()};
    return message;
}

}  // namespace countersign::sidecar
