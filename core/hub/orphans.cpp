// SPDX-License-Identifier: Apache-2.0
#include "core/hub/orphans.hpp"

#include "core/hub/records.hpp"

#include <algorithm>
#include <utility>

namespace countersign {

namespace asio = boost::asio;

namespace {

constexpr auto not_shown_again = "hub restarted, and the agent did not ask again";
constexpr auto not_in_time = "nobody decided in time; the hub was not running at the deadline";

}  // namespace

void Orphans::await(std::vector<Orphan> orphans) {
    std::vector<Ulid> too_many;
    for (auto& orphan : orphans) {
        const auto id = orphan.id;
        const auto& waiting = by_id_.insert_or_assign(id, Waiting{std::move(orphan)}).first->second;
        if (by_id_.size() > limits::orphans_max) {
            too_many.push_back(id);
        } else if (!is_overdue(waiting.orphan)) {
            borrowed_.presenter.tell_waits(waiting.orphan);
        }
    }
    const Winner lost{.outcome = Outcome::lost, .at = context_.ports.clock.wall()};
    for (const auto& id : too_many) context_.tasks.spawn(end(id, lost, "hub restarted, too much was open"));
    expire_overdue();
    if (!by_id_.empty()) losing_ = context_.tasks.spawn(lose_all());
}

// Until the wait for the agents is over, orphans that reach their own deadline expire.
asio::awaitable<void> Orphans::lose_all() {
    const auto until = context_.now() + limits::orphan_wait_max;
    while (context_.now() < until) {
        auto next = until;
        for (const auto& [id, waiting] : by_id_) {
            // An overdue orphan is already being ended; waiting for it would loop forever.
            const auto deadline = deadline_of(waiting.orphan);
            if (deadline && *deadline > context_.now()) next = std::min(next, *deadline);
        }
        co_await context_.ports.clock.sleep_until(next);
        expire_overdue();
    }
    const Winner lost{.outcome = Outcome::lost, .at = context_.ports.clock.wall()};
    for (const auto& [id, waiting] : by_id_) context_.tasks.spawn(end(id, lost, not_shown_again));
}

void Orphans::expire_overdue() {
    const Winner expired{.outcome = Outcome::expired, .at = context_.ports.clock.wall()};
    for (auto& [id, waiting] : by_id_) {
        if (!waiting.ending && is_overdue(waiting.orphan)) context_.tasks.spawn(end(id, expired, not_in_time));
    }
}

std::optional<BootTime> Orphans::deadline_of(const Orphan& orphan) const {
    return countersign::deadline_of(orphan.asked, orphan.timeout, context_.configuration->route_named(orphan.route));
}

bool Orphans::is_overdue(const Orphan& orphan) const {
    const auto deadline = deadline_of(orphan);
    return deadline && context_.now() >= *deadline;
}

// During the write, other callers see that it is ending.
asio::awaitable<void> Orphans::end(Ulid id, Winner winner, std::string reason) {
    const auto found = by_id_.find(id);
    if (found == by_id_.end() || found->second.ending) co_return;
    found->second.ending = winner;
    const auto orphan = found->second.orphan;
    const auto settled = co_await context_.ports.ledger.settle(id, winner, records::ended(orphan, winner, reason));
    if (std::holds_alternative<Error>(settled)) {
        if (!context_.ports.ledger.health()) co_return;  // a restart finds it again
        co_await context_.ports.clock.sleep_until(context_.now() + limits::log_retry);
        by_id_.at(id).ending.reset();
        context_.tasks.spawn(end(id, std::move(winner), std::move(reason)));
        co_return;
    }
    by_id_.erase(id);
    const auto* receipt = std::get_if<Receipt>(&settled);
    if (receipt == nullptr) co_return;  // can't happen: only this function ends it
    const Conclusion conclusion{.request_id = id,
                                .outcome = winner.outcome,
                                .decided_by = winner.decided_by,
                                .channel = winner.channel,
                                .reason = std::move(reason),
                                .forwarded = false,
                                .at = receipt->at,
                                .took = context_.now() - orphan.asked,
                                .seq = receipt->seq,
                                .root = receipt->root,
                                .size = receipt->size};
    winner.at = receipt->at;
    borrowed_.ended.remember(id, {orphan.agent_id, orphan.args_hash, std::move(winner)});
    borrowed_.presenter.conclude_earlier(orphan.shown, conclusion);
}

Result<std::optional<Ulid>> Orphans::earlier_id_of(const Request& request) const {
    const auto is_same = [&](const Orphan& orphan) {
        return orphan.agent_id == request.agent_id && orphan.args_hash == request.args_hash.hex &&
               orphan.native_key == request.native_key;
    };
    auto found = by_id_.find(request.id);
    if (found != by_id_.end() && !is_same(found->second.orphan)) return used_for_another_call(request.id);
    if (found == by_id_.end() && !request.native_key.empty()) {
        found = std::ranges::find_if(by_id_, [&](const auto& entry) { return is_same(entry.second.orphan); });
    }
    if (found == by_id_.end()) return std::optional<Ulid>{};
    const auto& [orphan, ending] = found->second;
    if (ending) return already_decided(*ending, context_.ports.clock.wall());
    return std::optional{orphan.id};
}

const Orphan* Orphans::find(const Ulid& id) const {
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? nullptr : &found->second.orphan;
}

std::optional<Orphan> Orphans::take(const Ulid& id) {
    const auto found = by_id_.find(id);
    if (found == by_id_.end()) return std::nullopt;
    auto orphan = std::move(found->second.orphan);
    by_id_.erase(found);
    return orphan;
}

void Orphans::put_back(Orphan orphan) {
    const auto id = orphan.id;
    by_id_.emplace(id, Waiting{std::move(orphan)});
}

std::vector<Orphan> Orphans::waiting() const {
    std::vector<Orphan> found;
    for (const auto& [id, waiting] : by_id_) {
        if (!waiting.ending) found.push_back(waiting.orphan);
    }
    return found;
}

}  // namespace countersign
