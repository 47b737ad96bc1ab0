// SPDX-License-Identifier: Apache-2.0
// What a restart left open: it waits for its agent, goes on under its id when the agent shows it again, or is lost
// (I12).
#include "core/hub/hub.hpp"
#include "core/hub/records.hpp"

#include <algorithm>

namespace countersign {

namespace asio = boost::asio;

namespace {

constexpr auto not_shown_again = "hub restarted, and the agent did not ask again";
constexpr auto not_in_time = "nobody decided in time; the hub was not running at the deadline";

}  // namespace

void Hub::remember_ended(const std::vector<EndedRequest>& ended) {
    for (const auto& [id, agent_id, args_hash, winner] : ended) remember(id, {agent_id, args_hash, winner});
}

void Hub::await_orphans(std::vector<Orphan> orphans) {
    std::vector<Ulid> too_many;
    for (auto& orphan : orphans) {
        const auto id = orphan.id;
        const auto& waiting = orphans_.insert_or_assign(id, Waiting{std::move(orphan)}).first->second;
        if (orphans_.size() > limits::orphans_max) {
            too_many.push_back(id);
        } else if (!is_overdue(waiting.orphan)) {
            tell_orphan_waits(waiting.orphan);
        }
    }
    const Winner lost{.outcome = Outcome::lost, .at = ports_.clock.wall()};
    for (const auto& id : too_many) tasks_.spawn(end_orphan(id, lost, "hub restarted, too much was open"));
    expire_orphans();
    if (!orphans_.empty()) losing_orphans_ = tasks_.spawn(lose_orphans());
}

// Until the wait for the agents is over, whatever reaches its own deadline expires then.
asio::awaitable<void> Hub::lose_orphans() {
    const auto until = ports_.clock.boot() + limits::orphan_wait_max;
    while (ports_.clock.boot() < until) {
        auto next = until;
        for (const auto& [id, waiting] : orphans_) {
            // One that is past is being ended; to wait for it again would never end.
            const auto deadline = deadline_of(waiting.orphan);
            if (deadline && *deadline > ports_.clock.boot()) next = std::min(next, *deadline);
        }
        co_await ports_.clock.sleep_until(next);
        expire_orphans();
    }
    const Winner lost{.outcome = Outcome::lost, .at = ports_.clock.wall()};
    for (const auto& [id, waiting] : orphans_) tasks_.spawn(end_orphan(id, lost, not_shown_again));
}

void Hub::expire_orphans() {
    const Winner expired{.outcome = Outcome::expired, .at = ports_.clock.wall()};
    for (auto& [id, waiting] : orphans_) {
        if (!waiting.ending && is_overdue(waiting.orphan)) tasks_.spawn(end_orphan(id, expired, not_in_time));
    }
}

std::optional<BootTime> Hub::deadline_of(const Orphan& orphan) const {
    return countersign::deadline_of(orphan.asked, orphan.timeout, configuration_->route_named(orphan.route));
}

bool Hub::is_overdue(const Orphan& orphan) const {
    const auto deadline = deadline_of(orphan);
    return deadline && ports_.clock.boot() >= *deadline;
}

// Exactly one terminal record: whoever wants it meanwhile finds it ending, and a process that dies before the record is
// on disk leaves it an orphan for the next.
asio::awaitable<void> Hub::end_orphan(Ulid id, Winner winner, std::string reason) {
    const auto found = orphans_.find(id);
    if (found == orphans_.end() || found->second.ending) co_return;
    found->second.ending = winner;
    const auto orphan = found->second.orphan;
    const auto settled = co_await ports_.ledger.settle(id, winner, records::ended(orphan, winner, reason));
    if (std::holds_alternative<Error>(settled)) {
        if (!ports_.ledger.health()) co_return;  // only a restart ends that, and finds it again
        co_await ports_.clock.sleep_until(ports_.clock.boot() + limits::log_retry);
        orphans_.at(id).ending.reset();
        tasks_.spawn(end_orphan(id, std::move(winner), std::move(reason)));
        co_return;
    }
    orphans_.erase(id);
    const auto* receipt = std::get_if<Receipt>(&settled);
    if (receipt == nullptr) co_return;  // cannot be: it was nobody else's to end
    const Conclusion conclusion{.request_id = id,
                                .outcome = winner.outcome,
                                .decided_by = winner.decided_by,
                                .channel = winner.channel,
                                .reason = std::move(reason),
                                .forwarded = false,
                                .at = receipt->at,
                                .took = ports_.clock.boot() - orphan.asked,
                                .seq = receipt->seq,
                                .root = receipt->root,
                                .size = receipt->size};
    winner.at = receipt->at;
    remember(id, {orphan.agent_id, orphan.args_hash, std::move(winner)});
    conclude_earlier(orphan.shown, conclusion);
}

// True: this is the request that was open when the hub before us ended. With anything else its id is a conflict (I15).
Result<bool> Hub::is_orphan(const Request& request) const {
    const auto found = orphans_.find(request.id);
    if (found == orphans_.end()) return false;
    const auto& [orphan, ending] = found->second;
    if (orphan.agent_id != request.agent_id || orphan.args_hash != request.args_hash.hex ||
        orphan.native_key != request.native_key) {
        return Error{Errc::conflict, "approvalId " + request.id.str() + " was used for another call"};
    }
    if (ending) return already_decided(*ending);
    return true;
}

std::optional<Orphan> Hub::take_orphan(const Ulid& id) {
    const auto found = orphans_.find(id);
    if (found == orphans_.end()) return std::nullopt;
    auto orphan = std::move(found->second.orphan);
    orphans_.erase(found);
    return orphan;
}

// Its time has been running since it was first asked; its buttons are new ones, and nobody has voted on them.
Pending Hub::resumed(Pending fresh, const Orphan& orphan) const {
    fresh.resumed = true;
    fresh.asked = std::min(orphan.asked, ports_.clock.boot());
    fresh.generation = fresh.recorded_generation = orphan.generation + 1;
    fresh.required = std::max(fresh.required, orphan.required);
    fresh.earlier = orphan.shown;
    return fresh;
}

// It was asked here before, by somebody who is gone: how it ends is for whoever asks now.
void Hub::take_over(const Ulid& id, Runtime& from) {
    if (auto* open = find(id); open != nullptr && open->runtime == nullptr) open->runtime = &from;
}

void Hub::tell_orphan_waits(const Orphan& orphan) {
    const EarlierNews news{.request_id = orphan.id,
                           .state = EarlierNews::State::waits,
                           .language = language_for(*configuration_, configuration_->route_named(orphan.route), "")};
    for (const auto& ref : orphan.shown) {
        const auto channel = channels_.find(ref.place.channel);
        if (channel != channels_.end()) channel->second->tell_earlier(++last_delivery_, ref, news);
    }
}

// Only once a newer message is there: until then the old ones would lead nowhere.
void Hub::tell_goes_on(Pending& open) {
    const EarlierNews news{.request_id = open.request->id,
                           .state = EarlierNews::State::goes_on,
                           .language = language_for(*configuration_, configuration_->route_named(open.route), "")};
    for (const auto& ref : std::exchange(open.earlier, {})) {
        const auto channel = channels_.find(ref.place.channel);
        if (channel == channels_.end()) continue;
        const auto id = ++last_delivery_;
        await_conclusion(id, {open.request->id, {ref}});
        channel->second->tell_earlier(id, ref, news);
    }
}

void Hub::conclude_earlier(const std::vector<MessageRef>& refs, const Conclusion& conclusion) {
    std::vector<EarlierMessage> messages;
    for (const auto& ref : refs) messages.push_back({.ref = ref, .conclusion = conclusion});
    conclude_earlier(messages);
}

}  // namespace countersign
