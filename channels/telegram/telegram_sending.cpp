// SPDX-License-Identifier: Apache-2.0
// From cards to messages, and what became of them.
#include "channels/telegram/fields.hpp"
#include "channels/telegram/telegram.hpp"
#include "core/limits.hpp"

#include <algorithm>
#include <charconv>

namespace countersign::channels::telegram {

namespace asio = boost::asio;

namespace {

std::optional<std::int64_t> message_of(const BotReply& reply) {
    const auto* value = std::get_if<json::Value>(&reply);
    const auto* message = value == nullptr ? nullptr : value->object();
    return message == nullptr ? std::nullopt : integer_of(*message, "message_id");
}

}  // namespace

// The document first, and the card that can allow only after it was delivered (I7). What got through stays through when
// a later step must be tried again. The card is not forgotten while this runs: its letter is in flight.
asio::awaitable<Sending> Telegram::send_card(DeliveryId id) {
    auto* card = cards_.find(id);
    const auto rendering = render(card->presentation, spot_of(card->chat), keys(), ports_.clock.wall());
    if (rendering.document && !card->document && !card->document_refused) {
        const auto reply = co_await client_.call(*rendering.document);
        card = cards_.find(id);
        const auto* refusal = std::get_if<Refusal>(&reply);
        if (refusal != nullptr && refusal->kind != Refusal::Kind::rejected) co_return sending_of(*refusal, card->chat);
        card->document = message_of(reply);
        card->document_refused = !card->document;
        if (refusal != nullptr) problem("the whole text could not be sent to a chat: " + refusal->why);
    }
    if (card->conclusion) co_return Sending{};  // it ended meanwhile; who got the document is told below
    const auto reply = co_await client_.call(card->document_refused ? *rendering.without_allow : rendering.card);
    card = cards_.find(id);
    if (const auto* refusal = std::get_if<Refusal>(&reply)) co_return sending_of(*refusal, card->chat);
    const auto message = message_of(reply);
    if (!message) co_return Sending{Sending::State::failed, "Telegram's answer names no message"};
    landed(*card, *message);
    co_return Sending{};
}

asio::awaitable<Sending> Telegram::send_announcement(std::string chat,
                                                     std::shared_ptr<const Announcement> announcement) {
    const auto reply = co_await client_.call(render_announcement(spot_of(chat), *announcement));
    if (const auto* refusal = std::get_if<Refusal>(&reply)) co_return sending_of(*refusal, chat);
    const auto message = message_of(reply);
    if (!message) co_return Sending{Sending::State::failed, "Telegram's answer names no message"};
    ports_.deliveries.delivered(announcement->id, {.place = {options_.name, chat, "", std::to_string(*message)}}, true);
    co_return Sending{};
}

// The first message of a delivery is its ref; a second one is a double that an edit must reach too.
void Telegram::landed(Card& card, std::int64_t message) {
    if (card.message == message) return;
    if (card.message) {
        const bool known = std::ranges::find(card.doubles, message) != card.doubles.end();
        if (known || card.doubles.size() >= limits::telegram_doubles_max) return;
        card.doubles.push_back(message);
        return ports_.deliveries.also_delivered(card.presentation.id, ref_of(card, message));
    }
    card.message = message;
    ports_.deliveries.delivered(card.presentation.id, ref_of(card, message), !card.document_refused);
}

MessageRef Telegram::ref_of(const Card& card, std::int64_t message) const {
    return {.place = {options_.name, card.chat, card.presentation.to.thread, std::to_string(message)},
            .generation = card.presentation.generation};
}

void Telegram::card_sent(DeliveryId id, const Result<void>& result) {
    auto* card = cards_.find(id);
    card->letter = 0;
    const bool failed = !result && !card->message;
    if (card->conclusion) {
        if (failed) problem("a card was not delivered: " + result.error().detail);
        conclude_card(*card);
        return forget_if_over(id);
    }
    if (!failed) return;
    cards_.forget(id);
    ports_.deliveries.undeliverable(id, result.error().detail);
}

// A newer card of the same request is on its way to this chat: the buttons of the older ones go.
void Telegram::retire_older(const Presentation& presentation, const std::string& chat) {
    for (const auto id : cards_.of_request(presentation.request->id)) {
        auto* card = cards_.find(id);
        if (card->chat != chat || card->presentation.generation >= presentation.generation) continue;
        card->retired = true;
        if (!card->message) continue;
        outbox_.drop(card->edit);
        const auto make = [this, chat, message = *card->message] {
            return std::optional{edit_keyboard({spot_of(chat).target, message}, {})};
        };
        card->edit = put_call(chat, limits::outbox_other_max, make);
    }
}

void Telegram::conclude_card(Card& card) {
    const auto id = card.presentation.id;
    outbox_.drop(card.edit);
    auto messages = card.doubles;
    if (card.message) messages.insert(messages.begin(), *card.message);
    for (const auto message : messages) {
        put_conclusion(card, [this, id, message]() -> std::optional<Call> {
            const auto* shown = cards_.find(id);
            return render_conclusion(shown->presentation, spot_of(shown->chat), message, *shown->conclusion);
        });
    }
    if (messages.empty() && card.document) {
        put_conclusion(card, [this, id]() -> std::optional<Call> {
            const auto* shown = cards_.find(id);
            return render_conclusion_reply(spot_of(shown->chat), *shown->document, *shown->conclusion);
        });
    }
}

void Telegram::put_conclusion(Card& card, std::function<std::optional<Call>()> make) {
    const auto id = card.presentation.id;
    const auto done = [this, id](const Result<void>& result) {
        auto* shown = cards_.find(id);
        --shown->edits_open;
        if (!result) {
            shown->left_open = true;
            problem("a card still shows its buttons, which no longer work: " + result.error().detail);
        }
        // Told once, and only about what the hub knows as delivered; what was left open is found after a restart.
        if (shown->edits_open == 0 && shown->message && !shown->left_open) ports_.deliveries.concluded(id);
        forget_if_over(id);
    };
    if (put_call(card.chat, limits::outbox_other_max, std::move(make), done) != 0) {
        ++card.edits_open;
    } else {
        card.left_open = true;
    }
}

void Telegram::conclude_earlier(DeliveryId id, const MessageRef& ref, const Conclusion& conclusion) {
    std::int64_t message = 0;
    const auto& digits = ref.place.message;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), message).ec != std::errc{}) return;
    const auto chat = ref.place.chat;
    const auto make = [this, chat, message, conclusion]() -> std::optional<Call> {
        return render_earlier(spot_of(chat), message, conclusion);
    };
    put_call(chat, limits::outbox_other_max, make, [this, id](const Result<void>& result) {
        if (result) ports_.deliveries.concluded(id);
    });
}

void Telegram::forget_if_over(DeliveryId id) {
    const auto* card = cards_.find(id);
    if (card != nullptr && card->conclusion && card->edits_open == 0 && card->letter == 0) cards_.forget(id);
}

asio::awaitable<Sending> Telegram::send_call(std::string chat, std::function<std::optional<Call>()> make) {
    auto call = make();
    if (!call) co_return Sending{};
    const auto reply = co_await client_.call(std::move(*call));
    if (const auto* refusal = std::get_if<Refusal>(&reply)) co_return sending_of(*refusal, chat);
    co_return Sending{};
}

Sending Telegram::sending_of(const Refusal& refusal, const std::string& chat) {
    using enum Refusal::Kind;
    switch (refusal.kind) {
    case nothing_to_do:
        return {};
    case retry:
    case conflict:
        return {Sending::State::retry, refusal.why};
    case flood:
        return {Sending::State::retry, refusal.why, refusal.retry_after};
    case moved: {
        const auto from = chats_.target(chat);
        const auto to = std::to_string(*refusal.moved_to);
        if (!chats_.moved(from, to)) return {Sending::State::failed, "the group moves in a circle: " + refusal.why};
        problem("the group " + from + " has become " + to + "; write that into the configuration");
        if (options_.on_moved) options_.on_moved(from, to);
        return {Sending::State::retry, refusal.why, std::chrono::milliseconds{0}};
    }
    case bad_token:
        if (closed_) return {Sending::State::failed, "Telegram knows no bot with this token"};
        if (!std::exchange(doubting_, true)) tasks_.spawn(doubt_token());
        return {Sending::State::retry, refusal.why};
    case unreachable:
    case rejected:
        return {Sending::State::failed, refusal.why};
    }
    return {Sending::State::failed, refusal.why};
}

asio::awaitable<void> Telegram::doubt_token() {
    const bool unknown = co_await client_.knows_no_bot();
    doubting_ = false;
    if (!unknown || std::exchange(closed_, true)) co_return;
    problem("Telegram does not know this bot any more; give the channel a new token");
}

LetterId Telegram::put(Letter letter) {
    const auto id = outbox_.put(std::move(letter));
    if (id) return *id;
    problem(id.error().detail);
    return 0;
}

LetterId Telegram::put_call(std::string chat, std::chrono::milliseconds time, std::function<std::optional<Call>()> make,
                            std::function<void(const Result<void>&)> done) {
    return put({.chat = chat,
                .urgency = Urgency::other,
                .deadline = ports_.clock.boot() + time,
                .send = [this, chat, make = std::move(make)] { return send_call(chat, make); },
                .done = std::move(done)});
}

Spot Telegram::spot_of(const std::string& chat) const {
    return {.channel = options_.name, .chat = chat, .target = chats_.target(chat)};
}

}  // namespace countersign::channels::telegram
