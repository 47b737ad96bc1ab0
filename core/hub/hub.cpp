// SPDX-License-Identifier: Apache-2.0
// The flow: from an attempt to the agent's answer, and the other ways a request can end.
#include "core/hub/hub.hpp"

#include "core/hub/records.hpp"
#include "core/hub/refusal.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>

namespace countersign {

namespace asio = boost::asio;

namespace {

// The option an attempt is about: the chosen one, or what a cancel stands for.
const Option* option_of(const Attempt& attempt, const std::vector<Option>& offered) {
    const auto* choose = std::get_if<Choose>(&attempt.what);
    if (choose == nullptr) return refusal_of(offered);
    const auto found = std::ranges::find(offered, choose->option_id, &Option::option_id);
    return found == offered.end() ? nullptr : &*found;
}

// All whom it took to allow it, in the order of their votes.
std::string deciders_of(const Decision& decision) {
    std::string names;
    if (decision.outcome == Outcome::allowed) {
        for (const auto& vote : decision.votes) names += vote.person + ", ";
    }
    return names + decision.decided_by;
}

// An allow, or an answer: something the agent acts on.
bool lets_the_agent_act(const Attempt& attempt, const Pending& open) {
    if (std::holds_alternative<Submit>(attempt.what)) return true;
    if (std::holds_alternative<Cancel>(attempt.what)) return false;
    const auto* option = option_of(attempt, open.offered);
    return option == nullptr || option->effect == Effect::allow;
}

}  // namespace

Verdict refusal(const Request& request, Outcome outcome, std::string reason) {
    const auto* approval = request.approval();
    const auto* option = approval == nullptr ? nullptr : refusal_of(approval->options);
    return {.request_id = request.id,
            .outcome = outcome,
            .option_id = option == nullptr ? std::string{} : option->option_id,
            .reason = std::move(reason),
            .args_hash = request.args_hash.hex};
}

// The product, top to bottom. A line is reached only if every line above it succeeded. Runs in the hub's own task
// group: a caller's deadline never cancels it. Whoever passed the gate before comes with the permit and enters below
// it: a grant, a policy rule, a halt, and the answer to a card that stood for several.
asio::awaitable<Result<Receipt>> Hub::decide(Attempt attempt, std::optional<Permit> automatic) {
    co_await own_turn(attempt.request_id);  // only ever waits while another vote on this request is being written

    auto* open = find(attempt.request_id);
    if (open == nullptr || !open->decidable()) co_return refuse(attempt, unknown_or_ended(attempt.request_id));
    const auto permit = automatic ? Result<Permit>{*automatic} : permitted(attempt, *open);
    if (!permit) co_return refuse(attempt, permit.error());

    // Below the quorum an allow is a vote, on disk before "1 of 2" is shown.
    const auto tally = automatic ? Result<Tally>{Tally{.complete = true, .have = 1}} : counted(attempt, *permit, *open);
    if (!tally) co_return refuse(attempt, tally.error());
    if (!tally->complete) co_return co_await vote(std::move(attempt), *permit, *tally);

    // Taken before the first suspension, so that a second click during the write is refused; on disk before the agent
    // hears it, because an agent must never act on an answer that a crash could forget.
    const auto request = open->request;
    const auto at = ports_.clock.wall();
    const auto decision = decision_of(std::move(attempt), *permit, *tally, *open);
    if (const auto halt = halt_against(decision, *request)) co_return refuse(decision.attempt, *halt);
    const Winner winner{decision.outcome, decision.decided_by, decision.attempt.where.channel, at};
    const auto settled = co_await settle(request->id, winner, records::decision(*request, decision, at, ports_.guard));
    if (const auto* first = std::get_if<Winner>(&settled)) co_return refuse(decision.attempt, already_decided(*first));
    if (const auto* failure = std::get_if<Error>(&settled)) co_return co_await not_settled(decision.attempt, *failure);
    const auto& receipt = std::get<Receipt>(settled);

    // A grant comes first: the agent may make the same call again as soon as it has its answer.
    settled_on_disk(request->id);
    const auto granted = co_await mint_grant(request, decision);
    answer_others(decision, !automatic);

    // The agent may have withdrawn the request during the write, or be gone: then nothing is sent, and the log says so.
    const bool forwarded = co_await forward_unless_withdrawn(request->id, verdict_of(*request, decision), receipt.seq);
    auto conclusion = conclusion_of(decision, receipt, forwarded);
    conclusion.granted = granted;
    conclude(request->id, std::move(conclusion));
    co_return receipt;
}

// Whoever comes during the write is told who was first. A record that the ledger did not take leaves the request to the
// next who comes, and first of all to an end that came meanwhile.
asio::awaitable<Settled> Hub::settle(Ulid id, Winner winner, Entry terminal) {
    auto* open = find(id);
    if (open->taken) co_return *open->taken;
    open->taken = winner;
    auto settled = co_await ports_.ledger.settle(id, std::move(winner), std::move(terminal));
    open = find(id);
    if (open == nullptr) co_return settled;
    if (const auto* first = std::get_if<Winner>(&settled)) open->taken = *first;
    if (!std::holds_alternative<Error>(settled)) co_return settled;
    open->taken.reset();
    if (auto ending = std::exchange(open->ending, std::nullopt)) tasks_.spawn(end(id, ending->outcome, ending->reason));
    co_return settled;
}

// From here on nothing takes it back, whatever fails later.
void Hub::settled_on_disk(const Ulid& id) {
    auto* open = find(id);
    if (open != nullptr && open->phase == Pending::Phase::open) open->phase = Pending::Phase::settled;
}

asio::awaitable<void> Hub::own_turn(Ulid id) {
    for (auto* open = find(id); open != nullptr && open->voting; open = find(id)) {
        const auto voted = open->voted;  // shared: the entry may be gone when we wake
        boost::system::error_code ignored;
        co_await voted->async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }
}

// Who, where, and when: judged on values, with today's configuration.
Result<Permit> Hub::permitted(const Attempt& attempt, const Pending& open) const {
    const auto* route = configuration_->route_named(open.route);
    if (route == nullptr) return Error{Errc::undeliverable, "the route of this request is no longer configured"};
    auto permit = ports_.authoriser.permit(attempt, *open.request, *route, open.offered, *configuration_);
    if (!permit || !lets_the_agent_act(attempt, open)) return permit;

    // A stop that is being carried out has not reached this one yet.
    if (const auto* halt = halt_of(*open.request)) {
        return already_decided({.outcome = Outcome::denied, .decided_by = halt->by, .channel = {}, .at = halt->at});
    }
    // The alarm ends it at its deadline, but a process that was stopped or asleep may hear of the click first.
    if (const auto now = ports_.clock.boot(); open.deadline && now >= *open.deadline) {
        return already_decided({.outcome = Outcome::expired, .at = ports_.clock.wall() - (now - *open.deadline)});
    }
    if (!open.shown_whole_at(attempt.where)) {
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

// A time that is far ahead says as little about when it was made as one long past (I16).
bool Hub::is_late(const std::optional<WallTime>& made, bool after_gap) const {
    const auto age = made ? ports_.clock.wall() - *made : std::chrono::milliseconds{0};
    return age >= limits::allow_age_max || age <= -limits::allow_age_max || (after_gap && !made);
}

Result<Tally> Hub::counted(const Attempt& attempt, const Permit& permit, const Pending& open) const {
    const auto* choose = std::get_if<Choose>(&attempt.what);
    if (choose == nullptr || !lets_the_agent_act(attempt, open)) {
        return Tally{.complete = true, .have = 1, .option_id = choose == nullptr ? "" : choose->option_id};
    }
    const auto state = state_of(open);
    return tally(state.votes, {.person = permit.person, .option_id = choose->option_id}, state.required, open.offered);
}

// What a card of it says today.
CardState Hub::state_of(const Pending& open) const {
    const auto* route = configuration_->route_named(open.route);
    CardState state{.votes = standing_votes(open),
                    .required = std::max(open.required, route == nullptr ? 1U : route->required),
                    .asked = static_cast<std::uint32_t>(1 + open.sharers.size())};
    const auto session = sessions_.find(line_of(open));
    if (session == sessions_.end() || session->second.shown.empty()) return state;
    if (session->second.shown.back() == open.request->id) {
        state.waiting = static_cast<std::uint32_t>(session->second.waiting.size());
    }
    return state;
}

// The votes that the gate would let in today: a vote counts when the quorum is complete, not when it was cast (I4).
std::vector<Vote> Hub::standing_votes(const Pending& open) const {
    std::vector<Vote> standing;
    const auto* route = configuration_->route_named(open.route);
    if (route == nullptr) return standing;
    for (std::size_t i = 0; i < open.votes.size(); ++i) {
        const auto permit =
            ports_.authoriser.permit(open.voted_by[i], *open.request, *route, open.offered, *configuration_);
        if (permit && permit->person == open.votes[i].person) standing.push_back(open.votes[i]);
    }
    return standing;
}

// Why it expires.
std::string Hub::unfinished(const Pending& open) const {
    const auto have = standing_votes(open).size();
    if (open.never_shown()) return "nobody could be shown the request in time";
    if (have == 0) return "nobody decided in time";
    return std::to_string(have) + " of " + std::to_string(open.required) + " allowed it in time";
}

asio::awaitable<Result<Receipt>> Hub::vote(Attempt attempt, Permit permit, Tally tally) {
    const auto id = attempt.request_id;
    auto* open = find(id);
    open->voting = true;
    open->voted = std::make_shared<asio::steady_timer>(executor_, asio::steady_timer::time_point::max());
    const auto voted = open->voted;
    const auto request = open->request;
    const auto written =
        co_await ports_.ledger.append(records::vote(*request, attempt, permit.person, tally), Haste::now);

    open = find(id);  // it may have been denied, withdrawn or expired meanwhile
    if (open != nullptr) open->voting = false;
    voted->cancel();
    if (!written) co_return co_await not_settled(attempt, written.error());
    if (open == nullptr || open->taken) co_return *written;
    auto receipt = *written;
    receipt.votes = tally.have;
    receipt.votes_needed = tally.need;
    const auto option_id = std::get<Choose>(attempt.what).option_id;
    open->keep({permit.person, option_id, written->seq}, std::move(attempt));
    const auto state = state_of(*open);
    for (const auto& delivery : open->deliveries) delivery.channel->update(delivery.id, state);
    listeners_.tell({.kind = Event::Kind::voted, .request = request, .votes = state.votes});
    co_return receipt;
}

Decision Hub::decision_of(Attempt attempt, const Permit& permit, const Tally& tally, const Pending& open) const {
    Decision decision{.attempt = std::move(attempt),
                      .decided_by = permit.person,
                      .outcome = Outcome::cancelled,
                      .votes = standing_votes(open)};
    decision.latency = std::max(decision.attempt.arrived - open.asked, std::chrono::milliseconds{0});
    if (std::holds_alternative<Submit>(decision.attempt.what)) decision.outcome = Outcome::answered;
    const auto* approval = open.request->approval();
    if (approval == nullptr) return decision;

    // With a quorum the narrowest of the votes counts, which may not be the last one.
    if (auto* choose = std::get_if<Choose>(&decision.attempt.what); choose != nullptr && !tally.option_id.empty()) {
        choose->option_id = tally.option_id;
    }
    const auto* chosen = option_of(decision.attempt, open.offered);
    if (chosen == nullptr) {  // the request offers no refusal: it is cancelled, or a rule denies it, without an option
        if (std::holds_alternative<Choose>(decision.attempt.what)) decision.outcome = Outcome::denied;
        return decision;
    }
    decision.chosen = *chosen;
    const bool cancels = std::holds_alternative<Cancel>(decision.attempt.what) || chosen->effect == Effect::cancel;
    if (!cancels) decision.outcome = chosen->effect == Effect::allow ? Outcome::allowed : Outcome::denied;
    const auto* sent = sent_for(approval->options, *chosen, configuration_->always_of(open.request->runtime));
    if (sent != nullptr) decision.sent_option_id = sent->option_id;
    return decision;
}

Verdict Hub::verdict_of(const Request& request, const Decision& decision) const {
    const auto* submit = std::get_if<Submit>(&decision.attempt.what);
    auto reason = decision.attempt.reason;
    // How to lift the halt is for the person at the agent's terminal; the record does not need it.
    if (const auto* halt = halt_of(request);
        halt != nullptr && decision.attempt.principal == halt_principal(halt->by)) {
        reason = halt_refusal(*halt, request);
    }
    return {.request_id = request.id,
            .outcome = decision.outcome,
            .option_id = decision.sent_option_id,
            .answers = submit == nullptr ? std::vector<Answer>{} : submit->answers,
            .reason = std::move(reason),
            .args_hash = request.args_hash.hex};
}

Conclusion Hub::conclusion_of(const Decision& decision, const Receipt& receipt, bool forwarded) const {
    return {.request_id = decision.attempt.request_id,
            .outcome = decision.outcome,
            .decided_by = deciders_of(decision),
            .channel = decision.attempt.where.channel,
            .option_label = decision.chosen.label,
            .answered = answered(decision),
            .reason = ports_.guard.clean(decision.attempt.reason),
            .forwarded = forwarded,
            .at = receipt.at,
            .took = decision.latency,
            .seq = receipt.seq,
            .root = receipt.root,
            .size = receipt.size};
}

asio::awaitable<bool> Hub::forward_unless_withdrawn(Ulid id, Verdict verdict, std::uint64_t seq) {
    auto* open = find(id);
    if (open == nullptr || open->phase == Pending::Phase::unlogged) co_return false;
    open->phase = Pending::Phase::settled;
    const auto request = open->request;
    Result<void> sent;
    if (open->withdrawn) {
        sent = Error{Errc::unavailable, "the agent withdrew the request: " + *open->withdrawn};
    } else if (open->runtime == nullptr) {
        sent = Error{Errc::unavailable, "the agent is gone"};
    } else {
        sent = co_await open->runtime->forward(std::move(verdict));
    }
    note(sent ? records::forwarded(*request, seq)
              : records::forward_failed(*request, seq, ports_.guard.clean(describe(sent.error()))));
    co_return sent.has_value();
}

// A grant is in force once its record is on disk; before that it would be a permission nobody can find again.
asio::awaitable<Scope> Hub::mint_grant(std::shared_ptr<const Request> request, Decision decision) {
    if (configuration_->always_of(request->runtime) != AlwaysMode::grant || decision.outcome != Outcome::allowed)
        co_return Scope::once;
    if (decision.chosen.scope == Scope::once) co_return Scope::once;
    auto grant =
        GrantBook::mint(*request, decision.chosen, ports_.ids.next(), decision.decided_by, ports_.clock.boot());
    // In a full book there is no room for it, and its record would be untrue: the next such call asks again.
    if (!grant || grants_.room(ports_.clock.boot()) <= minting_) co_return Scope::once;
    ++minting_;
    const auto written =
        co_await ports_.ledger.append(records::grant(*grant, request->id, decision.chosen.scope), Haste::now);
    --minting_;
    if (!written) co_return Scope::once;
    if (const auto* halt = halt_of(*request)) {  // it came during the write, and took the others back
        co_await record_revoked({*grant}, revocation_by(halt_principal(halt->by)), halt->by);
        co_return Scope::once;
    }
    const auto* open = find(request->id);
    if (!grant->session_key.empty() && (open == nullptr || open->runtime == nullptr)) {  // its session is over
        co_await record_revoked({*grant}, revocation_by(session_end), session_end);
        co_return Scope::once;
    }
    const auto added = grants_.add(std::move(*grant), ports_.clock.boot());
    if (!added) co_return Scope::once;  // cannot be: its room was kept
    co_return decision.chosen.scope;
}

// The ledger refused. A poisoned log ends everything that is open; a full queue leaves this request as it was.
asio::awaitable<Error> Hub::not_settled(Attempt attempt, Error failure) {
    if (!ports_.ledger.health()) co_await end_unlogged(attempt.request_id);
    co_return refuse(attempt, std::move(failure));
}

// Every way to end without a decision: expired, withdrawn, undeliverable, lost.
asio::awaitable<void> Hub::end(Ulid id, Outcome outcome, std::string reason) {
    auto* open = find(id);
    if (open == nullptr) co_return;
    if (!open->decidable()) {
        open->ending = Pending::Ending{outcome, std::move(reason)};
        co_return;
    }
    const auto request = open->request;
    const auto asked = open->asked;
    const Winner winner{outcome, {}, {}, ports_.clock.wall()};
    const auto settled = co_await settle(id, winner, records::ended(*request, outcome, reason));
    if (std::holds_alternative<Winner>(settled)) co_return;
    if (std::holds_alternative<Error>(settled)) co_return co_await not_ended(id, outcome, std::move(reason));
    const auto& receipt = std::get<Receipt>(settled);
    open = find(id);
    const bool waits = open != nullptr && !open->withdrawn && open->runtime != nullptr;
    const bool forwarded =
        waits && co_await forward_unless_withdrawn(id, refusal(*request, outcome, reason), receipt.seq);
    conclude(id, {.request_id = id,
                  .outcome = outcome,
                  .reason = std::move(reason),
                  .forwarded = forwarded,
                  .at = receipt.at,
                  .took = ports_.clock.boot() - asked,
                  .seq = receipt.seq,
                  .root = receipt.root,
                  .size = receipt.size});
}

// A poisoned log ends everything that is open. A log that is only full has room again soon, and nobody else would end
// the request.
asio::awaitable<void> Hub::not_ended(Ulid id, Outcome outcome, std::string reason) {
    if (!ports_.ledger.health()) co_return co_await end_unlogged(id);
    co_await ports_.clock.sleep_until(ports_.clock.boot() + limits::log_retry);
    tasks_.spawn(end(id, outcome, std::move(reason)));
}

// People learn what is wrong and what to do; the agent only that there is no log.
std::string Hub::unlogged_because() const {
    const auto health = ports_.ledger.health();
    return health ? std::string{log_unavailable} : ports_.guard.clean(health.error().detail);
}

// The log cannot be written, so nothing may run: the agent gets the refusal of its own vocabulary, at once (I1).
asio::awaitable<void> Hub::end_unlogged(Ulid id) {
    auto* open = find(id);
    if (open == nullptr || open->phase == Pending::Phase::settled || open->phase == Pending::Phase::unlogged) co_return;
    open->phase = Pending::Phase::unlogged;
    const auto request = open->request;
    const auto asked = open->asked;
    auto* runtime = open->withdrawn ? nullptr : open->runtime;
    bool forwarded = false;
    if (runtime != nullptr) {
        forwarded =
            (co_await runtime->forward(refusal(*request, Outcome::unlogged, std::string{log_unavailable}))).has_value();
    }
    ports_.ledger.note_unlogged(id);
    conclude(id, {.request_id = id,
                  .outcome = Outcome::unlogged,
                  .reason = unlogged_because(),
                  .forwarded = forwarded,
                  .at = ports_.clock.wall(),
                  .took = ports_.clock.boot() - asked});
}

}  // namespace countersign
