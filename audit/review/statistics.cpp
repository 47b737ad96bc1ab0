// SPDX-License-Identifier: Apache-2.0
#include "audit/review/statistics.hpp"

#include "audit/review/row.hpp"
#include "core/time.hpp"

#include <algorithm>
#include <cmath>

namespace countersign::audit::review {
namespace {

std::string outcome_name(const Life& life) {
    const auto outcome = outcome_of(life);
    return std::string{outcome ? name(*outcome) : open_outcome};
}

// 2026-11-16
std::string day_name(std::chrono::sys_days day) { return rfc3339(WallTime{day.time_since_epoch()}).substr(0, 10); }

void add_incident(Statistics& all, const Incident& incident, const Catalogue& catalogue) {
    switch (incident.kind) {
    case IncidentKind::refused:
        all.refused += incident.count;
        all.refusals[std::string{catalogue.text(incident.why)}] += incident.count;
        return;
    case IncidentKind::turned_away:
        all.turned_away += incident.count;
        return;
    case IncidentKind::unreadable:
        all.unreadable += incident.count;
        return;
    case IncidentKind::unasked:
        return;  // coverage counts these
    }
}

json::Object counts_json(const Counts& counts) {
    json::Object object{{"requests", counts.requests}, {"byPerson", counts.by_person}, {"byPolicy", counts.by_policy},
                        {"byGrant", counts.by_grant},  {"byNobody", counts.by_nobody}, {"open", counts.open}};
    if (counts.by_demo > 0) object.add("byDemo", counts.by_demo);
    return object;
}

json::Object percentiles_json(const Percentiles& latency) {
    return {{"count", latency.count},
            {"p50", latency.p50},
            {"p90", latency.p90},
            {"p99", latency.p99},
            {"longest", latency.longest}};
}

json::Object counters_json(const std::map<std::string, std::uint64_t>& counters) {
    json::Object object;
    for (const auto& [name, count] : counters) object.add(name, count);
    return object;
}

}  // namespace

void Counts::add(const Life& life) {
    ++requests;
    if (life.settled == 0) {
        ++open;
        return;
    }
    auto& by = life.decider == Decider::person   ? by_person
               : life.decider == Decider::policy ? by_policy
               : life.decider == Decider::grant  ? by_grant
               : life.decider == Decider::demo   ? by_demo
                                                 : by_nobody;
    ++by;
}

// The smallest value with at least this percentage of values at or below it.
Percentiles percentiles(std::vector<std::int64_t> values) {
    if (values.empty()) return {};
    std::ranges::sort(values);
    const auto rank = [&](std::size_t percent) {
        return values[std::max<std::size_t>((values.size() * percent + 99) / 100, 1) - 1];
    };
    return {.count = values.size(), .p50 = rank(50), .p90 = rank(90), .p99 = rank(99), .longest = values.back()};
}

Statistics statistics(const Catalogue& catalogue, const Filter& filter, const DayOf& day_of) {
    Statistics all;
    std::map<Strings::Id, std::vector<std::int64_t>> latencies;
    const Matcher matcher{filter, catalogue};
    for (const auto& life : catalogue.lives()) {
        if (!matcher.fits(life)) continue;
        auto& day = all.days[day_of(wall_time(life.asked))];
        all.counts.add(life);
        day.counts.add(life);
        ++all.outcomes[outcome_name(life)];
        for (const auto voter : catalogue.texts(life.voters)) {
            ++all.people[std::string{voter}].voted;
            ++all.votes;
        }
        if (life.decider != Decider::person) continue;
        const std::string who{catalogue.text(life.decided_by)};
        auto& person = all.people[who];
        ++person.decided;
        person.allowed += settled_as(life) == Outcome::allowed ? 1 : 0;
        person.denied += settled_as(life) == Outcome::denied ? 1 : 0;
        person.answered += settled_as(life) == Outcome::answered ? 1 : 0;
        ++day.people[who];
        // A person who halted an agent did not look at each of its later calls.
        if (life.shown != 0) latencies[life.decided_by].push_back(life.took);
    }
    std::vector<std::int64_t> everyone;
    for (const auto& [who, values] : latencies) {
        all.people[std::string{catalogue.text(who)}].latency = percentiles(values);
        everyone.insert(everyone.end(), values.begin(), values.end());
    }
    all.latency = percentiles(std::move(everyone));
    for (const auto& incident : catalogue.incidents()) {
        if (matcher.fits(incident)) add_incident(all, incident, catalogue);
    }
    return all;
}

json::Object json_of(const Statistics& statistics) {
    json::Object people;
    for (const auto& [who, person] : statistics.people) {
        people.add(who, json::Object{{"decided", person.decided},
                                     {"allowed", person.allowed},
                                     {"denied", person.denied},
                                     {"answered", person.answered},
                                     {"voted", person.voted},
                                     {"latencyMs", percentiles_json(person.latency)}});
    }
    json::Object days;
    for (const auto& [day, one] : statistics.days) {
        auto counts = counts_json(one.counts);
        counts.add("people", counters_json(one.people));
        days.add(day_name(day), std::move(counts));
    }
    auto object = counts_json(statistics.counts);
    object.add("outcomes", counters_json(statistics.outcomes));
    object.add("people", std::move(people));
    object.add("days", std::move(days));
    object.add("latencyMs", percentiles_json(statistics.latency));
    object.add("refused", statistics.refused);
    object.add("refusals", counters_json(statistics.refusals));
    object.add("turnedAway", statistics.turned_away);
    object.add("unreadable", statistics.unreadable);
    object.add("votes", statistics.votes);
    return object;
}

std::optional<double> Coverage::seen_percent() const {
    const auto calls = counts.requests + unasked;
    if (calls == 0) return std::nullopt;
    return 100.0 * static_cast<double>(shown) / static_cast<double>(calls);
}

void Coverage::add(const Coverage& other) {
    counts.requests += other.counts.requests;
    counts.by_person += other.counts.by_person;
    counts.by_policy += other.counts.by_policy;
    counts.by_grant += other.counts.by_grant;
    counts.by_nobody += other.counts.by_nobody;
    counts.open += other.counts.open;
    counts.by_demo += other.counts.by_demo;
    shown += other.shown;
    unasked += other.unasked;
}

std::map<std::string, Coverage> coverage(const Catalogue& catalogue, const Filter& filter) {
    std::map<Strings::Id, Coverage> agents;
    const Matcher matcher{filter, catalogue};
    for (const auto& life : catalogue.lives()) {
        if (!matcher.fits(life)) continue;
        auto& agent = agents[life.agent];
        agent.counts.add(life);
        if (life.decider != Decider::demo) agent.shown += life.shown;
    }
    for (const auto& incident : catalogue.incidents()) {
        if (incident.kind != IncidentKind::unasked || !matcher.fits(incident)) continue;
        agents[incident.agent].unasked += incident.count;
    }
    std::map<std::string, Coverage> named;
    for (const auto& [agent, covered] : agents) named[std::string{catalogue.text(agent)}].add(covered);
    return named;
}

json::Object json_of(const Coverage& coverage) {
    auto object = counts_json(coverage.counts);
    object.add("shown", coverage.shown);
    object.add("unasked", coverage.unasked);
    // As a whole number of tenths: programs that compare values should not depend on how fractions are printed.
    if (const auto percent = coverage.seen_percent()) object.add("seenPermille", std::llround(*percent * 10));
    return object;
}

}  // namespace countersign::audit::review
