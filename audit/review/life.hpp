// SPDX-License-Identifier: Apache-2.0
// Requests, records and incidents for a reviewer, in fixed sizes: a million records fit into memory and are written to
// a file as they are.
//
// Texts are stored as ids of Strings, sets of texts as ids of Sets.
#pragma once

#include "audit/review/strings.hpp"
#include "core/outcome.hpp"
#include "core/time.hpp"
#include "core/ulid.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>

namespace countersign::audit::review {

inline constexpr std::uint32_t no_record = std::numeric_limits<std::uint32_t>::max();
inline constexpr std::int64_t not_known = -1;

// The position of a record. The records of a request form a chain from last to first.
struct RecordAt {
    std::uint32_t seq = 0;  // below no_record
    std::uint32_t segment = 0;
    std::uint32_t offset = 0;            // of its line in the segment
    std::uint32_t previous = no_record;  // the request's previous record
};

// Who decided. `demo`: the command `demo --answer`, without a person.
enum class Decider : std::uint8_t { nobody, person, policy, grant, demo };
[[nodiscard]] std::string_view name(Decider decider);
[[nodiscard]] Decider decider_of(std::string_view decided_by);

// Whether the agent got the answer. `unknown`: the process ended between logging and forwarding it.
enum class Forward : std::uint8_t { no, yes, failed, unknown };
[[nodiscard]] std::string_view name(Forward forward);

// One request, from its first record to its end.
struct Life {
    Ulid id;
    std::int64_t asked = 0;  // milliseconds of wall time
    std::int64_t ended = not_known;
    std::int64_t took = not_known;  // milliseconds; a decision's own measurement, which clock changes cannot distort
    Strings::Id agent = Strings::empty;
    Strings::Id tool = Strings::empty;
    Strings::Id session = Strings::empty;
    Sets::Id channels = Sets::empty;          // where it was decided; without a decision, where it was shown
    Strings::Id decided_by = Strings::empty;  // as in the record: a person, policy:<rule> or grant:<id>
    Sets::Id voters = Sets::empty;
    std::uint32_t first_record = no_record;
    std::uint32_t last_record = no_record;
    std::uint32_t refusals = 0;  // refused attempts, including rate-limited ones that were only counted
    std::uint8_t settled = 0;    // 0: still open; else 1 + the Outcome of its terminal record
    Decider decider = Decider::nobody;
    Forward forward = Forward::no;
    std::uint8_t shown = 0;  // 1: it was shown to a person
};

// Empty while it is open; indeterminate if it is unknown whether the agent got the answer.
[[nodiscard]] std::optional<Outcome> outcome_of(const Life& life);
// The outcome in the terminal record; for an indeterminate request, what was decided.
[[nodiscard]] std::optional<Outcome> settled_as(const Life& life);
inline WallTime wall_time(std::int64_t milliseconds) { return WallTime{std::chrono::milliseconds{milliseconds}}; }

// An event that is not part of a decision.
enum class IncidentKind : std::uint32_t {
    unasked,      // a call that ran without a request
    refused,      // an attempt to decide
    turned_away,  // a request that was not accepted
    unreadable,   // input from an agent that could not be parsed
};
struct Incident {
    std::int64_t at = 0;
    std::uint64_t count = 1;  // including rate-limited ones that were only counted
    IncidentKind kind = IncidentKind::unasked;
    Strings::Id agent = Strings::empty;
    Strings::Id tool = Strings::empty;
    Strings::Id why = Strings::empty;
};

// A time without records.
struct Pause {
    std::int64_t from = 0;      // time of the record before it, milliseconds of wall time
    std::int64_t to = 0;        // time of the record after it
    std::int64_t lasted = 0;    // milliseconds; within one boot measured by the monotonic clock
    std::uint64_t stopped = 0;  // 1: the record before it is a `stop`
};
// The latest record; the next pause is measured from it.
struct Latest {
    std::int64_t at = 0;  // milliseconds of wall time
    std::uint64_t mono = 0;
    Strings::Id boot = Strings::empty;
    std::uint32_t stopped = 0;  // 1: it is a `stop`
};

static_assert(std::has_unique_object_representations_v<RecordAt> && sizeof(RecordAt) == 16);
static_assert(std::has_unique_object_representations_v<Life> && sizeof(Life) == 80);
static_assert(std::has_unique_object_representations_v<Incident> && sizeof(Incident) == 32);
static_assert(std::has_unique_object_representations_v<Pause> && sizeof(Pause) == 32);
static_assert(std::has_unique_object_representations_v<Latest> && sizeof(Latest) == 24);

}  // namespace countersign::audit::review
