// SPDX-License-Identifier: Apache-2.0
#include "audit/review/catalogue.hpp"

#include <algorithm>
#include <limits>

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

// A record that is rate-limited stands for those before it too.
std::uint64_t count_of(const Record& record) {
    const auto suppressed = record.number("suppressed").value_or(0);
    return suppressed == std::numeric_limits<std::uint64_t>::max() ? suppressed : suppressed + 1;
}

std::uint32_t saturated(std::uint64_t count) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(count, std::numeric_limits<std::uint32_t>::max()));
}

}  // namespace

void Catalogue::take(const Record& record, const Where& where) {
    const auto number = static_cast<std::uint32_t>(records_.size());
    RecordAt at{.seq = record.seq,
                .segment = where.segment,
                .offset = where.offset,
                .previous = no_record,
                .kind = strings_.id_of(record.kind)};
    auto* life = life_of(record);
    if (life != nullptr) {
        if (life->first_record == no_record) life->first_record = number;
        at.previous = life->last_record;
        life->last_record = number;
        fold(*life, record);
    }
    note_incident(record, life);
    records_.push_back(at);
}

// Only its own record makes a request: what else names one may name it wrongly.
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
    for (; looked_up_ < lives_.size(); ++looked_up_) {
        by_id_.emplace(lives_[looked_up_].id, static_cast<std::uint32_t>(looked_up_));
    }
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? nullptr : &lives_[found->second];
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

// The first terminal record counts (I3).
void Catalogue::settle(Life& life, const Record& record, std::string_view outcome) {
    if (life.settled != 0) return;
    const auto known = outcome_named(outcome).value_or(Outcome::indeterminate);
    life.settled = static_cast<std::uint8_t>(1 + static_cast<unsigned>(known));
    life.ended = time_of(record);
    life.took = std::max<std::int64_t>(life.ended - life.asked, 0);
    if (record.kind != "decision") return;
    constexpr auto longest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    life.took = static_cast<std::int64_t>(std::min(record.number("decisionLatencyMs").value_or(0), longest));
    life.decided_by = text_of(record, "decidedBy");
    life.decider = decider_of(record.text("decidedBy"));
    life.channels = with(Strings::empty, record.text("channel"));
    if (life.decider == Decider::person) life.shown = 1;
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

Strings::Id Catalogue::text_of(const Record& record, std::string_view name) {
    return strings_.id_of(record.text(name));
}

Strings::Id Catalogue::with(Strings::Id set, std::string_view part) {
    // What separates the parts cannot be in one.
    const std::string one{part.substr(0, part.find('\n'))};
    if (one.empty()) return set;
    const auto known = parts_of(strings_.at(set));
    if (std::ranges::find(known, one) != known.end()) return set;
    return strings_.id_of(std::string{strings_.at(set)} + one + "\n");
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
    return left.id == right.id && left.asked == right.asked && left.ended == right.ended && left.took == right.took &&
           text(&Life::agent) && text(&Life::tool) && text(&Life::session) && text(&Life::channels) &&
           text(&Life::decided_by) && text(&Life::voters) && left.refusals == right.refusals &&
           left.settled == right.settled && left.decider == right.decider && left.forward == right.forward &&
           left.shown == right.shown;
}

std::vector<std::string_view> parts_of(std::string_view set) {
    std::vector<std::string_view> parts;
    while (!set.empty()) {
        const auto end = std::min(set.find('\n'), set.size());
        parts.push_back(set.substr(0, end));
        set.remove_prefix(std::min(end + 1, set.size()));
    }
    return parts;
}

}  // namespace countersign::audit::review
