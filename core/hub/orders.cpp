// SPDX-License-Identifier: Apache-2.0
#include "core/hub/orders.hpp"

#include "core/hub/bounds.hpp"
#include "core/hub/records.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <utility>

namespace countersign {

namespace asio = boost::asio;

namespace {

Asker asker_of(const Orphan& orphan) { return {.agent_id = orphan.agent_id, .session_key = orphan.session_key}; }

bool any_covers(const std::vector<Asker>& whom, const Asker& asker) {
    return std::ranges::any_of(whom, [&](const Asker& one) { return covers(one, asker); });
}

// Adds the whole agent, or the one session, if `target` names it.
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

// For a name that is in use, returns only the agent of that name, if it isn't known: an agent chooses the names of its
// sessions, so it could use another agent's name.
std::set<Asker> askers_named(const std::string& target, const std::set<Asker>& there = {}) {
    const Asker agent{.agent_id = target, .session_key = {}};
    if (there.empty()) return {agent, {.agent_id = {}, .session_key = target}};
    return there.contains(agent) ? std::set<Asker>{} : std::set{agent};
}

bool is_name(const std::string& target) { return !target.empty() && target.size() <= limits::session_key_bytes_max; }

}  // namespace

Orders::Orders(Borrowed borrowed)
    : borrowed_{borrowed},
      context_{borrowed.context},
      records_{{context_.tasks, context_.ports.ledger, context_.ports.clock, halts_, resuming_}} {}

void Orders::remember(const std::vector<Halt>& halts) {
    for (const auto& halt : halts) {
        const auto added = halts_.add(halt);
        if (!added) return;  // can't happen: the previous process had the same bound
    }
}

std::optional<Error> Orders::halt_against(const Decision& decision, const Request& request) const {
    if (decision.outcome != Outcome::allowed && decision.outcome != Outcome::answered) return std::nullopt;
    const auto* halt = halt_of(request);
    if (halt == nullptr) return std::nullopt;
    const Winner stopped{.outcome = Outcome::denied, .decided_by = halt->by, .channel = {}, .at = halt->at};
    return already_decided(stopped, context_.ports.clock.wall());
}

void Orders::carry_out(Order order, std::function<void(const Result<Carried>&)> done) {
    context_.tasks.spawn(run(std::move(order), std::move(done)));
}

asio::awaitable<void> Orders::run(Order order, std::function<void(const Result<Carried>&)> done) {
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

// An unknown name may still appear as an agent or a session, so it is halted too: the order must not fail just because
// there is no call at the moment. The same applies to a name of agents that this person may not halt.
asio::awaitable<Result<Carried>> Orders::halt(Order order) {
    if (!is_name(order.target)) co_return refuse(order, {Errc::malformed, "no agent and no session has such a name"});
    auto meant = named(order.target);
    auto halted = halted_as(order.target, halts_);
    const auto carried = std::make_shared<Carried>();
    const auto here = permitted(order, meant);
    carried->known = !here.whom.empty() || !halted.empty();
    if (here.whom.empty()) meant = askers_named(order.target, meant);
    meant.merge(halted);
    const auto ordered = permitted(order, meant);
    if (ordered.whom.empty()) co_return refuse(order, meant.empty() ? here.why : ordered.why);
    carried->whom = ordered.whom;
    if (const auto room = check_room_for(ordered.whom, order); !room) co_return refuse(order, room.error());

    // In effect before its record is on disk, because nothing may run meanwhile; the person is told afterwards. A new
    // halt replaces an old one, so that a resume that is being written can't undo it.
    carried->person = ordered.permit.person;
    carried->nothing_new = true;
    std::vector<Halt> halts;
    for (const auto& who : ordered.whom) {
        halts.push_back({.who = who, .by = carried->person, .at = context_.ports.clock.wall()});
        resuming_.erase(who);  // a resume that is being written must not lift this halt
        const auto stood = halts_.add(halts.back());
        carried->nothing_new = carried->nothing_new && stood && *stood;
    }
    auto revoked = borrowed_.grants.revoke_all_of(ordered.whom);
    carried->revoked = revoked.size();
    bool recorded = true;
    // A delivery in the log means that all of its effects are done, so only the last record names it.
    const auto delivery = std::exchange(order.delivery, {});
    for (const auto& halt : halts) {
        if (&halt == &halts.back()) order.delivery = delivery;
        const auto written = co_await records_.write({halt, records::halt(order, halt.by, halt.who)});
        recorded = recorded && written;
        carried->receipt = recorded ? written : std::nullopt;
        carried->tried_again = carried->tried_again || records_.waits(halt.who);
    }
    records_.retry_later();
    context_.tasks.spawn(borrowed_.grants.record_revoked(std::move(revoked), order, carried->person));

    // Denials come first: an agent whose turn is ended withdraws its requests, and then the log wouldn't say who
    // refused them.
    co_await deny_open_of(ordered.whom, order, ordered.permit, carried);
    co_await interrupt_turns_of(ordered.whom, halt_reason(carried->person), carried);
    co_return *carried;
}

// The reverse: an agent may continue only after the record of who resumed it is on disk.
asio::awaitable<Result<Carried>> Orders::resume(Order order) {
    if (!is_name(order.target)) co_return refuse(order, {Errc::malformed, "no agent and no session has such a name"});
    auto meant = halted_as(order.target, halts_);
    Carried carried;
    carried.known = carried.nothing_new = meant.empty();
    if (meant.empty()) meant = askers_named(order.target);
    const auto ordered = permitted(order, meant);
    if (ordered.whom.empty()) co_return refuse(order, ordered.why);
    carried.person = ordered.permit.person;
    if (carried.nothing_new) co_return carried;
    if (borrowed_.gate.is_late(order.made, order.after_gap))
        co_return refuse(order, {Errc::late, "it arrived late; say it again"});
    carried.known = true;

    for (const auto& who : ordered.whom) {
        const auto* halt = halts_.exactly(who);
        if (halt == nullptr) continue;  // another resume was faster
        const auto lifted = *halt;
        // A resume that was written before the halt but delivered after it must not undo it. Platforms report whole
        // seconds.
        if (order.made && *order.made + std::chrono::seconds{1} <= halt->at)
            co_return refuse(order, {Errc::late, "halted after you wrote this"});
        resuming_.insert(who);
        const auto written =
            co_await context_.ports.ledger.append(records::halt(order, carried.person, who), Haste::now);
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

// Takes effect at once, like a halt: a call during the write is asked about.
asio::awaitable<Result<Carried>> Orders::revoke(Order order) {
    const auto& all = borrowed_.grants.book().all();
    const auto found = std::ranges::find(all, order.grant, &Grant::id);
    if (found == all.end()) co_return refuse(order, {Errc::unknown_request, "there is no such grant"});
    const auto grant = *found;  // NOLINT(performance-unnecessary-copy-initialization): the book forgets it below
    const auto permit =
        borrowed_.gate.permit(order, Asker{.agent_id = grant.agent_id, .session_key = grant.session_key});
    if (!permit) co_return refuse(order, permit.error());
    borrowed_.grants.revoke(grant.id);
    Carried carried;
    carried.person = permit->person;
    const auto written =
        co_await context_.ports.ledger.append(records::revoke(order, permit->person, grant), Haste::now);
    if (written) carried.receipt = *written;
    co_return carried;
}

Result<void> Orders::check_room_for(const std::vector<Asker>& whom, const Order& order) const {
    const bool at_the_machine = order.local_uid.has_value();
    const auto unknown = halts_.unknown_count_with(whom);
    const auto unknown_max = at_the_machine ? limits::halts_of_unknown_max : limits::halts_of_unknown_in_chats_max;
    const bool adds_unknown = unknown > halts_.unknown_count_with({});
    if (adds_unknown && unknown > unknown_max) {
        return Error{Errc::busy, std::to_string(unknown - 1) + " names that nothing here has are halted"};
    }
    const auto most = at_the_machine ? limits::halts_max - limits::halts_kept_for_chats : limits::halts_max;
    const bool adds = halts_.count_with(whom) > halts_.count_with({});
    if (adds && halts_.count_with(whom) > most) {
        return Error{Errc::busy, std::to_string(halts_.count_with({})) + " agents and sessions are halted"};
    }
    return {};
}

// Agents and sessions with this name that have an open request, possibly from before a restart, or have asked and are
// still connected.
std::set<Asker> Orders::named(const std::string& target) const {
    std::set<Asker> found;
    for (const auto& [id, open] : context_.pending) add_if_named(found, asker_of(*open.request), target);
    for (const auto& orphan : borrowed_.orphans.waiting()) add_if_named(found, asker_of(orphan), target);
    for (const auto& [id, through] : borrowed_.askers.all()) {
        for (const auto& asker : through.askers) add_if_named(found, asker, target);
    }
    return found;
}

Orders::Permitted Orders::permitted(const Order& order, const std::set<Asker>& meant) const {
    Permitted ordered;
    for (const auto& who : meant) {
        auto permit = borrowed_.gate.permit(order, who);
        if (permit) {
            ordered.whom.push_back(who);
            ordered.permit = std::move(*permit);
        } else {
            ordered.why = permit.error();
        }
    }
    return ordered;
}

Attempt Orders::refusal_by(const Halt& halt, const Pending& open) {
    Attempt attempt;
    attempt.request_id = open.request->id;
    attempt.principal = halt_principal(halt.by);
    attempt.reason = halt_reason(halt.by);
    attempt.assurance = Assurance::token;
    attempt.arrived = open.asked;
    if (open.request->questionnaire() != nullptr) {
        attempt.what = Cancel{};
    } else {
        // Also if the request offers no refusal: then the agent gets the outcome without an option.
        const auto* option = refusal_of(open.offered);
        attempt.what = Choose{option == nullptr ? std::string{} : option->option_id};
    }
    return attempt;
}

// Each denial skips the gate, which the order itself has passed, and has its own terminal record. A request that is
// still being recorded is refused later; one that was just decided keeps its decision.
asio::awaitable<void> Orders::deny_open_of(std::vector<Asker> whom, Order order, Permit permit,
                                           std::shared_ptr<Carried> carried) {
    std::vector<asio::awaitable<void>> denials;
    for (const auto& [id, open] : context_.pending) {
        if (!open.decidable() || !any_covers(whom, asker_of(*open.request))) continue;
        auto attempt = refusal_by({.who = {}, .by = permit.person, .at = {}}, open);
        attempt.principal = order.principal;
        attempt.where = order.where;
        attempt.assurance = order.assurance;
        attempt.arrived = order.arrived;
        denials.push_back(deny(std::move(attempt), permit, carried));
    }
    for (const auto& orphan : borrowed_.orphans.waiting()) {
        if (!any_covers(whom, asker_of(orphan))) continue;
        const auto outcome = orphan.tool_name == question_tool ? Outcome::cancelled : Outcome::denied;
        denials.push_back(
            end_orphan(orphan.id, {outcome, permit.person, order.where.channel, context_.ports.clock.wall()}, carried));
    }
    co_await context_.tasks.run_together(std::move(denials));
}

// Its agent isn't connected; it gets the answer when it asks again.
asio::awaitable<void> Orders::end_orphan(Ulid orphan, Winner winner, std::shared_ptr<Carried> carried) {
    const auto reason = halt_reason(winner.decided_by);
    co_await borrowed_.orphans.end(orphan, std::move(winner), reason);
    if (borrowed_.orphans.find(orphan) == nullptr) ++carried->denied;
}

asio::awaitable<void> Orders::deny(Attempt attempt, Permit permit, std::shared_ptr<Carried> carried) {
    const auto id = attempt.request_id;
    const auto decided = co_await borrowed_.flow.decide(std::move(attempt), permit);
    if (decided) ++carried->denied;
    // A request whose denial couldn't be logged must still end, so that it can't be allowed any more.
    const auto* open = context_.pending.find(id);
    if (decided || open == nullptr || !open->decidable() || open->phase == Pending::Phase::unlogged) co_return;
    borrowed_.flow.end_later(id, Outcome::undeliverable, halt_reason(permit.person) + ", which could not be recorded");
}

// Each interrupt runs independently, after the agent's answers. If an agent doesn't respond, that is reported: neither
// the person who ordered the halt nor the next one waits for it.
asio::awaitable<void> Orders::interrupt_turns_of(std::vector<Asker> whom, std::string why,
                                                 std::shared_ptr<Carried> carried) {
    const auto changed = std::make_shared<asio::steady_timer>(context_.executor, asio::steady_timer::time_point::max());
    for (const auto& [id, through] : borrowed_.askers.all()) {
        for (const auto& who : meant(through.askers, whom)) {
            ++carried->interrupting;
            context_.agent_calls.spawn(interrupt(id, who, why, carried, changed));
        }
    }
    const auto until = context_.now() + limits::halt_answer_max;
    const auto late = context_.tasks.spawn(wake_at(until, changed));
    boost::system::error_code ignored;
    while (carried->interrupting > 0 && context_.now() < until) {
        co_await changed->async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }
    late.cancel();
}

asio::awaitable<void> Orders::wake_at(BootTime when, std::shared_ptr<asio::steady_timer> timer) {
    co_await context_.ports.clock.sleep_until(when);
    timer->cancel();
}

asio::awaitable<void> Orders::interrupt(RuntimeId runtime, Asker who, std::string why, std::shared_ptr<Carried> carried,
                                        std::shared_ptr<asio::steady_timer> changed) {
    const auto& there = borrowed_.askers.all();
    const auto found = there.find(runtime);
    if (found != there.end()) {  // otherwise it has gone meanwhile, and its turn with it
        const auto ended = co_await found->second.runtime->interrupt(std::move(who), std::move(why));
        ++(ended ? carried->interrupted : carried->not_interrupted);
    }
    if (--carried->interrupting == 0) changed->cancel();
}

Error Orders::refuse(const Order& order, Error why) {
    borrowed_.refusals.note(order, why);
    return why;
}

}  // namespace countersign
