// SPDX-License-Identifier: Apache-2.0
#include "channels/telegram/inbound.hpp"
#include "channels/typed.hpp"

#include <algorithm>

namespace countersign::channels::telegram {

namespace {

std::string principal_of(const Text& text) { return "telegram:" + std::to_string(text.from ? text.from->id : 0); }

Typed typed_of(const Text& text) {
    Typed typed{.chat = std::to_string(text.chat),
                .message = std::to_string(text.message),
                .principal = principal_of(text),
                .text = text.text,
                .direct = text.direct,
                .anonymous = text.anonymous,
                .by_bot = text.from && text.from->is_bot,
                .second_hand = text.second_hand,
                .edited = text.edited,
                .automatic = text.automatic,
                .answers_elsewhere = text.answers_elsewhere};
    typed.made = WallTime{std::chrono::seconds{std::clamp<std::int64_t>(text.date, 0, 1'000'000'000'000)}};
    if (text.reply_to) typed.reply_to = std::to_string(*text.reply_to);
    return typed;
}

}  // namespace

Incoming read(const Text& text, const Sight& sight, const Arrival& arrival) {
    const TypedSight seen{.channel = sight.channel,
                          .bot_name = sight.bot.username,
                          .codes = sight.keys.codes,
                          .open = sight.open,
                          .cards = sight.cards,
                          .chats = sight.chats,
                          .known = sight.known,
                          .language = sight.language,
                          .locked = sight.locked};
    Incoming incoming;
    incoming.asker = {.query = {}, .text = {std::to_string(text.chat), text.message}, .principal = principal_of(text)};
    incoming.meaning = read_typed(typed_of(text), seen, arrival);
    return incoming;
}

}  // namespace countersign::channels::telegram
