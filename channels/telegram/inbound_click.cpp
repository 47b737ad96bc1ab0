// SPDX-License-Identifier: Apache-2.0
#include "channels/refusal_words.hpp"
#include "channels/telegram/inbound.hpp"

#include <algorithm>

namespace countersign::channels::telegram {

namespace {

using security::Button;
using security::ButtonVerb;

// Every no to a click is made here.
Refuse refuse(const Click& click, const Sight& sight, Error why, Phrase words) {
    return {.attempt = {.request_id = security::request_named_by(click.data),
                        .principal = "telegram:" + std::to_string(click.from.id),
                        .channel = sight.channel},
            .why = std::move(why),
            .words = std::move(words)};
}

Refuse not_ours(const Click& click, const Sight& sight, Error why) {
    auto words = button_words(why.code, sight.language);
    return refuse(click, sight, std::move(why), std::move(words));
}

Refuse replaced(const Click& click, const Sight& sight) {
    return refuse(click, sight, {Errc::stale, "a button of a card that was replaced"},
                  {sight.language, Key::card_replaced});
}

struct Verified {
    Button button;
    std::string chat;  // the name that the token is bound to
};

// Under every name of this chat. A button that expired is better told as that than as a stranger's.
Result<Verified> verified(const Click& click, const Sight& sight) {
    auto worst = Error{Errc::malformed, ""};
    for (const auto& name : sight.chats.names(std::to_string(click.on->chat))) {
        const auto button = sight.keys.tokens.verify(click.data, {.channel = sight.channel, .chat = name});
        if (button) return Verified{*button, name};
        if (worst.code != Errc::stale) worst = button.error();
    }
    return worst;
}

// Which request this message shows, as far as we know it.
std::optional<Ulid> shown_by(const Click& click, const Sight& sight) {
    const auto names = sight.chats.names(std::to_string(click.on->chat));
    return sight.cards.request_of(names, std::to_string(click.on->message));
}

// A message that Telegram no longer shows has no author; then we must know it ourselves.
bool is_ours(const Click& click, const Sight& sight) {
    if (click.on->author) return *click.on->author == sight.bot.id;
    return shown_by(click, sight).has_value();
}

Copy copy_of(const Click& click, const Verified& verified) {
    return {.request = verified.button.request_id,
            .chat = verified.chat,
            .generation = verified.button.generation,
            .thread = click.on->topic ? std::to_string(*click.on->topic) : ""};
}

// An offer to deny with a reason is no card, and only denies.
bool is_on_card(const Button& button) {
    return button.verb != ButtonVerb::reason || button.question != button_with_reason;
}

// Buttons that do nothing any more go from the message that was pressed, unless it has lost them already.
std::optional<StaleCopy> stale_copy(const Click& click, const Verified& verified) {
    if (!click.on->has_button.value_or(true)) return std::nullopt;
    return StaleCopy{.request = verified.button.request_id,
                     .chat = verified.chat,
                     .message = std::to_string(click.on->message),
                     .is_card = click.on->has_button.value_or(false)};
}

// Of a card that got new buttons in its place, the old ones are the hub's to judge: it knows what they were about.
bool is_newest(const Click& click, const Button& button, const Sight& sight) {
    const auto names = sight.chats.names(std::to_string(click.on->chat));
    const auto newest = sight.cards.newest_generation(button.request_id, names);
    if (sight.cards.is_current(button.request_id, names, std::to_string(click.on->message))) return true;
    return !newest || generation_digit(*newest) == button.generation;
}

Meaning choice_of(const Click& click, const Button& button, const OpenRequest& open, Attempt attempt, bool newest,
                  const Sight& sight) {
    if (const auto* approval = open.request->approval()) {
        const Error no_such{Errc::unknown_option, "a button for an option that the request does not have"};
        if (button.option >= approval->options.size()) return not_ours(click, sight, no_such);
        const auto& option = approval->options[button.option];
        // Old buttons lead to the new ones; but a refusal counts wherever it comes from (I16).
        const bool refuses = option.effect != Effect::allow && option.known;
        if (!newest && !refuses) return replaced(click, sight);
        if (button.question == button_and_behind && !refuses) return not_ours(click, sight, no_such);
        attempt.and_behind = button.question == button_and_behind;
        attempt.what = Choose{option.option_id};
        return Decide{std::move(attempt)};
    }
    attempt.what = Cancel{};
    return Decide{std::move(attempt)};
}

Meaning pick_of(const Click& click, const Button& button, const OpenRequest& open, Attempt attempt,
                const Sight& sight) {
    const auto* questionnaire = open.request->questionnaire();
    const bool exists = questionnaire != nullptr && button.question < questionnaire->questions.size() &&
                        button.option < questionnaire->questions[button.question].choices.size();
    if (!exists) return not_ours(click, sight, {Errc::unknown_option, "a button for a choice that is not offered"});
    return Pick{.attempt = std::move(attempt), .question = button.question, .choice = button.option};
}

// "Deny…" asks for words. The button of an offer has them: they are kept with the message that it's on, and only their
// writer can deny with them. Without them, after a restart, it still denies: a refusal must never be harder than an
// allow.
Meaning refusal_with_reason(const Click& click, const Button& button, const OpenRequest& open, Attempt attempt,
                            const Sight& sight) {
    const auto* approval = open.request->approval();
    const Error no_such{Errc::unknown_option, "a button for a refusal that the request does not have"};
    if (approval == nullptr || button.option >= approval->options.size()) return not_ours(click, sight, no_such);
    const auto& option = approval->options[button.option];
    if (option.effect == Effect::allow || !option.known) return not_ours(click, sight, no_such);
    attempt.what = Choose{option.option_id};
    if (button.question != button_with_reason) {
        const bool known = sight.known && sight.known(attempt.principal);
        if (!known) return Decide{std::move(attempt)};  // the gate refuses a stranger, and the log has it
        return AskReason{std::move(attempt)};
    }
    const auto names = sight.chats.names(std::to_string(click.on->chat));
    const auto prompt = sight.cards.prompt_at(names, std::to_string(click.on->message));
    const bool own = prompt.principal == attempt.principal;
    if (!own && !prompt.principal.empty() && sight.known && sight.known(attempt.principal)) {
        return refuse(click, sight, {Errc::not_authorised, "the offer to deny with another person's words"},
                      {sight.language, Key::offer_of_another, {{"person", prompt.person}}});
    }
    if (own) attempt.reason = prompt.words;
    return Decide{std::move(attempt)};
}

Meaning meaning_of(const Click& click, const Verified& verified, const Sight& sight, Attempt attempt) {
    const auto& button = verified.button;
    const auto open = sight.open.open_request(button.request_id);
    if (!open) {
        // The hub remembers how it ended, and says so.
        attempt.what = Choose{};
        return Decide{std::move(attempt)};
    }
    const bool newest = is_newest(click, button, sight);
    // A copy that we do not know counts only while a send of it is without an answer (I10).
    if (is_on_card(button) && !shown_by(click, sight) && !sight.cards.unanswered(copy_of(click, verified))) {
        if (!newest) return replaced(click, sight);
        return not_ours(click, sight, {Errc::not_shown, "a button on a message that was never sent"});
    }
    if (button.verb == ButtonVerb::decide) return choice_of(click, button, *open, std::move(attempt), newest, sight);
    if (button.verb == ButtonVerb::more) return ShowAll{button.request_id};
    if (button.verb == ButtonVerb::reason) {
        return refusal_with_reason(click, button, *open, std::move(attempt), sight);
    }
    if (!newest) return replaced(click, sight);
    if (button.verb == ButtonVerb::answer) return pick_of(click, button, *open, std::move(attempt), sight);
    if (open->request->questionnaire() == nullptr) {
        return not_ours(click, sight, {Errc::unknown_option, "a button that submits an approval"});
    }
    return Finish{std::move(attempt)};
}

// Why this click is refused before its data is looked at.
std::optional<Refuse> refused_at_once(const Click& click, const Sight& sight) {
    if (click.from.is_bot) {
        return refuse(click, sight, {Errc::unsupported, "pressed by a bot"},
                      {sight.language, Key::bots_decide_nothing});
    }
    if (!click.on || !is_ours(click, sight)) {
        return not_ours(click, sight, {Errc::malformed, "a button on a message of another sender"});
    }
    return std::nullopt;
}

}  // namespace

Incoming read(const Click& click, const Sight& sight, const Arrival& arrival) {
    Incoming incoming;
    incoming.asker = {.query = click.query, .text = {}, .principal = "telegram:" + std::to_string(click.from.id)};
    if (auto refusal = refused_at_once(click, sight)) {
        incoming.meaning = std::move(*refusal);
        return incoming;
    }
    const auto token = verified(click, sight);
    if (!token) {
        incoming.meaning = not_ours(click, sight, token.error());
        return incoming;
    }
    const auto shown = shown_by(click, sight);
    if (shown && *shown != token->button.request_id) {  // a client may send what it likes
        incoming.meaning =
            not_ours(click, sight, {Errc::malformed, "the button of one card on the message of another"});
        return incoming;
    }
    // A click has no time of its own: `made` stays empty, and a gap in polling makes it late.
    Attempt attempt;
    attempt.request_id = token->button.request_id;
    attempt.principal = incoming.asker.principal;
    attempt.where = {
        .channel = sight.channel, .chat = token->chat, .thread = {}, .message = std::to_string(click.on->message)};
    attempt.assurance = Assurance::chat;
    attempt.arrived = arrival.at;
    attempt.after_gap = arrival.after_gap;
    attempt.generation = token->button.generation;
    incoming.meaning = meaning_of(click, *token, sight, std::move(attempt));
    const bool refused = std::holds_alternative<Refuse>(incoming.meaning);
    const bool open = sight.open.open_request(token->button.request_id).has_value();
    // Of an open request only a copy that we do not know: the others are the delivery engine's to edit.
    if (!open || (refused && !shown)) incoming.stale = stale_copy(click, *token);
    // What a stranger says about where a card is, is not believed.
    const bool known = sight.known && sight.known(incoming.asker.principal);
    if (known && open && !refused && is_on_card(token->button)) {
        incoming.pressed = Pressed{.copy = copy_of(click, *token), .message = std::to_string(click.on->message)};
    }
    return incoming;
}

}  // namespace countersign::channels::telegram
