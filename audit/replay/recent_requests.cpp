// SPDX-License-Identifier: Apache-2.0
#include "audit/replay/recent_requests.hpp"

#include "audit/replay/unfinished_requests.hpp"
#include "core/limits.hpp"
#include "core/outcome.hpp"

namespace countersign::audit {

Outcome outcome_of(const Record& terminal) {
    const auto text = terminal.text(terminal.kind == "decision" ? "decision" : "outcome");
    return outcome_named(text).value_or(Outcome::indeterminate);
}

void RecentRequests::take(const Record& record) {
    if (record.kind != "request" && record.kind != "decision" && record.kind != "ended") return;
    const auto id = Ulid::parse(record.text("requestId"));
    if (!id) return;
    if (record.kind == "request") {
        const auto fresh =
            used_.try_emplace(*id, Used{std::string{record.text("agentId")}, std::string{record.text("argsHash")}, {}});
        if (fresh.second) latest_.push_back(*id);
        if (latest_.size() <= limits::concluded_kept_max) return;
        used_.erase(latest_.front());
        latest_.pop_front();
        return;
    }
    const auto found = used_.find(*id);
    if (found == used_.end() || found->second.winner) return;  // the first terminal record is the valid one (I3)
    found->second.winner = Winner{.outcome = outcome_of(record),
                                  .decided_by = std::string{record.text("decidedBy")},
                                  .channel = std::string{record.text("channel")},
                                  .at = wall_time_of(record.text("ts")).value_or(WallTime{})};
}

void RecentRequests::close(const LogEntry& closing, WallTime at) {
    const auto* text = closing.kind == "ended" ? closing.fields.find("requestId") : nullptr;
    const auto id = text == nullptr ? Error{} : Ulid::parse(*text->string());
    if (!id) return;
    if (const auto found = used_.find(*id); found != used_.end())
        found->second.winner = Winner{outcome_of(closing), {}, {}, at};
}

std::vector<EndedRequest> RecentRequests::ended() const {
    std::vector<EndedRequest> ended;
    for (const auto& id : latest_) {
        const auto& used = used_.at(id);
        if (used.winner) ended.push_back({id, used.agent_id, used.args_hash, *used.winner});
    }
    return ended;
}

}  // namespace countersign::audit
