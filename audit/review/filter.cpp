// SPDX-License-Identifier: Apache-2.0
#include "audit/review/filter.hpp"

#include "core/glob.hpp"

#include <algorithm>

namespace countersign::audit::review {
namespace {

std::vector<bool> fitting(const std::string& pattern, const Catalogue& catalogue) {
    if (pattern.empty()) return {};
    std::vector<bool> fits(catalogue.strings().size());
    for (Strings::Id id = 0; id < fits.size(); ++id) fits[id] = glob_fits(pattern, catalogue.text(id));
    return fits;
}

bool lets_through(const std::vector<bool>& fitting, Strings::Id id) { return fitting.empty() || fitting[id]; }

}  // namespace

Matcher::Matcher(const Filter& filter, const Catalogue& catalogue)
    : filter_{filter},
      sets_{catalogue.sets()},
      agents_{fitting(filter.agent, catalogue)},
      tools_{fitting(filter.tool, catalogue)},
      people_{fitting(filter.person, catalogue)},
      channels_{fitting(filter.channel, catalogue)},
      sessions_{fitting(filter.session, catalogue)} {}

bool Matcher::any_fits(const Fitting& fitting, Sets::Id set) const {
    return fitting.empty() || std::ranges::any_of(sets_.parts(set), [&](Strings::Id part) { return fitting[part]; });
}

// A request without a decider matches no pattern.
bool Matcher::by_them(const Life& life) const {
    if (people_.empty()) return true;
    return (life.decided_by != Strings::empty && people_[life.decided_by]) || any_fits(people_, life.voters);
}

bool Matcher::at_that_time(std::int64_t milliseconds) const {
    const auto time = wall_time(milliseconds);
    return (!filter_.since || time >= *filter_.since) && (!filter_.until || time < *filter_.until);
}

// An indeterminate request also matches by what was decided: a reviewer who looks for allowed calls must find it.
bool Matcher::ended_so(const Life& life) const {
    const auto& wanted = filter_.outcomes;
    if (wanted.empty()) return true;
    const auto among = [&](const std::optional<Outcome>& outcome) {
        return std::ranges::find(wanted, outcome) != wanted.end();
    };
    return among(outcome_of(life)) || among(settled_as(life));
}

bool Matcher::fits(const Life& life) const {
    return at_that_time(life.asked) && ended_so(life) && lets_through(agents_, life.agent) &&
           lets_through(tools_, life.tool) && lets_through(sessions_, life.session) &&
           any_fits(channels_, life.channels) && by_them(life);
}

bool Matcher::fits(const Incident& incident) const {
    return at_that_time(incident.at) && lets_through(agents_, incident.agent) && lets_through(tools_, incident.tool);
}

std::vector<std::uint32_t> select(const Catalogue& catalogue, const Filter& filter) {
    const Matcher matcher{filter, catalogue};
    std::vector<std::uint32_t> found;
    const auto& lives = catalogue.lives();
    for (std::uint32_t i = 0; i < lives.size(); ++i) {
        if (matcher.fits(lives[i])) found.push_back(i);
    }
    return found;
}

}  // namespace countersign::audit::review
