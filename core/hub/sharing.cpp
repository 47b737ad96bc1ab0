// SPDX-License-Identifier: Apache-2.0
// What has no card of its own: identical requests share one, and those of a session or an agent that was refused again
// and again wait behind one (docs/adr/0014). Nothing here decides; whoever is left over gets a card.
#include "core/hub/hub.hpp"
#include "core/hub/records.hpp"

#include <algorithm>

namespace countersign {

namespace asio = boost::asio;

void Hub::give_to_people(Pending& open) {
    if (stopping_) return;  // an agent that outlives us waits for it: the next hub shows it
    const auto& request = *open.request;
    const auto* route = configuration_->route_named(open.route);
    open.deadline = countersign::deadline_of(open.asked, request.timeout, route);
    open.standing = Pending::Standing::own;
    if (open.deadline && ports_.clock.boot() >= *open.deadline) {  // it came back too late
        tasks_.spawn(end(request.id, Outcome::expired, unfinished(open)));
        return;
    }
    const Asker agent{.agent_id = request.agent_id, .session_key = {}};
    open.in_agents_line = fatigue_.is_tiring(agent, ports_.clock.boot());
    if (request.session_key.empty() && !open.in_agents_line) return show_to_people(open);

    if (auto* shown = same_call_as(open)) return share_card(*shown, open);
    const auto line = line_of(open);
    auto& session = sessions_[line];
    const bool waits = !session.waiting.empty() || fatigue_.is_tiring(line, ports_.clock.boot());
    if (waits && !session.shown.empty()) return wait_behind(*find(session.shown.back()), open);
    session.shown.push_back(request.id);
    show_to_people(open);
}

// Requests of one line wait behind each other: those of a session or, while people refuse whatever the agent asks, all
// of the agent.
Asker Hub::line_of(const Pending& open) {
    return {.agent_id = open.request->agent_id,
            .session_key = open.in_agents_line ? std::string{} : open.request->session_key};
}

Pending* Hub::same_call_as(const Pending& open) {
    auto* shown = same_call_in(asker_of(*open.request), open);
    return shown != nullptr ? shown : same_call_in(line_of(open), open);
}

// A card whose answer is being written, or for which somebody has voted, takes no further request: nobody was asked
// about that one (I9). Of a quorum each would have to look again, so there every request has its own.
Pending* Hub::same_call_in(const Asker& line, const Pending& open) {
    const auto session = sessions_.find(line);
    if (session == sessions_.end()) return nullptr;
    for (const auto& id : session->second.shown) {
        auto* shown = find(id);
        if (!is_same_call(*shown->request, *open.request) || shown->route != open.route) continue;
        const bool one_decides = state_of(*shown).required == 1 && state_of(open).required == 1;
        const bool takes = shown->alive() && !shown->voting && shown->votes.empty() && one_decides;
        const bool has_room = 1 + shown->sharers.size() < limits::shared_requests_max && shown->may_have_new_buttons();
        if (takes && has_room && std::ranges::equal(shown->offered, open.offered)) return shown;
    }
    return nullptr;
}

// With new buttons: an allow by the old ones was given to a card that said one less.
void Hub::share_card(Pending& shown, Pending& open) {
    static_assert(limits::shared_requests_max <= limits::button_index_max + 1U, "a button tells them all apart");
    const auto& id = open.request->id;
    shown.sharers.push_back(id);
    shown.shared_since = ++shown.generation;
    open.standing = Pending::Standing::shares;
    open.shares_with = shown.request->id;
    set_alarm(open);
    tasks_.spawn(show_shared(id, shown.request->id, shown.generation));
}

// If the log does not take the record, the card stays as it is: an allow of it is refused, and then it is shown anew.
asio::awaitable<void> Hub::show_shared(Ulid shared, Ulid with, std::uint32_t generation) {
    if (!co_await record_generation(with, generation, records::shared(shared, with, generation))) co_return;
    const auto* shown = find(with);
    show_state(*shown, shown->recorded_generation);
}

void Hub::wait_behind(Pending& shown, Pending& open) {
    open.standing = Pending::Standing::waits;
    sessions_[line_of(open)].waiting.push_back(open.request->id);
    set_alarm(open);
    show_state(shown);
}

void Hub::show_state(const Pending& open, std::optional<std::uint32_t> generation) {
    auto state = state_of(open);
    state.generation = generation;
    for (const auto& delivery : open.deliveries) delivery.channel->update(delivery.id, state);
}

// The same answer for all that the card stood for, each on its own way to the disk and to the agent; and a refusal for
// those that waited behind it, where that was meant.
void Hub::answer_others(const Decision& decision, bool by_a_person) {
    auto* open = find(decision.attempt.request_id);
    if (open == nullptr) return;
    const bool refuses = decision.outcome == Outcome::denied || decision.outcome == Outcome::cancelled;
    if (by_a_person && refuses) fatigue_.refused(asker_of(*open->request), ports_.clock.boot());

    const auto along = [&](const Ulid& id) {
        auto attempt = decision.attempt;
        attempt.request_id = id;
        attempt.and_behind = false;
        return attempt;
    };
    for (const auto& id : std::exchange(open->sharers, {})) {
        auto* sharer = find(id);
        if (sharer == nullptr || !sharer->alive()) continue;
        sharer->standing = Pending::Standing::own;
        // What was just granted for longer is used, not granted once more.
        const bool granted = decision.outcome == Outcome::allowed && decision.chosen.scope != Scope::once;
        auto automatic = granted ? automatic_answer(*sharer->request) : std::nullopt;
        if (!automatic) automatic = std::pair{along(id), Permit{decision.decided_by}};
        tasks_.spawn(decide_along(std::move(automatic->first), std::move(automatic->second)));
    }
    const auto line = line_of(*open);
    if (!refuses || !decision.attempt.and_behind || !sessions_.contains(line)) return;
    for (const auto& id : std::exchange(sessions_[line].waiting, {})) {
        auto* waiting = find(id);
        if (waiting == nullptr || !waiting->alive()) continue;
        waiting->standing = Pending::Standing::own;
        auto attempt = along(id);
        const auto* refusal = refusal_of(waiting->offered);
        if (refusal == nullptr) attempt.what = Cancel{};
        if (refusal != nullptr) attempt.what = Choose{refusal->option_id};
        tasks_.spawn(decide_along(std::move(attempt), std::nullopt));
    }
}

// With its permit where one card stood for both; through the gate where it was only behind it. If the log did not take
// it, or the gate not let it through, people are asked.
asio::awaitable<void> Hub::decide_along(Attempt attempt, std::optional<Permit> permit) {
    const auto id = attempt.request_id;
    const auto* waiting = find(id);
    if (waiting == nullptr || !waiting->alive()) co_return;
    const auto decided = co_await decide(std::move(attempt), std::move(permit));
    auto* open = find(id);
    // Of one that is halted the halt makes an end.
    if (!decided && open != nullptr && open->alive() && halt_of(*open->request) == nullptr) give_to_people(*open);
}

// Something ended: whoever shared its card without being answered gets one, and when nothing of the session is shown
// any more, the first that waits is.
void Hub::show_next(const Pending& ended) {
    const auto& id = ended.request->id;
    if (ended.standing == Pending::Standing::shares) {
        auto* shown = find(ended.shares_with);
        if (shown != nullptr && std::erase(shown->sharers, id) > 0) show_state(*shown);
        return;
    }
    const auto found = sessions_.find(line_of(ended));
    if (found == sessions_.end()) return;
    auto& session = found->second;
    const bool was_last = !session.shown.empty() && session.shown.back() == id;
    std::erase(session.shown, id);
    bool count_changed = std::erase(session.waiting, id) > 0 || (was_last && !session.waiting.empty());
    const bool going_on = !stopping_ && ports_.ledger.health();
    for (const auto& left : ended.sharers) {
        auto* open = find(left);
        if (going_on && open != nullptr && open->alive()) give_to_people(*open);
    }
    while (going_on && session.shown.empty() && !session.waiting.empty()) {
        auto* open = find(session.waiting.front());
        session.waiting.pop_front();
        if (open == nullptr || !open->alive()) continue;
        open->standing = Pending::Standing::own;
        session.shown.push_back(open->request->id);
        show_to_people(*open);
        count_changed = false;
    }
    if (count_changed && !session.shown.empty()) show_state(*find(session.shown.back()));
    if (session.shown.empty() && session.waiting.empty()) sessions_.erase(found);
}

}  // namespace countersign
