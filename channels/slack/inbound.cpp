// SPDX-License-Identifier: Apache-2.0
#include "channels/slack/inbound.hpp"

#include "channels/slack/ids.hpp"
#include "security/digest.hpp"
#include "security/encoding.hpp"

#include <algorithm>
#include <initializer_list>

namespace countersign::channels::slack {

namespace {

std::string chat_of(const std::string& chat, const Actor& by) { return is_direct(chat) ? by.user : chat; }

std::string name_of(std::string_view kind, std::initializer_list<std::string_view> parts) {
    std::string all;
    for (const auto part : parts) all += std::string{part} + '\n';
    return std::string{kind} + " " + security::hex(security::sha256(all));
}

}  // namespace

std::string principal_of(const Actor& by, const std::function<bool(const std::string&)>& is_known) {
    const auto known = std::ranges::find_if(by.principals, [&](const auto& one) { return is_known && is_known(one); });
    return known == by.principals.end() ? by.principals.front() : *known;
}

Press press_of(const Click& click, const std::string& principal, const std::string& bot) {
    Press press{.principal = principal, .data = click.data, .on = {}, .made = moment_of(click.made)};
    if (click.chat.empty() || !is_timestamp(click.message)) return press;
    press.on = Press::On{.chat = chat_of(click.chat, click.by),
                         .message = click.message,
                         .is_ours = std::nullopt,
                         .has_button = click.has_button};
    if (!click.author.empty()) press.on->is_ours = click.author == bot;
    return press;
}

// What opened the window was on a card of ours, or no window would have opened.
Press press_of(const Opener& opener, const std::string& principal) {
    return {.principal = principal,
            .data = opener.token,
            .on = Press::On{.chat = opener.chat, .message = opener.message, .is_ours = true}};
}

Typed typed_of(const Message& message, const std::string& principal) {
    const bool below = is_timestamp(message.thread) && message.thread != message.message;
    Typed typed{.chat = message.direct ? message.by.user : message.chat,
                .message = message.direct ? std::string{} : message.message,
                .principal = principal,
                .text = message.text,
                .direct = message.direct,
                .by_bot = !message.bot.empty(),
                .edited = message.edited,
                .made = moment_of(message.message),
                .reply_to = std::nullopt};
    if (!below) return typed;
    typed.message = message.thread;  // what answers it goes into the same thread
    typed.reply_to = message.thread;
    return typed;
}

// Its answer is seen by its sender alone, wherever it was typed.
Typed typed_of(const Slash& slash, const std::string& principal, const std::string& command) {
    const bool takes_all = slash.command == command;
    auto text = takes_all ? "/" + slash.text : slash.command + " " + slash.text;
    if (takes_all && slash.text.find_first_not_of(' ') == slash.text.npos) text = "/help";
    return {.chat = chat_of(slash.chat, slash.by),
            .message = private_name({.user = slash.by.user}),
            .principal = principal,
            .text = std::move(text),
            .direct = true,
            .made = std::nullopt,
            .reply_to = std::nullopt};
}

Typed typed_in(const Opener& opener, const Actor& by, const std::string& principal, std::string text) {
    return {.chat = opener.chat,
            .message = private_name({.user = by.user}),
            .principal = principal,
            .text = std::move(text),
            .made = std::nullopt,
            .reply_to = opener.message};
}

std::string delivery_of(const Click& click) {
    return name_of("click", {click.trigger, click.made, click.by.user, click.chat, click.message, click.data});
}

std::string delivery_of(const Slash& slash) {
    return name_of("slash", {slash.trigger, slash.by.user, slash.chat, slash.command, slash.text});
}

}  // namespace countersign::channels::slack
