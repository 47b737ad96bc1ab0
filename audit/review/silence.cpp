// SPDX-License-Identifier: Apache-2.0
#include "audit/review/silence.hpp"

#include "audit/log.hpp"
#include "core/limits.hpp"

#include <algorithm>

namespace countersign::audit::review {
namespace {

// A record just after a heartbeat suppresses the next heartbeat, so a gap can be two intervals.
constexpr std::chrono::milliseconds explained_max = 2 * Log::heartbeat_interval + limits::review_late_max;

bool overlaps(const Silence::Span& span, const Filter& filter) {
    return (!filter.until || span.from < *filter.until) && (!filter.since || !span.to || *span.to >= *filter.since);
}

void take(Silence& all, const Silence::Span& span) {
    if (!all.longest || span.lasted > all.longest->lasted) all.longest = span;
    if (!span.stopped && span.lasted > explained_max) all.unexplained.push_back(span);
}

json::Object json_of(const Silence::Span& span) {
    json::Object object{{"from", rfc3339(span.from)}, {"lastedMs", span.lasted.count()}, {"stopped", span.stopped}};
    if (span.to) object.add("to", rfc3339(*span.to));
    return object;
}

}  // namespace

Silence silence(const Catalogue& catalogue, const Filter& filter, WallTime now) {
    Silence all;
    if (catalogue.records().empty()) return all;
    for (const auto& pause : catalogue.pauses()) {
        const Silence::Span span{.from = wall_time(pause.from),
                                 .to = wall_time(pause.to),
                                 .lasted = std::chrono::milliseconds{pause.lasted},
                                 .stopped = pause.stopped == 1};
        if (overlaps(span, filter)) take(all, span);
    }
    const auto& latest = catalogue.latest();
    const auto age = std::max(now - wall_time(latest.at), std::chrono::milliseconds{0});
    all.last = {.at = wall_time(latest.at), .age = age, .stopped = latest.stopped == 1};
    const Silence::Span since_then{.from = all.last->at, .to = {}, .lasted = age, .stopped = all.last->stopped};
    if (age >= limits::review_pause_min && overlaps(since_then, filter)) take(all, since_then);
    std::ranges::sort(all.unexplained, [](const Silence::Span& left, const Silence::Span& right) {
        return left.lasted != right.lasted ? left.lasted > right.lasted : left.from < right.from;
    });
    return all;
}

json::Object json_of(const Silence& silence) {
    json::Array unexplained;
    for (const auto& span : silence.unexplained) unexplained.emplace_back(json_of(span));
    json::Object object{{"unexplained", std::move(unexplained)}};
    if (silence.longest) object.add("longest", json_of(*silence.longest));
    if (silence.last) {
        object.add("last", json::Object{{"at", rfc3339(silence.last->at)},
                                        {"ageMs", silence.last->age.count()},
                                        {"stopped", silence.last->stopped}});
    }
    return object;
}

}  // namespace countersign::audit::review
