// SPDX-License-Identifier: Apache-2.0
#include "channels/terminal/render.hpp"

#include "channels/duration.hpp"
#include "channels/host_words.hpp"
#include "channels/option_words.hpp"
#include "channels/risk_words.hpp"
#include "channels/terminal/approval_prompt.hpp"
#include "channels/terminal/call_line.hpp"
#include "channels/terminal/guard.hpp"
#include "channels/terminal/question_prompt.hpp"
#include "channels/terminal/widget.hpp"
#include "channels/terminal/width.hpp"
#include "channels/terminal/word.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

namespace countersign::channels::terminal {

namespace {

// What stands at the left of a field: the words before the first place.
std::string_view name_of(Language language, Word key) {
    const auto words = pattern(language, key);
    return words.substr(0, words.find('{'));
}

// As wide as the widest of them is in this language.
std::size_t columns_for_names(Language language) {
    using enum channels::Key;
    std::size_t columns = 0;
    for (const auto key :
         {agent, session, requester, tool, directory, host, repository, branch, risk, note, tally, until_field})
        columns = std::max(columns, width_of(name_of(language, key)));
    return columns;
}

std::string padded(std::string_view text, std::size_t columns) {
    std::string out{text};
    out.append(columns - std::min(columns, width_of(text)), ' ');
    return out;
}

// A text in its frame. Every row begins with a bar that no text of an agent can draw over, and a row that goes on from
// the one above has another bar than a new line has.
class Block {
public:
    Block(std::string& out, const Style& style, Language language) : out_{out}, style_{style}, language_{language} {}

    void text(std::string_view text, const std::function<Ink(std::string_view)>& ink) {
        while (true) {
            const auto end = text.find('\n');
            line(text.substr(0, end), ink);
            if (end == std::string_view::npos) return end_blanks();
            text.remove_prefix(end + 1);
        }
    }

private:
    void line(std::string_view line, const std::function<Ink(std::string_view)>& ink) {
        const auto colour = ink(line);
        auto bar = style_.plain ? "|" : "│";
        for (const auto piece : wrap(line, row_columns(style_) - 4)) {
            const auto row = "  " + paint(style_, Ink::faint, bar) + " " + paint(style_, colour, piece) + "\n";
            bar = style_.plain ? ":" : "┊";
            if (piece.find_first_not_of(' ') == std::string_view::npos) {
                blanks_.append(row);
                ++blank_count_;
                continue;
            }
            end_blanks();
            out_ += row;
        }
    }

    // Many empty rows would push the rest of the text off the screen. In their place is a row with a mark where the
    // bar would be: no text gets there.
    void end_blanks() {
        const auto count = std::exchange(blank_count_, 0);
        const auto rows = std::exchange(blanks_, {});
        if (count <= limits::terminal_blank_rows_max) {
            out_ += rows;
            return;
        }
        const auto words = channels::text(language_, Word::blank_lines, {{"count", std::to_string(count)}});
        out_ += "  " + paint(style_, Ink::warn, (style_.plain ? "~ " : "⋮ ") + words) + "\n";
    }

    std::string& out_;
    const Style& style_;
    Language language_;
    std::string blanks_;
    std::size_t blank_count_ = 0;
};

Ink no_ink(std::string_view /*line*/) { return Ink::plain; }
Ink diff_ink(std::string_view line) {
    if (line.starts_with('+')) return Ink::good;
    return line.starts_with('-') ? Ink::bad : Ink::plain;
}

class Card {
public:
    Card(const Presentation& presentation, WallTime now, const Style& style)
        : presentation_{presentation},
          request_{*presentation.request},
          language_{language_of(presentation.audience.language)},
          names_{columns_for_names(language_)},
          now_{now},
          style_{style} {}

    std::string text() {
        title();
        who();
        if (const auto* approval = request_.approval()) {
            call(*approval);
        } else {
            questions(*request_.questionnaire());
        }
        time_limit();
        return out_;
    }

private:
    void title() {
        const auto kind = pattern(language_, request_.approval() == nullptr ? Word::question : Word::approval_wanted);
        const auto words = std::string{kind} + " " + request_.id.str();
        if (style_.plain) {
            out_ += "== " + words + " ==\n";
            return;
        }
        const auto used = width_of(words) + 4;
        std::string rest = " ";
        for (auto at = used; at + 1 < style_.columns; ++at) rest += "─";
        out_ += paint(style_, Ink::faint, "── ") + paint(style_, Ink::strong, words) + paint(style_, Ink::faint, rest) +
                "\n";
    }

    void who() {
        const auto runtime = " (" + guarded_line(request_.runtime) + ")";
        field(Word::agent, {{"value", guarded_line(request_.agent_id) + runtime}});
        line(Word::session, request_.session_key);
        line(Word::requester, request_.requester);
    }

    void where() {
        const auto& [host, repository, branch] = request_.workplace;
        line(Word::host, host);
        line(Word::repository, repository);
        line(Word::branch, branch);
    }

    void call(const Approval& approval) {
        field(Word::tool, {{"value", guarded_line(tool_name_of(request_))}}, Ink::strong);
        line(Word::directory, request_.cwd);
        where();
        const auto& risk = request_.judgement.risk;
        field(Word::risk,
              {{"level", std::string{pattern(language_, risk_word(risk.level))}}, {"rule", guarded_line(risk.rule)}},
              ink_of(risk.level));
        for (const auto& host : approval.suspect_hosts) note(host_words(host, language_, guarded_line).text());
        state(presentation_.state);
        if (request_.args_hash.partial) note(Word::arguments_missing);
        block(pattern(language_, Word::call_title), approval.display_text, no_ink);
        if (!approval.diff.empty()) block(pattern(language_, Word::change), approval.diff, diff_ink);
        if (!approval.untrusted_reason.empty()) {
            block(pattern(language_, Word::own_words), approval.untrusted_reason,
                  [](std::string_view) { return Ink::faint; });
        }
        options();
    }

    void state(const CardState& state) {
        const auto counted = [&](Word key, std::uint32_t count) {
            note(channels::text(language_, key, {{"count", std::to_string(count)}}));
        };
        if (presentation_.resumed) note(Word::shown_again);
        if (presentation_.resumed && state.required > 1) note(Word::votes_again);
        if (state.required > 1) counted(Word::needs_people, state.required);
        if (!state.votes.empty()) field(Word::tally, {{"value", progress(state, language_)}});
        if (state.asked > 1) counted(Word::asked_times, state.asked);
        if (state.waiting > 0) counted(Word::still_asking, state.waiting);
    }

    void options() {
        const auto offers = offers_of(presentation_.offered, presentation_.state.waiting, language_);
        std::size_t columns = 0;
        for (const auto& offer : offers) {
            if (effect_note(offer.option, language_).empty()) continue;
            columns = std::max(columns, width_of(guarded_line(offer.option.label)));
        }
        auto title = channels::text(language_, Word::options_title) + "\n";
        std::size_t number = 0;
        for (const auto& [option, and_behind] : offers) {
            ++number;
            if (stands_below(row_of(option, language_))) continue;
            out_ += std::exchange(title, {});
            const auto label = guarded_line(shown_label(option, language_));
            auto row = style_.plain ? std::to_string(number) + ") " : std::string{};
            const auto note = effect_note(option, language_);
            row += note.empty() ? label : padded(label, columns) + "  " + note;
            if (!option.detail.empty())
                row += channels::text(language_, Word::detail, {{"value", guarded_line(option.detail)}});
            listed(row);
        }
    }

    // The widget lists what can be chosen, right below. The card has only what is cut there; by lines there is no
    // widget.
    [[nodiscard]] bool stands_below(const Row& row) const { return !style_.plain && fits(row, language_, style_); }

    void questions(const Questionnaire& questionnaire) {
        line(Word::directory, request_.cwd);
        const bool alone = questionnaire.questions.size() == 1;
        std::size_t number = 0;
        for (const auto& question : questionnaire.questions) {
            block(title_of(question, alone ? 0 : ++number) + channels::text(language_, Word::colon), question.text,
                  no_ink);
            choices(question);
        }
    }

    // The number 0 is of one that stands alone.
    [[nodiscard]] std::string title_of(const Question& question, std::size_t number) const {
        auto title = number == 0
                         ? channels::text(language_, Word::question_alone)
                         : channels::text(language_, Word::question_number, {{"number", std::to_string(number)}});
        if (!question.question_id.empty()) title += " (" + guarded_line(question.question_id) + ")";
        const auto add = [&](Word key) { title += pattern(language_, key); };
        if (!question.required) add(Word::question_optional);
        if (question.multiple) add(Word::question_multiple);
        if (takes_text(question)) add(Word::question_free_text);
        if (question.secret) add(Word::question_hidden);
        return title;
    }

    void choices(const Question& question) {
        std::size_t number = 0;
        for (const auto& choice : question.choices) {
            ++number;
            if (stands_below(row_of(question, choice))) continue;
            auto row = std::to_string(number) + ") " + guarded_line(choice.label);
            if (!choice.description.empty())
                row += channels::text(language_, Word::detail, {{"value", guarded_line(choice.description)}});
            listed(row);
        }
    }

    // What goes on in the next row stands further in: no tail of a detail can pass for another entry of the list.
    void listed(std::string_view entry) {
        std::string lead = "  ";
        for (const auto piece : wrap(entry, field_columns() - 4)) {
            out_.append(lead).append(piece).append("\n");
            lead = "      ";
        }
    }

    // A card is not written again while the time passes, so it says when the time is over.
    void time_limit() {
        if (!presentation_.expires) {
            return field(Word::note, {{"value", std::string{pattern(language_, Word::no_time_limit)}}});
        }
        const auto left = *presentation_.expires - now_;
        const auto rest = channels::text(language_, left.count() > 0 ? Word::time_after_shown : Word::time_over,
                                         {{"time", duration(left, language_)}});
        field(Word::until_field, {{"moment", moment(*presentation_.expires) + rest}});
    }

    void note(std::string words) { field(Word::note, {{"value", std::move(words)}}, Ink::warn); }
    void note(Word key) { note(std::string{pattern(language_, key)}); }

    // A field that is left out where it is empty.
    void line(Word key, std::string_view value) {
        if (!value.empty()) field(key, {{"value", guarded_line(value)}});
    }

    // A name and its value. What is longer than the row goes on below the value, never in the column of the names.
    void field(Word key, std::initializer_list<Argument> arguments, Ink ink = Ink::plain) {
        const auto name = name_of(language_, key);
        const auto value = channels::text(language_, key, arguments).substr(name.size());
        auto lead = padded(name, names_);
        for (const auto piece : wrap(value, field_columns() - (unbroken(style_) ? 0 : names_))) {
            out_ += paint(style_, Ink::faint, lead) + paint(style_, ink, piece) + "\n";
            lead.assign(names_, ' ');
        }
    }

    void block(std::string_view title, std::string_view text, const std::function<Ink(std::string_view)>& ink) {
        out_.append(title).append("\n");
        Block{out_, style_, language_}.text(guarded_block(text), ink);
    }

    [[nodiscard]] std::size_t field_columns() const {
        return unbroken(style_) ? unlimited_columns : std::max(style_.columns, names_ + beside_names_min) - margin;
    }

    static constexpr std::size_t beside_names_min = 14;  // columns, however narrow the terminal is
    static constexpr std::size_t margin = 3;             // columns at the right that stay empty

    const Presentation& presentation_;
    const Request& request_;
    Language language_;
    std::size_t names_;  // columns
    WallTime now_;
    const Style& style_;
    std::string out_;
};

}  // namespace

std::string card(const Presentation& presentation, WallTime now, const Style& style) {
    return Card{presentation, now, style}.text();
}

}  // namespace countersign::channels::terminal
