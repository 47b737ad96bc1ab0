// SPDX-License-Identifier: Apache-2.0
#include "audit/review/filter.hpp"

#include "core/glob.hpp"

#include <algorithm>

namespace countersign::audit::review {
namespace {

enum class As { text, set };

std::vector<bool> fitting(const std::string& pattern, const Catalogue& catalogue, As as) {
    if (pattern.empty()) return {};
    std::vector<bool> fits(catalogue.strings().size());
    for (Strings::Id id = 0; id < fits.size(); ++id) {
        const auto text = catalogue.text(id);
        const auto one = [&](std::string_view part) { return glob_fits(pattern, part); };
        fits[id] = as == As::text ? one(text) : std::ranges::any_of(parts_of(text), one);
    }
    return fits;
}

bool lets_through(const std::vector<bool>& fitting, Strings::Id id) { return fitting.empty() || fitting[id]; }

}  // namespace

// A single person is a set of one without its LF, so that the decider and the voters are looked up alike.
Matcher::Matcher(const Filter& filter, const Catalogue& catalogue)
    : filter_{filter},
      agents_{fitting(filter.agent, catalogue, As::text)},
      tools_{fitting(filter.tool, catalogue, As::text)},
      people_{fitting(filter.person, catalogue, As::set)},
      channels_{fitting(filter.channel, catalogue, As::set)},
      sessions_{fitting(filter.session, catalogue, As::text)} {}

bool Matcher::at_that_time(std::int64_t milliseconds) const {
    const auto time = wall_time(milliseconds);
    return (!filter_.since || time >= *filter_.since) && (!filter_.until || time < *filter_.until);
}

// What was decided counts too where nobody knows whether it arrived: who looks for allowed calls must find it.
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
           lets_through(tools_, life.tool) && lets_through(channels_, life.channels) &&
           lets_through(sessions_, life.session) &&
           (lets_through(people_, life.decided_by) || lets_through(people_, life.voters));
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
