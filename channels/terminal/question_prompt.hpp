// SPDX-License-Identifier: Apache-2.0
// QuestionPrompt: the widget of one question, or of a bundle with a tab for each and Submit behind them. What is typed
// and ticked is a draft until Submit. Esc leaves a text for the choices; two of them cancel the whole, and nothing is
// ever submitted by leaving.
#pragma once

#include "channels/terminal/approval_prompt.hpp"
#include "core/request.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::channels::terminal {

// A question without choices can only be answered in words, whatever it says.
[[nodiscard]] bool takes_text(const Question& question);

// What a bundle calls a question: its id, or its number where it has none.
[[nodiscard]] std::string title_of(const Question& question, std::size_t index, Language language);

// A choice as the widget lists it.
[[nodiscard]] Row row_of(const Question& question, const Choice& choice, bool chosen = false);

class QuestionPrompt {
public:
    QuestionPrompt(Questionnaire questionnaire, Language language);

    [[nodiscard]] std::optional<Decided> press(const Key& key);
    [[nodiscard]] bool typing() const;
    [[nodiscard]] View view() const;

private:
    struct Draft {
        std::vector<bool> chosen;
        TextEntry text;
        bool text_chosen = false;
        bool typing = false;
        std::size_t focus = 0;
    };

    [[nodiscard]] bool on_submit() const { return tab_ == questions_.size(); }
    [[nodiscard]] bool is_bundle() const { return questions_.size() != 1; }
    [[nodiscard]] bool answered(std::size_t index) const;
    [[nodiscard]] std::optional<std::size_t> first_open() const;

    [[nodiscard]] std::optional<Decided> escape(bool again);
    void move_tab(bool forward);
    [[nodiscard]] std::optional<Decided> press_typing(const Key& key);
    [[nodiscard]] std::optional<Decided> press_list(const Key& key);
    [[nodiscard]] std::optional<Decided> take_text();
    [[nodiscard]] std::optional<Decided> enter_row();
    void press_digit(std::string_view digit);
    void toggle_row();
    void choose_only(std::optional<std::size_t> choice);
    [[nodiscard]] std::optional<Decided> advance();
    [[nodiscard]] std::optional<Decided> submit();
    [[nodiscard]] Answer answer(std::size_t index) const;
    void view_question(View& view) const;

    std::vector<Question> questions_;
    Language language_;
    std::vector<Draft> drafts_;  // one a question
    std::size_t tab_ = 0;
    bool escaped_ = false;  // the key before this one was Esc
    std::string note_;
};

}  // namespace countersign::channels::terminal
