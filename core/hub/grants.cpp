// SPDX-License-Identifier: Apache-2.0
#include "core/hub/grants.hpp"

#include "core/hub/records.hpp"

#include <algorithm>
#include <iterator>
#include <set>

namespace countersign {

namespace asio = boost::asio;

asio::awaitable<Scope> Grants::mint(std::shared_ptr<const Request> request, Decision decision, const Halts& halts) {
    const auto mode = context_.configuration->always_of(request->runtime);
    if (mode != AlwaysMode::grant || decision.outcome != Outcome::allowed) co_return Scope::once;
    if (decision.chosen.scope == Scope::once) co_return Scope::once;
    auto grant =
        GrantBook::mint(*request, decision.chosen, context_.ports.ids.next(), decision.decided_by, context_.now());
    // If the book is full, the record of a grant would be false; the next such call asks again.
    if (!grant || book_.room(context_.now()) <= minting_) co_return Scope::once;
    ++minting_;
    const auto written =
        co_await context_.ports.ledger.append(records::grant(*grant, request->id, decision.chosen.scope), Haste::now);
    --minting_;
    if (!written) co_return Scope::once;
    if (const auto* halt = halts.of(asker_of(*request))) {  // a halt came during the write and revoked the other grants
        co_await record_revoked({*grant}, revocation_by(halt_principal(halt->by)), halt->by);
        co_return Scope::once;
    }
    const auto* open = context_.pending.find(request->id);
    if (!grant->session_key.empty() && (open == nullptr || open->runtime == nullptr)) {  // its session has ended
        co_await record_revoked({*grant}, revocation_by(session_end), session_end);
        co_return Scope::once;
    }
    const auto added = book_.add(std::move(*grant), context_.now());
    if (!added) co_return Scope::once;  // can't happen: its room was reserved
    co_return decision.chosen.scope;
}

std::optional<std::pair<Attempt, Permit>> Grants::automatic_answer(const Request& request) {
    const auto* approval = request.approval();
    if (approval == nullptr) return std::nullopt;
    const auto as = [&](const Option& option, const std::string& by, std::string reason) {
        Attempt attempt{.request_id = request.id,
                        .principal = by,
                        .what = Choose{option.option_id},
                        .reason = std::move(reason),
                        .assurance = Assurance::token,
                        .arrived = context_.now()};
        return std::pair{std::move(attempt), Permit{by}};
    };
    const auto& policy = request.judgement.policy;
    if (policy.effect == PolicyEffect::deny) {
        // Also if the request offers no refusal: then the agent gets the outcome without an option.
        const auto* refusal = refusal_of(approval->options);
        return as(refusal == nullptr ? Option{} : *refusal, "policy:" + policy.rule,
                  "denied by policy rule " + policy.rule);
    }
    const auto once = std::ranges::find_if(approval->options, [](const Option& option) {
        return option.known && option.effect == Effect::allow && option.scope == Scope::once;
    });
    if (once == approval->options.end()) return std::nullopt;
    if (const auto grant = book_.use(request, context_.now())) return as(*once, "grant:" + grant->id.str(), "");
    if (policy.effect == PolicyEffect::allow) return as(*once, "policy:" + policy.rule, "");
    return std::nullopt;
}

// Also called before a resume: a person who halted an agent wants to be asked about its next call.
std::vector<Grant> Grants::revoke_all_of(const std::vector<Asker>& whom) {
    std::vector<Grant> revoked;
    for (const auto& who : whom) std::ranges::move(book_.revoke_all_of(who), std::back_inserter(revoked));
    return revoked;
}

// One at a time, because the log's queue may not fit them all. The halt's record already names the delivery.
asio::awaitable<void> Grants::record_revoked(std::vector<Grant> grants, Order order, std::string person) {
    order.delivery.clear();
    for (const auto& grant : grants) {
        const auto written = co_await context_.ports.ledger.append(records::revoke(order, person, grant), Haste::soon);
        if (!written && !context_.ports.ledger.health()) co_return;
    }
}

// Only for sessions that no other runtime uses, because a runtime doesn't remember all of its sessions. Not when the
// hub stops, which forgets all grants anyway.
void Grants::end_sessions_of(const Runtime& from, const Asker& who, const Askers& askers) {
    if (context_.stopping) return;
    std::set<std::string> agents;
    if (const auto* asked = askers.of(from.id())) {
        for (const auto& asker : *asked) agents.insert(asker.agent_id);
    }
    // A runtime that doesn't own its sessions reports the end of one by name, and may never have asked for it.
    if (!from.owns_its_sessions()) agents.insert(who.agent_id);
    std::vector<Asker> over;
    for (const auto& grant : book_.all()) {
        const Asker session{.agent_id = grant.agent_id, .session_key = grant.session_key};
        const bool of_a_session = !session.session_key.empty() && agents.contains(session.agent_id);
        if (of_a_session && covers(who, session) && !askers.asks_elsewhere(session, from.id())) over.push_back(session);
    }
    context_.tasks.spawn(record_revoked(revoke_all_of(over), revocation_by(session_end), session_end));
}

}  // namespace countersign
