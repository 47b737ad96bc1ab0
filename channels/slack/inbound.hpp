// SPDX-License-Identifier: Apache-2.0
// What Slack brought, as every chat has it: presses and texts. Pure.
//
// A direct message with the bot is one person's alone, so it has that person's id here: cards are sent there by it.
#pragma once

#include "channels/press.hpp"
#include "channels/slack/payload.hpp"
#include "channels/slack/views.hpp"
#include "channels/typed.hpp"

#include <functional>
#include <string>

namespace countersign::channels::slack {

// The first of the actor's principals that is a person's; else the most exact one.
[[nodiscard]] std::string principal_of(const Actor& by, const std::function<bool(const std::string&)>& is_known);

[[nodiscard]] Press press_of(const Click& click, const std::string& principal, const std::string& bot);
// The button that opened a window, pressed by the person who filled it in.
[[nodiscard]] Press press_of(const Opener& opener, const std::string& principal);
[[nodiscard]] Typed typed_of(const Message& message, const std::string& principal);
// `command` is the one that takes all the others: "/countersign approve K7…".
[[nodiscard]] Typed typed_of(const Slash& slash, const std::string& principal, const std::string& command);
// What was typed into a window that a card opened.
[[nodiscard]] Typed typed_in(const Opener& opener, const Actor& by, const std::string& principal, std::string text);

// A name for what has none: the same bytes give the same, so that what comes twice counts once (I5).
[[nodiscard]] std::string delivery_of(const Click& click);
[[nodiscard]] std::string delivery_of(const Slash& slash);

}  // namespace countersign::channels::slack
