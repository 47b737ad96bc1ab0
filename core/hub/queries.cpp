// SPDX-License-Identifier: Apache-2.0
#include "core/hub/queries.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace countersign {

std::optional<OpenRequest> Queries::open_request(const Ulid& id) const {
    const auto* open = context_.pending.find(id);
    if (open == nullptr || open->phase != Pending::Phase::open) return std::nullopt;
    const auto state = borrowed_.sharing.state_of(*open);
    return OpenRequest{.request = open->request,
                       .offered = open->offered,
                       .generation = open->recorded_generation,
                       .asked = state.asked,
                       .waiting = state.waiting};
}

std::vector<OpenRequest> Queries::open_requests() const {
    std::vector<OpenRequest> found;
    for (const auto& [id, open] : context_.pending) {
        if (auto request = open_request(id)) found.push_back(std::move(*request));
    }
    return found;
}

std::vector<OpenRequest> Queries::open_requests_for(const std::string& principal) const {
    std::vector<OpenRequest> found;
    if (context_.configuration->person_of(principal) == nullptr) return found;
    Attempt attempt;
    attempt.principal = principal;
    attempt.what = Cancel{};
    // Most requests of a route have the same deciders, so the gate is asked once for all of them.
    std::map<std::pair<std::string, bool>, bool> asked;
    for (const auto& [id, open] : context_.pending) {
        auto one = open_request(id);
        const auto* route = context_.route_of(open);
        if (!one || route == nullptr) continue;
        const auto gate = [&] {
            return context_.ports.authoriser
                .permit(attempt, *open.request, *route, open.offered, *context_.configuration)
                .has_value();
        };
        const bool narrowed = route->not_requester || open.request->authorized_senders;
        const auto [known, fresh] = narrowed ? std::pair{asked.end(), false}
                                             : asked.try_emplace({open.route, open.request->approval() != nullptr});
        if (fresh) known->second = gate();
        if (narrowed ? gate() : known->second) found.push_back(std::move(*one));
    }
    return found;
}

std::vector<Halt> Queries::halts_for(const std::string& principal) const {
    auto halts = borrowed_.orders.halts().all();
    std::erase_if(halts, [&](const Halt& halt) { return !borrowed_.gate.may_order_about(principal, halt.who); });
    return halts;
}

std::vector<Grant> Queries::grants_for(const std::string& principal) const {
    auto grants = borrowed_.grants.book().all();
    const auto now = context_.now();
    std::erase_if(grants, [&](const Grant& grant) {
        const Asker about{.agent_id = grant.agent_id, .session_key = grant.session_key};
        return grant.expires <= now || grant.uses_left == 0 || !borrowed_.gate.may_order_about(principal, about);
    });
    return grants;
}

Result<void> Queries::check(const Attempt& attempt) const {
    const auto* open = context_.pending.find(attempt.request_id);
    if (open == nullptr || open->phase != Pending::Phase::open) {
        return Error{Errc::unknown_request, "no open request has this id"};
    }
    const auto permit = borrowed_.gate.permit(attempt, *open, borrowed_.orders.halt_of(*open->request));
    if (!permit) return permit.error();
    return {};
}

std::optional<Winner> Queries::ended(const Ulid& id) const {
    if (const auto* open = context_.pending.find(id)) {
        return open->taken ? std::optional{*open->taken} : std::nullopt;
    }
    const auto* winner = borrowed_.ended.winner_of(id);
    return winner == nullptr ? std::nullopt : std::optional{*winner};
}

std::optional<Queries::Standing> Queries::standing_of(const Ulid& id) const {
    const auto* open = context_.pending.find(id);
    if (open == nullptr) return std::nullopt;
    Standing standing{.asked = open->asked, .shown_on = {}};
    for (const auto& delivery : open->deliveries) {
        const auto& channel = delivery.channel->name();
        const bool listed = std::ranges::find(standing.shown_on, channel) != standing.shown_on.end();
        if (delivery.state == Delivery::State::delivered && !listed) standing.shown_on.push_back(channel);
    }
    return standing;
}

}  // namespace countersign
