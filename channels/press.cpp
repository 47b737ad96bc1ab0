// SPDX-License-Identifier: Apache-2.0
#include "channels/press.hpp"

#include "channels/refusal_words.hpp"
#include "core/limits.hpp"
#include "core/utf8.hpp"

#include <algorithm>

namespace countersign::channels {

namespace {

using security::Button;
using security::ButtonVerb;

// Every no to a press is made here.
Refuse refuse(const Press& press, const ChatSight& sight, Error why, Phrase words) {
    return {.attempt = {.request_id = security::request_named_by(press.data),
                        .principal = press.principal,
                        .channel = sight.channel},
            .why = std::move(why),
            .words = std::move(words)};
}

Refuse not_ours(const Press& press, const ChatSight& sight, Error why) {
    auto words = button_words(why.code, sight.language);
    return refuse(press, sight, std::move(why), std::move(words));
}

Refuse replaced(const Press& press, const ChatSight& sight) {
    return refuse(press, sight, {Errc::stale, "a button of a card that was replaced"},
                  {sight.language, Key::card_replaced});
}

struct Verified {
    Button button;
    std::string chat;  // the name that the token is bound to
};

// Under every name of this chat. A button that expired is better told as that than as a stranger's.
Result<Verified> verified(const Press& press, const ChatSight& sight) {
    auto worst = Error{Errc::malformed, ""};
    for (const auto& name : sight.chats.names(press.on->chat)) {
        const auto button = sight.keys.tokens.verify(press.data, {.channel = sight.channel, .chat = name});
        if (button) return Verified{*button, name};
        if (worst.code != Errc::stale) worst = button.error();
    }
    return worst;
}

// Which request this message shows, as far as we know it.
std::optional<Ulid> shown_by(const Press& press, const ChatSight& sight) {
    const auto names = sight.chats.names(press.on->chat);
    return sight.cards.request_of(names, press.on->message);
}

// A message that the platform no longer shows has no author; then we must know it ourselves.
bool is_ours(const Press& press, const ChatSight& sight) {
    return press.on->is_ours ? *press.on->is_ours : shown_by(press, sight).has_value();
}

Copy copy_of(const Press& press, const Verified& verified) {
    return {.request = verified.button.request_id,
            .chat = verified.chat,
            .generation = verified.button.generation,
            .thread = press.on->thread};
}

// An offer to deny with a reason is no card, and only denies.
bool is_on_card(const Button& button) {
    return button.verb != ButtonVerb::reason || button.question != button_with_reason;
}

// Buttons that do nothing any more go from the message that was pressed, unless it has lost them already.
std::optional<StaleCopy> stale_copy(const Press& press, const Verified& verified) {
    if (!press.on->has_button.value_or(true)) return std::nullopt;
    return StaleCopy{.request = verified.button.request_id,
                     .chat = verified.chat,
                     .message = press.on->message,
                     .is_card = press.on->has_button.value_or(false)};
}

// Of a card that got new buttons in its place, the old ones are the hub's to judge: it knows what they were about.
bool is_newest(const Press& press, const Button& button, const ChatSight& sight) {
    const auto names = sight.chats.names(press.on->chat);
    const auto newest = sight.cards.newest_generation(button.request_id, names);
    if (sight.cards.is_current(button.request_id, names, press.on->message)) return true;
    return !newest || generation_digit(*newest) == button.generation;
}

Intent choice_of(const Press& press, const Button& button, const OpenRequest& open, Attempt attempt, bool newest,
                 const ChatSight& sight) {
    if (const auto* approval = open.request->approval()) {
        const Error no_such{Errc::unknown_option, "a button for an option that the request does not have"};
        if (button.option >= approval->options.size()) return not_ours(press, sight, no_such);
        const auto& option = approval->options[button.option];
        // Old buttons lead to the new ones; but a refusal counts wherever it comes from (I16).
        const bool refuses = option.effect != Effect::allow && option.known;
        if (!newest && !refuses) return replaced(press, sight);
        if (button.question == button_and_behind && !refuses) return not_ours(press, sight, no_such);
        attempt.and_behind = button.question == button_and_behind;
        attempt.what = Choose{option.option_id};
        return Decide{std::move(attempt)};
    }
    attempt.what = Cancel{};
    return Decide{std::move(attempt)};
}

Intent pick_of(const Press& press, const Button& button, const OpenRequest& open, Attempt attempt,
               const ChatSight& sight) {
    const auto* questionnaire = open.request->questionnaire();
    const bool exists = questionnaire != nullptr && button.question < questionnaire->questions.size() &&
                        button.option < questionnaire->questions[button.question].choices.size();
    if (!exists) return not_ours(press, sight, {Errc::unknown_option, "a button for a choice that is not offered"});
    Pick pick{.attempt = std::move(attempt), .question = button.question, .choice = button.option};
    if (!press.picked) return pick;
    pick.choices.emplace();
    const auto& question = questionnaire->questions[button.question];
    for (const auto& data : *press.picked) {
        auto one = press;
        one.data = data;
        const auto token = verified(one, sight);
        const bool of_this_list =
            token && token->button.verb == button.verb && token->button.request_id == button.request_id &&
            token->button.generation == button.generation && token->button.question == button.question &&
            token->button.option < question.choices.size();
        if (!of_this_list) return not_ours(press, sight, {Errc::malformed, "a choice of another list"});
        pick.choices->insert(token->button.option);
    }
    if (pick.choices->size() > 1 && !question.multiple) {
        return not_ours(press, sight, {Errc::malformed, "several choices of a question that takes one"});
    }
    return pick;
}

// "Deny…" asks for words. The button of an offer has them: they are kept with the message that it's on, and only their
// writer can deny with them. Without them, after a restart, it still denies: a refusal must never be harder than an
// allow.
Intent refusal_with_reason(const Press& press, const Button& button, const OpenRequest& open, Attempt attempt,
                           const ChatSight& sight) {
    const auto* approval = open.request->approval();
    const Error no_such{Errc::unknown_option, "a button for a refusal that the request does not have"};
    if (approval == nullptr || button.option >= approval->options.size()) return not_ours(press, sight, no_such);
    const auto& option = approval->options[button.option];
    if (option.effect == Effect::allow || !option.known) return not_ours(press, sight, no_such);
    attempt.what = Choose{option.option_id};
    if (button.question != button_with_reason) {
        if (press.words) {
            // A reason that is too long is cut: a deny must never be harder than an allow.
            attempt.reason = std::string{utf8::head(*press.words, limits::reason_bytes_max)};
            return Decide{std::move(attempt)};
        }
        if (const auto may = sight.open.check(attempt); !may) {
            return refuse(press, sight, may.error(), refusal_words(may.error(), {attempt.principal, sight.language}));
        }
        return AskReason{std::move(attempt)};
    }
    const auto names = sight.chats.names(press.on->chat);
    const auto prompt = sight.cards.prompt_at(names, press.on->message);
    const bool own = prompt.principal == attempt.principal;
    if (!own && !prompt.principal.empty() && sight.known && sight.known(attempt.principal)) {
        return refuse(press, sight, {Errc::not_authorised, "the offer to deny with another person's words"},
                      {sight.language, Key::offer_of_another, {{"person", prompt.person}}});
    }
    if (own) attempt.reason = prompt.words;
    return Decide{std::move(attempt)};
}

Intent intent_of(const Press& press, const Verified& verified, const ChatSight& sight, Attempt attempt) {
    const auto& button = verified.button;
    const auto open = sight.open.open_request(button.request_id);
    if (!open) {
        // The hub remembers how it ended, and says so.
        attempt.what = Choose{};
        return Decide{std::move(attempt)};
    }
    if (press.words && button.verb != ButtonVerb::reason) {
        return not_ours(press, sight, {Errc::malformed, "words with a button that asks for none"});
    }
    if (press.picked && button.verb != ButtonVerb::answer) {
        return not_ours(press, sight, {Errc::malformed, "choices with a button that has none"});
    }
    const bool newest = is_newest(press, button, sight);
    // A copy that we do not know counts only while a send of it is without an answer (I10).
    if (is_on_card(button) && !shown_by(press, sight) && !sight.cards.unanswered(copy_of(press, verified))) {
        if (!newest) return replaced(press, sight);
        return not_ours(press, sight, {Errc::not_shown, "a button on a message that was never sent"});
    }
    if (button.verb == ButtonVerb::decide) return choice_of(press, button, *open, std::move(attempt), newest, sight);
    if (button.verb == ButtonVerb::more) return ShowAll{button.request_id};
    if (button.verb == ButtonVerb::reason) {
        return refusal_with_reason(press, button, *open, std::move(attempt), sight);
    }
    if (!newest) return replaced(press, sight);
    if (button.verb == ButtonVerb::answer) return pick_of(press, button, *open, std::move(attempt), sight);
    if (open->request->questionnaire() == nullptr) {
        return not_ours(press, sight, {Errc::unknown_option, "a button that submits an approval"});
    }
    return Finish{std::move(attempt)};
}

// Why this press is refused before its data is looked at.
std::optional<Refuse> refused_at_once(const Press& press, const ChatSight& sight) {
    if (press.by_bot) {
        return refuse(press, sight, {Errc::unsupported, "pressed by a bot"},
                      {sight.language, Key::bots_decide_nothing});
    }
    if (!press.on || !is_ours(press, sight)) {
        return not_ours(press, sight, {Errc::malformed, "a button on a message of another sender"});
    }
    return std::nullopt;
}

}  // namespace

ReadPress read_press(const Press& press, const ChatSight& sight, const Arrival& arrival) {
    if (auto refusal = refused_at_once(press, sight)) return {.intent = std::move(*refusal)};
    const auto token = verified(press, sight);
    if (!token) return {.intent = not_ours(press, sight, token.error())};
    const auto shown = shown_by(press, sight);
    if (shown && *shown != token->button.request_id) {  // a client may send what it likes
        return {.intent =
                    not_ours(press, sight, {Errc::malformed, "the button of one card on the message of another"})};
    }
    // Where a press has no time of its own, a gap in listening makes it late.
    Attempt attempt;
    attempt.request_id = token->button.request_id;
    attempt.principal = press.principal;
    attempt.where = {.channel = sight.channel, .chat = token->chat, .thread = {}, .message = press.on->message};
    attempt.assurance = Assurance::chat;
    attempt.arrived = arrival.at;
    attempt.after_gap = arrival.after_gap;
    attempt.made = press.made;
    attempt.generation = token->button.generation;
    ReadPress read{.intent = intent_of(press, *token, sight, std::move(attempt))};
    const bool refused = std::holds_alternative<Refuse>(read.intent);
    const bool open = sight.open.open_request(token->button.request_id).has_value();
    // Of an open request only a copy that we do not know: the others are the delivery engine's to edit.
    if (!open || (refused && !shown)) read.stale = stale_copy(press, *token);
    // What a stranger says about where a card is, is not believed.
    const bool known = sight.known && sight.known(press.principal);
    if (known && open && !refused && is_on_card(token->button)) {
        read.pressed = Pressed{.copy = copy_of(press, *token), .message = press.on->message};
    }
    return read;
}

}  // namespace countersign::channels
