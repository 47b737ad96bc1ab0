// SPDX-License-Identifier: Apache-2.0
#include "audit/replay/unfinished_requests.hpp"

#include "core/json/members.hpp"
#include "core/limits.hpp"

#include <algorithm>

namespace countersign::audit {
namespace {

std::string text_of(const Record& record, std::string_view name) { return std::string{record.text(name)}; }

std::uint32_t small(std::uint64_t number) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(number, 1'000'000'000));
}

}  // namespace

Outcome outcome_of(const LogEntry& closing) {
    const auto* outcome = closing.fields.find("outcome");
    return outcome_named(*outcome->string()).value_or(Outcome::lost);
}

void UnfinishedRequests::take(const Record& record) {
    const auto id = record.text("requestId");
    if (id.empty()) return;
    const auto end = [&] {
        if (const auto open = requests_.find(id); open != requests_.end()) requests_.erase(open);
    };
    if (record.kind == "request") {
        begin(record, id);
    } else if (record.kind == "presented") {
        if (const auto ref = message_ref_of(record.text("ref"))) shown_as(id, ref->generation);
    } else if (record.kind == "shared") {  // on another request's card, with newer buttons
        shown_as(record.text("with"), record.number("generation").value_or(0));
    } else if (record.kind == "renewed") {
        shown_as(id, record.number("generation").value_or(0));
    } else if (record.kind == "resumed") {
        shown_as(id, record.number("generation").value_or(0));
        required_by(id, record.number("required").value_or(1));
    } else if (record.kind == "decision") {
        end();
        decisions_.insert_or_assign(std::string{id}, record.seq);
    } else if (record.kind == "ended") {
        end();
    } else if (record.kind == "forwarded" || record.kind == "forward_failed" || record.kind == "indeterminate") {
        if (const auto open = decisions_.find(id); open != decisions_.end()) decisions_.erase(open);
    }
}

void UnfinishedRequests::begin(const Record& record, std::string_view id) {
    Open open;
    const auto request_id = Ulid::parse(id);
    open.sidecar = request_id && truth_of(record.members, "sidecar");
    if (open.sidecar) {  // otherwise only the id is needed
        open.orphan = {.id = *request_id,
                       .agent_id = text_of(record, "agentId"),
                       .args_hash = text_of(record, "argsHash"),
                       .native_key = text_of(record, "nativeKey"),
                       .session_key = text_of(record, "sessionKey"),
                       .tool_name = text_of(record, "toolName"),
                       .route = text_of(record, "route"),
                       .required = small(record.number("required").value_or(1)),
                       .asked = {}};
        if (const auto timeout = record.number("timeoutMs")) {
            open.orphan.timeout = std::chrono::milliseconds{static_cast<std::int64_t>(
                std::min<std::uint64_t>(*timeout, std::chrono::milliseconds{limits::request_timeout_max}.count()))};
        }
        open.ts = wall_time_of(record.text("ts")).value_or(WallTime{});
        open.mono = BootTime{std::chrono::milliseconds{record.number("mono").value_or(0)}};
        open.boot_id = text_of(record, "bootId");
    }
    requests_.emplace(id, std::move(open));
}

void UnfinishedRequests::required_by(std::string_view id, std::uint64_t people) {
    const auto open = requests_.find(id);
    if (open == requests_.end()) return;
    open->second.orphan.required = std::max(open->second.orphan.required, small(people));
}

// Keeps the newest generation of buttons that the log knows.
void UnfinishedRequests::shown_as(std::string_view id, std::uint64_t generation) {
    const auto open = requests_.find(id);
    if (open == requests_.end()) return;
    open->second.orphan.generation = std::max(open->second.orphan.generation, small(generation));
}

std::vector<LogEntry> UnfinishedRequests::close(const std::set<std::string>& unlogged) {
    std::vector<LogEntry> entries;
    for (const auto& [id, seq] : decisions_) {
        entries.push_back(
            {.kind = "indeterminate", .fields = {{"requestId", id}, {"decisionSeq", seq}}, .long_text = {}});
    }
    decisions_.clear();
    std::erase_if(requests_, [&](const auto& request) {
        const auto& [id, open] = request;
        const bool refused = unlogged.contains(id);
        if (open.sidecar && !refused) return false;
        entries.push_back({.kind = "ended",
                           .fields = {{"requestId", id},
                                      {"outcome", name(refused ? Outcome::unlogged : Outcome::lost)},
                                      {"reason", refused ? "audit log unavailable" : "hub restarted"}},
                           .long_text = {}});
        return true;
    });
    return entries;
}

std::vector<Orphan> UnfinishedRequests::orphans(const Stamp& now) const {
    std::vector<Orphan> orphans;
    for (const auto& [id, open] : requests_) {
        if (!open.sidecar) continue;
        auto orphan = open.orphan;
        const auto ago = open.boot_id == now.boot_id ? now.mono - open.mono : now.ts - open.ts;
        orphan.asked = now.mono - std::max<std::chrono::milliseconds>(ago, std::chrono::milliseconds{0});
        orphans.push_back(std::move(orphan));
    }
    return orphans;
}

}  // namespace countersign::audit
