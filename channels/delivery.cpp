// SPDX-License-Identifier: Apache-2.0
#include "channels/delivery.hpp"

#include "core/limits.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <span>
#include <utility>

namespace countersign::channels {

namespace asio = boost::asio;

DeliveryEngine::DeliveryEngine(asio::any_io_executor executor, TaskGroup& tasks, DeliveryOptions options,
                               DeliveryPorts ports)
    : executor_{std::move(executor)},
      options_{std::move(options)},
      ports_{ports},
      calls_{executor_, tasks, options_, ports} {}

void DeliveryEngine::present(Presentation presentation, std::string chat) {
    const auto id = presentation.id;
    if (cards_.size() - cards_.concluded() >= limits::chat_cards_max) {
        return undeliverable_later(id, "too many requests wait on this channel");
    }
    retire_older(presentation, chat);

    // As long as its request waits; one without a timeout as long as any may. A network that was down for hours, or a
    // platform that wants us to wait, costs a card nothing but time; whoever else could be asked is asked meanwhile.
    const auto now = ports_.clock.boot();
    auto deadline = now + limits::request_timeout_max;
    if (presentation.expires) deadline = std::min(deadline, now + (*presentation.expires - ports_.clock.wall()));
    auto& card = cards_.add(std::move(presentation), std::move(chat));
    card.letter = calls_.put({.chat = card.chat,
                              .urgency = Urgency::approval,
                              .sender = card.presentation.request->agent_id,
                              .deadline = deadline,
                              .send = [this, id] { return send_card(id); },
                              .done = [this, id](const Result<void>& sent) { card_sent(id, sent); },
                              .patience = now + limits::outbox_card_max,
                              .late = [this, id](const std::string& why) { ports_.deliveries.delayed(id, why); }});
    if (card.letter != 0) return;
    cards_.forget(id);
    undeliverable_later(id, "too many messages wait to be sent");
}

// The document first, and the card that can allow only after it was delivered (I7). What got through stays through when
// a later step must be tried again. The card is not forgotten while this runs: its letter is in flight.
asio::awaitable<Sending> DeliveryEngine::send_card(DeliveryId id) {
    auto* card = cards_.find(id);
    const auto spot = spot_of(*card);
    card->outdated = false;
    look_up_marks(*card);
    const auto parcel = ports_.messenger.renderer().card(card->presentation, spot, ports_.clock.wall());
    card->shows_all = parcel.whole;
    std::size_t calls = 0;
    if (parcel.document && !card->document && !card->document_refused) {
        ++calls;
        const auto tried = co_await calls_.send(*parcel.document);
        card = cards_.find(id);
        if (tried.kind == Tried::Kind::done) {
            cards_.document_landed(*card, tried.message);
        } else if (tried.kind == Tried::Kind::rejected) {
            card->document_refused = true;
            calls_.problem("the whole text could not be sent to a chat: " + tried.why);
        } else {
            co_return calls_.sending_of(tried, spot.target);
        }
    }
    // It ended meanwhile; who got the document is told below it.
    if (card->conclusion) co_return Sending{.calls = calls};
    ++calls;
    ++card->unanswered;
    const auto tried = co_await calls_.send(card->document_refused ? *parcel.without_allow : parcel.card);
    card = cards_.find(id);
    if (!tried.maybe_posted) --card->unanswered;
    if (tried.kind == Tried::Kind::done) {
        if (card->has(tried.message) && card->told_by_press > 0)
            --card->told_by_press;  // a press was quicker than the answer
        landed(*card, tried.message);
    }
    auto sending = calls_.sending_of(tried, spot.target);
    sending.calls = tried.held ? calls - 1 : calls;
    co_return sending;
}

// The first message of a delivery is its ref; a second one is a double that an edit must reach too.
void DeliveryEngine::landed(Card& card, const std::string& message) {
    const auto id = card.presentation.id;
    const auto landed = cards_.landed(card, message);
    if (landed == Cards::Landed::first) {
        ports_.deliveries.delivered(id, ref_of(card, message), card.shows_all && !card.document_refused);
    } else if (landed == Cards::Landed::again) {
        ports_.deliveries.also_delivered(id, ref_of(card, message));
    }
}

void DeliveryEngine::card_sent(DeliveryId id, const Result<void>& result) {
    auto* card = cards_.find(id);
    card->letter = 0;
    const bool failed = !result && !card->message;
    if (card->conclusion) {
        if (failed) calls_.problem("a card was not delivered: " + result.error().detail);
        conclude_card(*card);
        return forget_if_over(id);
    }
    if (!failed) {
        // What it says changed while it was on its way.
        if (card->message && std::exchange(card->outdated, false)) refresh(*card);
        return;
    }
    cards_.forget(id);
    ports_.deliveries.undeliverable(id, result.error().detail);
}

// A newer card of the same request is on its way to this chat: the buttons of the older ones go.
void DeliveryEngine::retire_older(const Presentation& presentation, const std::string& chat) {
    for (const auto id : cards_.of_request(presentation.request->id)) {
        auto* card = cards_.find(id);
        if (card->chat != chat || card->presentation.generation >= presentation.generation) continue;
        card->retired = true;
        if (!card->message) continue;
        change(*card, Urgency::conclusion, [this, chat, message = *card->message] {
            return std::optional{ports_.messenger.renderer().retired(spot_of(chat), message)};
        });
        for (const auto& message : card->doubles) retire(chat, message, presentation.request->id);
    }
    if (!presentation.replaces) return;
    const auto& place = presentation.replaces->place;
    const auto names = chats().names(place.chat);
    if (place.channel != options_.channel || cards_.request_of(names, place.message))
        return;  // not ours, or done above
    retire(place.chat, place.message, presentation.request->id);
}

void DeliveryEngine::update(DeliveryId id, CardState state) {
    auto* card = cards_.find(id);
    if (card == nullptr || card->conclusion) return;
    if (state.generation) card->presentation.generation = *state.generation;
    card->presentation.state = std::move(state);  // a card that is still to be sent begins with it
    card->outdated = !card->message;
    if (card->message && !card->retired) refresh(*card);
}

void DeliveryEngine::refresh(Card& card) {
    change(card, Urgency::other, [this, id = card.presentation.id]() -> std::optional<Outgoing> {
        auto* shown = cards_.find(id);
        if (shown == nullptr || shown->conclusion || shown->retired) return std::nullopt;
        look_up_marks(*shown);
        return ports_.messenger.renderer().update(shown->presentation, spot_of(*shown), *shown->message,
                                                  ports_.clock.wall(), !shown->document_refused);
    });
}

// In a message to one person. The hub has their draft, on whatever channel they made it.
void DeliveryEngine::look_up_marks(Card& card) const {
    auto& shown = card.presentation;
    if (card.reader.empty() || shown.request->questionnaire() == nullptr) return;
    const auto draft = ports_.drafts.draft_of(shown.request->id, card.reader);
    shown.state.chosen = draft ? draft->chosen() : Chosen{};
}

void DeliveryEngine::mark(const Ulid& request, const std::string& chat, const std::string& principal) {
    for (const auto id : cards_.of_request(request)) {
        auto* card = cards_.find(id);
        if (card->chat != chat) continue;
        card->reader = principal;
        if (!card->message || card->retired || card->conclusion) continue;
        change(*card, Urgency::other, [this, id]() -> std::optional<Outgoing> {
            auto* shown = cards_.find(id);
            if (shown == nullptr || shown->conclusion) return std::nullopt;
            look_up_marks(*shown);
            return ports_.messenger.renderer().marks(shown->presentation, spot_of(*shown), *shown->message);
        });
    }
}

// What is newer says it too.
void DeliveryEngine::change(Card& card, Urgency urgency, CallQueue::Make make) {
    if (!calls_.can().edits) return;
    calls_.drop(card.edit);
    card.edit = calls_.put_call({.chat = card.chat,
                                 .what = "edit",
                                 .urgency = urgency,
                                 .sender = card.presentation.request->agent_id,
                                 .edits = true,
                                 .request = card.presentation.request->id},
                                std::move(make));
}

// The button is there, so the message is: also if the answer to our own call is late or got lost.
void DeliveryEngine::pressed(const Pressed& pressed) {
    const auto& [copy, message] = pressed;
    if (cards_.request_of(std::span{&copy.chat, 1}, message)) return;
    const auto id = cards_.unanswered(copy);
    if (!id) return;
    auto* card = cards_.find(*id);
    ++card->told_by_press;
    if (calls_.drop(card->letter) == Outbox::Dropped::dropped) card->letter = 0;  // no need to send it again
    landed(*card, message);
    if (std::exchange(card->outdated, false)) refresh(*card);
}

void DeliveryEngine::bounced(const std::string& chat, const std::string& message, std::string why) {
    const auto names = chats().names(chat);
    const auto request = cards_.request_of(names, message);
    if (!request) return;
    for (const auto id : cards_.of_request(*request)) {
        const auto* card = cards_.find(id);
        const bool here = std::ranges::find(names, card->chat) != names.end();
        if (!here || card->message != message || card->conclusion) continue;
        cards_.forget(id);
        return ports_.deliveries.bounced(id, std::move(why));
    }
}

// What is on its way to it, or will be, says more.
void DeliveryEngine::close(const StaleCopy& copy, const std::optional<Conclusion>& conclusion) {
    const auto& [request, chat, message, is_card] = copy;
    if (earlier_.contains({chat, message}) || cards_.is_kept(request, chat, message)) return;
    const auto make = [this, chat, message, ended = is_card ? conclusion : std::nullopt]() -> std::optional<Outgoing> {
        const auto spot = spot_of(chat);
        return ended ? ports_.messenger.renderer().earlier(spot, message, *ended)
                     : ports_.messenger.renderer().retired(spot, message);
    };
    put_earlier({.channel = options_.channel, .chat = chat, .thread = {}, .message = message}, request, make,
                [](const Result<void>&) {});
}

void DeliveryEngine::conclude(DeliveryId id, const Conclusion& conclusion) {
    auto* card = cards_.find(id);
    if (card == nullptr) return;
    cards_.conclude(*card, conclusion);
    if (card->letter != 0 && calls_.drop(card->letter) != Outbox::Dropped::dropped) return;  // it is in flight
    card->letter = 0;
    conclude_card(*card);
    forget_if_over(id);
}

void DeliveryEngine::conclude_card(Card& card) {
    const auto id = card.presentation.id;
    calls_.drop(card.edit);
    calls_.drop(card.reminder);
    for (const auto& message : card.prompts) {
        const auto prompt = cards_.prompt_at(std::span{&card.chat, 1}, message);
        if (prompt.kind == ReasonPrompt::Kind::offers) retire(card.chat, message, card.presentation.request->id);
    }
    auto messages = card.doubles;
    if (card.message) messages.insert(messages.begin(), *card.message);
    for (const auto& message : calls_.can().edits ? messages : std::vector<std::string>{}) {
        put_conclusion(card, [this, id, message]() -> std::optional<Outgoing> {
            const auto* shown = cards_.find(id);
            return ports_.messenger.renderer().conclusion(shown->presentation, spot_of(*shown), message,
                                                          *shown->conclusion);
        });
    }
    auto below = messages.empty() ? card.document : std::nullopt;
    if (!calls_.can().edits && !messages.empty()) below = messages.front();
    if (!below) return;
    put_conclusion(card, [this, id, below = *below]() -> std::optional<Outgoing> {
        const auto* shown = cards_.find(id);
        return ports_.messenger.renderer().conclusion_reply(shown->presentation, spot_of(*shown), below,
                                                            *shown->conclusion);
    });
}

void DeliveryEngine::put_conclusion(Card& card, CallQueue::Make make) {
    const auto id = card.presentation.id;
    const auto done = [this, id](const Result<void>& result) {
        auto* shown = cards_.find(id);
        --shown->edits_open;
        if (!result) {
            shown->left_open = true;
            calls_.problem("a card still shows its buttons, which no longer work: " + result.error().detail);
        }
        // Told once, and only about what the hub knows as delivered; what was left open is found after a restart.
        if (shown->edits_open == 0 && shown->message && !shown->left_open) ports_.deliveries.concluded(id);
        forget_if_over(id);
    };
    const CallQueue::Call call{.chat = card.chat,
                               .what = "conclusion",
                               .urgency = Urgency::conclusion,
                               .sender = card.presentation.request->agent_id,
                               .edits = calls_.can().edits,
                               .request = card.presentation.request->id};
    // They wait for a day where nothing gets through, and must take no room from cards that are open.
    if (cards_.concluded() > limits::chat_cards_max) {
        const Error why{Errc::busy, "too many ended cards wait to lose their buttons"};
        card.left_open = true;
        calls_.problem("a card still shows its buttons, which no longer work: " + why.detail);
        calls_.give_up(call, why);
    } else if (calls_.put_call(call, std::move(make), done) != 0) {
        ++card.edits_open;
    } else {
        card.left_open = true;
    }
}

void DeliveryEngine::conclude_earlier(DeliveryId id, const MessageRef& ref, const Conclusion& conclusion) {
    const auto& place = ref.place;
    cards_.remember_earlier(conclusion.request_id, place.chat, place.message);
    const auto make = [this, place, conclusion]() -> std::optional<Outgoing> {
        return ports_.messenger.renderer().earlier(spot_of(place.chat), place.message, conclusion);
    };
    put_earlier(place, conclusion.request_id, make, [this, id](const Result<void>& result) {
        if (result) ports_.deliveries.concluded(id);
    });
}

void DeliveryEngine::tell_earlier(DeliveryId id, const MessageRef& ref, const EarlierNews& news) {
    const auto& place = ref.place;
    cards_.remember_earlier(news.request_id, place.chat, place.message);
    const auto make = [this, place, news]() -> std::optional<Outgoing> {
        return ports_.messenger.renderer().earlier(spot_of(place.chat), place.message, news);
    };
    const bool last = news.state == EarlierNews::State::goes_on;
    put_earlier(place, news.request_id, make, [this, id, last](const Result<void>& result) {
        if (result && last) ports_.deliveries.concluded(id);
    });
}

// What is newer says it too, also here.
void DeliveryEngine::put_earlier(const Place& place, const Ulid& request, CallQueue::Make make, CallQueue::Done done) {
    // Nothing of it can be changed; and nothing in it can be pressed.
    if (!calls_.can().edits) return asio::post(executor_, [done = std::move(done)] { done({}); });
    const std::pair at{place.chat, place.message};
    if (const auto before = earlier_.find(at); before != earlier_.end()) calls_.drop(before->second);
    const auto own = std::make_shared<LetterId>(0);
    const auto told = [this, at, own, done = std::move(done)](const Result<void>& result) {
        if (const auto found = earlier_.find(at); found != earlier_.end() && found->second == *own)
            earlier_.erase(found);
        if (!result) calls_.problem("an old card still shows its buttons: " + result.error().detail);
        done(result);
    };
    *own = calls_.put_call(
        {.chat = place.chat, .what = "conclusion", .urgency = Urgency::conclusion, .edits = true, .request = request},
        std::move(make), told);
    if (*own != 0) earlier_.insert_or_assign(at, *own);
}

void DeliveryEngine::announce(Announcement announcement, std::string chat) {
    const auto id = announcement.id;
    const auto kept = std::make_shared<const Announcement>(std::move(announcement));
    const auto letter = calls_.put({.chat = chat,
                                    .urgency = Urgency::other,
                                    .deadline = ports_.clock.boot() + limits::outbox_other_max,
                                    .send = [this, chat, kept] { return send_announcement(chat, kept); },
                                    .done =
                                        [this, id](const Result<void>& sent) {
                                            if (!sent) ports_.deliveries.undeliverable(id, sent.error().detail);
                                        }});
    if (letter == 0) undeliverable_later(id, "too many messages wait to be sent");
}

asio::awaitable<Sending> DeliveryEngine::send_announcement(std::string chat,
                                                           std::shared_ptr<const Announcement> announcement) {
    auto spot = spot_of(chat);
    spot.thread = announcement->to.thread;
    const auto tried = co_await calls_.send(ports_.messenger.renderer().announcement(spot, *announcement));
    if (tried.kind == Tried::Kind::done) {
        const Place place{options_.channel, chat, announcement->to.thread, tried.message};
        ports_.deliveries.delivered(announcement->id, {.place = place}, true);
    }
    co_return calls_.sending_of(tried, spot.target);
}

// Below the card that has the buttons now. What is newer says it too, as with a change; what ended meanwhile, or was
// replaced, needs no reminder.
void DeliveryEngine::remind(DeliveryId id, const Reminder& reminder) {
    auto* card = cards_.find(id);
    if (card == nullptr || !card->message || card->retired || card->conclusion) return;
    calls_.drop(card->reminder);
    const auto make = [this, id, reminder]() -> std::optional<Outgoing> {
        const auto* shown = cards_.find(id);
        if (shown == nullptr || shown->retired || shown->conclusion) return std::nullopt;
        return ports_.messenger.renderer().reminder(shown->presentation, spot_of(*shown), *shown->message, reminder);
    };
    const auto posted = [this, id](const std::string& message) {
        if (auto* shown = cards_.find(id)) cards_.reminder_landed(*shown, message);
    };
    const auto& request = *card->presentation.request;
    card->reminder = calls_.put_call(
        {.chat = card->chat, .what = "reminder", .sender = request.agent_id, .request = request.id}, make, {}, posted);
}

void DeliveryEngine::session_ended(const SessionEnd& end, const std::string& chat) {
    calls_.put_call({.chat = chat, .what = "session end", .sender = end.agent_id}, [this, end, chat] {
        auto spot = spot_of(chat);
        spot.thread = end.to.thread;
        spot.reply_to = end.below.place.message;
        return std::optional{ports_.messenger.renderer().session_end(spot, end)};
    });
}

void DeliveryEngine::undeliverable_later(DeliveryId id, std::string why) {
    asio::post(executor_,
               [&deliveries = ports_.deliveries, id, why = std::move(why)] { deliveries.undeliverable(id, why); });
}

// The oldest that this chat shows of the request; null if it has ended there.
Card* DeliveryEngine::open_card(const Ulid& request, const std::string& chat) {
    const auto names = chats().names(chat);
    for (const auto id : cards_.of_request(request)) {
        auto* card = cards_.find(id);
        if (std::ranges::find(names, card->chat) != names.end()) return card->conclusion ? nullptr : card;
    }
    return nullptr;
}

// A person is asked once on each card: more would push out what others were asked, and take the chat's budget.
bool DeliveryEngine::prompt(const Ulid& request, const std::string& chat, ReasonPrompt prompt,
                            std::function<Outgoing()> make) {
    const bool asks = prompt.kind == ReasonPrompt::Kind::asks;
    auto* shown = open_card(request, chat);
    if (asks && shown != nullptr && !shown->asked.insert(prompt.principal).second) return false;
    const auto not_sent = [this, request, chat, asks, principal = prompt.principal](const Result<void>& sent) {
        auto* card = open_card(request, chat);
        if (!sent && asks && card != nullptr) card->asked.erase(principal);
    };
    const auto landed = [this, request, chat, prompt = std::move(prompt)](const std::string& message) {
        const auto names = chats().names(chat);
        const bool has_button = prompt.kind == ReasonPrompt::Kind::offers;
        for (const auto id : cards_.of_request(request)) {
            auto* card = cards_.find(id);
            if (std::ranges::find(names, card->chat) == names.end()) continue;
            const auto forgotten = cards_.prompt_landed(*card, message, prompt);
            if (forgotten) retire(chat, *forgotten, request);
            if (!card->conclusion) return;
            break;
        }
        if (has_button) retire(chat, message, request);  // the request ended while this was on its way
    };
    if (!calls_.reply(chat, std::move(make), landed, not_sent)) not_sent(Error{Errc::busy, "too many replies wait"});
    return true;
}

void DeliveryEngine::retire(const std::string& chat, const std::string& message, const Ulid& request) {
    if (!calls_.can().edits) return;
    calls_.put_call(
        {.chat = chat, .what = "edit", .urgency = Urgency::conclusion, .edits = true, .request = request},
        [this, chat, message] { return std::optional{ports_.messenger.renderer().retired(spot_of(chat), message)}; });
}

void DeliveryEngine::forget_if_over(DeliveryId id) {
    const auto* card = cards_.find(id);
    if (card != nullptr && card->conclusion && card->edits_open == 0 && card->letter == 0) cards_.forget(id);
}

MessageTarget DeliveryEngine::spot_of(const Card& card) const {
    auto spot = spot_of(card.chat);
    spot.thread = card.presentation.to.thread;
    if (const auto& above = card.presentation.audience.in_thread_of) {
        const bool here = above->place.channel == spot.channel && chats().target(above->place.chat) == spot.target;
        if (here) spot.reply_to = above->place.message;
    }
    return spot;
}

MessageRef DeliveryEngine::ref_of(const Card& card, const std::string& message) const {
    return {.place = {options_.channel, card.chat, card.presentation.to.thread, message},
            .generation = card.presentation.generation};
}

}  // namespace countersign::channels
