// SPDX-License-Identifier: Apache-2.0
#include "audit/replay/replay.hpp"

#include "core/limits.hpp"

namespace countersign::audit {

void HandledDeliveries::take(const Record& record) {
    const auto delivery = record.text("delivery");
    const auto& kind = record.kind;
    const bool changed = kind == "decision" || kind == "vote" || kind == "halt" || kind == "revoke";
    if (delivery.empty() || !changed) return;
    latest_.push_back({.channel = std::string{record.text("channel")}, .delivery = std::string{delivery}});
    if (latest_.size() > limits::handled_deliveries_max) latest_.pop_front();
}

// Ignores an action that only a later release knows.
void ActiveHalts::take(const Record& record) {
    if (record.kind != "halt") return;
    const Asker who{.agent_id = std::string{record.text("agentId")},
                    .session_key = std::string{record.text("sessionKey")}};
    const auto action = record.text("action");
    if (action == "resume") halts_.lift(who);
    if (action != "halt") return;
    const auto added = halts_.add({.who = who,
                                   .by = std::string{record.text("person")},
                                   .at = wall_time_of(record.text("ts")).value_or(WallTime{})});
    if (!added) return;  // never happens: the hub that wrote it has the same bound
}

void Replay::take(const Record& record) {
    unfinished_.take(record);
    recent_.take(record);
    handled_.take(record);
    stale_.take(record);
    halts_.take(record);
}

std::vector<LogEntry> Replay::close(const std::set<std::string>& unlogged, WallTime at) {
    auto entries = unfinished_.close(unlogged);
    for (const auto& entry : entries) {
        recent_.close(entry, at);
        stale_.close(entry);
    }
    return entries;
}

Replayed Replay::finish(const Stamp& now) {
    auto orphans = unfinished_.orphans(now);
    for (auto& orphan : orphans) orphan.shown = stale_.take_out(orphan.id);
    return {.used_ids = recent_.ids(),
            .ended = recent_.ended(),
            .orphans = std::move(orphans),
            .handled = handled_.deliveries(),
            .stale_messages = stale_.messages(),
            .halts = halts_.halts()};
}

}  // namespace countersign::audit
