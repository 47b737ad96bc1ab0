// SPDX-License-Identifier: Apache-2.0
#include "core/hub/presenter.hpp"

#include "core/hub/audience.hpp"
#include "core/hub/records.hpp"
#include "core/hub/reminders.hpp"
#include "core/utf8.hpp"

#include <algorithm>
#include <utility>

namespace countersign {

namespace asio = boost::asio;

Presenter::Presenter(Borrowed borrowed, std::function<CardState(const Pending&)> state_of)
    : context_{borrowed.context},
      gate_{borrowed.gate},
      flow_{borrowed.flow},
      state_of_{std::move(state_of)},
      alarm_{context_.tasks, context_.ports.clock, [this](Ulid id) { return moment_came(id); }} {}

Channel* Presenter::channel(const std::string& name) const {
    const auto found = channels_.find(name);
    return found == channels_.end() ? nullptr : found->second;
}

void Presenter::show(Pending& open) {
    if (context_.stopping) return;  // an agent that outlives us waits; the next hub will show it
    open.shown_since = open.resumed ? open.asked : context_.now();
    open.reminded = context_.now();
    present_due_steps(open);
    set_alarm(open);
}

std::optional<BootTime> Presenter::next_moment(const Pending& open) const {
    auto next = open.deadline;
    const auto sooner = [&next](BootTime due) { next = next ? std::min(*next, due) : due; };
    const auto* route = context_.route_of(open);
    if (open.standing != Pending::Standing::own || route == nullptr) return next;
    if (open.steps_shown < route->steps.size()) sooner(open.shown_since + route->steps[open.steps_shown].after);
    if (const auto due = reminder_due(open)) sooner(*due);
    return next;
}

void Presenter::set_alarm(Pending& open) {
    const auto before = std::exchange(open.alarm, next_moment(open));
    alarm_.move(open.request->id, before, open.alarm);
}

// Shows each step when it is due, sends reminders, and ends the request at its deadline.
asio::awaitable<void> Presenter::moment_came(Ulid id) {
    auto* open = context_.pending.find(id);
    if (open == nullptr || context_.stopping) co_return;
    if (open->deadline && context_.now() >= *open->deadline) {
        // A request that reached no approver hasn't expired; it was undeliverable.
        const auto outcome = open->never_shown() ? Outcome::undeliverable : Outcome::expired;
        co_return flow_.end_later(id, outcome, gate_.why_expired(*open));
    }
    present_due_steps(*open);
    remind_if_due(*open);
    if (open->phase == Pending::Phase::open) set_alarm(*open);
}

void Presenter::present_due_steps(Pending& open) {
    const auto* route = context_.route_of(open);
    if (route == nullptr || open.standing != Pending::Standing::own) return;
    const auto waited = context_.now() - open.shown_since;
    const auto is_due = [&] {
        if (open.steps_shown >= route->steps.size()) return false;
        // Failover: a step is due at once if all messages before it failed or are late.
        const bool failed = open.steps_shown > 0 && open.reaches_nobody();
        return failed || route->steps[open.steps_shown].after <= waited;
    };
    while (is_due()) present(open, route->steps[open.steps_shown++]);
    if (open.undeliverable(route->steps.size())) {
        flow_.end_later(open.request->id, Outcome::undeliverable, "nobody could be shown the request");
    }
}

// One delivery per person: a person who can't be reached leaves a dead letter, and each message has its own ref, so
// that it can be edited even after a restart.
void Presenter::present(Pending& open, const Step& step) {
    std::vector<Recipient> recipients;
    if (!step.chat.empty() || step.people.empty())
        recipients.push_back({.chat = step.chat, .principal = {}, .thread = step.thread});
    for (const auto& person : step.people) {
        const auto principals =
            principals_of(*context_.configuration, {.channel = step.channel, .chat = {}, .people = {person}});
        for (const auto& principal : principals) recipients.push_back({.chat = {}, .principal = principal});
        if (principals.empty()) {
            bury({.channel = step.channel,
                  .chat = person,
                  .what = "card",
                  .request = open.request->id,
                  .why = person + " has no id on this channel"});
        }
    }
    present(open, step.channel, recipients);
}

void Presenter::present(Pending& open, const std::string& channel, const std::vector<Recipient>& recipients) {
    const auto found = channels_.find(channel);
    if (found == channels_.end()) {  // valid in `check config`, but the running hub may have lost the channel
        bury({.channel = channel, .what = "card", .request = open.request->id, .why = "this channel is not running"});
        return;
    }
    std::optional<WallTime> expires;
    if (open.deadline) expires = context_.ports.clock.wall() + (*open.deadline - context_.now());
    const auto state = state_of_(open);
    // All deliveries are registered before the first one is shown: a channel may fail immediately, and the others must
    // still be known.
    std::vector<Presentation> presentations;
    for (const auto& to : recipients) {
        if (open.deliveries.size() >= limits::deliveries_per_request_max) {
            bury({.channel = channel,
                  .chat = to.chat,
                  .what = "card",
                  .request = open.request->id,
                  .why = "too many messages are about this request"});
            break;
        }
        const auto id = ++last_delivery_;
        auto replaces = open.replaced_by_next(*found->second, to);
        open.deliveries.push_back(
            {.id = id, .channel = found->second, .to = to, .sent_with = open.recorded_generation});
        delivery_of_[id] = open.request->id;
        presentations.push_back({.id = id,
                                 .request = open.request,
                                 .offered = open.offered,
                                 .to = to,
                                 .audience = audience_for(open, channel, to),
                                 .state = state,
                                 .expires = expires,
                                 .generation = open.recorded_generation,
                                 .replaces = std::move(replaces),
                                 .resumed = open.resumed});
    }
    for (auto& presentation : presentations) found->second->present(std::move(presentation));
}

// People who have voted aren't mentioned again.
Audience Presenter::audience_for(const Pending& open, const std::string& channel, const Recipient& to) const {
    auto audience = audience_of(*context_.configuration, open.route, *open.request, channel, to);
    const auto votes = gate_.standing_votes(open);
    std::erase_if(audience.mentions, [&](const Mention& mention) {
        return std::ranges::find(votes, mention.person, &Vote::person) != votes.end();
    });
    audience.in_thread_of = threads_.first(asker_of(*open.request), channel, to);
    return audience;
}

std::optional<BootTime> Presenter::reminder_due(const Pending& open) const {
    const auto* route = context_.route_of(open);
    if (route == nullptr) return std::nullopt;
    const auto wait = next_reminder(route->remind, open.deadline.has_value(), open.reminders);
    if (!wait) return std::nullopt;
    return open.reminded + *wait;
}

// Posted below each delivered card. In a chat it mentions those who haven't voted. A person with a direct message who
// has voted or may not decide isn't reminded.
void Presenter::remind_if_due(Pending& open) {
    const auto due = reminder_due(open);
    const auto now = context_.now();
    if (!due || now < *due) return;
    ++open.reminders;
    open.reminded = now;
    if (!open.alive()) return;
    const auto votes = gate_.standing_votes(open);
    const auto deciders =
        deciders_of(*context_.configuration, *context_.configuration->route_named(open.route), *open.request);
    const auto is_wanted = [&](const Recipient& to) {
        if (to.principal.empty()) return true;
        const auto* person = context_.configuration->person_of(to.principal);
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

void Presenter::show_state(const Pending& open, std::optional<std::uint32_t> generation) {
    auto state = state_of_(open);
    state.generation = generation;
    for (const auto& delivery : open.deliveries) delivery.channel->update(delivery.id, state);
}

void Presenter::show_again(const Ulid& id, const Place& where, Errc why) {
    context_.tasks.spawn(present_again(id, where, why));
}

asio::awaitable<void> Presenter::present_again(Ulid id, Place where, Errc why) {
    auto* open = context_.pending.find(id);
    if (open == nullptr || !open->may_have_new_buttons() || open->shown_again_at(where, why).empty()) co_return;
    const auto generation = ++open->generation;
    if (!co_await record_generation(id, generation, records::renewed(id, generation))) co_return;
    open = context_.pending.find(id);
    if (context_.stopping || !open->alive() || open->standing != Pending::Standing::own) co_return;
    present(*open, where.channel, open->shown_again_at(where, why));  // another tap may have been faster
}

asio::awaitable<bool> Presenter::record_generation(Ulid id, std::uint32_t generation, LogEntry entry) {
    const auto written = co_await context_.ports.ledger.append(std::move(entry), Haste::now);
    auto* open = context_.pending.find(id);
    if (!written || open == nullptr) co_return false;
    open->recorded_generation = std::max(open->recorded_generation, generation);
    co_return true;
}

void Presenter::conclude(const Pending& ended, const Conclusion& conclusion) {
    alarm_.move(ended.request->id, ended.alarm, std::nullopt);
    conclude_earlier(ended.earlier, conclusion);
    for (const auto& delivery : ended.deliveries) {
        delivery_of_.erase(delivery.id);
        if (delivery.state == Delivery::State::delivered) {
            auto refs = delivery.doubles;
            refs.insert(refs.begin(), delivery.ref);
            await_conclusion(delivery.id, {ended.request->id, std::move(refs)});
        }
        delivery.channel->conclude(delivery.id, conclusion);
    }
}

// If a channel never reports conclusions, the oldest are forgotten; only their records are missing then.
void Presenter::await_conclusion(DeliveryId id, Concluding concluding) {
    concluding_.emplace(id, std::move(concluding));
    if (concluding_.size() > limits::concluded_kept_max) concluding_.erase(concluding_.begin());
}

void Presenter::conclude_earlier(const std::vector<EarlierMessage>& messages) {
    for (const auto& [ref, conclusion] : messages) {
        const auto channel = channels_.find(ref.place.channel);
        if (channel == channels_.end()) continue;  // it is no longer configured and can't be edited
        const auto id = ++last_delivery_;
        await_conclusion(id, {conclusion.request_id, {ref}});
        channel->second->conclude_earlier(id, ref, conclusion);
    }
}

void Presenter::conclude_earlier(const std::vector<MessageRef>& refs, const Conclusion& conclusion) {
    std::vector<EarlierMessage> messages;
    for (const auto& ref : refs) messages.push_back({.ref = ref, .conclusion = conclusion});
    conclude_earlier(messages);
}

void Presenter::tell_waits(const Orphan& orphan) {
    const EarlierNews news{
        .request_id = orphan.id,
        .state = EarlierNews::State::waits,
        .language = language_for(*context_.configuration, context_.configuration->route_named(orphan.route), "")};
    for (const auto& ref : orphan.shown) {
        const auto channel = channels_.find(ref.place.channel);
        if (channel != channels_.end()) channel->second->tell_earlier(++last_delivery_, ref, news);
    }
}

// Only when a newer message exists: until then the old ones would point nowhere.
void Presenter::tell_goes_on(Pending& open) {
    const EarlierNews news{.request_id = open.request->id,
                           .state = EarlierNews::State::goes_on,
                           .language = language_for(*context_.configuration, context_.route_of(open), "")};
    for (const auto& ref : std::exchange(open.earlier, {})) {
        const auto channel = channels_.find(ref.place.channel);
        if (channel == channels_.end()) continue;
        const auto id = ++last_delivery_;
        await_conclusion(id, {open.request->id, {ref}});
        channel->second->tell_earlier(id, ref, news);
    }
}

void Presenter::announce(const std::string& channel, Announcement announcement,
                         std::function<void(const Result<MessageRef>&)> done) {
    const auto found = channels_.find(channel);
    if (found == channels_.end()) return done(Error{Errc::undeliverable, "this channel is not running"});
    if (announcing_.size() >= limits::announcements_max) {
        return done(Error{Errc::busy, "too many announcements wait to be sent"});
    }
    if (announcement.heading.size() + announcement.exact.size() > limits::announcement_bytes_max) {
        return done(Error{Errc::too_large, "an announcement is longer than any message may be"});
    }
    announcement.id = ++last_delivery_;
    announcing_.emplace(announcement.id, Announcing{channel, announcement.to.chat, std::move(done)});
    found->second->announce(std::move(announcement));
}

bool Presenter::announced(DeliveryId id, const Result<MessageRef>& result) {
    const auto found = announcing_.find(id);
    if (found == announcing_.end()) return false;
    const auto announcing = std::move(found->second);  // it may announce again
    announcing_.erase(found);
    if (!result) {
        bury({.channel = announcing.channel,
              .chat = announcing.chat,
              .what = "announcement",
              .why = result.error().detail});
    }
    announcing.done(result);
    return true;
}

void Presenter::session_ended(const Runtime& from, const Asker& who, const std::string& failure, const Halts& halts) {
    for (auto& [session, threads] : threads_.take(from.id(), who)) {
        const auto* halt = halts.of(session);
        for (auto& thread : threads) {
            auto* on = channel(thread.first.place.channel);
            if (on == nullptr) continue;
            on->session_ended({.to = std::move(thread.to),
                               .below = std::move(thread.first),
                               .language = std::move(thread.language),
                               .agent_id = session.agent_id,
                               .session_key = session.session_key,
                               .failure = context_.ports.guard.clean(failure),
                               .halted_by = halt == nullptr ? std::string{} : halt->by});
        }
    }
}

// Empty once its request has ended.
Presenter::FoundDelivery Presenter::find_delivery(DeliveryId id) {
    const auto of = delivery_of_.find(id);
    auto* open = of == delivery_of_.end() ? nullptr : context_.pending.find(of->second);
    if (open == nullptr) return {};
    return {open, &*std::ranges::find(open->deliveries, id, &Delivery::id)};
}

void Presenter::delivered(DeliveryId id, MessageRef ref, bool whole) {
    if (announced(id, ref)) return;
    const auto [open, delivery] = find_delivery(id);
    if (open == nullptr) return;
    delivery->state = Delivery::State::delivered;
    delivery->whole = whole;
    context_.notes.write(records::presented(open->request->id, ref, whole));
    const auto* route = context_.route_of(*open);
    threads_.shown(asker_of(*open->request),
                   {.to = delivery->to,
                    .first = ref,
                    .language = language_for(*context_.configuration, route, delivery->to.principal)},
                   open->runtime == nullptr ? 0 : open->runtime->id());
    delivery->ref = std::move(ref);
    tell_goes_on(*open);
}

void Presenter::also_delivered(DeliveryId id, MessageRef ref) {
    const auto [open, delivery] = find_delivery(id);
    if (open == nullptr) return;
    context_.notes.write(records::presented(open->request->id, ref, delivery->whole));
    delivery->doubles.push_back(std::move(ref));
}

void Presenter::undeliverable(DeliveryId id, std::string why) {
    if (announced(id, Error{Errc::undeliverable, why})) return;
    bounced(id, std::move(why));
}

void Presenter::bounced(DeliveryId id, std::string why) {
    const auto [open, delivery] = find_delivery(id);
    if (open == nullptr) return;
    delivery->state = Delivery::State::undeliverable;
    delivery->whole = false;
    bury({.channel = delivery->channel->name(),
          .chat = delivery->to.chat.empty() ? delivery->to.principal : delivery->to.chat,
          .what = "card",
          .request = open->request->id,
          .why = std::move(why)});
    if (open->reaches_nobody()) present_due_steps(*open);
}

// A late card isn't given up; the next step is just shown earlier.
void Presenter::delayed(DeliveryId id, std::string /*why*/) {
    const auto [open, delivery] = find_delivery(id);
    if (open == nullptr) return;
    if (delivery->state != Delivery::State::queued) return;
    delivery->state = Delivery::State::delayed;
    ++delayed_;
    if (open->reaches_nobody()) present_due_steps(*open);
}

// Each card has its own record. All other messages have one up to a rate and are counted above it: strangers can make
// us write answers that can't be delivered.
void Presenter::bury(DeadLetter letter) {
    letter.why = utf8::head(context_.ports.guard.clean(letter.why), limits::reason_bytes_max);
    letter.at = context_.ports.clock.wall();
    const bool card = letter.what == "card";
    if (card) {
        context_.notes.write(records::dead_letter(letter, 0));
    } else {
        context_.notes.write_rated(Notes::Kind::dead_letter,
                                   [&](std::uint64_t left_out) { return records::dead_letter(letter, left_out); });
    }
    dead_letters_.keep(std::move(letter));
}

void Presenter::concluded(DeliveryId id) {
    const auto found = concluding_.find(id);
    if (found == concluding_.end()) return;
    for (const auto& ref : found->second.refs) context_.notes.write(records::concluded(found->second.request, ref));
    concluding_.erase(found);
}

}  // namespace countersign
