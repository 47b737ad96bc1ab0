// SPDX-License-Identifier: Apache-2.0
// Statistics: how much was requested, who decided how fast, what was refused.
#pragma once

#include "audit/review/catalogue.hpp"
#include "audit/review/filter.hpp"
#include "core/json/value.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace countersign::audit::review {

// How requests ended, and who decided.
struct Counts {
    std::uint64_t requests = 0;
    std::uint64_t by_person = 0;
    std::uint64_t by_policy = 0;
    std::uint64_t by_grant = 0;
    std::uint64_t by_nobody = 0;  // ended without a decision
    std::uint64_t open = 0;
    std::uint64_t by_demo = 0;  // by `demo --answer`, without a person
    void add(const Life& life);
};

struct Percentiles {
    std::uint64_t count = 0;
    std::int64_t p50 = 0;  // milliseconds; each is one of the values, nothing is interpolated
    std::int64_t p90 = 0;
    std::int64_t p99 = 0;
    std::int64_t longest = 0;
};
[[nodiscard]] Percentiles percentiles(std::vector<std::int64_t> values);

struct PersonStatistics {
    std::uint64_t decided = 0;
    std::uint64_t allowed = 0;
    std::uint64_t denied = 0;
    std::uint64_t answered = 0;  // questions
    std::uint64_t voted = 0;     // votes below a quorum, which decide nothing by themselves
    Percentiles latency;
};
struct DayStatistics {
    Counts counts;
    std::map<std::string, std::uint64_t> people;  // how many requests each person decided
};
struct Statistics {
    Counts counts;
    std::map<std::string, std::uint64_t> outcomes;  // by name, without those that never occurred
    std::map<std::string, PersonStatistics> people;
    // By the day of the request; days without requests are left out.
    std::map<std::chrono::sys_days, DayStatistics> days;
    Percentiles latency;                            // of decisions by people
    std::map<std::string, std::uint64_t> refusals;  // refused attempts, by reason
    std::uint64_t refused = 0;                      // all refused attempts
    std::uint64_t turned_away = 0;                  // requests that were not accepted
    std::uint64_t unreadable = 0;
    std::uint64_t votes = 0;
};
// Maps a time to a day; the caller's time zone decides.
using DayOf = std::function<std::chrono::sys_days(WallTime)>;
[[nodiscard]] inline std::chrono::sys_days utc_day(WallTime time) {
    return std::chrono::floor<std::chrono::days>(time);
}
[[nodiscard]] Statistics statistics(const Catalogue& catalogue, const Filter& filter, const DayOf& day_of = utc_day);
[[nodiscard]] json::Object json_of(const Statistics& statistics);

// Per agent: what was shown to a person, and what was not.
struct Coverage {
    Counts counts;
    std::uint64_t shown = 0;    // requests shown to a person
    std::uint64_t unasked = 0;  // calls that ran without a request
    // Of all known calls, in percent. Empty if there are none.
    [[nodiscard]] std::optional<double> seen_percent() const;
    void add(const Coverage& other);
};
[[nodiscard]] std::map<std::string, Coverage> coverage(const Catalogue& catalogue, const Filter& filter);
[[nodiscard]] json::Object json_of(const Coverage& coverage);

}  // namespace countersign::audit::review
