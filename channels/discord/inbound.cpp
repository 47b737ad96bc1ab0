// SPDX-License-Identifier: Apache-2.0
#include "channels/discord/inbound.hpp"

#include "channels/discord/commands.hpp"
#include "channels/discord/ids.hpp"

#include <utility>

namespace countersign::channels::discord {

namespace {

bool is_in_thread(const Context& at, const Ours& ours) {
    return !at.parent.empty() && !(ours.is_used && ours.is_used(at.chat));
}

std::string chat_of(const Context& at, const Ours& ours) {
    if (at.direct) return direct_chat(at.user);
    return is_in_thread(at, ours) ? at.parent : at.chat;
}

Press press_on(const Context& at, const Origin& on, std::string data, const Ours& ours) {
    Press press{.principal = principal_of(at.user),
                .by_bot = at.by_bot,
                .data = std::move(data),
                .on = {},
                .made = moment_of(at.interaction.id)};
    if (on.message.empty()) return press;
    const auto thread = is_in_thread(at, ours) ? at.chat : std::string{};
    press.on = Press::On{.chat = chat_of(at, ours),
                         .message = name_of({.message = on.message, .thread = thread}),
                         .is_ours = std::nullopt,
                         .has_button = on.has_button};
    if (!on.author.empty() && !ours.bot.empty()) press.on->is_ours = on.author == ours.bot;
    return press;
}

}  // namespace

Press press_of(const Click& click, const Ours& ours) {
    auto press = press_on(click.at, click.on, part_named(click.data).token, ours);
    press.picked = click.chosen;
    return press;
}

Press press_of(const Submission& submission, const Ours& ours) {
    return press_on(submission.at, submission.on, part_named(submission.data).token, ours);
}

Typed typed_of(const Slash& slash, const Ours& ours) { return typed_as(slash.at, command_text(slash), ours); }

Typed typed_of(const Message& message, const Ours& ours) {
    Typed typed{.chat = direct_chat(message.user),
                .message = message.message,
                .principal = principal_of(message.user),
                .text = message.text,
                .direct = true,
                .by_bot = message.by_bot,
                .second_hand = message.forwarded,
                .edited = message.edited,
                .made = moment_of(message.message),
                .reply_to = std::nullopt};
    if (message.reply_to.empty()) return typed;
    typed.answers_elsewhere = !message.reply_chat.empty() && message.reply_chat != message.chat;
    typed.reply_to = message.reply_to;
    typed.answers_ours = !ours.bot.empty() && message.reply_author == ours.bot;
    return typed;
}

Typed typed_as(const Context& at, std::string text, const Ours& ours) {
    return {.chat = chat_of(at, ours),
            .message = interaction_name(at.interaction.id),
            .principal = principal_of(at.user),
            .text = std::move(text),
            .direct = true,
            .by_bot = at.by_bot,
            .made = moment_of(at.interaction.id),
            .reply_to = std::nullopt};
}

std::string delivery_of(const Message& message) {
    return "m" + message.message + (message.edited ? " " + message.edited_at : std::string{});
}

}  // namespace countersign::channels::discord
