// SPDX-License-Identifier: Apache-2.0
#include "channels/telegram/inbound.hpp"

#include <algorithm>

namespace countersign::channels::telegram {

namespace {

std::string principal_of(std::int64_t user) { return "telegram:" + std::to_string(user); }

}  // namespace

// A click has no time of its own.
Press press_of(const Click& click, std::int64_t bot) {
    Press press{.principal = principal_of(click.from.id), .by_bot = click.from.is_bot, .data = click.data, .on = {}};
    if (!click.on) return press;
    press.on = Press::On{.chat = std::to_string(click.on->chat),
                         .message = std::to_string(click.on->message),
                         .thread = click.on->topic ? std::to_string(*click.on->topic) : "",
                         .is_ours = std::nullopt,
                         .has_button = click.on->has_button};
    if (click.on->author) press.on->is_ours = *click.on->author == bot;
    return press;
}

Typed typed_of(const Text& text, std::int64_t bot) {
    Typed typed{.chat = std::to_string(text.chat),
                .message = std::to_string(text.message),
                .principal = principal_of(text.from ? text.from->id : 0),
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
    typed.answers_ours = text.reply_author == bot;
    return typed;
}

}  // namespace countersign::channels::telegram
