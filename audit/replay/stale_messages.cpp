// SPDX-License-Identifier: Apache-2.0
#include "audit/replay/stale_messages.hpp"

#include "audit/replay/recent_requests.hpp"
#include "audit/replay/unfinished_requests.hpp"
#include "core/limits.hpp"
#include "core/outcome.hpp"

namespace countersign::audit {
namespace {

// The outcome of a request without a terminal record: its agent died with the process.
Conclusion not_ended() {
    return {.outcome = Outcome::lost, .reason = "hub restarted: not run, please retry", .forwarded = false};
}

}  // namespace

void StaleMessages::take(const Record& record) {
    if (record.kind == "presented") return shown(record);
    if (record.kind == "concluded") return gone(record);
    const auto found = requests_.find(std::string{record.text("requestId")});
    if (found == requests_.end()) return;
    auto& conclusion = found->second.conclusion;
    if (record.kind == "forwarded") conclusion.forwarded = true;
    if (record.kind != "decision" && record.kind != "ended") return;
    conclusion.outcome = outcome_of(record);
    conclusion.decided_by = record.text("decidedBy");
    conclusion.channel = record.text("channel");
    conclusion.reason = record.text("reason");
    conclusion.seq = record.seq;
    conclusion.at = wall_time_of(record.text("ts")).value_or(WallTime{});
    conclusion.took = std::chrono::milliseconds{record.number("decisionLatencyMs").value_or(0)};
}

void StaleMessages::close(const LogEntry& closing) {
    const auto* id = closing.kind == "ended" ? closing.fields.find("requestId") : nullptr;
    const auto found = id == nullptr ? requests_.end() : requests_.find(*id->string());
    if (found == requests_.end() || outcome_of(closing) == Outcome::lost) return;  // that is the outcome already
    found->second.conclusion.outcome = outcome_of(closing);
    found->second.conclusion.reason = *closing.fields.find("reason")->string();
}

void StaleMessages::shown(const Record& record) {
    auto [found, fresh] = requests_.try_emplace(std::string{record.text("requestId")});
    if (fresh) found->second.conclusion = not_ended();
    if (found->second.refs.try_emplace(std::string{record.text("ref")}, record.seq).second) ++messages_;
    while (messages_ > limits::left_shown_max) {
        messages_ -= requests_.begin()->second.refs.size();
        requests_.erase(requests_.begin());
    }
}

void StaleMessages::gone(const Record& record) {
    const auto found = requests_.find(std::string{record.text("requestId")});
    if (found == requests_.end()) return;
    messages_ -= found->second.refs.erase(std::string{record.text("ref")});
    if (found->second.refs.empty()) requests_.erase(found);
}

std::vector<MessageRef> StaleMessages::take_out(const Ulid& request) {
    std::vector<MessageRef> refs;
    const auto found = requests_.find(request.str());
    if (found == requests_.end()) return refs;
    for (const auto& [text, seq] : found->second.refs) {
        if (auto ref = message_ref_of(text)) refs.push_back(std::move(*ref));
    }
    messages_ -= found->second.refs.size();
    requests_.erase(found);
    return refs;
}

std::vector<EarlierMessage> StaleMessages::messages() const {
    std::vector<EarlierMessage> messages;
    for (const auto& [id, request] : requests_) {
        const auto request_id = Ulid::parse(id);
        if (!request_id) continue;
        for (const auto& [text, seq] : request.refs) {
            auto ref = message_ref_of(text);
            if (!ref) continue;
            auto conclusion = request.conclusion;
            conclusion.request_id = *request_id;
            messages.push_back({.ref = std::move(*ref), .conclusion = std::move(conclusion)});
        }
    }
    return messages;
}

}  // namespace countersign::audit
