// SPDX-License-Identifier: Apache-2.0
// What Discord brought, as every chat has it: presses and texts. Pure.
//
// The direct messages with the bot are one person's alone, so they go by that person's id here: cards are sent there by
// it. A message in a thread that we opened goes by the channel that has the thread.
#pragma once

#include "channels/discord/payload.hpp"
#include "channels/press.hpp"
#include "channels/typed.hpp"

#include <functional>
#include <string>

namespace countersign::channels::discord {

// What is ours. `is_used`: the configuration names this channel or thread as a chat.
struct Ours {
    std::string bot;  // its user id; empty until Discord was reached
    const std::function<bool(const std::string& chat)>& is_used;
};

[[nodiscard]] Press press_of(const Click& click, const Ours& ours);
// The button that opened a window, pressed by the person who filled it in.
[[nodiscard]] Press press_of(const Submission& submission, const Ours& ours);
// Its answer is seen by its sender alone, wherever it was typed.
[[nodiscard]] Typed typed_of(const Slash& slash, const Ours& ours);
[[nodiscard]] Typed typed_of(const Message& message, const Ours& ours);
// What was typed into a window that a card opened, or what one of its buttons stands for, as a command. The answer is
// for that person alone.
[[nodiscard]] Typed typed_as(const Context& at, std::string text, const Ours& ours);

// A name for each delivery: what comes twice counts once (I5).
[[nodiscard]] std::string delivery_of(const Message& message);

}  // namespace countersign::channels::discord
