// SPDX-License-Identifier: Apache-2.0
#include "channels/terminal/question_prompt.hpp"

#include "channels/terminal/width.hpp"
#include "channels/terminal/word.hpp"
#include "core/limits.hpp"

#include <algorithm>
#include <utility>

namespace countersign::channels::terminal {

namespace {

std::size_t rows_of(const Question& question) { return question.choices.size() + (takes_text(question) ? 1 : 0); }

std::string mark_of(const Question& question, bool chosen) {
    if (question.multiple) return chosen ? "☑" : "☐";
    return chosen ? "●" : "○";
}

std::string dots(const std::string& secret) {
    std::string shown;
    for (std::size_t at = 0; at < width_of(secret); ++at) shown += "•";
    return shown;
}

}  // namespace

bool takes_text(const Question& question) { return question.free_text || question.choices.empty(); }

std::string title_of(const Question& question, std::size_t index, Language language) {
    if (!question.question_id.empty()) return question.question_id;
    return text(language, Word::question_number, {{"number", std::to_string(index + 1)}});
}

Row row_of(const Question& question, const Choice& choice, bool chosen) {
    return {.mark = mark_of(question, chosen),
            .label = choice.label,
            .meaning = {},
            .detail = choice.description,
            .focused = false,
            .ink = Ink::plain};
}

QuestionPrompt::QuestionPrompt(Questionnaire questionnaire, Language language)
    : questions_{std::move(questionnaire.questions)}, language_{language} {
    for (const auto& question : questions_) {
        drafts_.push_back({.chosen = std::vector<bool>(question.choices.size(), false),
                           .text = TextEntry{limits::answer_text_bytes_max},
                           .text_chosen = false,
                           .typing = question.choices.empty(),
                           .focus = 0});
    }
}

bool QuestionPrompt::typing() const { return !on_submit() && drafts_[tab_].typing; }

bool QuestionPrompt::answered(std::size_t index) const {
    const auto& draft = drafts_[index];
    return draft.text_chosen || std::ranges::find(draft.chosen, true) != draft.chosen.end();
}

std::optional<std::size_t> QuestionPrompt::first_open() const {
    for (std::size_t at = 0; at < questions_.size(); ++at) {
        if (questions_[at].required && !answered(at)) return at;
    }
    return std::nullopt;
}

std::optional<Decided> QuestionPrompt::press(const Key& key) {
    note_.clear();
    const bool again = std::exchange(escaped_, false);
    switch (key.kind) {
    case KeyKind::escape:
        return escape(again);
    case KeyKind::tab:
        move_tab(true);
        return std::nullopt;
    case KeyKind::back_tab:
        move_tab(false);
        return std::nullopt;
    default:
        break;
    }
    if (on_submit()) return key.kind == KeyKind::enter ? submit() : std::nullopt;
    return typing() ? press_typing(key) : press_list(key);
}

// What was typed stays where it is. One key too many must not throw away the answers.
std::optional<Decided> QuestionPrompt::escape(bool again) {
    if (again) return Decided{.what = Cancel{}, .reason = {}};
    if (typing() && !questions_[tab_].choices.empty()) {
        drafts_[tab_].typing = false;
        return std::nullopt;
    }
    escaped_ = true;
    note_ = pattern(language_, Word::escape_cancels_question);
    return std::nullopt;
}

void QuestionPrompt::move_tab(bool forward) {
    if (!is_bundle()) return;
    const auto tabs = questions_.size() + 1;
    tab_ = (tab_ + (forward ? 1 : tabs - 1)) % tabs;
}

std::optional<Decided> QuestionPrompt::press_typing(const Key& key) {
    auto& draft = drafts_[tab_];
    if (key.kind == KeyKind::enter) return take_text();
    if (key.kind == KeyKind::up && !questions_[tab_].choices.empty()) {
        draft.typing = false;
        draft.focus = questions_[tab_].choices.size() - 1;
        return std::nullopt;
    }
    const auto before = draft.text.text();
    if (!draft.text.press(key)) note_ = too_long_note(draft.text, language_);
    // A text that changed after Enter is a draft again.
    if (draft.text.text() != before) draft.text_chosen = false;
    return std::nullopt;
}

std::optional<Decided> QuestionPrompt::take_text() {
    auto& draft = drafts_[tab_];
    const auto& question = questions_[tab_];
    if (draft.text.text().empty()) {
        draft.text_chosen = false;
        draft.typing = question.choices.empty();
        if (question.required && !answered(tab_)) {
            note_ = pattern(language_, Word::empty_text);
            return std::nullopt;
        }
        return advance();
    }
    if (!question.multiple) choose_only(std::nullopt);
    draft.text_chosen = true;
    draft.typing = question.choices.empty();
    return advance();
}

std::optional<Decided> QuestionPrompt::press_list(const Key& key) {
    auto& draft = drafts_[tab_];
    switch (key.kind) {
    case KeyKind::up:
        draft.focus -= draft.focus > 0 ? 1 : 0;
        return std::nullopt;
    case KeyKind::down:
        draft.focus += draft.focus + 1 < rows_of(questions_[tab_]) ? 1 : 0;
        return std::nullopt;
    case KeyKind::text:
        press_digit(key.text);
        return std::nullopt;
    case KeyKind::space:
        toggle_row();
        return std::nullopt;
    case KeyKind::enter:
        return enter_row();
    case KeyKind::paste:
    case KeyKind::paste_too_long:
        note_ = pattern(language_, Word::paste_answers_nothing);
        return std::nullopt;
    default:
        return std::nullopt;
    }
}

// A digit moves there, and ticks where any number can be chosen. It answers nothing: that takes Enter.
void QuestionPrompt::press_digit(std::string_view digit) {
    if (digit.size() != 1 || digit[0] < '1' || digit[0] > '9') return;
    const auto at = static_cast<std::size_t>(digit[0] - '1');
    const auto& question = questions_[tab_];
    if (at >= rows_of(question)) return;
    drafts_[tab_].focus = at;
    if (question.multiple && at < question.choices.size()) toggle_row();
}

std::optional<Decided> QuestionPrompt::enter_row() {
    auto& draft = drafts_[tab_];
    const auto& question = questions_[tab_];
    if (draft.focus == question.choices.size()) {
        draft.typing = true;
        return std::nullopt;
    }
    if (!question.multiple) {
        choose_only(draft.focus);
    } else if (question.required && !answered(tab_)) {
        note_ = pattern(language_, Word::choose_first);
        return std::nullopt;
    }
    return advance();
}

void QuestionPrompt::toggle_row() {
    auto& draft = drafts_[tab_];
    const auto& question = questions_[tab_];
    if (draft.focus == question.choices.size()) {
        if (question.multiple && !draft.text.text().empty()) {
            draft.text_chosen = !draft.text_chosen;
        } else {
            draft.typing = true;
        }
    } else if (question.multiple) {
        draft.chosen[draft.focus] = !draft.chosen[draft.focus];
    } else {
        choose_only(draft.focus);
    }
}

void QuestionPrompt::choose_only(std::optional<std::size_t> choice) {
    auto& draft = drafts_[tab_];
    draft.chosen.assign(draft.chosen.size(), false);
    draft.text_chosen = false;
    if (choice) draft.chosen[*choice] = true;
}

std::optional<Decided> QuestionPrompt::advance() {
    if (!is_bundle()) return submit();
    ++tab_;
    return std::nullopt;
}

std::optional<Decided> QuestionPrompt::submit() {
    if (const auto open = first_open()) {
        note_ = text(language_, Word::still_open, {{"title", title_of(questions_[*open], *open, language_)}});
        return std::nullopt;
    }
    Submit all;
    for (std::size_t at = 0; at < questions_.size(); ++at) {
        if (answered(at)) all.answers.push_back(answer(at));
    }
    return Decided{.what = std::move(all), .reason = {}};
}

Answer QuestionPrompt::answer(std::size_t index) const {
    const auto& draft = drafts_[index];
    Answer answer{.question_id = questions_[index].question_id, .choices = {}, .text = {}};
    for (std::size_t at = 0; at < draft.chosen.size(); ++at) {
        if (draft.chosen[at]) answer.choices.push_back(questions_[index].choices[at].label);
    }
    if (draft.text_chosen) answer.text = draft.text.text();
    return answer;
}

View QuestionPrompt::view() const {
    View view{.language = language_};
    view.note = note_;
    view.submit_current = on_submit();
    view.submit_active = !first_open().has_value();
    if (is_bundle()) {
        for (std::size_t at = 0; at < questions_.size(); ++at) {
            view.tabs.push_back({title_of(questions_[at], at, language_), answered(at), at == tab_});
        }
    }
    if (on_submit()) {
        view.keys = pattern(language_, Word::keys_submit);
    } else {
        view_question(view);
    }
    return view;
}

void QuestionPrompt::view_question(View& view) const {
    const auto& question = questions_[tab_];
    const auto& draft = drafts_[tab_];
    if (is_bundle()) view.heading = question.text;  // a single one stands right above, on the card
    for (std::size_t at = 0; at < question.choices.size(); ++at) {
        view.rows.push_back(row_of(question, question.choices[at], draft.chosen[at]));
        view.rows.back().focused = !draft.typing && draft.focus == at;
    }
    if (takes_text(question)) {
        view.rows.push_back({.mark = mark_of(question, draft.text_chosen),
                             .label = text(language_, Word::type_something),
                             .meaning = {},
                             .detail = {},
                             .focused = draft.typing || draft.focus == question.choices.size(),
                             .ink = Ink::plain});
    }
    const auto add = [&](Word key) { view.keys += pattern(language_, key); };
    if (draft.typing) {
        const auto& typed = draft.text.text();
        const auto before = typed.substr(0, draft.text.cursor());
        view.field = Field{.label = text(language_, question.secret ? Word::field_secret : Word::field_answer),
                           .text = question.secret ? dots(typed) : typed,
                           .cursor = question.secret ? dots(before).size() : before.size()};
        add(Word::keys_text);
        if (!question.choices.empty()) add(Word::keys_back);
    } else {
        add(question.multiple ? Word::keys_choices : Word::keys_choice);
    }
    const bool leaves_text = draft.typing && !question.choices.empty();
    if (is_bundle()) add(Word::keys_next);
    if (!leaves_text) add(Word::keys_cancel);
}

}  // namespace countersign::channels::terminal
