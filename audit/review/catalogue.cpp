// SPDX-License-Identifier: Apache-2.0
#include "audit/review/catalogue.hpp"

#include "core/halts.hpp"
#include "core/limits.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <utility>

namespace countersign::audit::review {
namespace {

std::int64_t time_of(const Record& record) {
    const auto time = wall_time_of(record.text("ts"));
    return time ? time->time_since_epoch().count() : 0;
}

std::optional<IncidentKind> incident_kind(std::string_view kind) {
    if (kind == "unasked") return IncidentKind::unasked;
    if (kind == "refused") return IncidentKind::refused;
    if (kind == "turned_away") return IncidentKind::turned_away;
    if (kind == "unreadable") return IncidentKind::unreadable;
    return std::nullopt;
}

// A rate-limited record also stands for the suppressed ones before it.
std::uint64_t count_of(const Record& record) {
    const auto suppressed = record.number("suppressed").value_or(0);
    return suppressed == std::numeric_limits<std::uint64_t>::max() ? suppressed : suppressed + 1;
}

// A halt denies later requests under its own principal. It denies open requests in the name of the person who ordered
// it. There the reason alone proves nothing, since people type reasons too, but a typed decision has a delivery.
bool is_by_halt(const Record& record, const std::string& by) {
    if (record.text("principal") == halt_principal(by)) return true;
    return record.text("reason") == halt_reason(by) && record.text("delivery").empty();
}

std::int64_t saturated_signed(std::uint64_t count) {
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return static_cast<std::int64_t>(std::min(count, most));
}

std::uint32_t saturated(std::uint64_t count) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(count, std::numeric_limits<std::uint32_t>::max()));
}

}  // namespace

Result<void> Catalogue::take(const Record& record, const Where& where) {
    if (record.seq >= no_record || records_.size() >= no_record) {
        return Error{Errc::too_large, "record " + std::to_string(record.seq) + " is past what can be reviewed"};
    }
    const auto number = static_cast<std::uint32_t>(records_.size());
    RecordAt at{.seq = static_cast<std::uint32_t>(record.seq),
                .segment = where.segment,
                .offset = where.offset,
                .previous = no_record};
    auto* life = life_of(record);
    if (life != nullptr) {
        if (life->first_record == no_record) life->first_record = number;
        at.previous = life->last_record;
        life->last_record = number;
        fold(*life, record);
    }
    note_incident(record, life);
    note_time(record);
    records_.push_back(at);
    return {};
}

// Only a `request` record creates a request: other records may name one wrongly.
Life* Catalogue::life_of(const Record& record) {
    const auto id = Ulid::parse(record.text("requestId"));
    if (!id) return nullptr;
    if (const auto* known = find(*id)) return &lives_[static_cast<std::size_t>(known - lives_.data())];
    if (record.kind != "request") return nullptr;
    auto& life = lives_.emplace_back();
    life.id = *id;
    begin(life, record);
    return &life;
}

const Life* Catalogue::find(const Ulid& id) {
    const auto hash_of = [this](std::uint32_t number) { return std::hash<Ulid>{}(lives_[number].id); };
    for (; looked_up_ < lives_.size(); ++looked_up_) {
        const auto number = static_cast<std::uint32_t>(looked_up_);
        by_id_.add(hash_of(number), number, hash_of);
    }
    const auto found =
        by_id_.find(std::hash<Ulid>{}(id), [&](std::uint32_t number) { return lives_[number].id == id; });
    return found ? &lives_[*found] : nullptr;
}

void Catalogue::begin(Life& life, const Record& record) {
    life.asked = time_of(record);
    life.agent = text_of(record, "agentId");
    life.tool = text_of(record, "toolName");
    life.session = text_of(record, "sessionKey");
}

void Catalogue::fold(Life& life, const Record& record) {
    const auto& kind = record.kind;
    if (kind == "presented") {
        life.shown = 1;
        const auto ref = record.text("ref");
        if (life.settled == 0) life.channels = with(life.channels, ref.substr(0, ref.find('/')));
    } else if (kind == "vote") {
        life.voters = with(life.voters, record.text("person"));
    } else if (kind == "decision") {
        settle(life, record, record.text("decision"));
    } else if (kind == "ended") {
        settle(life, record, record.text("outcome"));
    } else if (kind == "forwarded") {
        life.forward = Forward::yes;
    } else if (kind == "forward_failed") {
        life.forward = Forward::failed;
    } else if (kind == "indeterminate") {
        life.forward = Forward::unknown;
    } else if (kind == "refused") {
        life.refusals = saturated(life.refusals + count_of(record));
    }
}

// The first terminal record is the valid one (I3).
void Catalogue::settle(Life& life, const Record& record, std::string_view outcome) {
    if (life.settled != 0) return;
    const auto known = outcome_named(outcome).value_or(Outcome::indeterminate);
    life.settled = static_cast<std::uint8_t>(1 + static_cast<unsigned>(known));
    life.ended = time_of(record);
    life.took = std::max<std::int64_t>(life.ended - life.asked, 0);
    const bool is_decision = record.kind == "decision";
    if (is_decision) life.took = saturated_signed(record.number("decisionLatencyMs").value_or(0));
    // An `ended` record also names a person if a halt ended a request left by a restart.
    const auto by = record.text("decidedBy");
    if (by.empty()) return;
    life.decided_by = text_of(record, "decidedBy");
    life.decider = decider_of(by);
    if (record.members.find("channel") != nullptr) life.channels = with(Sets::empty, record.text("channel"));
    // A person who decided a request had seen it. A person who halted its agent may not have.
    if (is_decision && life.decider == Decider::person && !is_by_halt(record, std::string{by})) life.shown = 1;
}

void Catalogue::note_incident(const Record& record, const Life* life) {
    const auto kind = incident_kind(record.kind);
    if (!kind) return;
    Incident incident{.at = time_of(record), .count = count_of(record), .kind = *kind};
    incident.agent = life != nullptr ? life->agent : text_of(record, "agentId");
    incident.tool = life != nullptr ? life->tool : text_of(record, "toolName");
    incident.why = text_of(record, "why");
    incidents_.push_back(incident);
}

// Within one boot, the monotonic clock measures the pause: a corrected wall clock is not silence.
void Catalogue::note_time(const Record& record) {
    const Latest now{.at = time_of(record),
                     .mono = record.number("mono").value_or(0),
                     .boot = text_of(record, "bootId"),
                     .stopped = record.kind == "stop" ? 1U : 0U};
    const auto before = std::exchange(latest_, now);
    if (records_.empty()) return;
    const bool one_boot = now.boot != Strings::empty && now.boot == before.boot && now.mono >= before.mono;
    const auto lasted = one_boot ? saturated_signed(now.mono - before.mono) : now.at - before.at;
    if (std::chrono::milliseconds{lasted} < limits::review_pause_min) return;
    pauses_.push_back({.from = before.at, .to = now.at, .lasted = lasted, .stopped = before.stopped});
}

Strings::Id Catalogue::text_of(const Record& record, std::string_view name) {
    return strings_.id_of(record.text(name));
}

Sets::Id Catalogue::with(Sets::Id set, std::string_view part) {
    if (part.empty()) return set;
    const auto text = strings_.id_of(part);
    return sets_.with(set, text, strings_.id_of("…"));
}

std::vector<std::string_view> Catalogue::texts(Sets::Id set) const {
    std::vector<std::string_view> found;
    for (const auto part : sets_.parts(set)) found.push_back(strings_.at(part));
    return found;
}

std::vector<RecordAt> Catalogue::records_of(const Life& life) const {
    std::vector<RecordAt> chain;
    for (auto at = life.last_record; at != no_record; at = records_[at].previous) chain.push_back(records_[at]);
    std::ranges::reverse(chain);
    return chain;
}

const RecordAt* Catalogue::record(std::uint64_t seq) const {
    const auto found = std::ranges::lower_bound(records_, seq, {}, &RecordAt::seq);
    return found != records_.end() && found->seq == seq ? &*found : nullptr;
}

bool same(const Life& left, const Catalogue& left_in, const Life& right, const Catalogue& right_in) {
    const auto text = [&](Strings::Id Life::* member) {
        return left_in.text(left.*member) == right_in.text(right.*member);
    };
    const auto set = [&](Sets::Id Life::* member) {
        return left_in.texts(left.*member) == right_in.texts(right.*member);
    };
    return left.id == right.id && left.asked == right.asked && left.ended == right.ended && left.took == right.took &&
           text(&Life::agent) && text(&Life::tool) && text(&Life::session) && text(&Life::decided_by) &&
           set(&Life::channels) && set(&Life::voters) && left.refusals == right.refusals &&
           left.settled == right.settled && left.decider == right.decider && left.forward == right.forward &&
           left.shown == right.shown;
}

}  // namespace countersign::audit::review
