// SPDX-License-Identifier: Apache-2.0
// Any text is either a valid configuration or a bounded list of printable problems. A valid one fails closed: every
// route has deciders, and there is a route for everything.
#include "app/channels/registry.hpp"
#include "config/config.hpp"
#include "config/effective.hpp"
#include "core/json/write.hpp"
#include "core/limits.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

using namespace countersign;

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

void check(const std::vector<config::ConfigProblem>& problems) {
    require(!problems.empty() && problems.size() <= limits::config_problems_max);
    for (const auto& problem : problems) {
        require(!problem.what.empty() && problem.line >= 0);
        const auto text = config::print(problem);
        require(std::ranges::none_of(text, [](unsigned char c) { return c < 0x20 || c == 0x7F; }));
    }
}

void check(const Configuration& configuration) {
    require(!configuration.routes.empty() && !configuration.routes.back().match);
    for (const auto& route : configuration.routes) {
        require(!route.deciders.empty() && route.required >= 1 && route.required <= limits::quorum_max);
        require(route.ends_deny || !route.steps.empty());
        for (const auto& step : route.steps) require(configuration.channels.contains(step.channel));
    }
    for (const auto& [name, person] : configuration.people) {
        for (const auto& principal : person.principals) require(configuration.person_of(principal) == &person);
    }
    for (const auto& rule : configuration.rules.policy) {
        require(rule.effect != PolicyEffect::allow || !rule.tool.empty() ||
                !(rule.command + rule.path + rule.host).empty() || rule.risk || !rule.risk_rule.empty());
    }
    require(!json::canonical(config::effective(configuration)).empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text{reinterpret_cast<const char*>(data), size};
    for (const bool all_can_start : {false, true}) {
        auto known = app::known_kinds();
        for (auto& kind : known.kinds) kind.available |= all_can_start;
        std::visit([](const auto& outcome) { check(outcome); }, config::parse_config(text, "fuzz.toml", known));
    }
    return 0;
}
