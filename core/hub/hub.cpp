// SPDX-License-Identifier: Apache-2.0
// The flow: from an attempt to the agent's answer, and the other ways in which a request can end. After that: starting,
// reconfiguring and stopping the hub.
#include "core/hub/hub.hpp"

#include "core/hub/bounds.hpp"
#include "core/hub/records.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include <utility>

namespace countersign {

namespace asio = boost::asio;

namespace {

asio::awaitable<void> own_turn(PendingTable& pending, Ulid id) {
    for (auto* open = pending.find(id); open != nullptr && open->voting; open = pending.find(id)) {
        const auto voted = open->voted;  // shared: the entry may be gone when we resume
        boost::system::error_code ignored;
        co_await voted->async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }
}

// A stopping hub cancels this; then it is unknown whether the agent has the answer.
asio::awaitable<Result<void>> hand_over(Runtime& agent, Verdict verdict) {
    try {
        co_return co_await agent.forward(std::move(verdict));
    } catch (const boost::system::system_error& error) {
        if (error.code() != asio::error::operation_aborted) throw;
    }
    co_return Error{Errc::unavailable, "the hub stopped before the agent took the answer"};
}

asio::awaitable<void> cut_agent_calls_short(HubContext& context) {
    co_await context.ports.clock.sleep_until(context.now() + limits::agents_at_stop_max);
    context.agent_calls.cancel();
}

// An agent that reads its input takes its answer at once. One that doesn't must not keep us from stopping: its pending
// calls are recorded as failed.
asio::awaitable<void> finish_agent_calls(HubContext& context) {
    const auto late = context.tasks.spawn(cut_agent_calls_short(context));
    co_await context.agent_calls.join();
    late.cancel();
}

}  // namespace

Hub::Hub(asio::any_io_executor executor, Ports ports, std::shared_ptr<const Configuration> configuration,
         std::function<void(const std::string&)> stray)
    : context_{std::move(executor), ports, std::move(configuration), std::move(stray)} {
    context_.ports.ledger.on_poisoned([this](const Error&) {
        for (const auto& [id, open] : context_.pending) {
            // If the request's own record failed, ask() answers it.
            if (open.phase == Pending::Phase::open) context_.tasks.spawn(end_unlogged_later(id));
        }
    });
}

void Hub::remember_ended(const std::vector<EndedRequest>& ended) {
    for (const auto& [id, agent_id, args_hash, winner] : ended) ended_.remember(id, {agent_id, args_hash, winner});
}

void Hub::submit(Attempt attempt, std::function<void(const Result<Receipt>&)> done) {
    context_.tasks.spawn(answer(std::move(attempt), std::move(done)));
}

asio::awaitable<void> Hub::answer(Attempt attempt, std::function<void(const Result<Receipt>&)> done) {
    const auto decided = co_await decide(std::move(attempt), std::nullopt);
    if (done) done(decided);
}

// The product, top to bottom. A line is reached only if every line above it succeeded. Runs in the hub's own task
// group, so no caller's deadline cancels it. Attempts that were already authorised bring a permit and skip the gate:
// those of a grant, a policy rule, a halt, or a card that covered several requests.
asio::awaitable<Result<Receipt>> Hub::decide(Attempt attempt, std::optional<Permit> automatic) {
    // Waits only while another vote on this request is being written.
    co_await own_turn(context_.pending, attempt.request_id);

    auto* open = context_.pending.find(attempt.request_id);
    if (open == nullptr || !open->decidable()) co_return refuse(attempt, unknown_or_ended(attempt.request_id));
    const auto permit =
        automatic ? Result<Permit>{*automatic} : gate_.permit(attempt, *open, orders_.halt_of(*open->request));
    if (!permit) co_return refuse(attempt, permit.error());

    // Below the quorum an allow is a vote; it is on disk before "1 of 2" is shown.
    const auto tally =
        automatic ? Result<Tally>{Tally{.complete = true, .have = 1}} : gate_.count(attempt, *permit, *open);
    if (!tally) co_return refuse(attempt, tally.error());
    if (!tally->complete) co_return co_await vote(std::move(attempt), *permit, *tally);

    // Claimed before the first suspension, so that a second click during the write is refused. On disk before the agent
    // gets it, because an agent must never act on an answer that a crash could lose.
    const auto request = open->request;
    const auto at = context_.ports.clock.wall();
    const auto always = context_.configuration->always_of(request->runtime);
    const auto decision =
        decision_of(std::move(attempt), *permit, {*open, gate_.standing_votes(*open), *tally, always});
    if (const auto halt = orders_.halt_against(decision, *request)) co_return refuse(decision.attempt, *halt);
    const Winner winner{decision.outcome, decision.decided_by, decision.attempt.where.channel, at};
    const auto settled =
        co_await settle(request->id, winner, records::decision(*request, decision, at, context_.ports.guard));
    if (const auto* first = std::get_if<Winner>(&settled))
        co_return refuse(decision.attempt, already_decided(*first, at));
    if (const auto* failure = std::get_if<Error>(&settled)) co_return not_settled(decision.attempt, *failure);
    const auto& receipt = std::get<Receipt>(settled);

    // The grant comes first: the agent may repeat the call as soon as it has its answer.
    context_.pending.settled_on_disk(request->id);
    const auto granted = co_await grants_.mint(request, decision, orders_.halts());
    sharing_.answer_others(decision, !automatic);

    // Answering the agent and updating the cards runs in a task of its own: the agent may never read its input, and the
    // approver is told now.
    auto verdict = verdict_of(*request, decision, orders_.halt_of(*request));
    auto conclusion = conclusion_of(*request, decision, receipt, context_.ports.guard);
    conclusion.granted = granted;
    context_.agent_calls.spawn(forward_and_conclude(std::move(verdict), std::move(conclusion)));
    co_return receipt;
}

// Precondition: the record that ends the request is on disk (I1).
asio::awaitable<void> Hub::forward_and_conclude(Verdict verdict, Conclusion conclusion) {
    const auto id = conclusion.request_id;
    conclusion.forwarded = co_await forward_unless_withdrawn(id, std::move(verdict), conclusion.seq);
    conclude(id, conclusion);
}

// An attempt during the write gets the winner. If the ledger doesn't take the record, the request is open for the next
// attempt, but an end that was requested meanwhile comes first.
asio::awaitable<Settled> Hub::settle(Ulid id, Winner winner, LogEntry terminal) {
    auto* open = context_.pending.find(id);
    if (open->taken) co_return *open->taken;
    open->taken = winner;
    auto settled = co_await context_.ports.ledger.settle(id, std::move(winner), std::move(terminal));
    open = context_.pending.find(id);
    if (open == nullptr) co_return settled;
    if (const auto* first = std::get_if<Winner>(&settled)) open->taken = *first;
    if (!std::holds_alternative<Error>(settled)) co_return settled;
    open->taken.reset();
    if (auto ending = std::exchange(open->ending, std::nullopt))
        context_.tasks.spawn(end(id, ending->outcome, ending->reason));
    co_return settled;
}

asio::awaitable<Result<Receipt>> Hub::vote(Attempt attempt, Permit permit, Tally tally) {
    const auto id = attempt.request_id;
    auto* open = context_.pending.find(id);
    open->voting = true;
    open->voted = std::make_shared<asio::steady_timer>(context_.executor, asio::steady_timer::time_point::max());
    const auto voted = open->voted;
    const auto request = open->request;
    const auto written =
        co_await context_.ports.ledger.append(records::vote(*request, attempt, permit.person, tally), Haste::now);

    open = context_.pending.find(id);  // it may have been denied, withdrawn or expired meanwhile
    if (open != nullptr) open->voting = false;
    voted->cancel();
    if (!written) co_return not_settled(attempt, written.error());
    if (open == nullptr || open->taken) co_return *written;
    auto receipt = *written;
    receipt.votes = tally.have;
    receipt.votes_needed = tally.need;
    const auto option_id = std::get<Choose>(attempt.what).option_id;
    open->keep({permit.person, option_id, written->seq}, std::move(attempt));
    presenter_.show_state(*open);
    listeners_.tell({.kind = Event::Kind::voted, .request = request, .votes = gate_.standing_votes(*open)});
    co_return receipt;
}

// If the agent withdrew the request during the write, or is gone, nothing is sent, and the log says so.
asio::awaitable<bool> Hub::forward_unless_withdrawn(Ulid id, Verdict verdict, std::uint64_t seq) {
    auto* open = context_.pending.find(id);
    if (open == nullptr || open->phase == Pending::Phase::unlogged) co_return false;
    open->phase = Pending::Phase::settled;
    const auto request = open->request;
    Result<void> sent;
    if (open->withdrawn) {
        sent = Error{Errc::unavailable, "the agent withdrew the request: " + *open->withdrawn};
    } else if (open->runtime == nullptr) {
        sent = Error{Errc::unavailable, "the agent is gone"};
    } else {
        verdict.request_id = open->runtimes_id();
        sent = co_await hand_over(*open->runtime, std::move(verdict));
    }
    context_.notes.write(
        sent ? records::forwarded(*request, seq)
             : records::forward_failed(*request, seq, context_.ports.guard.clean(describe(sent.error()))));
    co_return sent.has_value();
}

// The ledger refused the record. A poisoned log ends all open requests; a full queue leaves this request unchanged.
Error Hub::not_settled(const Attempt& attempt, Error failure) {
    if (!context_.ports.ledger.health()) end_unlogged(attempt.request_id);
    return refuse(attempt, std::move(failure));
}

// All ends without a decision: expired, withdrawn, undeliverable, lost.
asio::awaitable<void> Hub::end(Ulid id, Outcome outcome, std::string reason) {
    auto* open = context_.pending.find(id);
    if (open == nullptr) co_return;
    if (!open->decidable()) {
        open->ending = Pending::Ending{outcome, std::move(reason)};
        co_return;
    }
    const auto request = open->request;
    const auto asked = open->asked;
    const Winner winner{outcome, {}, {}, context_.ports.clock.wall()};
    const auto settled = co_await settle(id, winner, records::ended(*request, outcome, reason));
    if (std::holds_alternative<Winner>(settled)) co_return;
    if (std::holds_alternative<Error>(settled)) co_return co_await not_ended(id, outcome, std::move(reason));
    const auto& receipt = std::get<Receipt>(settled);
    open = context_.pending.find(id);
    const bool waits = open != nullptr && !open->withdrawn && open->runtime != nullptr;
    auto verdict = refusal(*request, outcome, reason);
    const Conclusion conclusion{.request_id = id,
                                .outcome = outcome,
                                .reason = std::move(reason),
                                .forwarded = false,
                                .at = receipt.at,
                                .took = context_.now() - asked,
                                .seq = receipt.seq,
                                .root = receipt.root,
                                .size = receipt.size};
    if (!waits) co_return conclude(id, conclusion);
    context_.pending.settled_on_disk(id);
    context_.agent_calls.spawn(forward_and_conclude(std::move(verdict), conclusion));
}

void Hub::end_later(const Ulid& id, Outcome outcome, std::string reason) {
    context_.tasks.spawn(end(id, outcome, std::move(reason)));
}

// A poisoned log ends all open requests. A full log soon has room again, and nothing else would end this request, so
// retry.
asio::awaitable<void> Hub::not_ended(Ulid id, Outcome outcome, std::string reason) {
    if (!context_.ports.ledger.health()) co_return end_unlogged(id);
    co_await context_.ports.clock.sleep_until(context_.now() + limits::log_retry);
    context_.tasks.spawn(end(id, outcome, std::move(reason)));
}

// The log can't be written, so nothing may run: the agent gets its own kind of refusal at once (I1).
void Hub::end_unlogged(const Ulid& id) {
    auto* open = context_.pending.find(id);
    if (open == nullptr || open->phase == Pending::Phase::settled || open->phase == Pending::Phase::unlogged) return;
    open->phase = Pending::Phase::unlogged;
    context_.agent_calls.spawn(refuse_unlogged(id));
}

asio::awaitable<void> Hub::end_unlogged_later(Ulid id) {
    end_unlogged(id);
    co_return;
}

asio::awaitable<void> Hub::refuse_unlogged(Ulid id) {
    const auto* open = context_.pending.find(id);
    if (open == nullptr) co_return;
    const auto request = open->request;
    const auto asked = open->asked;
    auto* runtime = open->withdrawn ? nullptr : open->runtime;
    bool forwarded = false;
    if (runtime != nullptr) {
        auto answer = refusal(*request, Outcome::unlogged, std::string{log_unavailable});
        answer.request_id = open->runtimes_id();
        forwarded = (co_await hand_over(*runtime, std::move(answer))).has_value();
    }
    context_.ports.ledger.note_unlogged(id);
    // People are told what is wrong and what to do; the agent only that the log is unavailable.
    const auto health = context_.ports.ledger.health();
    conclude(id, {.request_id = id,
                  .outcome = Outcome::unlogged,
                  .reason = health ? std::string{log_unavailable} : context_.ports.guard.clean(health.error().detail),
                  .forwarded = forwarded,
                  .at = context_.ports.clock.wall(),
                  .took = context_.now() - asked});
}

// The last step of every request: each message shows how it ended, listeners are told, and only its outcome is
// remembered, to answer late attempts.
void Hub::conclude(const Ulid& id, const Conclusion& conclusion) {
    if (context_.pending.find(id) == nullptr) return;
    const auto ended = context_.pending.take(id);
    ++counts_.ended[static_cast<std::size_t>(conclusion.outcome)];
    const EndedRequests::Ended how{ended.request->agent_id,
                                   ended.request->args_hash.hex,
                                   {conclusion.outcome, conclusion.decided_by, conclusion.channel, conclusion.at}};
    ended_.remember(id, how);
    if (ended.asked_as) ended_.remember(*ended.asked_as, how);
    drafts_.forget(id);
    presenter_.conclude(ended, conclusion);
    if (ended.voted) ended.voted->cancel();
    if (ended.concluded) ended.concluded->cancel();
    listeners_.tell({.kind = Event::Kind::ended,
                     .request = ended.request,
                     .votes = gate_.standing_votes(ended),
                     .conclusion = conclusion});
    sharing_.show_next(ended);
}

Error Hub::unknown_or_ended(const Ulid& id) const {
    const auto wall = context_.ports.clock.wall();
    if (const auto* open = context_.pending.find(id); open != nullptr && open->taken) {
        return already_decided(*open->taken, wall);
    }
    if (orphans_.find(id) != nullptr) return {Errc::away, "the hub restarted, and the agent has not asked again yet"};
    const auto* winner = ended_.winner_of(id);
    if (winner == nullptr) return {Errc::unknown_request, "no open request has this id"};
    return already_decided(*winner, wall);
}

// Records the refusal; above the rate only the count is recorded, so that an attacker can't fill the disk.
Error Hub::refuse(const Attempt& attempt, Error why) {
    refused({attempt.request_id, attempt.principal, attempt.where.channel}, why);
    // A typed answer names no button, so it can't refer to an older set.
    const bool on_old_buttons = why.code == Errc::asked_again && attempt.generation;
    if (why.code == Errc::late || on_old_buttons) {
        presenter_.show_again(attempt.request_id, attempt.where, why.code);
    }
    return why;
}

void Hub::order(Order order, std::function<void(const Result<Carried>&)> done) {
    orders_.carry_out(std::move(order), std::move(done));
}

void Hub::reconfigure(std::shared_ptr<const Configuration> configuration) {
    context_.configuration = std::move(configuration);
    for (auto& [id, open] : context_.pending) {
        if (context_.route_of(open) == nullptr) {
            end_later(id, Outcome::undeliverable, "route " + open.route + " is no longer configured");
            continue;
        }
        // The new delays apply from now on. Requests that haven't been given to people, because a rule may answer them,
        // aren't timed.
        const bool is_timed = open.alarm || !open.deliveries.empty();
        if (is_timed && open.phase == Pending::Phase::open && !context_.stopping) presenter_.set_alarm(open);
    }
}

Result<Hub::Subscribed> Hub::subscribe(Listeners::Listener listener) {
    auto subscription = listeners_.add(std::move(listener));
    if (!subscription) return subscription.error();
    Subscribed subscribed{.pending = {}, .subscription = std::move(*subscription)};
    for (const auto& [id, open] : context_.pending) {
        if (open.phase == Pending::Phase::open) subscribed.pending.push_back(open.request);
    }
    return subscribed;
}

Counts Hub::counts() const {
    auto counts = counts_;
    counts.turned_away = intake_.turned_away_count();
    counts.refused = refusals_.count();
    counts.delayed = presenter_.delayed_count();
    return counts;
}

asio::awaitable<void> Hub::stop() {
    const bool stopped_before = std::exchange(context_.stopping, true);
    context_.notes.stop();
    orders_.stop();
    orphans_.stop();
    presenter_.stop();
    for (const auto& [id, open] : context_.pending) {
        if (stopped_before) break;
        // Requests left to the next hub stay as they are, on disk and on screens. A decision in progress is still
        // written and forwarded.
        const bool is_left = open.runtime != nullptr && open.runtime->outlives_hub();
        if (!is_left) end_later(id, Outcome::lost, "hub stopped");
    }
    co_await context_.tasks.join();
    co_await finish_agent_calls(context_);
    context_.notes.tell_left_out();  // including refusals since then
    context_.tasks.spawn(orders_.write_waiting());
    co_await context_.tasks.join();
}

}  // namespace countersign
