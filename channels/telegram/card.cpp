// SPDX-License-Identifier: Apache-2.0
#include "channels/telegram/card.hpp"

#include "channels/conclusion_words.hpp"
#include "channels/duration.hpp"
#include "channels/option_words.hpp"
#include "core/limits.hpp"
#include "security/digest.hpp"
#include "security/encoding.hpp"

#include <algorithm>

namespace countersign::channels::telegram {

namespace {

constexpr std::size_t progress_units = 64;     // kept free on a card that needs several people
constexpr std::size_t brief_field_units = 80;  // of one value on a brief card
constexpr std::size_t brief_question_units = 160;
constexpr std::size_t answer_units = 512;  // of what was answered, on a card that has ended

// A diff ends in a newline, which would be an empty row of the card.
std::string_view without_last_newline(std::string_view text) {
    if (text.ends_with('\n')) text.remove_suffix(1);
    return text;
}

class Writer {
public:
    Writer(const CardText& card, bool brief) : card_{card}, request_{*card.presentation.request}, brief_{brief} {}

    // `call_units` is what a brief card has for the call itself.
    StyledText write(std::size_t call_units) {
        call_units_ = call_units;
        if (card_.conclusion != nullptr) {
            conclusion_lines(out_, *card_.conclusion);
            out_.plain("\n");
        } else {
            out_.bold(request_.approval() != nullptr ? "Approval wanted" : "Question").plain("\n");
        }
        who();
        if (const auto* approval = request_.approval()) {
            call(*approval);
        } else {
            questions(*request_.questionnaire());
        }
        if (card_.conclusion == nullptr) foot();
        out_.plain("id: ").code(request_.id.str());
        return std::move(out_);
    }

private:
    void who() {
        field("agent", request_.agent_id, request_.runtime);
        field("session", request_.session_key);
        field("for", request_.requester);
        if (request_.approval() != nullptr) field("tool", tool_name_of(request_));
        field("directory", request_.cwd);
    }

    void call(const Approval& approval) {
        const auto& risk = request_.judgement.risk;
        out_.plain("risk: ").bold(name(risk.level)).plain(", by rule ").code(cut(risk.rule)).plain("\n");
        if (request_.args_hash.partial) out_.plain("note: the agent did not tell all of its arguments\n");
        if (brief_) {
            file_note();
            if (call_units_ > 0) {
                out_.plain("it begins:\n")
                    .pre(head_units(guarded_block(approval.display_text), call_units_))
                    .plain("\n");
            }
        } else {
            out_.plain("\n").pre(approval.display_text).plain("\n");
            if (!approval.diff.empty())
                out_.plain("change:\n").pre(without_last_newline(approval.diff), "diff").plain("\n");
            if (!approval.untrusted_reason.empty()) {
                out_.plain("the agent's own words, not verified:\n").pre(approval.untrusted_reason).plain("\n");
            }
        }
        if (card_.conclusion == nullptr) details();
    }

    void file_note() {
        if (card_.conclusion == nullptr) {
            out_.plain(card_.allow_is_missing ? "The call is too long for a message, and the file with all of it could "
                                                "not be delivered here: it can only be refused.\n"
                                              : "The call is too long for a message. Read the file above before you "
                                                "allow it: this is only its beginning.\n");
        } else {
            out_.plain("The call was too long for a message.\n");
        }
        field("SHA-256 of the whole text",
              security::hex(security::sha256(document_text(request_, card_.presentation.offered))));
    }

    void details() {
        for (const auto& option : card_.presentation.offered) {
            if (card_.allow_is_missing && (option.effect == Effect::allow || !option.known)) continue;
            if (option.detail.empty() && !lasts(option) && says_its_effect(option)) continue;
            out_.plain("• ").code(option.label).plain(" (").plain(meaning_of(option)).plain(")");
            if (!option.detail.empty()) out_.plain(": ").code(cut(option.detail));
            out_.plain("\n");
        }
    }

    void questions(const Questionnaire& questionnaire) {
        if (brief_) file_note();
        std::size_t number = 0;
        for (const auto& question : questionnaire.questions) {
            out_.plain("\n").bold("question " + std::to_string(++number)).plain(kind_of(question) + "\n");
            out_.pre(brief_ ? head_units(guarded_block(question.text), brief_question_units) : question.text)
                .plain("\n");
            if (!brief_) choices(question);
        }
    }

    static std::string kind_of(const Question& question) {
        std::string kind = question.required ? "" : ", optional";
        if (question.multiple) kind += ", choose any number";
        if (question.free_text || question.choices.empty()) kind += ", or write your own answer";
        if (question.secret) kind += ", secret: answer in a private chat only";
        return kind;
    }

    void choices(const Question& question) {
        std::size_t number = 0;
        for (const auto& choice : question.choices) {
            out_.plain(std::to_string(++number) + ". ").code(choice.label);
            if (!choice.description.empty()) out_.plain(": ").code(choice.description);
            out_.plain("\n");
        }
    }

    void foot() {
        const auto& shown = card_.presentation;
        if (shown.required > 1) out_.plain("needs " + std::to_string(shown.required) + " different people\n");
        if (card_.progress != nullptr) votes(*card_.progress);
        if (shown.expires) {
            const auto left = *shown.expires - card_.now;
            out_.plain("until " + moment(*shown.expires));
            // Beside the time that the app shows for a message; an edit has none.
            if (card_.progress == nullptr) out_.plain(left.count() > 0 ? ", in " + duration(left) : ", which is over");
            out_.plain("\n");
        } else {
            out_.plain("no time limit\n");
        }
        to_be_typed();
    }

    // Each is copied by one tap. Only what would be taken: /approve means the one option that allows once.
    void to_be_typed() {
        if (request_.approval() == nullptr) {
            out_.plain("to write your answer, reply to this, or: ").code("/answer " + card_.code).plain("\n");
            return;
        }
        const auto once = std::ranges::count_if(card_.presentation.offered, [](const Option& option) {
            return option.known && option.effect == Effect::allow && option.scope == Scope::once;
        });
        out_.plain("or write: ");
        if (once == 1 && !card_.allow_is_missing) out_.code("/approve " + card_.code).plain(" or ");
        out_.code("/deny " + card_.code).plain("\n");
    }

    void votes(const Progress& progress) {
        const auto count = std::to_string(progress.votes.size()) + " of " + std::to_string(progress.required);
        std::size_t units = utf16_units(count);
        for (const auto& vote : progress.votes) units += utf16_units(vote.person) + 2;
        out_.plain(count);
        auto separator = std::string{": "};
        // Who it was stands in the log too; that the card stays whole matters more.
        for (const auto& vote : progress.votes) {
            if (units < progress_units) out_.plain(std::exchange(separator, ", ")).code(vote.person);
        }
        out_.plain("\n");
    }

    void field(std::string_view name, std::string_view value, std::string_view more = {}) {
        if (value.empty()) return;
        out_.plain(name).plain(": ").code(cut(value));
        if (!more.empty()) out_.plain(" (").code(cut(more)).plain(")");
        out_.plain("\n");
    }

    [[nodiscard]] std::string cut(std::string_view value) const {
        auto line = guarded_line(value);
        if (!brief_ || utf16_units(line) <= brief_field_units) return line;
        return std::string{head_units(line, brief_field_units)} + "…";
    }

    const CardText& card_;
    const Request& request_;
    bool brief_;
    std::size_t call_units_ = 0;
    StyledText out_;
};

std::size_t budget(const Presentation& presentation) {
    return limits::telegram_text_units_max - (presentation.required > 1 ? progress_units : 0);
}

}  // namespace

StyledText whole_card(const CardText& card) { return Writer{card, false}.write(0); }

StyledText brief_card(const CardText& card) {
    constexpr std::size_t title_units = 16;  // of the line above the beginning
    const auto used = Writer{card, true}.write(0).units() + title_units;
    const auto free = budget(card.presentation) - std::min(used, budget(card.presentation));
    return Writer{card, true}.write(free);
}

bool fits(const StyledText& whole, const Presentation& presentation) { return whole.units() <= budget(presentation); }

void conclusion_lines(StyledText& out, const Conclusion& conclusion) {
    const auto words = words_of(conclusion.outcome);
    out.plain(words.mark).plain(" ").bold(words.word);
    if (!conclusion.option_label.empty()) out.plain(" (").code(conclusion.option_label).plain(")");
    if (!conclusion.decided_by.empty()) out.plain(" by ").code(shown_line(conclusion.decided_by));
    if (!conclusion.channel.empty()) out.plain(" on ").code(shown_line(conclusion.channel));
    if (conclusion.took.count() > 0) out.plain(" after " + duration(conclusion.took));
    if (!words.meaning.empty()) out.plain(": ").plain(words.meaning);
    out.plain("\n");
    // What an earlier process left is known from the log, which may not say all of this.
    if (conclusion.at != WallTime{}) out.plain("at " + moment(conclusion.at) + "\n");
    if (!conclusion.answered.empty()) {
        const auto line = guarded_line(conclusion.answered);
        const auto head = head_units(line, answer_units);
        out.plain("answer: ").code(head).plain(head.size() < line.size() ? "…\n" : "\n");
    }
    // A typed reason has a bound of its own, but its escapes may be longer than what was typed.
    if (const auto reason = reason_beside_meaning(conclusion); !reason.empty()) {
        out.plain("reason: ").code(head_units(guarded_line(reason), limits::reason_bytes_max)).plain("\n");
    }
    if (conclusion.seq != 0) {
        out.plain("record " + std::to_string(conclusion.seq));
        if (const auto anchor = anchor_of(conclusion); !anchor.empty()) out.plain(", anchor ").code(anchor);
        out.plain("\n");
    }
    if (is_decision(conclusion.outcome) && !conclusion.forwarded) out.plain("The agent does not have the answer.\n");
}

std::string document_text(const Request& request, const std::vector<Option>& offered) {
    auto text = shown_text(request);
    const auto is_long = [](const Option& option) {
        return utf16_units(guarded_line(option.detail)) > brief_field_units;
    };
    if (std::ranges::none_of(offered, is_long)) return text;
    for (const auto& option : offered) {
        if (!option.detail.empty()) text += "option " + option.label + ":\n    " + guarded_line(option.detail) + "\n";
    }
    return text;
}

}  // namespace countersign::channels::telegram
