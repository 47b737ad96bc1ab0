// SPDX-License-Identifier: Apache-2.0
#include "channels/card_text.hpp"

#include "channels/conclusion_words.hpp"
#include "channels/duration.hpp"
#include "channels/guard.hpp"
#include "channels/host_words.hpp"
#include "channels/option_words.hpp"
#include "channels/risk_words.hpp"
#include "core/limits.hpp"
#include "security/digest.hpp"
#include "security/encoding.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace countersign::channels {

namespace {

using enum TextStyle;

constexpr std::size_t voters_units = 48;  // kept free for names, on a card that needs several people
// How much of a value and of a question a brief card shows: the first that makes it fit. Whoever wants more has the
// file, which names what the last of them would cut.
struct Cut {
    std::size_t field_units;
    std::size_t question_units;
};
constexpr std::array<Cut, 3> cuts{{{80, 160}, {40, 80}, {20, 40}}};
constexpr std::size_t answer_units = 512;  // of what was answered, on a card that has ended

// A diff ends in a newline, which would be an empty row of the card.
std::string_view without_last_newline(std::string_view text) {
    if (text.ends_with('\n')) text.remove_suffix(1);
    return text;
}

// Lines of nothing but spaces, more in a row than a card shows.
struct Gap {
    std::size_t begin = 0;
    std::size_t end = 0;  // where the line after it begins; npos if there is none
    std::size_t lines = 0;
};
std::optional<Gap> first_gap(std::string_view text) {
    constexpr std::size_t lines_max = 2;
    Gap gap;
    for (std::size_t at = 0; at != text.npos;) {
        const auto end = std::min(text.find('\n', at), text.size());
        const bool blank = text.substr(at, end - at).find_first_not_of(' ') == text.npos;
        if (!blank && gap.lines > lines_max) return gap;
        if (!blank) gap = {};
        if (blank && gap.lines++ == 0) gap.begin = at;
        at = end == text.size() ? text.npos : end + 1;
        if (blank) gap.end = at;
    }
    return gap.lines > lines_max ? std::optional{gap} : std::nullopt;
}

Language language_of(const Presentation& presentation) { return channels::language_of(presentation.audience.language); }

// Text that nobody sanitised: what a person typed, an error's detail.
std::string shown_line(std::string_view raw, const TextRules& rules) { return rules.line(displayed_line(raw)); }

// False if nobody of them can be called.
bool say_mentions(Phrase& out, Language language, const std::vector<Mention>& mentions, const CardRules& rules) {
    auto key = Key::calling;
    for (const auto& [person, principal] : mentions) {
        if (person.empty() || !rules.can_mention(principal)) continue;
        out.say(language, std::exchange(key, Key::and_another), {{"person", person, mention, principal}});
    }
    return key != Key::calling;
}

class Writer {
public:
    Writer(const CardText& card, const CardRules& rules, const Cut* cut)
        : card_{card},
          rules_{rules},
          request_{*card.presentation.request},
          language_{language_of(card.presentation)},
          cut_{cut} {}

    // `call_units` is what a brief card has for the call itself.
    Phrase write(std::size_t call_units) {
        call_units_ = call_units;
        if (card_.conclusion != nullptr) {
            out_.append(conclusion_text(*card_.conclusion, language_, rules_.text));
            const auto asked = card_.presentation.state.asked;
            if (asked > 1 && is_decision(card_.conclusion->outcome)) {
                line(Key::asked_times, {{"count", std::to_string(asked), bold}});
            }
            out_.plain("\n");
        } else {
            out_.bold(pattern(language_, request_.approval() != nullptr ? Key::approval_wanted : Key::question));
            out_.plain("\n");
        }
        who();
        where();
        if (const auto* approval = request_.approval()) {
            call(*approval);
        } else {
            questions(*request_.questionnaire());
        }
        if (card_.conclusion == nullptr) foot();
        out_.say(language_, Key::id, {{"value", request_.id.str()}});
        return std::move(out_);
    }

private:
    [[nodiscard]] bool brief() const { return cut_ != nullptr; }

    void line(Key key, std::initializer_list<Insert> inserts = {}) {
        out_.say(language_, key, inserts);
        out_.plain("\n");
    }

    void who() {
        if (!request_.agent_id.empty()) {
            out_.say(language_, Key::agent, {{"value", shortened(request_.agent_id)}});
            if (!request_.runtime.empty()) out_.plain(" (").code(shortened(request_.runtime)).plain(")");
            out_.plain("\n");
        }
        field(Key::session, request_.session_key);
        field(Key::requester, request_.requester);
        if (request_.approval() != nullptr) field(Key::tool, tool_name_of(request_));
        field(Key::directory, request_.cwd);
    }

    void where() {
        const auto& [host, repository, branch] = request_.workplace;
        field(Key::host, host);
        if (repository.empty()) {
            field(Key::branch, branch);
        } else if (branch.empty()) {
            field(Key::repository, repository);
        } else {
            line(Key::repository_and_branch, {{"value", shortened(repository)}, {"branch", shortened(branch)}});
        }
    }

    // Many empty lines would push the rest out of sight. What is ours in their place is outside of the frames, where no
    // text of an agent gets.
    void block(std::string_view text) {
        while (const auto gap = first_gap(text)) {
            if (gap->begin > 0) out_.pre(text.substr(0, gap->begin - 1)).plain("\n");
            out_.plain("⋮ ");
            line(Key::blank_lines, {{"count", std::to_string(gap->lines), bold}});
            if (gap->end == text.npos) return;
            text.remove_prefix(gap->end);
        }
        out_.pre(text).plain("\n");
    }

    void call(const Approval& approval) {
        const auto& risk = request_.judgement.risk;
        line(Key::risk,
             {{"level", std::string{pattern(language_, risk_word(risk.level))}, bold}, {"rule", shortened(risk.rule)}});
        for (const auto& host : approval.suspect_hosts) {
            out_.append(host_words(host, language_, [this](std::string_view name) { return shortened(name); }));
            out_.plain("\n");
        }
        if (request_.args_hash.partial) line(Key::arguments_missing);
        if (brief()) {
            file_note();
            if (call_units_ > 0) {
                line(Key::beginning);
                out_.pre(rules_.text.head(rules_.text.block(approval.display_text), call_units_)).plain("\n");
            }
        } else {
            out_.plain("\n");
            block(approval.display_text);
            if (!approval.diff.empty()) {
                line(Key::change);
                out_.pre(without_last_newline(approval.diff), "diff").plain("\n");
            }
            if (!approval.untrusted_reason.empty()) {
                line(Key::own_words);
                block(approval.untrusted_reason);
            }
        }
        if (card_.conclusion == nullptr) details();
    }

    void file_note() {
        if (card_.conclusion == nullptr) {
            line(card_.allow_is_missing ? Key::only_refuse : Key::read_the_file);
        } else {
            line(Key::was_too_long);
        }
        const auto text = document_text(request_, card_.presentation.offered, rules_.text);
        line(Key::whole_text_digest, {{"value", security::hex(security::sha256(text))}});
    }

    void details() {
        for (const auto& option : card_.presentation.offered) {
            if (card_.allow_is_missing && (option.effect == Effect::allow || !option.known)) continue;
            const bool is_clear = says_its_effect(option) && (option.grants || !lasts(option));
            if (option.detail.empty() && is_clear) continue;
            out_.plain("• ").code(shown_label(option, language_));
            if (!option.grants) out_.plain(" (").plain(meaning_of(option, language_)).plain(")");
            if (!option.detail.empty()) out_.say(language_, Key::detail, {{"value", shortened(option.detail)}});
            out_.plain("\n");
        }
    }

    void questions(const Questionnaire& questionnaire) {
        if (brief()) file_note();
        const bool alone = questionnaire.questions.size() == 1;
        std::size_t number = 0;
        for (const auto& question : questionnaire.questions) {
            const auto numbered = text(language_, Key::question_number, {{"number", std::to_string(++number)}});
            out_.plain("\n").bold(alone ? text(language_, Key::question_alone) : numbered);
            kind_of(question);
            out_.plain("\n");
            const auto& text = rules_.text;
            out_.pre(brief() ? std::string{text.head(text.block(question.text), cut_->question_units)} : question.text)
                .plain("\n");
            if (!brief()) choices(question);
        }
    }

    void kind_of(const Question& question) {
        if (!question.required) out_.say(language_, Key::question_optional);
        if (question.multiple) out_.say(language_, Key::question_multiple);
        if (question.free_text || question.choices.empty()) out_.say(language_, Key::question_free_text);
        if (question.secret) out_.say(language_, Key::question_secret);
    }

    void choices(const Question& question) {
        std::size_t number = 0;
        for (const auto& choice : question.choices) {
            out_.plain(std::to_string(++number) + ". ").code(choice.label);
            if (!choice.description.empty()) out_.say(language_, Key::detail, {{"value", choice.description}});
            out_.plain("\n");
        }
    }

    void foot() {
        const auto& shown = card_.presentation;
        const auto& state = shown.state;
        if (shown.resumed) line(Key::shown_again);
        if (shown.resumed && state.required > 1) line(Key::votes_again);
        if (state.required > 1) line(Key::needs_people, {{"count", std::to_string(state.required), plain}});
        if (state.required > 1 && (card_.is_edit || !state.votes.empty())) votes(state);
        if (state.asked > 1) line(Key::asked_times, {{"count", std::to_string(state.asked), bold}});
        if (state.waiting > 0) line(Key::still_asking, {{"count", std::to_string(state.waiting), bold}});
        mentions();
        if (shown.expires) {
            const auto left = *shown.expires - card_.now;
            out_.say(language_, Key::until, {{"moment", moment(*shown.expires), plain}});
            // Beside the time that the app shows for a message; an edit has none.
            if (!card_.is_edit) {
                out_.say(language_, left.count() > 0 ? Key::time_left : Key::time_over,
                         {{"time", duration(left, language_), plain}});
            }
            out_.plain("\n");
        } else {
            line(Key::no_time_limit);
        }
        to_be_typed();
    }

    void mentions() {
        if (!card_.calls_people) return;
        auto mentions = card_.presentation.audience.mentions;
        for (auto& one : mentions) one.person = shortened(one.person);
        if (say_mentions(out_, language_, mentions, rules_)) out_.plain("\n");
    }

    // Each is copied by one tap. Only what would be taken: /approve means the one option that allows once, and does not
    // say how many requests the card stood for when it was read (I9).
    void to_be_typed() {
        if (request_.approval() == nullptr) {
            line(Key::write_answer, {{"answer", "/answer " + card_.code}});
            return;
        }
        const auto once = std::ranges::count_if(card_.presentation.offered, [](const Option& option) {
            return option.known && option.effect == Effect::allow && option.scope == Scope::once;
        });
        const bool may_approve = once == 1 && !card_.allow_is_missing && card_.presentation.state.asked == 1;
        line(may_approve ? Key::write_approve_or_deny : Key::write_deny,
             {{"approve", "/approve " + card_.code}, {"deny", "/deny " + card_.code}});
    }

    void votes(const CardState& progress) {
        out_.say(language_, Key::votes,
                 {{"have", std::to_string(progress.votes.size()), plain},
                  {"need", std::to_string(progress.required), plain}});
        std::size_t units = 0;
        for (const auto& vote : progress.votes) units += rules_.text.units(rules_.text.line(vote.person)) + 2;
        auto key = Key::votes_by;
        // Who it was stands in the log too; that the card stays whole matters more.
        for (const auto& vote : progress.votes) {
            if (units < voters_units)
                out_.say(language_, std::exchange(key, Key::and_another), {{"person", vote.person}});
        }
        out_.plain("\n");
    }

    void field(Key key, std::string_view value) {
        if (!value.empty()) line(key, {{"value", shortened(value)}});
    }

    [[nodiscard]] std::string shortened(std::string_view value) const {
        auto line = rules_.text.line(value);
        if (!brief() || rules_.text.units(line) <= cut_->field_units) return line;
        return std::string{rules_.text.head(line, cut_->field_units)} + "…";
    }

    const CardText& card_;
    const CardRules& rules_;
    const Request& request_;
    Language language_;
    const Cut* cut_;  // null: nothing is cut
    std::size_t call_units_ = 0;
    Phrase out_;
};

std::size_t line_units(const TextRules& rules, Language language, Key key,
                       std::initializer_list<Argument> arguments = {}) {
    return rules.units(text(language, key, arguments)) + 1;
}

// What the lines about votes may take later, at their longest, in the words of this card. Also where one person is
// enough: a reload may ask for more.
std::size_t votes_units(const Presentation& presentation, const TextRules& rules) {
    const auto language = language_of(presentation);
    const auto most = std::to_string(limits::quorum_max);
    const auto units = line_units(rules, language, Key::needs_people, {{"count", most}}) +
                       line_units(rules, language, Key::votes, {{"have", most}, {"need", most}}) + voters_units;
    return presentation.resumed ? units + line_units(rules, language, Key::votes_again) : units;
}

// The same of the lines that an approval may get when its agent asks on.
std::size_t asking_units(Language language, const TextRules& rules) {
    const auto most = std::to_string(limits::pending_requests_max);
    return line_units(rules, language, Key::asked_times, {{"count", most}}) +
           line_units(rules, language, Key::still_asking, {{"count", most}});
}

}  // namespace

// Lines that the card has already are counted twice by this: that costs a long card a little of its room, and is one
// rule for all.
std::size_t card_units_max(const Presentation& presentation, const CardRules& rules) {
    auto room = rules.units_max - votes_units(presentation, rules.text);
    if (presentation.request->approval() != nullptr) room -= asking_units(language_of(presentation), rules.text);
    return room;
}

Phrase whole_card(const CardText& card, const CardRules& rules) { return Writer{card, rules, nullptr}.write(0); }

Phrase brief_card(const CardText& card, const CardRules& rules) {
    const auto room = card_units_max(card.presentation, rules);
    // The line above the beginning, with its newline and that of the text.
    const auto title = rules.text.units(pattern(language_of(card.presentation), Key::beginning)) + 2;
    for (const auto& cut : cuts) {
        const auto used = rules.text.units(Writer{card, rules, &cut}.write(0)) + title;
        if (used <= room) return Writer{card, rules, &cut}.write(room - used);
    }
    return Writer{card, rules, &cuts.back()}.write(0);
}

bool fits(const Phrase& whole, const Presentation& presentation, const CardRules& rules) {
    return rules.text.units(whole) <= card_units_max(presentation, rules);
}

Phrase conclusion_text(const Conclusion& conclusion, Language language, const TextRules& rules) {
    Phrase out;
    const auto words = words_of(conclusion.outcome, language);
    out.plain(words.mark).plain(" ").bold(words.word);
    if (!conclusion.option_label.empty()) out.plain(" (").code(conclusion.option_label).plain(")");
    if (!conclusion.decided_by.empty())
        out.say(language, Key::ended_by, {{"person", shown_line(conclusion.decided_by, rules)}});
    if (!conclusion.channel.empty())
        out.say(language, Key::ended_on, {{"channel", shown_line(conclusion.channel, rules)}});
    if (conclusion.took.count() > 0) {
        out.say(language, Key::ended_after, {{"time", duration(conclusion.took, language), plain}});
    }
    if (!words.meaning.empty()) out.say(language, Key::ended_meaning, {{"meaning", std::string{words.meaning}, plain}});
    out.plain("\n");
    // What an earlier process left is known from the log, which may not say all of this.
    if (conclusion.at != WallTime{}) {
        out.say(language, Key::ended_at, {{"moment", moment(conclusion.at), plain}}).plain("\n");
    }
    if (!conclusion.answered.empty()) {
        const auto line = rules.line(conclusion.answered);
        const auto head = rules.head(line, answer_units);
        out.say(language, Key::answer, {{"value", std::string{head}}});
        out.plain(head.size() < line.size() ? "…\n" : "\n");
    }
    // A typed reason has a bound of its own, but its escapes may be longer than what was typed.
    if (const auto reason = reason_beside_meaning(conclusion); !reason.empty()) {
        const auto line = rules.line(reason);
        out.say(language, Key::reason, {{"value", std::string{rules.head(line, limits::reason_bytes_max)}}});
        out.plain("\n");
    }
    if (conclusion.seq != 0) {
        out.say(language, Key::record, {{"number", std::to_string(conclusion.seq), plain}});
        if (const auto anchor = anchor_of(conclusion); !anchor.empty()) {
            out.say(language, Key::anchor, {{"anchor", anchor}});
        }
        out.plain("\n");
    }
    if (const auto granted = granted_words(conclusion, language); !granted.empty()) out.plain(granted).plain("\n");
    if (is_decision(conclusion.outcome) && !conclusion.forwarded) out.say(language, Key::not_forwarded).plain("\n");
    return out;
}

Phrase earlier_text(const Conclusion& conclusion, const TextRules& rules) {
    auto text = conclusion_text(conclusion, Language{}, rules);
    text.plain("\n").code(conclusion.request_id.str());
    return text;
}

Phrase earlier_text(const EarlierNews& news) {
    const bool waits = news.state == EarlierNews::State::waits;
    Phrase text{waits ? "⏳ " : "↪ "};
    text.bold(pattern(language_of(news.language), waits ? Key::restarted_waits : Key::restarted_goes_on));
    text.plain("\n").code(news.request_id.str());
    return text;
}

Phrase reminder_text(const Presentation& presentation, const Reminder& reminder, const CardRules& rules) {
    const auto language = language_of(presentation);
    Phrase text{"⏰ "};
    text.say(language, Key::still_waiting, {{"time", duration(reminder.waited, language), plain}}).plain("\n");
    if (say_mentions(text, language, reminder.mentions, rules)) text.plain("\n");
    text.say(language, Key::id, {{"value", presentation.request->id.str()}});
    return text;
}

Phrase session_end_text(const SessionEnd& end, const TextRules& rules) {
    const auto language = language_of(end.language);
    const bool failed = !end.failure.empty() && end.halted_by.empty();
    Phrase text{failed ? "⚠ " : "🏁 "};
    if (!end.halted_by.empty()) {
        text.say(language, Key::session_halted, {{"person", shown_line(end.halted_by, rules)}});
    } else if (!failed) {
        text.say(language, Key::session_ended);
    } else {
        const auto line = rules.line(end.failure);
        text.say(language, Key::agent_failed, {{"why", std::string{rules.head(line, limits::reason_bytes_max)}}});
    }
    text.plain("\n").say(language, Key::agent, {{"value", end.agent_id}});
    text.plain("\n").say(language, Key::session, {{"value", end.session_key}});
    return text;
}

Phrase reason_wanted_text(const ReasonWanted& wanted, Language language) {
    Phrase text{"✍ "};
    text.say(language, Key::reason_wanted,
             {{"person", wanted.person, mention, wanted.principal}, {"command", "/deny " + wanted.code}});
    return text;
}

Phrase announcement_text(const Announcement& announcement) {
    std::string_view exact = announcement.exact;
    while (exact.ends_with('\n')) exact.remove_suffix(1);
    Phrase text{announcement.heading};
    text.plain("\n").pre(exact);
    return text;
}

std::string document_text(const Request& request, const std::vector<Option>& offered, const TextRules& rules) {
    auto text = shown_text(request);
    const auto is_long = [&](const Option& option) {
        return rules.units(rules.line(option.detail)) > cuts.back().field_units;
    };
    if (std::ranges::none_of(offered, is_long)) return text;
    for (const auto& option : offered) {
        if (!option.detail.empty()) text += "option " + option.label + ":\n    " + rules.line(option.detail) + "\n";
    }
    return text;
}

Phrase document_caption(const Ulid& request, std::string_view document, Language language) {
    Phrase caption{language, Key::whole_text_of, {{"id", request.str()}}};
    caption.plain("\n").say(language, Key::file_digest, {{"value", security::hex(security::sha256(document))}});
    return caption;
}

}  // namespace countersign::channels
