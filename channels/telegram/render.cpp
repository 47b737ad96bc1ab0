// SPDX-License-Identifier: Apache-2.0
#include "channels/telegram/render.hpp"

#include "channels/duration.hpp"
#include "channels/option_words.hpp"
#include "channels/telegram/card.hpp"
#include "channels/telegram/wording.hpp"
#include "core/limits.hpp"
#include "security/digest.hpp"
#include "security/encoding.hpp"

#include <algorithm>
#include <utility>

namespace countersign::channels::telegram {

namespace {

using security::Button;
using security::ButtonVerb;

constexpr std::size_t options_per_row = 2;

// What the colour says is ours to say: an option's role is the agent's word and colours nothing.
std::string style_of(const Option& option) {
    if (!option.known) return {};
    if (option.effect == Effect::deny) return "danger";
    if (option.effect == Effect::cancel) return {};
    return option.scope == Scope::once ? "success" : "primary";
}

std::string label_of(std::string_view label) {
    const auto line = guarded_line(label);
    if (utf16_units(line) <= limits::telegram_button_units_max) return line;
    return std::string{head_units(line, limits::telegram_button_units_max - 1)} + "…";
}

class Buttons {
public:
    Buttons(const Presentation& presentation, const Spot& spot, const Keys& keys)
        : presentation_{presentation},
          request_{*presentation.request},
          language_{language_of(presentation.audience.language)},
          spot_{spot},
          keys_{keys} {}

    Keyboard approval(bool may_allow) {
        const auto& frozen = request_.approval()->options;
        bool below = false;
        for (const auto& option : presentation_.offered) {
            if (!may_allow && (option.effect == Effect::allow || !option.known)) continue;
            const auto found = std::ranges::find(frozen, option.option_id, &Option::option_id);
            if (found == frozen.end()) continue;
            const auto index = static_cast<std::uint8_t>(found - frozen.begin());
            // What lasts stands apart: a thumb that means the row above does not land on it.
            if (std::exchange(below, lasts(option)) != lasts(option) && !keyboard_.empty()) keyboard_.emplace_back();
            add({.verb = ButtonVerb::decide, .option = index}, label_of(label_with_effect(option, language_)),
                style_of(option), options_per_row);
        }
        deny_with_words();
        if (presentation_.state.waiting > 0) deny_all();
        return std::move(keyboard_);
    }

    // One button: deny with the words that its message is below.
    Keyboard offer(Language language) {
        add_refusal({.verb = ButtonVerb::reason, .question = button_with_reason},
                    label_of(pattern(language, Key::deny_with_this)));
        return std::move(keyboard_);
    }

    Keyboard questions(bool may_answer, const Chosen& chosen) {
        const auto& questions = request_.questionnaire()->questions;
        std::size_t count = 0;
        for (const auto& question : questions) count += question.choices.size();
        const bool room = count <= limits::telegram_buttons_max;
        for (std::size_t at = 0; may_answer && room && at < questions.size(); ++at) {
            choices(questions[at], at, at < chosen.size() ? chosen[at] : std::set<std::size_t>{});
        }
        if (may_answer && gathers(*request_.questionnaire())) {
            add({.verb = ButtonVerb::submit}, label_of(pattern(language_, Key::submit)), "success", 1);
        }
        add({.verb = ButtonVerb::decide}, label_of(pattern(language_, Key::cancel)), "danger", 1);
        return std::move(keyboard_);
    }

private:
    void deny_with_words() {
        add_refusal({.verb = ButtonVerb::reason}, label_of(pattern(language_, Key::deny_and_say_why)));
    }

    // The refusal once more, for those behind it too: `question` tells the two apart.
    void deny_all() {
        const auto count = std::to_string(presentation_.state.waiting + 1);
        add_refusal({.verb = ButtonVerb::decide, .question = button_and_behind},
                    label_of(text(language_, Key::deny_all, {{"count", count}})));
    }

    // In a row of its own. Nothing where the request offers no refusal.
    void add_refusal(Button button, std::string label) {
        const auto& frozen = request_.approval()->options;
        const auto* refusal = refusal_of(presentation_.offered);
        if (refusal == nullptr) return;
        const auto found = std::ranges::find(frozen, refusal->option_id, &Option::option_id);
        if (found == frozen.end()) return;
        button.option = static_cast<std::uint8_t>(found - frozen.begin());
        keyboard_.emplace_back();
        add(button, std::move(label), "danger", 1);
    }

    void choices(const Question& question, std::size_t at, const std::set<std::size_t>& taken) {
        const bool one_of_many = request_.questionnaire()->questions.size() > 1;
        for (std::size_t i = 0; i < question.choices.size(); ++i) {
            auto number = std::to_string(i + 1) + ". ";
            if (one_of_many) number.insert(0, std::to_string(at + 1) + ".");
            const auto* const mark = taken.contains(i) ? "✓ " : "";
            add({.verb = ButtonVerb::answer,
                 .option = static_cast<std::uint8_t>(i),
                 .question = static_cast<std::uint8_t>(at)},
                label_of(mark + number + question.choices[i].label), "", 1);
        }
    }

    void add(Button button, std::string text, std::string style, std::size_t per_row) {
        button.request_id = request_.id;
        button.generation = generation_digit(presentation_.generation);
        auto token = keys_.tokens.mint(button, {.channel = spot_.channel, .chat = spot_.chat});
        if (!token) return;  // an index past button_index_max: no request has so many
        if (keyboard_.empty() || keyboard_.back().size() >= per_row) keyboard_.emplace_back();
        keyboard_.back().push_back({std::move(text), std::move(*token), std::move(style)});
    }

    const Presentation& presentation_;
    const Request& request_;
    Language language_;
    const Spot& spot_;
    const Keys& keys_;
    Keyboard keyboard_;
};

Keyboard keyboard_of(const Presentation& presentation, const Spot& spot, const Keys& keys, bool may_allow,
                     const Chosen& chosen = {}) {
    Buttons buttons{presentation, spot, keys};
    return presentation.request->approval() != nullptr ? buttons.approval(may_allow)
                                                       : buttons.questions(may_allow, chosen);
}

Where where_of(const Spot& spot) {
    Where where{.chat = spot.target, .thread = spot.thread};
    if (spot.reply_to) where.reply_to = message_number(*spot.reply_to);
    return where;
}

std::string code_of(const Presentation& presentation, const Spot& spot, const Keys& keys) {
    return keys.codes.code(presentation.request->id, spot.chat);
}

}  // namespace

Parcel render(const Presentation& presentation, const Spot& spot, const Keys& keys, WallTime now) {
    CardText card{.presentation = presentation, .now = now, .code = code_of(presentation, spot, keys)};
    const auto keyboard = keyboard_of(presentation, spot, keys, true);
    const auto whole = whole_card(card);
    const auto where = where_of(spot);
    if (fits(whole, presentation)) return {.card = send_message(where, whole, keyboard)};

    Parcel rendering{.document = render_document(*presentation.request, presentation.offered, spot,
                                                 language_of(presentation.audience.language)),
                     .card = send_message(where, brief_card(card), keyboard)};
    card.allow_is_missing = true;
    rendering.without_allow = send_message(where, brief_card(card), keyboard_of(presentation, spot, keys, false));
    return rendering;
}

Call render_marks(const Presentation& presentation, const Spot& spot, const Keys& keys, std::int64_t message,
                  const Chosen& chosen) {
    return edit_keyboard({spot.target, message}, keyboard_of(presentation, spot, keys, true, chosen));
}

Call render_update(const Presentation& presentation, const Spot& spot, const Keys& keys, WallTime now,
                   std::int64_t message, bool may_allow) {
    const CardText card{.presentation = presentation,
                        .now = now,
                        .code = code_of(presentation, spot, keys),
                        .is_edit = true,
                        .allow_is_missing = !may_allow};
    const auto whole = whole_card(card);
    const auto text = whole.units() <= limits::telegram_text_units_max ? whole : brief_card(card);
    return edit_message({spot.target, message}, text, keyboard_of(presentation, spot, keys, may_allow));
}

Call render_conclusion(const Presentation& presentation, const Spot& spot, std::int64_t message,
                       const Conclusion& conclusion) {
    const CardText card{.presentation = presentation, .now = conclusion.at, .conclusion = &conclusion};
    const auto whole = whole_card(card);
    return edit_message({spot.target, message}, fits(whole, presentation) ? whole : brief_card(card), {});
}

Call render_reminder(const Presentation& presentation, const Spot& spot, std::int64_t message,
                     const Reminder& reminder) {
    const auto language = language_of(presentation.audience.language);
    StyledText text;
    text.plain("⏰ ");
    say(text, language, Key::still_waiting, {{"time", duration(reminder.waited, language), Filling::Style::plain}});
    text.plain("\n");
    if (say_mentions(text, language, Key::calling, reminder.mentions)) text.plain("\n");
    say(text, language, Key::id, {{"value", presentation.request->id.str()}});
    auto where = where_of(spot);
    where.reply_to = message;
    return send_message(where, text, {});
}

Call render_reason_wanted(const Spot& spot, const ReasonWanted& wanted, Language language) {
    StyledText text;
    text.plain("✍ ");
    say(text, language, Key::reason_wanted,
        {{"person", wanted.person, Filling::Style::mention, user_of(wanted.principal).value_or(0)},
         {"command", "/deny " + wanted.code}});
    auto where = where_of(spot);
    where.reply_to = message_number(wanted.card);
    return ask_reply(where, text, pattern(language, Key::reason_hint));
}

Call render_reason_offer(const Presentation& presentation, const Spot& spot, const Keys& keys, std::int64_t reply,
                         Language language) {
    StyledText text;
    say(text, language, Key::reply_decides_nothing);
    auto where = where_of(spot);
    where.reply_to = reply;
    return send_message(where, text, Buttons{presentation, spot, keys}.offer(language));
}

Call render_session_end(const Spot& spot, const SessionEnd& end) {
    const auto language = language_of(end.language);
    StyledText text;
    const bool failed = !end.failure.empty() && end.halted_by.empty();
    text.plain(failed ? "⚠ " : "🏁 ");
    if (!end.halted_by.empty()) {
        say(text, language, Key::session_halted, {{"person", shown_line(end.halted_by)}});
    } else if (!failed) {
        say(text, language, Key::session_ended);
    } else {
        const auto line = guarded_line(end.failure);
        say(text, language, Key::agent_failed, {{"why", std::string{head_units(line, limits::reason_bytes_max)}}});
    }
    text.plain("\n");
    say(text, language, Key::agent, {{"value", end.agent_id}});
    text.plain("\n");
    say(text, language, Key::session, {{"value", end.session_key}});
    return send_quietly(where_of(spot), text);
}

Call render_conclusion_reply(const Spot& spot, std::int64_t document, const Conclusion& conclusion, Language language) {
    StyledText text;
    conclusion_lines(text, conclusion, language);
    return send_reply({spot.target, document}, text);
}

Call render_earlier(const Spot& spot, std::int64_t message, const Conclusion& conclusion, Language language) {
    StyledText text;
    conclusion_lines(text, conclusion, language);
    text.plain("\n").code(conclusion.request_id.str());
    return edit_message({spot.target, message}, text, {});
}

Call render_earlier(const Spot& spot, std::int64_t message, const EarlierNews& news) {
    const bool waits = news.state == EarlierNews::State::waits;
    StyledText text;
    text.plain(waits ? "⏳ " : "↪ ");
    text.bold(pattern(language_of(news.language), waits ? Key::restarted_waits : Key::restarted_goes_on));
    text.plain("\n").code(news.request_id.str());
    return edit_message({spot.target, message}, text, {});
}

// Telegram takes white space off the end of a message, so none is sent there.
Call render_announcement(const Spot& spot, const Announcement& announcement) {
    std::string_view exact = announcement.exact;
    while (exact.ends_with('\n')) exact.remove_suffix(1);
    StyledText text;
    text.plain(announcement.heading).plain("\n").pre(exact);
    return send_quietly(where_of(spot), text);
}

Call render_document(const Request& request, const std::vector<Option>& offered, const Spot& spot, Language language) {
    Document document{.file_name = request.id.str() + ".txt", .text = document_text(request, offered), .caption = {}};
    say(document.caption, language, Key::whole_text_of, {{"id", request.id.str()}});
    document.caption.plain("\n");
    say(document.caption, language, Key::file_digest, {{"value", security::hex(security::sha256(document.text))}});
    return send_document(where_of(spot), document);
}

}  // namespace countersign::channels::telegram
