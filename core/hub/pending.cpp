// SPDX-License-Identifier: Apache-2.0
#include "core/hub/pending.hpp"

#include <algorithm>
#include <utility>

namespace countersign {

bool Pending::shown_whole_at(const Place& where) const {
    return std::ranges::any_of(deliveries,
                               [&](const Delivery& delivery) { return delivery.whole && delivery.is_at(where); });
}

BoxedOptional<MessageRef> Pending::replaced_by_next(const Channel& on, const Recipient& to) const {
    BoxedOptional<MessageRef> newest;
    for (const auto& delivery : deliveries) {
        if (delivery.state != Delivery::State::delivered || delivery.channel != &on || delivery.to != to) continue;
        if (delivery.ref.generation < recorded_generation) newest = delivery.ref;
    }
    return newest;
}

bool Pending::shown_anew_to(const Recipient& to) const {
    return std::ranges::any_of(deliveries, [&](const Delivery& delivery) {
        return delivery.to == to && delivery.sent_with >= shared_since &&
               delivery.state != Delivery::State::undeliverable;
    });
}

std::vector<Recipient> Pending::shown_again_at(const Place& where, Errc why) const {
    std::vector<Recipient> recipients;
    for (const auto& delivery : deliveries) {
        const bool known = std::ranges::find(recipients, delivery.to) != recipients.end();
        const bool is_new = why == Errc::asked_again && shown_anew_to(delivery.to);
        if (delivery.is_at(where) && !known && !is_new) recipients.push_back(delivery.to);
    }
    return recipients;
}

void Pending::resume(const Orphan& orphan) {
    resumed = true;
    asked = std::min(orphan.asked, asked);
    generation = recorded_generation = orphan.generation + 1;
    required = std::max(required, orphan.required);
    earlier = orphan.shown;
}

void Pending::keep(Vote vote, Attempt attempt) {
    if (const auto old = std::ranges::find(votes, vote.person, &Vote::person); old != votes.end()) {
        voted_by.erase(voted_by.begin() + (old - votes.begin()));
        votes.erase(old);
    }
    votes.push_back(std::move(vote));
    voted_by.push_back(std::move(attempt));
}

bool Pending::undeliverable(std::size_t steps) const {
    return steps_shown >= steps && std::ranges::all_of(deliveries, [](const Delivery& delivery) {
               return delivery.state == Delivery::State::undeliverable;
           });
}

bool Pending::reaches_nobody() const {
    return std::ranges::all_of(deliveries, [](const Delivery& delivery) {
        return delivery.state == Delivery::State::undeliverable || delivery.state == Delivery::State::delayed;
    });
}

bool Pending::never_shown() const {
    return !deliveries.empty() && std::ranges::none_of(deliveries, [](const Delivery& delivery) {
        return delivery.state == Delivery::State::delivered;
    });
}

std::optional<BootTime> deadline_of(BootTime asked, std::optional<std::chrono::milliseconds> timeout,
                                    const Route* route) {
    if (route != nullptr && route->timeout) timeout = timeout ? std::min(*timeout, *route->timeout) : *route->timeout;
    if (!timeout) return std::nullopt;
    return asked + *timeout;
}

}  // namespace countersign
