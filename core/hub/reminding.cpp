// SPDX-License-Identifier: Apache-2.0
// What people hear of a request that waits, and of a session that is over.
#include "core/hub/audience.hpp"
#include "core/hub/hub.hpp"
#include "core/hub/reminders.hpp"

#include <algorithm>

namespace countersign {

std::optional<BootTime> Hub::reminder_due(const Pending& open) const {
    const auto* route = configuration_->route_named(open.route);
    if (route == nullptr) return std::nullopt;
    const auto wait = next_reminder(route->remind, open.deadline.has_value(), open.reminders);
    if (!wait) return std::nullopt;
    return open.reminded + *wait;
}

// Below each card that stands somewhere. In a chat those are called who have not voted; somebody who was written to
// directly and has voted, or may not decide, hears nothing more.
void Hub::remind_if_due(Pending& open) {
    const auto due = reminder_due(open);
    const auto now = ports_.clock.boot();
    if (!due || now < *due) return;
    ++open.reminders;
    open.reminded = now;
    if (!open.alive()) return;
    const auto votes = standing_votes(open);
    const auto deciders = deciders_of(*configuration_, *configuration_->route_named(open.route), *open.request);
    const auto is_wanted = [&](const Recipient& to) {
        if (to.principal.empty()) return true;
        const auto* person = configuration_->person_of(to.principal);
        return person != nullptr && std::ranges::binary_search(deciders, person->name) &&
               std::ranges::find(votes, person->name, &Vote::person) == votes.end();
    };
    for (const auto& delivery : open.deliveries) {
        if (delivery.state != Delivery::State::delivered || !is_wanted(delivery.to)) continue;
        delivery.channel->remind(delivery.id,
                                 {.waited = now - open.shown_since,
                                  .mentions = audience_for(open, delivery.channel->name(), delivery.to).mentions});
    }
}

void Hub::session_ended(const Runtime& from, std::string failure) {
    for (auto& [session, threads] : threads_.take(from)) {
        const auto* halt = halts_.of(session);
        for (auto& thread : threads) {
            const auto channel = channels_.find(thread.first.place.channel);
            if (channel == channels_.end()) continue;
            channel->second->session_ended({.to = std::move(thread.to),
                                            .below = std::move(thread.first),
                                            .language = std::move(thread.language),
                                            .agent_id = session.agent_id,
                                            .session_key = session.session_key,
                                            .failure = ports_.guard.clean(failure),
                                            .halted_by = halt == nullptr ? std::string{} : halt->by});
        }
    }
}

}  // namespace countersign
