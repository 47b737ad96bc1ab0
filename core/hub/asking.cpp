// SPDX-License-Identifier: Apache-2.0
// How a request gets in: accepted once, recorded, answered by a rule or shown to people, and watched until it ends.
#include "core/hub/hub.hpp"
#include "core/hub/records.hpp"
#include "core/hub/refusal.hpp"

#include <algorithm>
#include <utility>

namespace countersign {

namespace asio = boost::asio;

Hub::Hub(asio::any_io_executor executor, Ports ports, std::shared_ptr<const Configuration> configuration,
         std::function<void(const std::string&)> stray)
    : ports_{ports}, configuration_{std::move(configuration)}, executor_{executor}, tasks_{executor, std::move(stray)} {
    ports_.ledger.on_poisoned([this](const Error&) {
        for (const auto& [id, open] : pending_) {
            // A request whose own record failed is answered by ask().
            if (open.phase == Pending::Phase::open) tasks_.spawn(end_unlogged(id));
        }
    });
}

void Hub::add_channel(Channel& channel) { channels_[channel.name()] = &channel; }

Pending* Hub::find(const Ulid& id) {
    const auto found = pending_.find(id);
    return found == pending_.end() ? nullptr : &found->second;
}

Pending Hub::take_out(const Ulid& id) {
    auto taken = std::move(pending_.extract(id).mapped());
    const auto of_agent = pending_of_agent_.find(taken.request->agent_id);
    if (--of_agent->second == 0) pending_of_agent_.erase(of_agent);
    return taken;
}

asio::awaitable<Result<Ulid>> Hub::ask(Request request, Runtime& from) {
    if (!askers_.asked(from, asker_of(request))) threads_.disown(from);
    const auto known = asked_before(request);
    if (!known) co_return known.error();
    if (*known) {
        take_over(request.id, from);
        co_return request.id;
    }
    // Whoever outlives us asks the next hub.
    if (stopping_ && from.outlives_hub()) co_return Error{Errc::away, "the hub is shutting down"};
    // What waited for its agent was counted by the hub before. A log that fails has its own answer below.
    if (!orphans_.contains(request.id) && ports_.ledger.health() && !stopping_) {
        const auto taken = ask_rate_.take(request, configuration_->ask_limits, ports_.clock.boot());
        if (!taken) {
            Obstacle too_much{.outcome = Outcome::undeliverable, .why = taken.error(), .is_over_rate = true};
            co_return co_await turn_away(std::move(request), from, std::move(too_much));
        }
    }
    if (auto obstacle = obstacle_to(request))
        co_return co_await turn_away(std::move(request), from, std::move(*obstacle));
    const auto route = way_to_people(request);
    if (!route) co_return co_await turn_away(std::move(request), from, {Outcome::undeliverable, route.error()});

    // In the table before the first suspension, so that the same request sent twice is one; decidable only when
    // recorded.
    const auto id = request.id;
    const auto orphan = take_orphan(id);
    const records::RouteInForce in_force{(*route)->name, deciders_of(*configuration_, **route, request),
                                         std::max((*route)->required, orphan ? orphan->required : 1U)};
    auto entry = orphan ? records::resumed(request, in_force, orphan->generation + 1)
                        : records::request(request, in_force, ports_.guard, from.outlives_hub());
    auto fresh = begun(std::move(request), from, in_force);
    if (orphan) fresh = resumed(std::move(fresh), *orphan);
    ++pending_of_agent_[fresh.request->agent_id];
    pending_.emplace(id, std::move(fresh));
    const auto written = co_await ports_.ledger.append(std::move(entry), Haste::now);

    auto& open = pending_.at(id);  // nothing erases a request while it is recording
    if (!written) {
        auto unrecorded = *open.request;
        take_out(id);
        if (orphan) orphans_.emplace(id, Waiting{*orphan});  // nobody was shown it again: it still needs its end
        // A log that is only full, or finds this one too large, is not to be blamed for being unavailable.
        const auto outcome = ports_.ledger.health() ? Outcome::undeliverable : Outcome::unlogged;
        co_return co_await turn_away(std::move(unrecorded), from, {outcome, written.error()});
    }
    open.phase = Pending::Phase::open;
    if (!orphan) open.asked = ports_.clock.boot();
    if (const auto* halt = halt_of(*open.request); halt != nullptr && !open.ending) {
        co_return co_await refuse_halted(id, *halt);
    }
    listeners_.tell({.kind = Event::Kind::requested, .request = open.request});
    set_going(open);
    co_return id;
}

Pending Hub::begun(Request request, Runtime& from, const records::RouteInForce& route) {
    Pending fresh{.request = std::make_shared<const Request>(std::move(request)), .route = route.name};
    fresh.required = route.required;
    fresh.runtime = &from;
    fresh.asked = ports_.clock.boot();
    fresh.offered = offer_of(fresh.request);
    return fresh;
}

// One list for all that offer the same: the request's own where people are shown that as it is, else the one before,
// because an agent's options seldom differ from call to call.
Offered Hub::offer_of(const std::shared_ptr<const Request>& request) {
    const auto* approval = request->approval();
    if (approval == nullptr) return {};
    auto options = offered(approval->options, {.always = configuration_->always_of(request->runtime),
                                               .may_grant = request->judgement.may_grant,
                                               .grant_note = request->grant_note});
    if (options == approval->options)
        return Offered{std::shared_ptr<const std::vector<Option>>{request, &approval->options}};
    auto& last = last_offer_[request->runtime];
    if (!std::ranges::equal(last, options)) last = std::move(options);
    return last;
}

// What a halted agent asks is recorded like any other request, and refused by the halt; no approver is shown it. In the
// hub's own group, because no caller may cancel a decision; awaited, because the agent hears its answer first.
asio::awaitable<Result<Ulid>> Hub::refuse_halted(Ulid id, Halt halt) {
    const auto& open = pending_.at(id);
    const Error heard{Errc::not_authorised, halt_refusal(halt, *open.request)};
    std::vector<asio::awaitable<void>> refusal;
    refusal.push_back(decide_automatically(refusal_by(halt, open), Permit{halt.by}));
    co_await together(std::move(refusal));
    co_return heard;
}

// Its record is on disk. What came while that was written comes first.
void Hub::set_going(Pending& open) {
    const auto& request = *open.request;
    if (open.ending) {
        tasks_.spawn(end(request.id, open.ending->outcome, open.ending->reason));
    } else if (auto automatic = automatic_answer(request)) {
        tasks_.spawn(decide_automatically(std::move(automatic->first), std::move(automatic->second)));
    } else {
        give_to_people(open);
    }
}

// True: this very request is known already. Errc::conflict: its id is, with other content, or from another agent.
Result<bool> Hub::asked_before(const Request& request) const {
    const auto same = [&](const std::string& agent_id, const std::string& args_hash) -> Result<bool> {
        if (agent_id == request.agent_id && args_hash == request.args_hash.hex) return true;
        return Error{Errc::conflict, "approvalId " + request.id.str() + " was used for another call"};
    };
    if (const auto open = pending_.find(request.id); open != pending_.end()) {
        return same(open->second.request->agent_id, open->second.request->args_hash.hex);
    }
    if (const auto ended = concluded_.find(request.id); ended != concluded_.end()) {
        auto repeated = same(ended->second.agent_id, ended->second.args_hash);
        if (!repeated) return repeated;
        return already_decided(ended->second.winner);  // its answer was given; a second one would be another decision
    }
    auto orphan = is_orphan(request);
    if (!orphan) return orphan;
    if (*orphan) return false;  // it is to be shown again
    if (earlier_.contains(request.id)) {
        return Error{Errc::conflict,
                     "approvalId " + request.id.str() + " was used before the hub started; use a new one"};
    }
    return false;
}

// The route, if it can end in a decision: room in the table, and as many deciders as it requires.
Result<const Route*> Hub::way_to_people(const Request& request) const {
    if (pending_.size() >= limits::pending_requests_max) return Error{Errc::busy, "too many requests are pending"};
    const auto of_agent = pending_of_agent_.find(request.agent_id);
    if (of_agent != pending_of_agent_.end() && of_agent->second >= limits::pending_per_agent_max) {
        return Error{Errc::busy, "too many requests of this agent are pending"};
    }
    const auto* route = route_for(*configuration_, request);
    if (route == nullptr) return Error{Errc::undeliverable, "no route fits this request"};
    if (deciders_of(*configuration_, *route, request).size() < route->required && !route->ends_deny) {
        return Error{Errc::undeliverable, "fewer people may decide this than route " + route->name + " requires"};
    }
    return route;
}

std::optional<Hub::Obstacle> Hub::obstacle_to(const Request& request) const {
    if (stopping_) return Obstacle{Outcome::lost, {Errc::unavailable, "shutting down"}};
    if (!ports_.ledger.health()) {
        return Obstacle{Outcome::unlogged, {Errc::unavailable, std::string{log_unavailable}}};
    }
    if (const auto orphan = orphans_.find(request.id);
        orphan != orphans_.end() && orphan->second.orphan.generation >= limits::button_index_max) {
        return Obstacle{Outcome::lost, {Errc::unavailable, "shown too often to be told from its earlier cards"}};
    }
    // A request that is new is recorded first, and then refused.
    const auto* halt = orphans_.contains(request.id) ? halt_of(request) : nullptr;
    if (halt == nullptr) return std::nullopt;
    const auto outcome = request.approval() != nullptr ? Outcome::denied : Outcome::cancelled;
    return Obstacle{outcome, {Errc::not_authorised, halt_reason(halt->by)}, halt->by};
}

// The agent still gets an answer, and the log a line though the request never was open. If it was, before a restart, it
// needs its end.
asio::awaitable<Result<Ulid>> Hub::turn_away(Request request, Runtime& from, Obstacle obstacle) {
    const auto& [outcome, why, by, is_over_rate] = obstacle;
    const auto* halt = by.empty() ? nullptr : halt_of(request);
    const auto heard = halt == nullptr ? why : Error{why.code, halt_refusal(*halt, request)};
    if (orphans_.contains(request.id) && !stopping_ && ports_.ledger.health()) {
        co_await end_orphan(request.id, {outcome, by, {}, ports_.clock.wall()}, why.detail);
    } else {
        ++counts_.turned_away;
        const auto make = [&](std::uint64_t left_out) { return records::turned_away(request, why, left_out); };
        if (is_over_rate) notes_.write_over_rate(request.agent_id, make);
        if (!is_over_rate) notes_.write_rated(Notes::Kind::turned_away, make);
    }
    const auto reason = outcome == Outcome::unlogged ? std::string{log_unavailable} : heard.detail;
    const auto told = co_await from.forward(refusal(request, outcome, reason));
    if (!told) co_return told.error();
    co_return heard;
}

// Policy deny, grant, policy allow, people: in this order. Made as an attempt, so that it takes the same way to the
// disk and to the agent as a person's.
std::optional<std::pair<Attempt, Permit>> Hub::automatic_answer(const Request& request) {
    const auto* approval = request.approval();
    if (approval == nullptr) return std::nullopt;
    const auto as = [&](const Option& option, const std::string& by, std::string reason) {
        Attempt attempt{.request_id = request.id,
                        .principal = by,
                        .what = Choose{option.option_id},
                        .reason = std::move(reason),
                        .assurance = Assurance::token,
                        .arrived = ports_.clock.boot()};
        return std::pair{std::move(attempt), Permit{by}};
    };
    const auto& policy = request.judgement.policy;
    if (policy.effect == PolicyEffect::deny) {
        // Also where the request offers no refusal: then the agent hears the outcome without an option.
        const auto* refusal = refusal_of(approval->options);
        return as(refusal == nullptr ? Option{} : *refusal, "policy:" + policy.rule,
                  "denied by policy rule " + policy.rule);
    }
    const auto once = std::ranges::find_if(approval->options, [](const Option& o) {
        return o.known && o.effect == Effect::allow && o.scope == Scope::once;
    });
    if (once == approval->options.end()) return std::nullopt;
    if (const auto grant = grants_.use(request, ports_.clock.boot())) return as(*once, "grant:" + grant->id.str(), "");
    if (policy.effect == PolicyEffect::allow) return as(*once, "policy:" + policy.rule, "");
    return std::nullopt;
}

asio::awaitable<void> Hub::decide_automatically(Attempt attempt, Permit permit) {
    const auto id = attempt.request_id;
    const auto decided = co_await decide(std::move(attempt), std::move(permit));
    auto* open = find(id);
    if (decided || open == nullptr || open->phase != Pending::Phase::open || open->taken) co_return;
    // A rule that could not be carried out is no reason to leave the agent waiting: people are asked, but never whether
    // to overrule a deny.
    if (open->request->judgement.policy.effect == PolicyEffect::deny) {
        tasks_.spawn(end(id, Outcome::undeliverable, "a policy rule's deny could not be recorded"));
    } else if (const auto* halt = halt_of(*open->request)) {
        tasks_.spawn(end(id, Outcome::undeliverable, halt_reason(halt->by) + ", which could not be recorded"));
    } else {
        give_to_people(*open);
    }
}

void Hub::show_to_people(Pending& open) {
    if (stopping_) return;  // an agent that outlives us waits for it: the next hub shows it
    open.shown_since = open.resumed ? open.asked : ports_.clock.boot();
    open.reminded = ports_.clock.boot();
    present_due_steps(open);
    set_alarm(open);
}

std::optional<BootTime> Hub::next_moment(const Pending& open) const {
    auto next = open.deadline;
    const auto sooner = [&next](BootTime due) { next = next ? std::min(*next, due) : due; };
    const auto* route = configuration_->route_named(open.route);
    if (open.standing != Pending::Standing::own || route == nullptr) return next;
    if (open.steps_shown < route->steps.size()) sooner(open.shown_since + route->steps[open.steps_shown].after);
    if (const auto due = reminder_due(open)) sooner(*due);
    return next;
}

void Hub::set_alarm(Pending& open) {
    const auto before = std::exchange(open.alarm, next_moment(open));
    alarm_.move(open.request->id, before, open.alarm);
}

// Shows each step when its time comes, reminds people, and ends the request at its deadline.
asio::awaitable<void> Hub::moment_came(Ulid id) {
    auto* open = find(id);
    if (open == nullptr || stopping_) co_return;
    if (open->deadline && ports_.clock.boot() >= *open->deadline) {
        // Nobody let it pass whom it never reached.
        const auto outcome = open->never_shown() ? Outcome::undeliverable : Outcome::expired;
        co_return co_await end(id, outcome, unfinished(*open));
    }
    present_due_steps(*open);
    remind_if_due(*open);
    if (open->phase == Pending::Phase::open) set_alarm(*open);
}

void Hub::withdraw(const Ulid& id, const Runtime& from, std::string why) {
    auto* open = find(id);
    if (open == nullptr || open->runtime != &from || open->withdrawn) return;
    open->withdrawn = why;
    tasks_.spawn(end(id, Outcome::withdrawn, std::move(why)));
}

void Hub::gone(Runtime& from, std::string why) {
    end_session_grants(from);
    askers_.gone(from);
    for (auto& [id, open] : pending_) {
        if (open.runtime != &from) continue;
        open.runtime = nullptr;
        if (!stopping_ || !from.outlives_hub()) tasks_.spawn(end(id, Outcome::lost, why));
    }
}

void Hub::unreadable(const std::string& agent_id, const Error& why) {
    notes_.write_rated(Notes::Kind::unreadable, [&](std::uint64_t left_out) {
        return records::unreadable(agent_id, why, left_out, ports_.guard);
    });
}

void Hub::unasked(const UnaskedCall& call) {
    notes_.write_rated(Notes::Kind::unasked, [&](std::uint64_t left_out) { return records::unasked(call, left_out); });
}

void Hub::reconfigure(std::shared_ptr<const Configuration> configuration) {
    configuration_ = std::move(configuration);
    for (auto& [id, open] : pending_) {
        if (configuration_->route_named(open.route) == nullptr) {
            tasks_.spawn(end(id, Outcome::undeliverable, "route " + open.route + " is no longer configured"));
            continue;
        }
        // Today's delays count from now on. What people were not given yet, because a rule may answer it, is not timed.
        const bool is_timed = open.alarm || !open.deliveries.empty();
        if (is_timed && open.phase == Pending::Phase::open && !stopping_) set_alarm(open);
    }
}

asio::awaitable<void> Hub::stop() {
    const bool stopped_before = std::exchange(stopping_, true);
    notes_.stop();
    halt_records_.stop();
    losing_orphans_.cancel();
    alarm_.clear();
    for (const auto& [id, open] : pending_) {
        if (stopped_before) break;
        // What is left to the next hub stays as it is, on disk and on the screens. A decision that is on its way is
        // still written and given.
        const bool is_left = open.runtime != nullptr && open.runtime->outlives_hub();
        if (!is_left) tasks_.spawn(end(id, Outcome::lost, "hub stopped"));
    }
    co_await tasks_.join();
    notes_.tell_left_out();  // also of what was refused meanwhile
    tasks_.spawn(halt_records_.write_waiting());
    co_await tasks_.join();
}

}  // namespace countersign
