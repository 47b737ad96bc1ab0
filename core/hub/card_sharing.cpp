// SPDX-License-Identifier: Apache-2.0
#include "core/hub/card_sharing.hpp"

#include "core/hub/records.hpp"

#include <algorithm>
#include <utility>

namespace countersign {

namespace asio = boost::asio;

namespace {

// Requests in one line wait for each other: those of a session or, while people keep refusing the agent, all of the
// agent's.
Asker line_of(const Pending& open) {
    return {.agent_id = open.request->agent_id,
            .session_key = open.in_agents_line ? std::string{} : open.request->session_key};
}

}  // namespace

void CardSharing::give_to_people(Pending& open) {
    if (context_.stopping) return;  // an agent that outlives us waits; the next hub will show it
    const auto& request = *open.request;
    const auto* route = context_.route_of(open);
    open.deadline = deadline_of(open.asked, request.timeout, route);
    open.standing = Pending::Standing::own;
    if (open.deadline && context_.now() >= *open.deadline) {  // submitted again too late
        borrowed_.flow.end_later(request.id, Outcome::expired, borrowed_.gate.why_expired(open));
        return;
    }
    const Asker agent{.agent_id = request.agent_id, .session_key = {}};
    open.in_agents_line = fatigue_.is_tiring(agent, context_.now());
    if (request.session_key.empty() && !open.in_agents_line) return borrowed_.presenter.show(open);

    if (auto* shown = same_call_as(open)) return share_card(*shown, open);
    const auto line = line_of(open);
    auto& session = lines_[line];
    const bool waits = !session.waiting.empty() || fatigue_.is_tiring(line, context_.now());
    if (waits && !session.shown.empty()) return wait_behind(*context_.pending.find(session.shown.back()), open);
    session.shown.push_back(request.id);
    borrowed_.presenter.show(open);
}

CardState CardSharing::state_of(const Pending& open) const {
    CardState state{.votes = borrowed_.gate.standing_votes(open),
                    .required = borrowed_.gate.required_of(open),
                    .asked = static_cast<std::uint32_t>(1 + open.sharers.size())};
    const auto line = lines_.find(line_of(open));
    if (line == lines_.end() || line->second.shown.empty()) return state;
    if (line->second.shown.back() == open.request->id) {
        state.waiting = static_cast<std::uint32_t>(line->second.waiting.size());
    }
    return state;
}

Pending* CardSharing::same_call_as(const Pending& open) {
    auto* shown = same_call_in(asker_of(*open.request), open);
    return shown != nullptr ? shown : same_call_in(line_of(open), open);
}

// A card can't cover another request while its answer is being written or after a vote, because the voter wasn't asked
// about that one (I9). With a quorum every voter would have to look again, so each request gets its own card.
Pending* CardSharing::same_call_in(const Asker& line, const Pending& open) {
    const auto session = lines_.find(line);
    if (session == lines_.end()) return nullptr;
    for (const auto& id : session->second.shown) {
        auto* shown = context_.pending.find(id);
        if (!is_same_call(*shown->request, *open.request) || shown->route != open.route) continue;
        const bool one_decides = borrowed_.gate.required_of(*shown) == 1 && borrowed_.gate.required_of(open) == 1;
        const bool takes = shown->alive() && !shown->voting && shown->votes.empty() && one_decides;
        const bool has_room = 1 + shown->sharers.size() < limits::shared_requests_max && shown->may_have_new_buttons();
        if (takes && has_room && std::ranges::equal(shown->offered, open.offered)) return shown;
    }
    return nullptr;
}

// The card gets new buttons: an allow with the old ones was given when the card covered one request fewer.
void CardSharing::share_card(Pending& shown, Pending& open) {
    static_assert(limits::shared_requests_max <= limits::button_index_max + 1U, "a button tells them all apart");
    const auto& id = open.request->id;
    shown.sharers.push_back(id);
    shown.shared_since = ++shown.generation;
    open.standing = Pending::Standing::shares;
    open.shares_with = shown.request->id;
    borrowed_.presenter.set_alarm(open);
    context_.tasks.spawn(show_shared(id, shown.request->id, shown.generation));
}

// If the log doesn't take the record, the card stays as it is; an allow on it is refused, and then the card is shown
// again.
asio::awaitable<void> CardSharing::show_shared(Ulid shared, Ulid with, std::uint32_t generation) {
    if (!co_await borrowed_.presenter.record_generation(with, generation, records::shared(shared, with, generation)))
        co_return;
    const auto* shown = context_.pending.find(with);
    borrowed_.presenter.show_state(*shown, shown->recorded_generation);
}

void CardSharing::wait_behind(Pending& shown, Pending& open) {
    open.standing = Pending::Standing::waits;
    lines_[line_of(open)].waiting.push_back(open.request->id);
    borrowed_.presenter.set_alarm(open);
    borrowed_.presenter.show_state(shown);
}

void CardSharing::answer_others(const Decision& decision, bool by_a_person) {
    auto* open = context_.pending.find(decision.attempt.request_id);
    if (open == nullptr) return;
    const bool refuses = decision.outcome == Outcome::denied || decision.outcome == Outcome::cancelled;
    if (by_a_person && refuses) fatigue_.refused(asker_of(*open->request), context_.now());

    const auto along = [&](const Ulid& id) {
        auto attempt = decision.attempt;
        attempt.request_id = id;
        attempt.and_behind = false;
        return attempt;
    };
    for (const auto& id : std::exchange(open->sharers, {})) {
        auto* sharer = context_.pending.find(id);
        if (sharer == nullptr || !sharer->alive()) continue;
        sharer->standing = Pending::Standing::own;
        // If the decision just minted a grant, use that instead of minting another one.
        const bool granted = decision.outcome == Outcome::allowed && decision.chosen.scope != Scope::once;
        auto automatic = granted ? borrowed_.grants.automatic_answer(*sharer->request) : std::nullopt;
        if (!automatic) automatic = std::pair{along(id), Permit{decision.decided_by}};
        context_.tasks.spawn(decide_along(std::move(automatic->first), std::move(automatic->second)));
    }
    const auto line = line_of(*open);
    if (!refuses || !decision.attempt.and_behind || !lines_.contains(line)) return;
    for (const auto& id : std::exchange(lines_[line].waiting, {})) {
        auto* waiting = context_.pending.find(id);
        if (waiting == nullptr || !waiting->alive()) continue;
        waiting->standing = Pending::Standing::own;
        auto attempt = along(id);
        const auto* refusal = refusal_of(waiting->offered);
        if (refusal == nullptr) attempt.what = Cancel{};
        if (refusal != nullptr) attempt.what = Choose{refusal->option_id};
        context_.tasks.spawn(decide_along(std::move(attempt), std::nullopt));
    }
}

// With a permit if one card covered both requests; through the gate if the request only waited behind it. If that
// fails, because of the log or the gate, people are asked.
asio::awaitable<void> CardSharing::decide_along(Attempt attempt, std::optional<Permit> permit) {
    const auto id = attempt.request_id;
    const auto* waiting = context_.pending.find(id);
    if (waiting == nullptr || !waiting->alive()) co_return;
    const auto decided = co_await borrowed_.flow.decide(std::move(attempt), std::move(permit));
    auto* open = context_.pending.find(id);
    // If it is halted, the halt ends it.
    if (!decided && open != nullptr && open->alive() && borrowed_.halts.of(asker_of(*open->request)) == nullptr)
        give_to_people(*open);
}

void CardSharing::show_next(const Pending& ended) {
    const auto& id = ended.request->id;
    if (ended.standing == Pending::Standing::shares) {
        auto* shown = context_.pending.find(ended.shares_with);
        if (shown != nullptr && std::erase(shown->sharers, id) > 0) borrowed_.presenter.show_state(*shown);
        return;
    }
    const auto found = lines_.find(line_of(ended));
    if (found == lines_.end()) return;
    auto& session = found->second;
    const bool was_last = !session.shown.empty() && session.shown.back() == id;
    std::erase(session.shown, id);
    bool count_changed = std::erase(session.waiting, id) > 0 || (was_last && !session.waiting.empty());
    const bool going_on = !context_.stopping && context_.ports.ledger.health();
    for (const auto& left : ended.sharers) {
        auto* open = context_.pending.find(left);
        if (going_on && open != nullptr && open->alive()) give_to_people(*open);
    }
    while (going_on && session.shown.empty() && !session.waiting.empty()) {
        auto* open = context_.pending.find(session.waiting.front());
        session.waiting.pop_front();
        if (open == nullptr || !open->alive()) continue;
        open->standing = Pending::Standing::own;
        session.shown.push_back(open->request->id);
        borrowed_.presenter.show(*open);
        count_changed = false;
    }
    if (count_changed && !session.shown.empty())
        borrowed_.presenter.show_state(*context_.pending.find(session.shown.back()));
    if (session.shown.empty() && session.waiting.empty()) lines_.erase(found);
}

}  // namespace countersign
