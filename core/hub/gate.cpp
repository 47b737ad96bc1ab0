// SPDX-License-Identifier: Apache-2.0
#include "core/hub/gate.hpp"

#include "core/agent_routes.hpp"
#include "core/hub/decision.hpp"
#include "core/hub/ended_requests.hpp"

#include <algorithm>

namespace countersign {

bool lets_the_agent_act(const Attempt& attempt, const Pending& open) {
    if (std::holds_alternative<Submit>(attempt.what)) return true;
    if (std::holds_alternative<Cancel>(attempt.what)) return false;
    const auto* option = option_of(attempt, open.offered);
    return option == nullptr || option->effect == Effect::allow;
}

Result<Permit> Gate::permit(const Attempt& attempt, const Pending& open, const Halt* halt) const {
    const auto& ports = context_.ports;
    const auto* route = context_.route_of(open);
    if (route == nullptr) return Error{Errc::undeliverable, "the route of this request is no longer configured"};
    auto permit = ports.authoriser.permit(attempt, *open.request, *route, open.offered, *context_.configuration);
    if (auto edit = check_edit(attempt, open); permit && !edit) return edit.error();
    if (!permit || !lets_the_agent_act(attempt, open)) return permit;

    // A halt is being carried out but hasn't denied this request yet.
    const auto wall = ports.clock.wall();
    if (halt != nullptr) {
        const Winner stopped{.outcome = Outcome::denied, .decided_by = halt->by, .channel = {}, .at = halt->at};
        return already_decided(stopped, wall);
    }
    // The alarm ends it at its deadline, but a process that was stopped or asleep may get the click first.
    if (const auto now = context_.now(); open.deadline && now >= *open.deadline) {
        return already_decided({.outcome = Outcome::expired, .at = wall - (now - *open.deadline)}, wall);
    }
    if (!attempt.in_client && !open.shown_whole_at(attempt.where)) {
        return Error{Errc::not_shown, "the whole text was not delivered in this chat on " + attempt.where.channel};
    }
    if (!open.covers_all(attempt)) {
        return Error{Errc::asked_again, std::to_string(1 + open.sharers.size()) + " times by now"};
    }
    if (is_late(attempt.made, attempt.after_gap)) {
        return Error{Errc::late, "your tap arrived late; it is shown again"};
    }
    return permit;
}

// An edit excludes a grant, further votes and a shared card: those would refer to the agent's own input, which isn't
// what the person wants to run.
Result<void> Gate::check_edit(const Attempt& attempt, const Pending& open) const {
    if (!attempt.edited_input) return {};
    if (!open.request->takes_edits) return Error{Errc::unsupported, "this agent takes no other input than its own"};
    if (attempt.edited_input->size() > limits::edited_input_bytes_max) {
        return Error{Errc::too_large, "an edited input of " + std::to_string(attempt.edited_input->size()) +
                                          " bytes, at most " + std::to_string(limits::edited_input_bytes_max)};
    }
    const auto* option = std::holds_alternative<Choose>(attempt.what) ? option_of(attempt, open.offered) : nullptr;
    if (option == nullptr || option->effect != Effect::allow || option->scope != Scope::once) {
        return Error{Errc::conflict, "an edited input goes with an allow for this one call"};
    }
    if (required_of(open) > 1) return Error{Errc::unsupported, "what several people must allow can't be edited"};
    if (!open.sharers.empty()) return Error{Errc::unsupported, "this card stands for several calls"};
    return {};
}

Result<Permit> Gate::permit(const Order& order, const Asker& about) const {
    Attempt attempt;
    attempt.principal = order.principal;
    attempt.what = Choose{"order"};
    attempt.where = order.where;
    attempt.assurance = order.assurance;
    attempt.arrived = order.arrived;
    Request request;
    request.agent_id = about.agent_id;
    request.session_key = about.session_key;
    const auto effect = order.kind == Order::Kind::resume ? Effect::allow : Effect::deny;
    const std::vector<Option> offered{{.option_id = "order", .label = "order", .effect = effect, .scope = Scope::once}};
    const auto& configuration = *context_.configuration;
    Result<Permit> permit = Error{Errc::not_authorised, "no route takes requests of this agent"};
    for (const auto* route : routes_of(configuration, about)) {
        permit = context_.ports.authoriser.permit(attempt, request, *route, offered, configuration);
        if (permit) break;
    }
    if (!permit && order.kind == Order::Kind::halt && order.local_uid) return Permit{local_operator(*order.local_uid)};
    return permit;
}

bool Gate::may_order_about(const std::string& principal, const Asker& about) const {
    Order order;
    order.principal = principal;
    return permit(order, about).has_value();
}

// A time far in the future says as little about when it was made as one far in the past.
bool Gate::is_late(const std::optional<WallTime>& made, bool after_gap) const {
    const auto age = made ? context_.ports.clock.wall() - *made : std::chrono::milliseconds{0};
    return age >= limits::allow_age_max || age <= -limits::allow_age_max || (after_gap && !made);
}

Result<Tally> Gate::count(const Attempt& attempt, const Permit& permit, const Pending& open) const {
    const auto* choose = std::get_if<Choose>(&attempt.what);
    if (choose == nullptr || !lets_the_agent_act(attempt, open)) {
        return Tally{.complete = true, .have = 1, .option_id = choose == nullptr ? "" : choose->option_id};
    }
    return tally(standing_votes(open), {.person = permit.person, .option_id = choose->option_id}, required_of(open),
                 open.offered);
}

std::vector<Vote> Gate::standing_votes(const Pending& open) const {
    std::vector<Vote> standing;
    const auto* route = context_.route_of(open);
    if (route == nullptr) return standing;
    for (std::size_t i = 0; i < open.votes.size(); ++i) {
        const auto permit = context_.ports.authoriser.permit(open.voted_by[i], *open.request, *route, open.offered,
                                                             *context_.configuration);
        if (permit && permit->person == open.votes[i].person) standing.push_back(open.votes[i]);
    }
    return standing;
}

std::string Gate::why_expired(const Pending& open) const {
    const auto have = standing_votes(open).size();
    if (open.never_shown()) return "nobody could be shown the request in time";
    if (have == 0) return "nobody decided in time";
    return std::to_string(have) + " of " + std::to_string(open.required) + " allowed it in time";
}

std::uint32_t Gate::required_of(const Pending& open) const {
    const auto* route = context_.route_of(open);
    return std::max(open.required, route == nullptr ? 1U : route->required);
}

}  // namespace countersign
