// SPDX-License-Identifier: Apache-2.0
#include "audit/review/timeline.hpp"

#include "core/attempt.hpp"
#include "core/json/members.hpp"
#include "core/time.hpp"
#include "security/display/display.hpp"

#include <algorithm>
#include <array>

namespace countersign::audit::review {
namespace {

std::string shown(std::string_view text) { return security::display(text, security::DisplayMode::line); }

std::string text(const Record& record, std::string_view name) { return shown(record.text(name)); }

std::string number(const Record& record, std::string_view name) {
    return std::to_string(record.number(name).value_or(0));
}

// "label text", or nothing if there is no text.
std::string labelled(std::string_view label, const std::string& value) {
    return value.empty() ? std::string{} : std::string{label} + " " + value;
}

std::string list_of(const Record& record, std::string_view name) {
    std::string all;
    for (const auto& one : array_in(record.members, name)) {
        const auto* string = one.string();
        const auto* lexeme = one.number();
        const auto part = string != nullptr ? *string : lexeme != nullptr ? "#" + lexeme->lexeme : std::string{};
        if (!part.empty()) all += (all.empty() ? "" : ", ") + shown(part);
    }
    return all;
}

// "ops, chat -100123, message 44"
std::string place_of(const Record& record) {
    const auto ref = message_ref_of(record.text("ref"));
    if (!ref) return text(record, "ref");
    auto place = shown(ref->place.channel);
    if (!ref->place.chat.empty()) place += ", chat " + shown(ref->place.chat);
    if (!ref->place.message.empty()) place += ", message " + shown(ref->place.message);
    return place;
}

std::string and_before(const Record& record) {
    const auto count = record.number("suppressed").value_or(0);
    return count == 0 ? std::string{} : std::to_string(count) + " more like it, before, are only counted";
}

// The label of the chosen option, as the person read it.
std::string option_label(const Record& request, std::string_view option_id) {
    for (const auto& option : array_in(request.members, "options")) {
        const auto* object = option.object();
        const auto* id = object == nullptr ? nullptr : object->find("optionId");
        const auto* label = object == nullptr ? nullptr : object->find("label");
        if (id == nullptr || label == nullptr || id->string() == nullptr || label->string() == nullptr) continue;
        if (*id->string() == option_id) return shown(*label->string());
    }
    return shown(option_id);
}

std::string answer_of(const json::Value& value) {
    const auto* object = value.object();
    if (object == nullptr) return {};
    const Record one{.members = *object};
    auto said = list_of(one, "choices");
    if (const auto own = text(one, "text"); !own.empty()) said += (said.empty() ? "" : "; ") + own;
    if (said.empty()) said = text(one, "answer");
    return text(one, "questionId") + ": " + said;
}

std::vector<std::string> answers_of(const Record& record) {
    std::vector<std::string> answers;
    for (const auto& one : array_in(record.members, "answers")) answers.push_back(answer_of(one));
    return answers;
}

using Parts = std::vector<std::string>;
struct Told {
    std::string what;
    Parts details = {};
};

Told asked(const Record& record) {
    const auto deciders = list_of(record, "deciders");
    const auto required = record.number("required").value_or(1);
    auto who = deciders.empty() ? number(record, "decidersCount") + " people may decide" : deciders + " may decide";
    if (required > 1) who += ", " + std::to_string(required) + " must agree";
    auto risk = labelled("risk", text(record, "risk"));
    if (const auto rule = text(record, "riskRule"); !rule.empty()) risk += " (" + rule + ")";
    return {"asked by " + text(record, "agentId") + ": " + text(record, "toolName"),
            {risk, labelled("route", text(record, "route")) + ": " + who,
             labelled("policy rule", text(record, "policyRule")), labelled("on behalf of", text(record, "requester")),
             labelled("session", text(record, "sessionKey")), labelled("in", text(record, "cwd")),
             labelled("on", text(record, "host")), labelled("repository", text(record, "repository")),
             labelled("branch", text(record, "branch"))}};
}

Told presented(const Record& record) {
    const auto* whole = record.members.find("whole");
    const bool partly = whole != nullptr && whole->boolean() != nullptr && !*whole->boolean();
    return {"shown on " + place_of(record), {partly ? "not the whole text: an allow does not count there" : ""}};
}

std::string identity(const Record& record) {
    auto who = labelled("as", text(record, "principal"));
    if (const auto assurance = text(record, "assurance"); !assurance.empty()) who += " (" + assurance + ")";
    return who;
}

std::string on_channel(const Record& record) { return labelled(" on", text(record, "channel")); }

Told voted(const Record& record, const Record& request) {
    return {text(record, "person") + " voted \"" + option_label(request, record.text("optionId")) + "\"" +
                on_channel(record) + ": " + number(record, "have") + " of " + number(record, "need"),
            {identity(record)}};
}

Told decided(const Record& record, const Record& request) {
    const auto chosen = option_label(request, record.text("chosenOption"));
    const auto sent = option_label(request, record.text("sentOption"));
    auto details = answers_of(record);
    const auto by = text(record, "decidedBy");
    if (record.text("principal") != record.text("decidedBy")) details.push_back(identity(record));
    if (!chosen.empty())
        details.push_back("chose \"" + chosen + "\"" + (sent == chosen ? "" : ", sent \"" + sent + "\""));
    details.push_back(labelled("reason:", text(record, "reason")));
    details.push_back(labelled("with the votes", list_of(record, "votes")));
    return {text(record, "decision") + labelled(" by", by) + on_channel(record), std::move(details)};
}

// Names a person if a halt ended a request left by a restart.
Told ended(const Record& record) {
    const auto by = text(record, "decidedBy");
    return {text(record, "outcome") + labelled(" by", by) + on_channel(record), {text(record, "reason")}};
}

Told refused(const Record& record) {
    return {"an attempt by " + text(record, "principal") + on_channel(record) + " was refused: " + text(record, "why"),
            {text(record, "detail"), and_before(record)}};
}

Told granted(const Record& record) {
    return {"a standing grant, " + text(record, "scope") + ", for this very call",
            {labelled("grant", text(record, "grantId")) + ", " + number(record, "uses") + " uses"}};
}

Told told(const Record& record, const Record& request) {
    const auto& kind = record.kind;
    if (kind == "request") return asked(record);
    if (kind == "presented") return presented(record);
    if (kind == "resumed") {
        return {"asked again after a restart of the hub", {"earlier votes do not count"}};
    }
    if (kind == "renewed") return {"shown again, with new buttons"};
    if (kind == "shared") return {"the card of " + text(record, "with") + " stands for this one too"};
    if (kind == "vote") return voted(record, request);
    if (kind == "decision") return decided(record, request);
    if (kind == "refused") return refused(record);
    if (kind == "grant") return granted(record);
    if (kind == "ended") return ended(record);
    if (kind == "forwarded") return {"given to the agent"};
    if (kind == "forward_failed") return {"not given to the agent", {text(record, "why")}};
    if (kind == "concluded") return {"buttons taken away on " + place_of(record)};
    if (kind == "dead_letter") return {"not delivered" + on_channel(record), {text(record, "why")}};
    if (kind == "indeterminate") {
        return {"indeterminate", {"the process ended before it was known whether the agent got the answer"}};
    }
    return {shown(kind), {}};
}

// Uses the monotonic clock if both records were written in one boot.
std::chrono::milliseconds since(const Record& record, const Record& request) {
    const auto now = record.number("mono");
    const auto then = request.number("mono");
    if (now && then && record.text("bootId") == request.text("bootId")) {
        return std::chrono::milliseconds{static_cast<std::int64_t>(*now - *then)};
    }
    const auto at = wall_time_of(record.text("ts"));
    const auto began = wall_time_of(request.text("ts"));
    return at && began ? *at - *began : std::chrono::milliseconds{0};
}

}  // namespace

std::vector<Step> timeline(const std::vector<Record>& records) {
    std::vector<Step> steps;
    const auto& request = records.front();
    for (const auto& record : records) {
        auto [what, details] = told(record, request);
        std::erase(details, std::string{});
        steps.push_back({.seq = record.seq,
                         .since = since(record, request),
                         .what = std::move(what),
                         .details = std::move(details)});
    }
    return steps;
}

}  // namespace countersign::audit::review
