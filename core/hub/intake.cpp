// SPDX-License-Identifier: Apache-2.0
// How a request is accepted once, recorded, and answered by a rule or given to people; and how its agent leaves.
#include "core/hub/intake.hpp"

#include "core/hub/decision.hpp"
#include "core/hub/records.hpp"

#include <algorithm>
#include <utility>

namespace countersign {

namespace asio = boost::asio;

asio::awaitable<Result<Ulid>> Intake::ask(Request request, Runtime& from) {
    borrowed_.askers.asked(from, asker_of(request));
    const auto known = asked_before(request);
    if (!known) co_return known.error();
    if (*known) {
        // It was asked before by a runtime that is gone; the new runtime gets the answer.
        auto* open = context_.pending.find_asked(request.id);
        if (open->runtime == nullptr) open->runtime = &from;
        co_return open->request->id;
    }
    const auto asked_as = request.id;
    request.id = (*borrowed_.orphans.earlier_id_of(request)).value_or(asked_as);
    // An agent that outlives us asks the next hub.
    if (context_.stopping && from.outlives_hub()) co_return Error{Errc::away, "the hub is shutting down"};
    if (auto obstacle = obstacle_to(request))
        co_return co_await turn_away(std::move(request), asked_as, from, std::move(*obstacle));
    const auto route = route_to_people(request);
    if (!route)
        co_return co_await turn_away(std::move(request), asked_as, from, {Outcome::undeliverable, route.error()});

    // Added to the table before the first suspension, so that the same request sent twice is accepted once. It can be
    // decided only when it is recorded.
    const auto id = request.id;
    const auto orphan = borrowed_.orphans.take(id);
    const records::RouteInForce in_force{(*route)->name, deciders_of(*context_.configuration, **route, request),
                                         std::max((*route)->required, orphan ? orphan->required : 1U)};
    auto entry = orphan ? records::resumed(request, in_force, orphan->generation + 1)
                        : records::request(request, in_force, context_.ports.guard, from.outlives_hub());
    auto fresh = begin(std::move(request), from, in_force);
    if (orphan) fresh.resume(*orphan);
    if (asked_as != id) fresh.asked_as = asked_as;
    context_.pending.add(std::move(fresh));
    const auto written = co_await context_.ports.ledger.append(std::move(entry), Haste::now);

    auto& open = *context_.pending.find(id);  // requests aren't erased while they are being recorded
    if (!written) {
        auto unrecorded = *open.request;
        context_.pending.take(id);
        if (orphan) borrowed_.orphans.put_back(*orphan);
        // If the log is only full, or the record is too large, don't report the log as unavailable.
        const auto outcome = context_.ports.ledger.health() ? Outcome::undeliverable : Outcome::unlogged;
        co_return co_await turn_away(std::move(unrecorded), asked_as, from, {outcome, written.error()});
    }
    open.phase = Pending::Phase::open;
    if (!orphan) open.asked = context_.now();
    if (const auto* halt = borrowed_.orders.halt_of(*open.request); halt != nullptr && !open.ending) {
        co_return co_await refuse_halted(id, *halt);
    }
    borrowed_.listeners.tell({.kind = Listeners::Event::Kind::requested, .request = open.request});
    set_going(open);
    co_return id;
}

Pending Intake::begin(Request request, Runtime& from, const records::RouteInForce& route) {
    Pending fresh{.request = std::make_shared<const Request>(std::move(request)), .route = route.name};
    fresh.required = route.required;
    fresh.runtime = &from;
    fresh.asked = context_.now();
    fresh.offered = offers_.of(fresh.request, context_.configuration->always_of(fresh.request->runtime));
    return fresh;
}

// A halted agent's request is recorded like any other and refused by the halt; approvers don't see it. Runs in the
// hub's own group, because no caller may cancel a decision. Awaited, because the agent must get its answer first.
asio::awaitable<Result<Ulid>> Intake::refuse_halted(Ulid id, Halt halt) {
    const auto& open = *context_.pending.find(id);
    const Error heard{Errc::not_authorised, halt_refusal(halt, *open.request)};
    std::vector<asio::awaitable<void>> refusal;
    refusal.push_back(decide_automatically(Orders::refusal_by(halt, open), Permit{halt.by}));
    co_await context_.tasks.run_together(std::move(refusal));
    const auto* refused = context_.pending.find(id);
    if (refused != nullptr && refused->phase != Pending::Phase::open) {
        co_await wait_until_concluded(context_.pending, context_.executor, id);
    }
    co_return heard;
}

// The request's record is on disk. An end that was requested during the write comes first.
void Intake::set_going(Pending& open) {
    const auto& request = *open.request;
    if (open.ending) {
        borrowed_.flow.end_later(request.id, open.ending->outcome, open.ending->reason);
    } else if (auto automatic = borrowed_.grants.automatic_answer(request)) {
        context_.tasks.spawn(decide_automatically(std::move(automatic->first), std::move(automatic->second)));
    } else {
        borrowed_.sharing.give_to_people(open);
    }
}

// True if this very request is already open. Errc::conflict if its id is used with other content or by another agent.
Result<bool> Intake::asked_before(const Request& request) const {
    if (const auto* open = context_.pending.find_asked(request.id)) {
        const auto& first = *open->request;
        if (first.agent_id == request.agent_id && first.args_hash.hex == request.args_hash.hex) return true;
        return used_for_another_call(request.id);
    }
    if (auto checked = borrowed_.ended.check_new(request, context_.ports.clock.wall()); !checked)
        return checked.error();
    const auto earlier = borrowed_.orphans.earlier_id_of(request);
    if (!earlier) return earlier.error();
    if (*earlier == request.id) return false;  // to be submitted again
    if (auto checked = borrowed_.ended.check_unused(request.id); !checked) return checked.error();
    return false;
}

// The route, if the request can be decided: the table has room, and there are as many deciders as the route requires.
Result<const Route*> Intake::route_to_people(const Request& request) const {
    if (const auto room = context_.pending.check_room_for(request.agent_id); !room) return room.error();
    const auto* route = route_for(*context_.configuration, request);
    if (route == nullptr) return Error{Errc::undeliverable, "no route fits this request"};
    if (deciders_of(*context_.configuration, *route, request).size() < route->required && !route->ends_deny) {
        return Error{Errc::undeliverable, "fewer people may decide this than route " + route->name + " requires"};
    }
    return route;
}

std::optional<Intake::Obstacle> Intake::obstacle_to(const Request& request) {
    const auto* orphan = borrowed_.orphans.find(request.id);
    const bool healthy = context_.ports.ledger.health().has_value();
    // An orphan was already charged by the previous hub. A failed log is handled below.
    if (orphan == nullptr && healthy && !context_.stopping) {
        const auto taken = ask_rate_.take(request, context_.configuration->ask_limits, context_.now());
        if (!taken) return Obstacle{.outcome = Outcome::undeliverable, .why = taken.error(), .is_over_rate = true};
    }
    if (context_.stopping) return Obstacle{Outcome::lost, {Errc::unavailable, "shutting down"}};
    if (!healthy) return Obstacle{Outcome::unlogged, {Errc::unavailable, std::string{log_unavailable}}};
    if (orphan == nullptr) return std::nullopt;  // a new request is recorded first, even if a halt refuses it
    if (orphan->generation >= limits::button_index_max) {
        return Obstacle{Outcome::lost, {Errc::unavailable, "shown too often to be told from its earlier cards"}};
    }
    const auto* halt = borrowed_.orders.halt_of(request);
    if (halt == nullptr) return std::nullopt;
    const auto outcome = request.approval() != nullptr ? Outcome::denied : Outcome::cancelled;
    return Obstacle{outcome, {Errc::not_authorised, halt_reason(halt->by)}, halt->by};
}

// The agent still gets an answer, and the log gets a record, although the request was never open. If it was open before
// a restart, it needs a terminal record.
asio::awaitable<Result<Ulid>> Intake::turn_away(Request request, Ulid asked_as, Runtime& from, Obstacle obstacle) {
    const auto& [outcome, why, by, is_over_rate] = obstacle;
    const auto* halt = by.empty() ? nullptr : borrowed_.orders.halt_of(request);
    const auto heard = halt == nullptr ? why : Error{why.code, halt_refusal(*halt, request)};
    if (borrowed_.orphans.find(request.id) != nullptr && !context_.stopping && context_.ports.ledger.health()) {
        co_await borrowed_.orphans.end(request.id, {outcome, by, {}, context_.ports.clock.wall()}, why.detail);
    } else {
        ++turned_away_;
        const auto make = [&](std::uint64_t left_out) { return records::turned_away(request, why, left_out); };
        if (is_over_rate) context_.notes.write_over_rate(request.agent_id, make);
        if (!is_over_rate) context_.notes.write_rated(Notes::Kind::turned_away, make);
    }
    const auto reason = outcome == Outcome::unlogged ? std::string{log_unavailable} : heard.detail;
    auto answer = refusal(request, outcome, reason);
    answer.request_id = asked_as;
    const auto told = co_await from.forward(std::move(answer));
    if (!told) co_return told.error();
    co_return heard;
}

asio::awaitable<void> Intake::decide_automatically(Attempt attempt, Permit permit) {
    const auto id = attempt.request_id;
    const auto decided = co_await borrowed_.flow.decide(std::move(attempt), std::move(permit));
    auto* open = context_.pending.find(id);
    if (decided || open == nullptr || open->phase != Pending::Phase::open || open->taken) co_return;
    // If a rule's answer can't be recorded, the agent must not wait forever. People are asked instead, but never to
    // overrule a deny.
    if (open->request->judgement.policy.effect == PolicyEffect::deny) {
        borrowed_.flow.end_later(id, Outcome::undeliverable, "a policy rule's deny could not be recorded");
    } else if (const auto* halt = borrowed_.orders.halt_of(*open->request)) {
        borrowed_.flow.end_later(id, Outcome::undeliverable, halt_reason(halt->by) + ", which could not be recorded");
    } else {
        borrowed_.sharing.give_to_people(*open);
    }
}

void Intake::withdraw(const Ulid& id, const Runtime& from, std::string why) {
    auto* open = context_.pending.find_asked(id);
    if (open == nullptr || open->runtime == nullptr || open->runtime->id() != from.id() || open->withdrawn) return;
    open->withdrawn = why;
    borrowed_.flow.end_later(open->request->id, Outcome::withdrawn, std::move(why));
}

void Intake::answered(const Ulid& id, const Runtime& from, OwnAnswer answer,
                      std::function<void(const Result<Receipt>&)> done) {
    const auto* open = context_.pending.find_asked(id);
    if (open == nullptr || open->runtime == nullptr || open->runtime->id() != from.id()) {
        return done(Error{Errc::unknown_request, "this runtime has no open request of this id"});
    }
    Attempt attempt;
    attempt.request_id = open->request->id;
    attempt.principal = "client:" + open->request->agent_id;
    attempt.what = std::move(answer.what);
    attempt.reason = std::move(answer.reason);
    attempt.edited_input = std::move(answer.edited_input);
    attempt.arrived = context_.now();
    attempt.in_client = true;
    borrowed_.attempts.submit(std::move(attempt), std::move(done));
}

void Intake::gone(Runtime& from, const Asker& who, std::string why) {
    const bool names_session = !who.agent_id.empty() && !who.session_key.empty();
    if (from.owns_its_sessions() || names_session) borrowed_.grants.end_sessions_of(from, who, borrowed_.askers);
    borrowed_.askers.gone(from, who);
    for (auto& [id, open] : context_.pending) {
        if (open.runtime == nullptr || open.runtime->id() != from.id() || !covers(who, asker_of(*open.request)))
            continue;
        open.runtime = nullptr;
        if (!context_.stopping || !from.outlives_hub()) borrowed_.flow.end_later(id, Outcome::lost, why);
    }
}

void Intake::session_ended(const Runtime& from, const Asker& who, std::string failure) {
    borrowed_.presenter.session_ended(from, who, failure, borrowed_.orders.halts());
}

void Intake::unreadable(const std::string& agent_id, const Error& why) {
    context_.notes.write_rated(Notes::Kind::unreadable, [&](std::uint64_t left_out) {
        return records::unreadable(agent_id, why, left_out, context_.ports.guard);
    });
}

void Intake::unasked(const UnaskedCall& call) {
    context_.notes.write_rated(Notes::Kind::unasked,
                               [&](std::uint64_t left_out) { return records::unasked(call, left_out); });
}

}  // namespace countersign
