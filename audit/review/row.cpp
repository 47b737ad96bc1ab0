// SPDX-License-Identifier: Apache-2.0
#include "audit/review/row.hpp"

namespace countersign::audit::review {
namespace {

std::vector<std::string> owned(const std::vector<std::string_view>& texts) { return {texts.begin(), texts.end()}; }

std::string joined(const std::vector<std::string>& texts) {
    std::string all;
    for (const auto& text : texts) all += (all.empty() ? "" : " ") + text;
    return all;
}

json::Array array(const auto& values) {
    json::Array all;
    for (const auto& value : values) all.emplace_back(value);
    return all;
}

std::string time_or_nothing(std::int64_t milliseconds) {
    return milliseconds == not_known ? std::string{} : rfc3339(wall_time(milliseconds));
}

// Fields that only the records have and no filter uses.
void add_words(Row& row, const Record& record) {
    if (record.kind == "request" && row.records.empty()) {
        row.summary = record.text("summary");
        row.risk = record.text("risk");
        row.runtime = record.text("runtime");
    }
    const bool terminal = record.kind == "decision" || record.kind == "ended";
    if (terminal && row.reason.empty()) row.reason = record.text("reason");
    row.records.push_back(record.seq);
    if (const auto file = record.text("textFile"); !file.empty()) row.texts.emplace_back(file);
}

}  // namespace

Row row_of(const Account& account) {
    const auto& life = account.life();
    const auto text = [&](Strings::Id id) { return std::string{account.facts.text(id)}; };
    const auto outcome = outcome_of(life);
    Row row{.id = life.id.str(),
            .asked = life.asked,
            .ended = life.ended,
            .took = life.took,
            .outcome = std::string{outcome ? name(*outcome) : open_outcome},
            .decided_by = text(life.decided_by),
            .decider = life.decider,
            .voters = owned(account.facts.texts(life.voters)),
            .channels = owned(account.facts.texts(life.channels)),
            .agent = text(life.agent),
            .session = text(life.session),
            .tool = text(life.tool),
            .forwarded = std::string{name(life.forward)},
            .refusals = life.refusals};
    if (const auto settled = settled_as(life); settled && life.decider != Decider::nobody)
        row.decision = name(*settled);
    for (const auto& record : account.records) add_words(row, record);
    return row;
}

json::Object json_of(const Row& row) {
    json::Object object{{"requestId", row.id},
                        {"askedAt", time_or_nothing(row.asked)},
                        {"outcome", row.outcome},
                        {"decider", name(row.decider)},
                        {"decidedBy", row.decided_by},
                        {"voters", array(row.voters)},
                        {"channels", array(row.channels)},
                        {"agentId", row.agent},
                        {"runtime", row.runtime},
                        {"sessionKey", row.session},
                        {"toolName", row.tool},
                        {"summary", row.summary},
                        {"risk", row.risk},
                        {"reason", row.reason},
                        {"forwarded", row.forwarded},
                        {"refusals", row.refusals},
                        {"records", array(row.records)}};
    if (!row.texts.empty()) object.add("textFiles", array(row.texts));
    if (!row.decision.empty()) object.add("decision", row.decision);
    if (row.ended != not_known) object.add("endedAt", time_or_nothing(row.ended));
    if (row.took != not_known) object.add("tookMs", row.took);
    return object;
}

std::vector<std::string> csv_titles() {
    return {"askedAt",  "endedAt",    "outcome",   "decision",    "decider",    "decidedBy", "voters", "channels",
            "agentId",  "runtime",    "toolName",  "summary",     "risk",       "reason",    "tookMs", "forwarded",
            "refusals", "sessionKey", "requestId", "firstRecord", "lastRecord", "textFiles"};
}

std::vector<std::string> csv_cells(const Row& row) {
    return {time_or_nothing(row.asked),
            time_or_nothing(row.ended),
            row.outcome,
            row.decision,
            std::string{name(row.decider)},
            row.decided_by,
            joined(row.voters),
            joined(row.channels),
            row.agent,
            row.runtime,
            row.tool,
            row.summary,
            row.risk,
            row.reason,
            row.took == not_known ? std::string{} : std::to_string(row.took),
            row.forwarded,
            std::to_string(row.refusals),
            row.session,
            row.id,
            std::to_string(row.records.front()),
            std::to_string(row.records.back()),
            joined(row.texts)};
}

}  // namespace countersign::audit::review
