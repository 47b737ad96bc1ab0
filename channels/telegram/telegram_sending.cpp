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

// The document first, and the card that can allow only after it was delivered (I7). What got through stays through when a
// later step must be tried again. The card is not forgotten while this runs: its letter is in flight.
asio::awaitable<Sending> Telegram::send_card(DeliveryId id, std::size_t at) {
    auto* card = cards_.find(id);
    auto* copy = &card->copies[at];
    const auto rendering = render(card->presentation, spot_of(copy->chat), keys(), ports_.clock.wall());
    if (rendering.document && !copy->document && !copy->document_refused) {
        const auto reply = co_await client_.call(*rendering.document);
        copy = &cards_.find(id)->copies[at];
        const auto* refusal = std::get_if<Refusal>(&reply);
        if (refusal != nullptr && refusal->kind != Refusal::Kind::rejected) co_return sending_of(*refusal, copy->chat);
        copy->document = message_of(reply);
        copy->document_refused = !copy->document;
        if (refusal != nullptr) problem("the whole text could not be sent to a chat: " + refusal->why);
    }
    card = cards_.find(id);
    if (card->conclusion) co_return Sending{};  // it ended meanwhile; who got the document is told below
    const auto reply = co_await client_.call(copy->document_refused ? *rendering.without_allow : rendering.card);
    card = cards_.find(id);
    copy = &card->copies[at];
    if (const auto* refusal = std::get_if<Refusal>(&reply)) co_return sending_of(*refusal, copy->chat);
    const auto message = message_of(reply);
    if (!message) co_return Sending{Sending::State::failed, "Telegram's answer names no message"};
    landed(*card, *copy, *message);
    co_return Sending{};
}

// The first message of a delivery is its ref; a second one is a double that an edit must reach too.
void Telegram::landed(Card& card, Copy& copy, std::int64_t message) {
    if (copy.message == message) return;
    if (copy.message) {
        const bool known = std::ranges::find(copy.doubles, message) != copy.doubles.end();
        if (!known && copy.doubles.size() < limits::telegram_doubles_max) copy.doubles.push_back(message);
        return;
    }
    copy.message = message;
    if (std::exchange(card.reported, true)) return;
    const auto& presentation = card.presentation;
    MessageRef ref{.place = {options_.name, copy.chat, "", std::to_string(message)},
                   .generation = presentation.generation};
    ports_.deliveries.delivered(presentation.id, std::move(ref), !copy.document_refused);
}

void Telegram::card_sent(DeliveryId id, std::size_t at, const Result<void>& result) {
    auto* card = cards_.find(id);
    auto& copy = card->copies[at];
    copy.letter = 0;
    if (!result && !copy.message) {
        copy.failed = result.error().detail;
        if (card->conclusion) problem("a card was not delivered: " + copy.failed);
    }
    if (card->conclusion) {
        conclude_copy(*card, at);
        return forget_if_over(id);
    }
    const bool nobody = std::ranges::all_of(card->copies, [](const Copy& one) { return !one.failed.empty(); });
    if (result || !nobody || card->reported) {
        if (!copy.failed.empty()) problem("one of several people was not reached: " + copy.failed);
        return;
    }
    const auto why = copy.failed;
    cards_.forget(id);
    ports_.deliveries.undeliverable(id, why);
}

// A newer card of the same request is on its way: the buttons of the older ones go.
void Telegram::retire_older(const Presentation& presentation) {
    for (const auto id : cards_.of_request(presentation.request->id)) {
        auto* card = cards_.find(id);
        if (card->presentation.generation >= presentation.generation) continue;
        for (auto& copy : card->copies) {
            copy.retired = true;
            if (!copy.message) continue;
            outbox_.drop(copy.edit);
            const auto make = [this, chat = copy.chat, message = *copy.message] {
                return std::optional{edit_keyboard({spot_of(chat).target, message}, {})};
            };
            copy.edit = put_call(copy.chat, limits::outbox_other_max, make);
        }
    }
}

void Telegram::conclude_copy(Card& card, std::size_t at) {
    auto& copy = card.copies[at];
    const auto id = card.presentation.id;
    outbox_.drop(copy.edit);
    auto messages = copy.doubles;
    if (copy.message) messages.insert(messages.begin(), *copy.message);
    for (const auto message : messages) {
        put_conclusion(card, at, [this, id, at, message]() -> std::optional<Call> {
            const auto* shown = cards_.find(id);
            return render_conclusion(shown->presentation, spot_of(shown->copies[at].chat), message, *shown->conclusion);
        });
    }
    if (messages.empty() && copy.document) {
        put_conclusion(card, at, [this, id, at]() -> std::optional<Call> {
            const auto* shown = cards_.find(id);
            const auto& here = shown->copies[at];
            return render_conclusion_reply(spot_of(here.chat), *here.document, *shown->conclusion);
        });
    }
}

void Telegram::put_conclusion(Card& card, std::size_t at, std::function<std::optional<Call>()> make) {
    const auto id = card.presentation.id;
    const auto done = [this, id](const Result<void>& result) {
        auto* shown = cards_.find(id);
        --shown->edits_open;
        if (!result) problem("a card still shows its buttons, which no longer work: " + result.error().detail);
        // Told once, and only about what the hub knows as delivered.
        if (result && shown->reported && !std::exchange(shown->concluded, true)) ports_.deliveries.concluded(id);
        forget_if_over(id);
    };
    if (put_call(card.copies[at].chat, limits::outbox_other_max, std::move(make), done) != 0) ++card.edits_open;
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
    if (card == nullptr || !card->conclusion || card->edits_open > 0) return;
    if (std::ranges::all_of(card->copies, [](const Copy& copy) { return copy.letter == 0; })) cards_.forget(id);
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
        if (from == to) return {Sending::State::failed, refusal.why};
        chats_.moved(from, to);
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
