// SPDX-License-Identifier: Apache-2.0
// What people order that is about no single request: to stop an agent or a session, to let it go on, to take a grant
// back. Each passes the gate that decisions pass, and is on disk before anybody is told that it is done.
#include "core/agent_routes.hpp"
#include "core/hub/hub.hpp"
#include "core/hub/records.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <iterator>
#include <memory>
#include <set>

namespace countersign {

namespace asio = boost::asio;

namespace {

Asker asker_of(const Orphan& orphan) { return {.agent_id = orphan.agent_id, .session_key = orphan.session_key}; }

bool any_covers(const std::vector<Asker>& whom, const Asker& asker) {
    return std::ranges::any_of(whom, [&](const Asker& one) { return covers(one, asker); });
}

// What a name stands for, if it is this one's: the whole agent, or the one session.
void add_if_named(std::set<Asker>& found, const Asker& asker, const std::string& target) {
    if (asker.agent_id == target) found.insert({.agent_id = target, .session_key = {}});
    if (!asker.session_key.empty() && asker.session_key == target) found.insert(asker);
}

std::set<Asker> halted_as(const std::string& target, const Halts& halts) {
    std::set<Asker> found;
    for (const auto& [who, by, at] : halts.all()) {
        if ((who.session_key.empty() ? who.agent_id : who.session_key) == target) found.insert(who);
    }
    return found;
}

// Where something of that name is there already, only an agent that is not: a session may have its name from its agent.
std::set<Asker> whoever_comes_as(const std::string& target, const std::set<Asker>& there = {}) {
    const Asker agent{.agent_id = target, .session_key = {}};
    if (there.empty()) return {agent, {.agent_id = {}, .session_key = target}};
    return there.contains(agent) ? std::set<Asker>{} : std::set{agent};
}

bool is_name(const std::string& target) { return !target.empty() && target.size() <= limits::session_key_bytes_max; }

}  // namespace

void Hub::remember_halts(const std::vector<Halt>& halts) {
    for (const auto& halt : halts) {
        const auto added = halts_.add(halt);
        if (!added) return;  // cannot be: the process that wrote them kept the same bound
    }
}

const Halt* Hub::halt_of(const Request& request) const { return halts_.of(asker_of(request)); }

// Also for who comes below the gate: a grant, or an answer to another card, may have been on its way before the halt.
std::optional<Error> Hub::halt_against(const Decision& decision, const Request& request) const {
    if (decision.outcome != Outcome::allowed && decision.outcome != Outcome::answered) return std::nullopt;
    const auto* halt = halt_of(request);
    if (halt == nullptr) return std::nullopt;
    return already_decided({.outcome = Outcome::denied, .decided_by = halt->by, .channel = {}, .at = halt->at});
}

void Hub::order(Order order, std::function<void(const Result<Carried>&)> done) {
    tasks_.spawn(carry_out(std::move(order), std::move(done)));
}

asio::awaitable<void> Hub::carry_out(Order order, std::function<void(const Result<Carried>&)> done) {
    Result<Carried> carried;
    switch (order.kind) {
    case Order::Kind::halt:
        carried = co_await halt(std::move(order));
        break;
    case Order::Kind::resume:
        carried = co_await resume(std::move(order));
        break;
    case Order::Kind::revoke:
        carried = co_await revoke(std::move(order));
        break;
    }
    if (done) done(carried);
}

// A name that nobody here has is taken for one that may still come, an agent's or a session's: it must not matter that
// its last call was a moment ago. So is one that only others have, whom this person may not stop.
asio::awaitable<Result<Carried>> Hub::halt(Order order) {
    if (!is_name(order.target)) co_return refuse(order, {Errc::malformed, "no agent and no session has such a name"});
    auto meant = named(order.target);
    auto halted = halted_as(order.target, halts_);
    const auto carried = std::make_shared<Carried>();
    const auto here = permitted(order, meant);
    carried->known = !here.whom.empty() || !halted.empty();
    if (here.whom.empty()) meant = whoever_comes_as(order.target, meant);
    meant.merge(halted);
    const auto ordered = permitted(order, meant);
    if (ordered.whom.empty()) co_return refuse(order, meant.empty() ? here.why : ordered.why);
    carried->whom = ordered.whom;
    if (!halts_.has_room_for(ordered.whom)) co_return refuse(order, {Errc::busy, "too many are halted; resume some"});

    // In force before its record is on disk: what must stop must not run meanwhile. Whoever ordered it is told after.
    // Where it stood already the newest takes its place: a resume that is being written must not undo this one.
    carried->person = ordered.permit.person;
    carried->nothing_new = true;
    std::vector<Halt> halts;
    for (const auto& who : ordered.whom) {
        halts.push_back({.who = who, .by = carried->person, .at = ports_.clock.wall()});
        resuming_.erase(who);  // one that is being written does not count for this one
        const auto stood = halts_.add(halts.back());
        carried->nothing_new = carried->nothing_new && stood && *stood;
    }
    auto revoked = revoke_grants_of(ordered.whom);
    carried->revoked = revoked.size();
    bool recorded = true;
    // Whoever reads the delivery in the log takes all of it for done, so that the last one names it.
    const auto delivery = std::exchange(order.delivery, {});
    for (const auto& halt : halts) {
        if (&halt == &halts.back()) order.delivery = delivery;
        const auto written = co_await halt_records_.write({halt, records::halt(order, halt.by, halt.who)});
        recorded = recorded && written;
        carried->receipt = recorded ? written : std::nullopt;
        carried->tried_again = carried->tried_again || halt_records_.waits(halt.who);
    }
    halt_records_.retry_later();
    tasks_.spawn(record_revoked(std::move(revoked), order, carried->person));

    // The answers first: an agent whose turn is ended takes back what it asked, and the log would not say who refused.
    co_await deny_open_of(ordered.whom, order, ordered.permit, carried);
    co_await interrupt_turns_of(ordered.whom, halt_reason(carried->person), carried);
    co_return *carried;
}

// Also of what is resumed: whoever stopped it wants to be asked about the next call, and not that somebody's earlier
// answer lets it through.
std::vector<Grant> Hub::revoke_grants_of(const std::vector<Asker>& whom) {
    std::vector<Grant> revoked;
    for (const auto& who : whom) std::ranges::move(grants_.revoke_all_of(who), std::back_inserter(revoked));
    return revoked;
}

// What a person allowed for a session ends with it: the next one may have its name. A runtime knows no longer each of
// its sessions, so that those end which nobody else is in. A hub that stops forgets all.
void Hub::end_session_grants(Runtime& from) {
    const auto askers = askers_.all().find(&from);
    if (stopping_ || askers == askers_.all().end()) return;
    std::set<std::string> agents;
    for (const auto& who : askers->second) agents.insert(who.agent_id);
    std::vector<Asker> over;
    for (const auto& grant : grants_.all()) {
        const Asker who{.agent_id = grant.agent_id, .session_key = grant.session_key};
        const bool of_a_session = !who.session_key.empty() && agents.contains(who.agent_id);
        if (of_a_session && !askers_.asks_elsewhere(who, from)) over.push_back(who);
    }
    tasks_.spawn(record_revoked(revoke_grants_of(over), revocation_by(session_end), session_end));
}

// One after the other: there may be more than the log's queue takes at once. The delivery stands in the halt's record.
asio::awaitable<void> Hub::record_revoked(std::vector<Grant> grants, Order order, std::string person) {
    order.delivery.clear();
    for (const auto& grant : grants) {
        const auto written = co_await ports_.ledger.append(records::revoke(order, person, grant), Haste::soon);
        if (!written && !ports_.ledger.health()) co_return;
    }
}

// The other way round: nothing goes on before it is on disk who let it.
asio::awaitable<Result<Carried>> Hub::resume(Order order) {
    if (!is_name(order.target)) co_return refuse(order, {Errc::malformed, "no agent and no session has such a name"});
    auto meant = halted_as(order.target, halts_);
    Carried carried;
    carried.known = carried.nothing_new = meant.empty();
    if (meant.empty()) meant = whoever_comes_as(order.target);
    const auto ordered = permitted(order, meant);
    if (ordered.whom.empty()) co_return refuse(order, ordered.why);
    carried.person = ordered.permit.person;
    if (carried.nothing_new) co_return carried;
    if (is_late(order.made, order.after_gap)) co_return refuse(order, {Errc::late, "it arrived late; say it again"});
    carried.known = true;

    for (const auto& who : ordered.whom) {
        const auto* halt = halts_.exactly(who);
        if (halt == nullptr) continue;  // somebody was quicker
        const auto lifted = *halt;
        // One that was written before the halt and brought again after it must not undo it. Platforms count seconds.
        if (order.made && *order.made + std::chrono::seconds{1} <= halt->at)
            co_return refuse(order, {Errc::late, "halted after you wrote this"});
        resuming_.insert(who);
        const auto written = co_await ports_.ledger.append(records::halt(order, carried.person, who), Haste::now);
        const bool counts = resuming_.erase(who) > 0;
        if (!written) co_return refuse(order, written.error());
        carried.receipt = *written;
        halt = halts_.exactly(who);
        if (halt == nullptr) continue;
        if (!counts || *halt != lifted) co_return Error{Errc::already_decided, "halted again by " + halt->by};
        halts_.lift(who);
        carried.whom.push_back(who);
    }
    co_return carried;
}

// Like a halt it counts at once: a call that comes meanwhile is asked about.
asio::awaitable<Result<Carried>> Hub::revoke(Order order) {
    const auto& all = grants_.all();
    const auto found = std::ranges::find(all, order.grant, &Grant::id);
    if (found == all.end()) co_return refuse(order, {Errc::unknown_request, "there is no such grant"});
    const auto grant = *found;  // NOLINT(performance-unnecessary-copy-initialization): the book forgets it below
    const auto permit = permitted(order, Asker{.agent_id = grant.agent_id, .session_key = grant.session_key});
    if (!permit) co_return refuse(order, permit.error());
    grants_.revoke(grant.id);
    Carried carried;
    carried.person = permit->person;
    const auto written = co_await ports_.ledger.append(records::revoke(order, permit->person, grant), Haste::now);
    if (written) carried.receipt = *written;
    co_return carried;
}

// Whoever of this name has something open, also from before a restart, or has asked and is still there.
std::set<Asker> Hub::named(const std::string& target) const {
    std::set<Asker> found;
    for (const auto& [id, open] : pending_) add_if_named(found, asker_of(*open.request), target);
    for (const auto& [id, waiting] : orphans_) add_if_named(found, asker_of(waiting.orphan), target);
    for (const auto& [runtime, askers] : askers_.all()) {
        for (const auto& asker : askers) add_if_named(found, asker, target);
    }
    return found;
}

Hub::Ordered Hub::permitted(const Order& order, const std::set<Asker>& meant) const {
    Ordered ordered;
    for (const auto& who : meant) {
        auto permit = permitted(order, who);
        if (permit) {
            ordered.whom.push_back(who);
            ordered.permit = std::move(*permit);
        } else {
            ordered.why = permit.error();
        }
    }
    return ordered;
}

// The gate is asked as for a request of theirs (I4), on each route that one could take: a stop is its refusal, and to
// let an agent go on is its allow. So whoever may refuse may stop, and roles and assurance count for a resume. The
// local operator may always stop.
Result<Permit> Hub::permitted(const Order& order, const Asker& about) const {
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
    Result<Permit> permit = Error{Errc::not_authorised, "no route takes requests of this agent"};
    for (const auto* route : routes_of(*configuration_, about)) {
        permit = ports_.authoriser.permit(attempt, request, *route, offered, *configuration_);
        if (permit) break;
    }
    if (!permit && order.kind == Order::Kind::halt && order.local_uid) return Permit{local_operator(*order.local_uid)};
    return permit;
}

bool Hub::may_order_about(const std::string& principal, const Asker& about) const {
    Order order;
    order.principal = principal;
    return permitted(order, about).has_value();
}

Attempt Hub::refusal_by(const Halt& halt, const Pending& open) {
    Attempt attempt;
    attempt.request_id = open.request->id;
    attempt.principal = halt_principal(halt.by);
    attempt.reason = halt_reason(halt.by);
    attempt.assurance = Assurance::token;
    attempt.arrived = open.asked;
    if (open.request->questionnaire() != nullptr) {
        attempt.what = Cancel{};
    } else {
        // Also where the request offers no refusal: then the agent hears the outcome without an option.
        const auto* option = refusal_of(open.offered);
        attempt.what = Choose{option == nullptr ? std::string{} : option->option_id};
    }
    return attempt;
}

// Each enters `decide` below the gate, which the order itself has passed, and has its own terminal record. One that is
// still being recorded is refused when it is; one that somebody just decided keeps that.
asio::awaitable<void> Hub::deny_open_of(std::vector<Asker> whom, Order order, Permit permit,
                                        std::shared_ptr<Carried> carried) {
    std::vector<asio::awaitable<void>> denials;
    for (const auto& [id, open] : pending_) {
        if (!open.decidable() || !any_covers(whom, asker_of(*open.request))) continue;
        auto attempt = refusal_by({.who = {}, .by = permit.person, .at = {}}, open);
        attempt.principal = order.principal;
        attempt.where = order.where;
        attempt.assurance = order.assurance;
        attempt.arrived = order.arrived;
        denials.push_back(deny_halted(std::move(attempt), permit, carried));
    }
    for (const auto& [id, waiting] : orphans_) {
        if (waiting.ending || !any_covers(whom, asker_of(waiting.orphan))) continue;
        const auto outcome = waiting.orphan.tool_name == question_tool ? Outcome::cancelled : Outcome::denied;
        denials.push_back(end_halted(id, {outcome, permit.person, order.where.channel, ports_.clock.wall()}, carried));
    }
    co_await together(std::move(denials));
}

// Its agent is not there to hear it, and hears it when it asks again.
asio::awaitable<void> Hub::end_halted(Ulid orphan, Winner winner, std::shared_ptr<Carried> carried) {
    const auto reason = halt_reason(winner.decided_by);
    co_await end_orphan(orphan, std::move(winner), reason);
    if (!orphans_.contains(orphan)) ++carried->denied;
}

asio::awaitable<void> Hub::deny_halted(Attempt attempt, Permit permit, std::shared_ptr<Carried> carried) {
    const auto id = attempt.request_id;
    const auto decided = co_await decide(std::move(attempt), permit);
    if (decided) ++carried->denied;
    // What the log does not take now must still end: nobody may allow it any more.
    const auto* open = find(id);
    if (decided || open == nullptr || !open->decidable()) co_return;
    tasks_.spawn(end(id, Outcome::undeliverable, halt_reason(permit.person) + ", which could not be recorded"));
}

// A runtime ends its running turn, and not that of a session. What another of its sessions asked last is not ended for
// this one; then whoever ordered it hears that it goes on until it asks.
asio::awaitable<void> Hub::interrupt_turns_of(std::vector<Asker> whom, std::string why,
                                              std::shared_ptr<Carried> carried) {
    std::vector<asio::awaitable<void>> turns;
    for (const auto& [runtime, askers] : askers_.all()) {
        if (any_covers(whom, askers.back())) {
            turns.push_back(interrupt(runtime, why, carried));
        } else if (std::ranges::any_of(askers, [&](const Asker& asker) { return any_covers(whom, asker); })) {
            ++carried->not_interrupted;
        }
    }
    co_await together(std::move(turns));
}

asio::awaitable<void> Hub::interrupt(Runtime* runtime, std::string why, std::shared_ptr<Carried> carried) {
    if (!askers_.is_there(runtime)) co_return;  // it went meanwhile, and its turn with it
    const auto ended = co_await runtime->interrupt(std::move(why));
    ++(ended ? carried->interrupted : carried->not_interrupted);
}

namespace {

struct Together {
    std::size_t left;
    asio::steady_timer over;
};

asio::awaitable<void> one_of(asio::awaitable<void> task, std::shared_ptr<Together> all) {
    co_await std::move(task);
    if (--all->left == 0) all->over.cancel();
}

}  // namespace

// All of them at once: one agent that does not listen must not keep the others running.
asio::awaitable<void> Hub::together(std::vector<asio::awaitable<void>> tasks) {
    const auto all = std::make_shared<Together>(
        Together{tasks.size(), asio::steady_timer{executor_, asio::steady_timer::time_point::max()}});
    for (auto& task : tasks) tasks_.spawn(one_of(std::move(task), all));
    boost::system::error_code ignored;
    while (all->left > 0) co_await all->over.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
}

Error Hub::refuse(const Order& order, Error why) {
    note_refused(order.principal,
                 [&](std::uint64_t left_out) { return records::refused(order, why, left_out, ports_.guard); });
    return why;
}

}  // namespace countersign
