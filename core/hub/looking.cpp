// SPDX-License-Identifier: Apache-2.0
// What people may be told when they ask what there is: what the gate would let them refuse, and no more (I4).
#include "core/hub/hub.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace countersign {

std::vector<OpenRequest> Hub::open_requests_for(const std::string& principal) const {
    std::vector<OpenRequest> found;
    if (configuration_->person_of(principal) == nullptr) return found;
    Attempt attempt;
    attempt.principal = principal;
    attempt.what = Cancel{};
    // Most requests of a route have the same deciders: the gate is asked once for all of those.
    std::map<std::pair<std::string, bool>, bool> asked;
    for (const auto& [id, open] : pending_) {
        auto one = open_request(id);
        const auto* route = configuration_->route_named(open.route);
        if (!one || route == nullptr) continue;
        const auto gate = [&] {
            return ports_.authoriser.permit(attempt, *open.request, *route, open.offered, *configuration_).has_value();
        };
        const bool narrowed = route->not_requester || open.request->authorized_senders;
        const auto [known, fresh] = narrowed ? std::pair{asked.end(), false}
                                             : asked.try_emplace({open.route, open.request->approval() != nullptr});
        if (fresh) known->second = gate();
        if (narrowed ? gate() : known->second) found.push_back(std::move(*one));
    }
    return found;
}

std::vector<Halt> Hub::halts_for(const std::string& principal) const {
    auto halts = halts_.all();
    std::erase_if(halts, [&](const Halt& halt) { return !may_order_about(principal, halt.who); });
    return halts;
}

std::vector<Grant> Hub::grants_for(const std::string& principal) const {
    auto grants = grants_.all();
    const auto now = ports_.clock.boot();
    std::erase_if(grants, [&](const Grant& grant) {
        const Asker about{.agent_id = grant.agent_id, .session_key = grant.session_key};
        return grant.expires <= now || grant.uses_left == 0 || !may_order_about(principal, about);
    });
    return grants;
}

std::optional<Hub::Standing> Hub::standing_of(const Ulid& id) const {
    const auto found = pending_.find(id);
    if (found == pending_.end()) return std::nullopt;
    Standing standing{.asked = found->second.asked, .shown_on = {}};
    for (const auto& delivery : found->second.deliveries) {
        const auto& channel = delivery.channel->name();
        const bool listed = std::ranges::find(standing.shown_on, channel) != standing.shown_on.end();
        if (delivery.state == Delivery::State::delivered && !listed) standing.shown_on.push_back(channel);
    }
    return standing;
}

std::optional<Winner> Hub::ended(const Ulid& id) const {
    if (const auto open = pending_.find(id); open != pending_.end()) {
        return open->second.taken ? std::optional{*open->second.taken} : std::nullopt;
    }
    const auto found = concluded_.find(id);
    return found == concluded_.end() ? std::nullopt : std::optional{found->second.winner};
}

}  // namespace countersign
