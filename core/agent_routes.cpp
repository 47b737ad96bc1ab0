// SPDX-License-Identifier: Apache-2.0
#include "core/agent_routes.hpp"

#include "core/glob.hpp"

namespace countersign {

std::vector<const Route*> routes_of(const Configuration& configuration, const Asker& asker) {
    std::vector<const Route*> routes;
    for (const auto& route : configuration.routes) {
        const auto match = route.match.value_or(RouteMatch{});
        const bool any_agent = match.agent.empty();
        const bool any_session = match.session.empty();
        if (!any_agent && !asker.agent_id.empty() && !glob_fits(match.agent, asker.agent_id)) continue;
        if (!any_session && !asker.session_key.empty() && !glob_fits(match.session, asker.session_key)) continue;
        routes.push_back(&route);
        // A route that matches all of its requests hides every route after it.
        const bool takes_all = match.runtime.empty() && match.tool.empty() && !match.risk &&
                               (any_agent || !asker.agent_id.empty()) && (any_session || !asker.session_key.empty());
        if (takes_all) break;
    }
    return routes;
}

}  // namespace countersign
