// SPDX-License-Identifier: Apache-2.0
// What a reviewer asks about, in fixed sizes: a million records fit into memory, and go to a file as they are.
//
// Texts are numbers of Strings, and sets of texts numbers of Sets.
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

// Where a record is. Those of one request are a chain from the last to the first.
struct RecordAt {
    std::uint32_t seq = 0;  // below no_record
    std::uint32_t segment = 0;
    std::uint32_t offset = 0;            // of its line in the segment
    std::uint32_t previous = no_record;  // of the same request
};

// Who decided. `demo`: `demo --answer`, where nobody is.
enum class Decider : std::uint8_t { nobody, person, policy, grant, demo };
[[nodiscard]] std::string_view name(Decider decider);
[[nodiscard]] Decider decider_of(std::string_view decided_by);

// What became of the answer. `unknown`: the process ended between log and agent.
enum class Forward : std::uint8_t { no, yes, failed, unknown };
[[nodiscard]] std::string_view name(Forward forward);

// One request, from its record to its end.
struct Life {
    Ulid id;
    std::int64_t asked = 0;  // milliseconds of wall time
    std::int64_t ended = not_known;
    std::int64_t took = not_known;  // milliseconds; a decision's own latency, which no clock change can falsify
    Strings::Id agent = Strings::empty;
    Strings::Id tool = Strings::empty;
    Strings::Id session = Strings::empty;
    Sets::Id channels = Sets::empty;          // where it was decided; where nobody did, a set of where it was shown
    Strings::Id decided_by = Strings::empty;  // as in the record: a person, policy:<rule>, grant:<id>
    Sets::Id voters = Sets::empty;
    std::uint32_t first_record = no_record;
    std::uint32_t last_record = no_record;
    std::uint32_t refusals = 0;  // attempts that were turned down, also those that were only counted
    std::uint8_t settled = 0;    // 0: still open; else 1 + the Outcome of its terminal record
    Decider decider = Decider::nobody;
    Forward forward = Forward::no;
    std::uint8_t shown = 0;  // 1: somebody was shown it
};

// Nothing while it is open. An answer of which nobody knows whether the agent got it is indeterminate.
[[nodiscard]] std::optional<Outcome> outcome_of(const Life& life);
// What the terminal record says, which for an indeterminate one is what was decided.
[[nodiscard]] std::optional<Outcome> settled_as(const Life& life);
inline WallTime wall_time(std::int64_t milliseconds) { return WallTime{std::chrono::milliseconds{milliseconds}}; }

// Something that belongs to no decision.
enum class IncidentKind : std::uint32_t {
    unasked,      // a call that ran without having asked
    refused,      // somebody's attempt
    turned_away,  // a request that was not accepted
    unreadable,   // something of an agent that could not be read
};
struct Incident {
    std::int64_t at = 0;
    std::uint64_t count = 1;  // with those that were only counted
    IncidentKind kind = IncidentKind::unasked;
    Strings::Id agent = Strings::empty;
    Strings::Id tool = Strings::empty;
    Strings::Id why = Strings::empty;
};

// A time in which nothing was written.
struct Pause {
    std::int64_t from = 0;      // when the record before it was made, milliseconds of wall time
    std::int64_t to = 0;        // when the record after it was
    std::int64_t lasted = 0;    // milliseconds; within one boot by the clock that nobody sets
    std::uint64_t stopped = 0;  // 1: the record before it is a `stop`
};
// The latest record, from which the next pause is counted.
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
