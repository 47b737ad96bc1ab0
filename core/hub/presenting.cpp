// SPDX-License-Identifier: Apache-2.0
// What people and listeners see of a request, from the first card to its end.
#include "core/hub/audience.hpp"
#include "core/hub/hub.hpp"
#include "core/hub/records.hpp"
#include "core/utf8.hpp"

#include <algorithm>
#include <utility>

namespace countersign {

namespace asio = boost::asio;

void Hub::submit(Attempt attempt, std::function<void(const Result<Receipt>&)> done) {
    tasks_.spawn(answer(std::move(attempt), std::move(done)));
}

asio::awaitable<void> Hub::answer(Attempt attempt, std::function<void(const Result<Receipt>&)> done) {
    const auto decided = co_await decide(std::move(attempt), std::nullopt);
    if (done) done(decided);
}

void Hub::present_due_steps(Pending& open) {
    const auto* route = configuration_->route_named(open.route);
    if (route == nullptr || open.standing != Pending::Standing::own) return;
    const auto waited = ports_.clock.boot() - open.shown_since;
    const auto is_due = [&] {
        if (open.steps_shown >= route->steps.size()) return false;
        // Failover: a step does not wait for its time when all before it failed, or are late.
        const bool failed = open.steps_shown > 0 && open.reaches_nobody();
        return failed || route->steps[open.steps_shown].after <= waited;
    };
    while (is_due()) present(open, route->steps[open.steps_shown++]);
    if (open.undeliverable(route->steps.size())) {
        tasks_.spawn(end(open.request->id, Outcome::undeliverable, "nobody could be shown the request"));
    }
}

// A delivery for each person: one who is not reached leaves a dead letter, and each message has a ref, so that each is
// edited also after a restart.
void Hub::present(Pending& open, const Step& step) {
    std::vector<Recipient> recipients;
    if (!step.chat.empty() || step.people.empty())
        recipients.push_back({.chat = step.chat, .principal = {}, .thread = step.thread});
    for (const auto& person : step.people) {
        const auto principals =
            principals_of(*configuration_, {.channel = step.channel, .chat = {}, .people = {person}});
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

void Hub::present(Pending& open, const std::string& channel, const std::vector<Recipient>& recipients) {
    const auto found = channels_.find(channel);
    if (found == channels_.end()) {  // check config would have said so; a running hub may have lost the channel
        bury({.channel = channel, .what = "card", .request = open.request->id, .why = "this channel is not running"});
        return;
    }
    std::optional<WallTime> expires;
    if (open.deadline) expires = ports_.clock.wall() + (*open.deadline - ports_.clock.boot());
    const auto state = state_of(open);
    // All are known before the first one is shown: a channel may say at once that it cannot, and the others still
    // count.
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

// Who has voted need not be called again.
Audience Hub::audience_for(const Pending& open, const std::string& channel, const Recipient& to) const {
    auto audience = audience_of(*configuration_, open.route, *open.request, channel, to);
    const auto votes = standing_votes(open);
    std::erase_if(audience.mentions, [&](const Mention& mention) {
        return std::ranges::find(votes, mention.person, &Vote::person) != votes.end();
    });
    audience.in_thread_of = threads_.first(asker_of(*open.request), channel, to);
    return audience;
}

// Whoever tapped wants to decide, and there: a tap that came late decides nothing, and one on a card that stands for
// more by now neither, though that card may never say so if the platform does not take the change.
asio::awaitable<void> Hub::present_again(Ulid id, Place where, Errc why) {
    auto* open = find(id);
    if (open == nullptr || !open->may_have_new_buttons() || open->shown_again_at(where, why).empty()) co_return;
    const auto generation = ++open->generation;
    if (!co_await record_generation(id, generation, records::renewed(id, generation))) co_return;
    open = find(id);
    if (stopping_ || !open->alive() || open->standing != Pending::Standing::own) co_return;
    present(*open, where.channel, open->shown_again_at(where, why));  // another tap may have been quicker
}

// True: it is still open, and its new buttons may be shown.
asio::awaitable<bool> Hub::record_generation(Ulid id, std::uint32_t generation, Entry entry) {
    const auto written = co_await ports_.ledger.append(std::move(entry), Haste::now);
    auto* open = find(id);
    if (!written || open == nullptr) co_return false;
    open->recorded_generation = std::max(open->recorded_generation, generation);
    co_return true;
}

void Hub::announce(const std::string& channel, Announcement announcement,
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

bool Hub::announced(DeliveryId id, const Result<MessageRef>& result) {
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

// Nothing once its request has ended.
Hub::FoundDelivery Hub::find_delivery(DeliveryId id) {
    const auto of = delivery_of_.find(id);
    auto* open = of == delivery_of_.end() ? nullptr : find(of->second);
    if (open == nullptr) return {};
    return {open, &*std::ranges::find(open->deliveries, id, &Delivery::id)};
}

void Hub::delivered(DeliveryId id, MessageRef ref, bool whole) {
    if (announced(id, ref)) return;
    const auto [open, delivery] = find_delivery(id);
    if (open == nullptr) return;
    delivery->state = Delivery::State::delivered;
    delivery->whole = whole;
    note(records::presented(open->request->id, ref, whole));
    const auto* route = configuration_->route_named(open->route);
    threads_.shown(
        asker_of(*open->request),
        {.to = delivery->to, .first = ref, .language = language_for(*configuration_, route, delivery->to.principal)},
        open->runtime);
    delivery->ref = std::move(ref);
    tell_goes_on(*open);
}

void Hub::also_delivered(DeliveryId id, MessageRef ref) {
    const auto [open, delivery] = find_delivery(id);
    if (open == nullptr) return;
    note(records::presented(open->request->id, ref, delivery->whole));
    delivery->doubles.push_back(std::move(ref));
}

void Hub::undeliverable(DeliveryId id, std::string why) {
    if (announced(id, Error{Errc::undeliverable, why})) return;
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

// A card that is late is no reason to give it up, only to ask elsewhere too.
void Hub::delayed(DeliveryId id, std::string /*why*/) {
    const auto [open, delivery] = find_delivery(id);
    if (open == nullptr) return;
    if (delivery->state != Delivery::State::queued) return;
    delivery->state = Delivery::State::delayed;
    ++counts_.delayed;
    if (open->reaches_nobody()) present_due_steps(*open);
}

void Hub::given_up(DeadLetter letter) { bury(std::move(letter)); }

// Each card has its record. All else has one up to a rate, and is counted beyond it: strangers can make us write
// answers that nobody takes.
void Hub::bury(DeadLetter letter) {
    letter.why = utf8::head(ports_.guard.clean(letter.why), limits::reason_bytes_max);
    letter.at = ports_.clock.wall();
    const bool card = letter.what == "card";
    if (card) {
        note(records::dead_letter(letter, 0));
    } else {
        notes_.write_rated(Notes::Kind::dead_letter,
                           [&](std::uint64_t left_out) { return records::dead_letter(letter, left_out); });
    }
    dead_letters_.keep(std::move(letter));
}

void Hub::concluded(DeliveryId id) {
    const auto found = concluding_.find(id);
    if (found == concluding_.end()) return;
    for (const auto& ref : found->second.refs) note(records::concluded(found->second.request, ref));
    concluding_.erase(found);
}

// The last step of every request: each message says how it ended, listeners hear it, and it is forgotten but for an
// honest answer to whoever comes late.
void Hub::conclude(const Ulid& id, const Conclusion& conclusion) {
    if (find(id) == nullptr) return;
    const auto open = take_out(id);
    alarm_.move(id, open.alarm, std::nullopt);
    ++counts_.ended[static_cast<std::size_t>(conclusion.outcome)];
    remember(id, {open.request->agent_id,
                  open.request->args_hash.hex,
                  {conclusion.outcome, conclusion.decided_by, conclusion.channel, conclusion.at}});
    conclude_earlier(open.earlier, conclusion);
    for (const auto& delivery : open.deliveries) {
        delivery_of_.erase(delivery.id);
        if (delivery.state == Delivery::State::delivered) {
            auto refs = delivery.doubles;
            refs.insert(refs.begin(), delivery.ref);
            await_conclusion(delivery.id, {id, std::move(refs)});
        }
        delivery.channel->conclude(delivery.id, conclusion);
    }
    if (open.voted) open.voted->cancel();
    listeners_.tell(
        {.kind = Event::Kind::ended, .request = open.request, .votes = standing_votes(open), .conclusion = conclusion});
    show_next(open);
}

// "1. React, Vue; 2. given"
std::string Hub::answered(const Decision& decision) const {
    const auto open = pending_.find(decision.attempt.request_id);
    const auto* submit = std::get_if<Submit>(&decision.attempt.what);
    if (open == pending_.end() || submit == nullptr || open->second.request->questionnaire() == nullptr) return {};
    const auto& questions = open->second.request->questionnaire()->questions;
    std::string words;
    for (const auto& answer : submit->answers) {
        const auto question = std::ranges::find(questions, answer.question_id, &Question::question_id);
        if (question == questions.end()) continue;
        words += words.empty() ? "" : "; ";
        if (questions.size() > 1) words += std::to_string(question - questions.begin() + 1) + ". ";
        std::string given;
        for (const auto& choice : answer.choices) given += (given.empty() ? "" : ", ") + choice;
        if (!answer.text.empty()) given += (given.empty() ? "" : ", ") + ports_.guard.clean(answer.text);
        words += question->secret ? "given" : given;
    }
    return words;
}

// Of a channel that never says so the oldest are forgotten: then only their records are missing.
void Hub::await_conclusion(DeliveryId id, Concluding concluding) {
    concluding_.emplace(id, std::move(concluding));
    if (concluding_.size() > limits::concluded_kept_max) concluding_.erase(concluding_.begin());
}

void Hub::conclude_earlier(const std::vector<EarlierMessage>& messages) {
    for (const auto& [ref, conclusion] : messages) {
        const auto channel = channels_.find(ref.place.channel);
        if (channel == channels_.end()) continue;  // it is no longer configured, and nobody can edit it
        const auto id = ++last_delivery_;
        await_conclusion(id, {conclusion.request_id, {ref}});
        channel->second->conclude_earlier(id, ref, conclusion);
    }
}

void Hub::remember(const Ulid& id, Concluded concluded) {
    if (!concluded_.emplace(id, std::move(concluded)).second) return;
    concluded_order_.push_back(id);
    if (concluded_order_.size() > limits::concluded_kept_max) {
        concluded_.erase(concluded_order_.front());
        concluded_order_.pop_front();
    }
}

Error Hub::unknown_or_ended(const Ulid& id) const {
    if (const auto open = pending_.find(id); open != pending_.end() && open->second.taken) {
        return already_decided(*open->second.taken);
    }
    if (orphans_.contains(id)) return {Errc::away, "the hub restarted, and the agent has not asked again yet"};
    const auto ended = concluded_.find(id);
    if (ended == concluded_.end()) return {Errc::unknown_request, "no open request has this id"};
    return already_decided(ended->second.winner);
}

// "already denied by alice on ops 12 s ago"
Error Hub::already_decided(const Winner& winner) const {
    std::string text = "already " + std::string{name(winner.outcome)};
    if (!winner.decided_by.empty()) text += " by " + winner.decided_by;
    if (!winner.channel.empty()) text += " on " + winner.channel;
    const auto ago = std::chrono::duration_cast<std::chrono::seconds>(ports_.clock.wall() - winner.at);
    text += " " + std::to_string(std::max<std::int64_t>(ago.count(), 0)) + " s ago";
    return {Errc::already_decided, std::move(text)};
}

// Says no to whoever tried, and records it; past the rate only the count is recorded, so that nobody fills the disk.
Error Hub::refuse(const Attempt& attempt, Error why) {
    refused({attempt.request_id, attempt.principal, attempt.where.channel}, why);
    if (const auto channel = channels_.find(attempt.where.channel); channel != channels_.end()) {
        channel->second->refuse(attempt, why);
    }
    // Words name no button, so that they cannot be about an older one.
    const bool on_old_buttons = why.code == Errc::asked_again && attempt.generation;
    if (why.code == Errc::late || on_old_buttons)
        tasks_.spawn(present_again(attempt.request_id, attempt.where, why.code));
    return why;
}

void Hub::refused(const RefusedAttempt& attempt, const Error& why) {
    note_refused(attempt.principal,
                 [&](std::uint64_t left_out) { return records::refused(attempt, why, left_out, ports_.guard); });
}

// Strangers have a rate of their own, and so do senders who could not be verified: neither can flood away the records
// about people of the configuration.
void Hub::note_refused(const std::string& principal, const std::function<Entry(std::uint64_t left_out)>& make) {
    ++counts_.refused;
    const auto kind = principal.empty()                                 ? Notes::Kind::refused_unverified
                      : configuration_->person_of(principal) == nullptr ? Notes::Kind::refused_stranger
                                                                        : Notes::Kind::refused;
    notes_.write_rated(kind, [&](std::uint64_t left_out) {
        auto entry = make(left_out);
        if (on_refused_) on_refused_(records::line_of_refused(entry));
        return entry;
    });
}

std::optional<OpenRequest> Hub::open_request(const Ulid& id) const {
    const auto found = pending_.find(id);
    if (found == pending_.end() || found->second.phase != Pending::Phase::open) return std::nullopt;
    const auto& open = found->second;
    const auto state = state_of(open);
    return OpenRequest{.request = open.request,
                       .offered = open.offered,
                       .generation = open.recorded_generation,
                       .asked = state.asked,
                       .waiting = state.waiting};
}

std::vector<OpenRequest> Hub::open_requests() const {
    std::vector<OpenRequest> found;
    for (const auto& [id, open] : pending_) {
        if (auto request = open_request(id)) found.push_back(std::move(*request));
    }
    return found;
}

Result<Hub::Subscribed> Hub::subscribe(Listeners::Listener listener) {
    auto subscription = listeners_.add(std::move(listener));
    if (!subscription) return subscription.error();
    Subscribed subscribed{.pending = {}, .subscription = std::move(*subscription)};
    for (const auto& [id, open] : pending_) {
        if (open.phase == Pending::Phase::open) subscribed.pending.push_back(open.request);
    }
    return subscribed;
}

}  // namespace countersign
