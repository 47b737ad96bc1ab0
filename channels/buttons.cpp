// SPDX-License-Identifier: Apache-2.0
#include "channels/buttons.hpp"

#include "channels/option_words.hpp"

#include <algorithm>
#include <utility>

namespace countersign::channels {

namespace {

using security::Button;
using security::ButtonVerb;
using Tone = CardButton::Tone;

constexpr std::size_t options_per_row = 2;

Tone tone_of(const Option& option) {
    if (!option.known || option.effect == Effect::cancel) return Tone::plain;
    if (option.effect == Effect::deny) return Tone::bad;
    return option.scope == Scope::once ? Tone::good : Tone::lasting;
}

class Buttons {
public:
    Buttons(const Presentation& presentation, const MessageTarget& spot, const Keys& keys, const ButtonRules& rules)
        : presentation_{presentation},
          request_{*presentation.request},
          language_{language_of(presentation.audience.language)},
          spot_{spot},
          keys_{keys},
          rules_{rules} {}

    ButtonRows approval(bool may_allow) {
        const auto& frozen = request_.approval()->options;
        bool below = false;
        for (const auto& option : presentation_.offered) {
            if (!may_allow && (option.effect == Effect::allow || !option.known)) continue;
            const auto found = std::ranges::find(frozen, option.option_id, &Option::option_id);
            if (found == frozen.end()) continue;
            const auto index = static_cast<std::uint8_t>(found - frozen.begin());
            // What lasts stands apart: a thumb that means the row above does not land on it.
            if (std::exchange(below, lasts(option)) != lasts(option) && !rows_.empty()) rows_.emplace_back();
            add({.verb = ButtonVerb::decide, .option = index}, label_with_effect(option, language_), tone_of(option),
                options_per_row);
        }
        deny_with_words();
        if (presentation_.state.waiting > 0) deny_all();
        return std::move(rows_);
    }

    ButtonRows offer(Language language) {
        add_refusal({.verb = ButtonVerb::reason, .question = button_with_reason},
                    std::string{pattern(language, Key::deny_with_this)});
        return std::move(rows_);
    }

    ButtonRows questions(bool may_answer) {
        const auto& chosen = presentation_.state.chosen;
        const auto& questions = request_.questionnaire()->questions;
        std::size_t count = 0;
        for (const auto& question : questions) count += question.choices.size();
        const bool room = count <= rules_.buttons_max;
        for (std::size_t at = 0; may_answer && room && at < questions.size(); ++at) {
            choices(questions[at], at, at < chosen.size() ? chosen[at] : std::set<std::size_t>{});
        }
        if (may_answer && gathers(*request_.questionnaire())) {
            add({.verb = ButtonVerb::submit}, std::string{pattern(language_, Key::submit)}, Tone::good, 1);
        }
        add({.verb = ButtonVerb::decide}, std::string{pattern(language_, Key::cancel)}, Tone::bad, 1);
        return std::move(rows_);
    }

private:
    void deny_with_words() {
        add_refusal({.verb = ButtonVerb::reason}, std::string{pattern(language_, Key::deny_and_say_why)});
    }

    // The refusal once more, for those behind it too: `question` tells the two apart.
    void deny_all() {
        const auto count = std::to_string(presentation_.state.waiting + 1);
        add_refusal({.verb = ButtonVerb::decide, .question = button_and_behind},
                    text(language_, Key::deny_all, {{"count", count}}));
    }

    // In a row of its own. Nothing where the request offers no refusal.
    void add_refusal(Button button, std::string_view label) {
        const auto& frozen = request_.approval()->options;
        const auto* refusal = refusal_of(presentation_.offered);
        if (refusal == nullptr) return;
        const auto found = std::ranges::find(frozen, refusal->option_id, &Option::option_id);
        if (found == frozen.end()) return;
        button.option = static_cast<std::uint8_t>(found - frozen.begin());
        rows_.emplace_back();
        add(button, label, Tone::bad, 1);
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
                mark + number + question.choices[i].label, Tone::plain, 1);
        }
    }

    void add(Button button, std::string_view label, Tone tone, std::size_t per_row) {
        button.request_id = request_.id;
        button.generation = generation_digit(presentation_.generation);
        auto token = keys_.tokens.mint(button, {.channel = spot_.channel, .chat = spot_.chat});
        if (!token) return;  // an index past button_index_max: no request has so many
        if (rows_.empty() || rows_.back().size() >= per_row) rows_.emplace_back();
        rows_.back().push_back({tone, fitted(label), std::move(*token)});
    }

    [[nodiscard]] std::string fitted(std::string_view label) const {
        auto line = rules_.text.line(label);
        if (rules_.text.units(line) <= rules_.label_units_max) return line;
        return std::string{rules_.text.head(line, rules_.label_units_max - 1)} + "…";
    }

    const Presentation& presentation_;
    const Request& request_;
    Language language_;
    const MessageTarget& spot_;
    const Keys& keys_;
    const ButtonRules& rules_;
    ButtonRows rows_;
};

}  // namespace

ButtonRows card_buttons(const Presentation& presentation, const MessageTarget& spot, const Keys& keys,
                        const ButtonRules& rules, bool may_allow) {
    Buttons buttons{presentation, spot, keys, rules};
    return presentation.request->approval() != nullptr ? buttons.approval(may_allow) : buttons.questions(may_allow);
}

ButtonRows offer_button(const Presentation& presentation, const MessageTarget& spot, const Keys& keys,
                        const ButtonRules& rules, Language language) {
    return Buttons{presentation, spot, keys, rules}.offer(language);
}

}  // namespace countersign::channels
