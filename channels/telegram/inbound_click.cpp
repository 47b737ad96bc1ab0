// SPDX-License-Identifier: Apache-2.0
#include "channels/refusal_words.hpp"
#include "channels/telegram/inbound.hpp"

#include <algorithm>

namespace countersign::channels::telegram {

namespace {

using security::Button;
using security::ButtonVerb;

Say not_ours(Language language, Errc code = Errc::malformed) { return {button_words(code, language)}; }

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

// A message that Telegram no longer shows has no author; then we must know it ourselves.
bool is_ours(const Click& click, const Sight& sight) {
    if (click.on->author) return *click.on->author == sight.bot.id;
    const auto names = sight.chats.names(std::to_string(click.on->chat));
    return sight.cards.request_of(names, std::to_string(click.on->message)).has_value();
}

// The data of one card on the message of another: a client may send what it likes.
bool is_another_card(const Click& click, const Button& button, const Sight& sight) {
    const auto names = sight.chats.names(std::to_string(click.on->chat));
    const auto shown = sight.cards.request_of(names, std::to_string(click.on->message));
    return shown && *shown != button.request_id;
}

// Of a card that got new buttons in its place, the old ones are the hub's to judge: it knows what they were about.
bool is_newest(const Click& click, const Button& button, const Sight& sight) {
    const auto names = sight.chats.names(std::to_string(click.on->chat));
    const auto newest = sight.cards.newest_generation(button.request_id, names);
    if (sight.cards.is_current(button.request_id, names, std::to_string(click.on->message))) return true;
    return !newest || generation_digit(*newest) == button.generation;
}

Meaning choice_of(const Button& button, const OpenRequest& open, Attempt attempt, bool newest, Language language) {
    if (const auto* approval = open.request->approval()) {
        if (button.option >= approval->options.size()) return not_ours(language);
        const auto& option = approval->options[button.option];
        // Old buttons lead to the new ones; but a refusal counts wherever it comes from (I16).
        const bool refuses = option.effect != Effect::allow && option.known;
        if (!newest && !refuses) return Say{{language, Key::card_replaced}};
        if (button.question == button_and_behind && !refuses) return not_ours(language);
        attempt.and_behind = button.question == button_and_behind;
        attempt.what = Choose{option.option_id};
        return Decide{std::move(attempt)};
    }
    attempt.what = Cancel{};
    return Decide{std::move(attempt)};
}

Meaning pick_of(const Button& button, const OpenRequest& open, Attempt attempt, Language language) {
    const auto* questionnaire = open.request->questionnaire();
    const bool exists = questionnaire != nullptr && button.question < questionnaire->questions.size() &&
                        button.option < questionnaire->questions[button.question].choices.size();
    if (!exists) return not_ours(language);
    return Pick{.attempt = std::move(attempt), .question = button.question, .choice = button.option};
}

// "Deny…" asks for words. The button of an offer has them: they are kept with the message that it's on. Without them,
// after a restart, it still denies: a refusal must never be harder than an allow.
Meaning refusal_with_reason(const Click& click, const Button& button, const OpenRequest& open, Attempt attempt,
                            const Sight& sight) {
    const auto* approval = open.request->approval();
    if (approval == nullptr || button.option >= approval->options.size()) return not_ours(sight.language);
    const auto& option = approval->options[button.option];
    if (option.effect == Effect::allow || !option.known) return not_ours(sight.language);
    attempt.what = Choose{option.option_id};
    if (button.question != button_with_reason) {
        const bool known = sight.known && sight.known(attempt.principal);
        if (!known) return Decide{std::move(attempt)};  // the gate refuses a stranger, and the log has it
        return AskReason{std::move(attempt)};
    }
    const auto names = sight.chats.names(std::to_string(click.on->chat));
    attempt.reason = sight.cards.prompt_at(names, std::to_string(click.on->message)).words;
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
    if (button.verb == ButtonVerb::decide) {
        return choice_of(button, *open, std::move(attempt), newest, sight.language);
    }
    if (button.verb == ButtonVerb::more) return ShowAll{button.request_id};
    if (button.verb == ButtonVerb::reason) {
        return refusal_with_reason(click, button, *open, std::move(attempt), sight);
    }
    if (!newest) return Say{{sight.language, Key::card_replaced}};
    if (button.verb == ButtonVerb::answer) return pick_of(button, *open, std::move(attempt), sight.language);
    if (open->request->questionnaire() == nullptr) return not_ours(sight.language);
    return Finish{std::move(attempt)};
}

}  // namespace

Incoming read(const Click& click, const Sight& sight, const Arrival& arrival) {
    Incoming incoming;
    incoming.asker = {.query = click.query, .text = {}, .principal = "telegram:" + std::to_string(click.from.id)};
    if (click.from.is_bot) {
        incoming.meaning = Say{{sight.language, Key::bots_decide_nothing}};
        return incoming;
    }
    if (!click.on || !is_ours(click, sight)) {
        incoming.meaning = not_ours(sight.language);
        return incoming;
    }
    const auto token = verified(click, sight);
    if (!token) {
        incoming.meaning = not_ours(sight.language, token.error().code);
        return incoming;
    }
    if (is_another_card(click, token->button, sight)) {
        incoming.meaning = not_ours(sight.language);
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
    // What a stranger says about where a card is, is not believed.
    const bool known = sight.known && sight.known(attempt.principal);
    const bool on_card = token->button.verb != ButtonVerb::reason || token->button.question != button_with_reason;
    if (known && on_card) {
        incoming.pressed = Pressed{.request = token->button.request_id,
                                   .chat = token->chat,
                                   .generation = token->button.generation,
                                   .message = std::to_string(click.on->message),
                                   .thread = click.on->topic ? std::to_string(*click.on->topic) : ""};
    }
    incoming.meaning = meaning_of(click, *token, sight, std::move(attempt));
    return incoming;
}

}  // namespace countersign::channels::telegram
