// SPDX-License-Identifier: Apache-2.0
#include "channels/terminal/render.hpp"

#include "channels/duration.hpp"
#include "channels/host_words.hpp"
#include "channels/terminal/approval_prompt.hpp"
#include "channels/terminal/guard.hpp"
#include "channels/terminal/question_prompt.hpp"
#include "channels/terminal/widget.hpp"
#include "channels/terminal/width.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

namespace countersign::channels::terminal {

namespace {

constexpr std::size_t name_columns = 10;

std::string padded(std::string_view text, std::size_t columns) {
    std::string out{text};
    out.append(columns - std::min(columns, width_of(text)), ' ');
    return out;
}

// A text in its frame. Every row begins with a bar that no text of an agent can draw over, and a row that goes on from
// the one above has another bar than a new line has.
class Block {
public:
    Block(std::string& out, const Style& style) : out_{out}, style_{style} {}

    void text(std::string_view text, const std::function<Ink(std::string_view)>& ink) {
        while (true) {
            const auto end = text.find('\n');
            line(text.substr(0, end), ink);
            if (end == std::string_view::npos) return;
            text.remove_prefix(end + 1);
        }
    }

private:
    void line(std::string_view line, const std::function<Ink(std::string_view)>& ink) {
        if (style_.plain) {
            out_.append("  | ").append(line).append("\n");
            return;
        }
        const auto colour = ink(line);
        bool first = true;
        for (const auto piece : wrap(line, style_.columns - std::min<std::size_t>(style_.columns, 5))) {
            out_.append("  ").append(paint(style_, Ink::faint, first ? "│" : "┊")).append(" ");
            out_.append(paint(style_, colour, piece)).append("\n");
            first = false;
        }
    }

    std::string& out_;
    const Style& style_;
};

Ink no_ink(std::string_view /*line*/) { return Ink::plain; }
Ink diff_ink(std::string_view line) {
    if (line.starts_with('+')) return Ink::good;
    return line.starts_with('-') ? Ink::bad : Ink::plain;
}
Ink ink_of(RiskLevel level) {
    if (level == RiskLevel::low) return Ink::good;
    return level == RiskLevel::medium ? Ink::warn : Ink::bad;
}

class Card {
public:
    Card(const Presentation& presentation, WallTime now, const Style& style)
        : presentation_{presentation}, request_{*presentation.request}, now_{now}, style_{style} {}

    std::string text() {
        title();
        who();
        if (const auto* approval = request_.approval()) {
            call(*approval);
        } else {
            questions(*request_.questionnaire());
        }
        field("until", time_limit(), Ink::plain);
        return out_;
    }

private:
    void title() {
        const auto* const kind = request_.approval() == nullptr ? "question" : "approval";
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
        auto words = guarded_line(request_.agent_id) + " (" + guarded_line(request_.runtime) + ")";
        if (!request_.session_key.empty()) words += ", session " + guarded_line(request_.session_key);
        if (!request_.requester.empty()) words += ", for " + guarded_line(request_.requester);
        field("agent", words, Ink::plain);
    }

    void where() {
        const auto& [host, repository, branch] = request_.workplace;
        if (!host.empty()) field("machine", guarded_line(host), Ink::plain);
        if (!repository.empty()) field("repo", guarded_line(repository), Ink::plain);
        if (!branch.empty()) field("branch", guarded_line(branch), Ink::plain);
    }

    static std::string words_of(const SuspectHost& host) {
        const auto ascii = guarded_line(host.ascii);
        auto words = channels::text(
            {}, key_of(host.kind),
            {{"host", guarded_line(host.shown)}, {"looks", guarded_line(host.looks_like)}, {"ascii", ascii}});
        if (tells_ascii(host)) words += channels::text({}, channels::Key::host_ascii, {{"ascii", ascii}});
        return words;
    }

    void call(const Approval& approval) {
        field("tool", guarded_line(tool_name_of(request_)), Ink::strong);
        field("directory", guarded_line(request_.cwd), Ink::plain);
        where();
        const auto& risk = request_.judgement.risk;
        field("risk", std::string{name(risk.level)} + " (rule " + guarded_line(risk.rule) + ")", ink_of(risk.level));
        for (const auto& host : approval.suspect_hosts) field("note", words_of(host), Ink::warn);
        const auto& state = presentation_.state;
        if (presentation_.resumed && state.required > 1)
            field("note", "shown again after a restart of the bridge; votes from before it do not count", Ink::warn);
        if (presentation_.resumed && state.required <= 1)
            field("note", "shown again after a restart of the bridge", Ink::plain);
        if (state.required > 1) field("needs", std::to_string(state.required) + " different people", Ink::warn);
        if (!state.votes.empty()) field("votes", progress(state), Ink::plain);
        if (state.asked > 1) {
            field("asked", std::to_string(state.asked) + " times: one answer counts for all of them", Ink::warn);
        }
        if (state.waiting > 0) {
            field("note", "still asking: " + std::to_string(state.waiting) + " more wait behind this", Ink::warn);
        }
        if (request_.args_hash.partial) field("note", "the agent did not tell all of its arguments", Ink::warn);
        block("call:", approval.display_text, no_ink);
        if (!approval.diff.empty()) block("diff:", approval.diff, diff_ink);
        if (!approval.untrusted_reason.empty()) {
            block("the agent says (untrusted):", approval.untrusted_reason,
                  [](std::string_view) { return Ink::faint; });
        }
        options();
    }

    void options() {
        std::size_t columns = 0;
        for (const auto& option : presentation_.offered)
            columns = std::max(columns, width_of(guarded_line(option.label)));
        std::string title = "options:\n";
        std::size_t number = 0;
        for (const auto& option : presentation_.offered) {
            ++number;
            if (stands_below(row_of(option))) continue;
            out_ += std::exchange(title, {});
            const auto label = guarded_line(option.label);
            auto row = style_.plain ? std::to_string(number) + ") " : std::string{};
            row += padded(label, columns) + "  " + effect_note(option);
            if (!option.detail.empty()) row += ": " + guarded_line(option.detail);
            listed(row);
        }
    }

    // The widget lists what can be chosen, right below. The card has only what is cut there; by lines there is no
    // widget.
    [[nodiscard]] bool stands_below(const Row& row) const { return !style_.plain && fits(row, style_); }

    void questions(const Questionnaire& questionnaire) {
        if (!request_.cwd.empty()) field("directory", guarded_line(request_.cwd), Ink::plain);
        std::size_t at = 0;
        for (const auto& question : questionnaire.questions) {
            block("question " + std::to_string(at + 1) + " (" + kind_of(question) + "), " +
                      guarded_line(title_of(question, at)) + ":",
                  question.text, no_ink);
            choices(question);
            ++at;
        }
    }

    static std::string kind_of(const Question& question) {
        std::string kind = question.required ? "required" : "optional";
        if (question.multiple) kind += ", several";
        if (question.free_text || question.choices.empty()) kind += ", free text";
        if (question.secret) kind += ", secret";
        return kind;
    }

    void choices(const Question& question) {
        std::size_t number = 0;
        for (const auto& choice : question.choices) {
            ++number;
            if (stands_below(row_of(question, choice))) continue;
            auto row = std::to_string(number) + ") " + guarded_line(choice.label);
            if (!choice.description.empty()) row += ": " + guarded_line(choice.description);
            listed(row);
        }
    }

    // What goes on in the next row stands further in: no tail of a detail can pass for another entry of the list.
    void listed(std::string_view entry) {
        std::string lead = "  ";
        for (const auto piece : wrap(entry, row_columns() - 4)) {
            out_.append(lead).append(piece).append("\n");
            lead = "      ";
        }
    }

    // A card is not written again while the time passes, so it says when the time is over.
    [[nodiscard]] std::string time_limit() const {
        if (!presentation_.expires) return "no limit, it waits";
        const auto left = *presentation_.expires - now_;
        return moment(*presentation_.expires) + ", " +
               (left.count() > 0 ? duration(left) + " after this was shown" : std::string{"which is over"});
    }

    // A name and its value. What is longer than the row goes on below the value, never in the column of the names.
    void field(std::string_view name, std::string_view value, Ink ink) {
        std::string lead = padded(std::string{name} + ":", name_columns) + " ";
        for (const auto piece : wrap(value, style_.plain ? plain_columns : row_columns() - name_columns)) {
            out_ += paint(style_, Ink::faint, lead) + paint(style_, ink, piece) + "\n";
            lead.assign(name_columns + 1, ' ');
        }
    }

    void block(std::string_view title, std::string_view text, const std::function<Ink(std::string_view)>& ink) {
        out_.append(title).append("\n");
        Block{out_, style_}.text(guarded_block(text), ink);
    }

    [[nodiscard]] std::size_t row_columns() const {
        return style_.plain ? plain_columns : std::max<std::size_t>(style_.columns, 24) - 3;
    }

    static constexpr std::size_t plain_columns = static_cast<std::size_t>(-1) / 2;

    const Presentation& presentation_;
    const Request& request_;
    WallTime now_;
    const Style& style_;
    std::string out_;
};

}  // namespace

std::string card(const Presentation& presentation, WallTime now, const Style& style) {
    return Card{presentation, now, style}.text();
}

}  // namespace countersign::channels::terminal
