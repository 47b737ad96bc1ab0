// SPDX-License-Identifier: Apache-2.0
#include "channels/terminal/plain_prompt.hpp"

#include "channels/option_words.hpp"
#include "channels/terminal/call_line.hpp"
#include "channels/terminal/guard.hpp"
#include "channels/terminal/question_prompt.hpp"
#include "channels/terminal/word.hpp"
#include "core/limits.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace countersign::channels::terminal {

namespace {

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blank = " \t\r";
    const auto begin = text.find_first_not_of(blank);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(blank) - begin + 1);
}

bool same_word(std::string_view left, std::string_view right) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return std::ranges::equal(left, right, {}, lower, lower);
}

// Words that agree without saying to what. They are refused even where an option is called so.
bool is_mere_agreement(std::string_view line) {
    constexpr std::array<std::string_view, 6> words{"ok", "okay", "yes", "y", "sure", "yep"};
    return std::ranges::any_of(words, [&](std::string_view word) { return same_word(word, line); });
}

// A number from 1 to `last`, as an index; digits only.
std::optional<std::size_t> index_in(std::string_view text, std::size_t last) {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size() || number == 0 || number > last) return std::nullopt;
    return number - 1;
}

const Offer* offer_named(const std::vector<Offer>& offers, std::string_view text, Language language) {
    if (const auto index = index_in(text, offers.size())) return &offers[*index];
    // Ids are not on the card, and two labels that read alike are no choice. What refuses all is called so in every
    // language, because its own label counts and changes.
    const auto reads_so = [&](const Offer& offer) {
        return same_word(offer.option.label, text) || same_word(shown_label(offer.option, language), text) ||
               (offer.and_behind && same_word(text, "deny all"));
    };
    if (std::ranges::count_if(offers, reads_so) != 1) return nullptr;
    return &*std::ranges::find_if(offers, reads_so);
}

// A byte of a letter; of one in another script each byte counts.
bool is_of_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}

// A line that begins with one of these must never allow, whatever the agent wrote on its buttons.
bool says_no(std::string_view line) {
    constexpr std::array<std::string_view, 6> words{"deny", "cancel", "no", "reject", "refuse", "decline"};
    const auto first =
        line.substr(0, static_cast<std::size_t>(std::ranges::find_if_not(line, is_of_letter) - line.begin()));
    return std::ranges::any_of(words, [&](std::string_view word) { return same_word(word, first); });
}

Decided decided_by(const Offer& offer, std::string_view reason = {}) {
    return {.what = Choose{offer.option.option_id}, .reason = std::string{reason}, .and_behind = offer.and_behind};
}

// "1 because …": a refusal and its reason. Only a refusal: what follows an allow might take it back. The longest name
// that fits is meant: "deny all" is not "deny" because of "all".
std::optional<Decided> refusal_with_reason(const std::vector<Offer>& offers, std::string_view line,
                                           Language language) {
    for (auto space = line.rfind(' '); space != std::string_view::npos && space > 0;
         space = line.rfind(' ', space - 1)) {
        const auto* offer = offer_named(offers, trimmed(line.substr(0, space)), language);
        if (offer == nullptr || !offer->option.known || offer->option.effect != Effect::deny) continue;
        return decided_by(*offer, trimmed(line.substr(space)));
    }
    return std::nullopt;
}

// "1,3" or labels, of which one must be whole where there is no comma. Nothing if any part is no choice.
std::optional<std::vector<std::string>> choices_in(const Question& question, std::string_view line) {
    const auto& all = question.choices;
    const auto whole = std::ranges::find_if(all, [&](const Choice& choice) { return same_word(choice.label, line); });
    if (whole != all.end()) return std::vector{whole->label};
    std::vector<std::string> picked;
    while (true) {
        const auto comma = line.find(',');
        const auto part = trimmed(line.substr(0, comma));
        const auto index = index_in(part, all.size());
        const auto named =
            std::ranges::find_if(all, [&](const Choice& choice) { return same_word(choice.label, part); });
        if (!index && named == all.end()) return std::nullopt;
        const auto& label = index ? all[*index].label : named->label;
        if (std::ranges::find(picked, label) == picked.end()) picked.push_back(label);
        if (comma == std::string_view::npos) return picked;
        line.remove_prefix(comma + 1);
    }
}

bool looks_like_numbers(std::string_view line) {
    return line.find_first_not_of("0123456789, ") == std::string_view::npos;
}

}  // namespace

PlainPrompt::PlainPrompt(std::shared_ptr<const Request> request, std::vector<Option> offered,
                         std::chrono::milliseconds dwell, Language language)
    : request_{std::move(request)}, offered_{std::move(offered)}, dwell_{dwell}, language_{language} {
    behind(0);
}

const Question* PlainPrompt::question() const {
    const auto* questionnaire = request_->questionnaire();
    if (questionnaire == nullptr || answers_.size() >= questionnaire->questions.size()) return nullptr;
    return &questionnaire->questions[answers_.size()];
}

bool PlainPrompt::secret() const {
    const auto* now = question();
    return now != nullptr && now->secret && !waiting_;
}

void PlainPrompt::reopen() {
    // A draft that was not handed in has nothing to begin again.
    if (std::exchange(waiting_, false)) answers_.clear();
}

std::string PlainPrompt::choices() const {
    std::string line;
    if (const auto call = call_line(*request_, language_)) {
        line = call->words + call->place + "\n";
        for (std::size_t at = 0; at < offers_.size(); ++at) {
            line += (at == 0 ? "" : "  ") + std::to_string(at + 1) + ") " +
                    guarded_line(shown_label(offers_[at].option, language_));
        }
    } else if (const auto* now = question()) {
        line = guarded_line(title_of(*now, answers_.size(), language_)) + text(language_, Word::colon);
        for (std::size_t at = 0; at < now->choices.size(); ++at) {
            line += (at == 0 ? " " : "  ") + std::to_string(at + 1) + ") " + guarded_line(now->choices[at].label);
        }
    } else {
        return summary() + hint();
    }
    return line + "\n" + hint();
}

std::string PlainPrompt::below_card() const {
    const auto* questionnaire = request_->questionnaire();
    const bool several = questionnaire != nullptr && questionnaire->questions.size() > 1;
    if (several) return choices();  // of several it has to be said which one is answered now
    const auto call = call_line(*request_, language_);
    return (call ? call->words + call->place + "\n" : "") + hint();
}

std::string PlainPrompt::hint() const {
    const auto said = [this](Word key) { return std::string{pattern(language_, key)}; };
    if (request_->approval() != nullptr) return said(Word::type_option) + "\n";
    const auto* now = question();
    if (now == nullptr) {
        return text(language_, Word::type_submit, {{"submit", "submit"}, {"back", "back"}, {"cancel", "cancel"}}) +
               "\n";
    }
    auto line = said(Word::type_answer);
    if (!now->choices.empty()) {
        line = said(now->multiple ? Word::type_numbers : Word::type_number);
        if (takes_text(*now)) line += said(Word::or_answer);
    }
    if (!now->required) line += said(Word::or_nothing);
    return line + text(language_, Word::or_cancel, {{"cancel", "cancel"}}) + "\n";
}

std::string PlainPrompt::summary() const {
    std::string lines;
    const auto& questions = request_->questionnaire()->questions;
    for (std::size_t at = 0; at < answers_.size(); ++at) {
        auto words = text(language_, Word::none_given);
        if (const auto& given = answers_[at]) {
            words = shown_line(given->text);
            for (const auto& choice : given->choices) words += (words.empty() ? "" : ", ") + guarded_line(choice);
            if (questions[at].secret) words = text(language_, Word::secret_given);
        }
        lines += guarded_line(title_of(questions[at], at, language_)) +
                 text(language_, Word::detail, {{"value", words}}) + "\n";
    }
    return lines;
}

PlainReply PlainPrompt::answer(std::string_view line, BootTime now) {
    if (!shown_ || now - *shown_ < dwell_) return unclear(Word::line_too_early);
    if (waiting_) return {.decided = {}, .repeat = false, .say = text(language_, Word::being_recorded) + "\n"};
    line = trimmed(line);
    if (line == "?") return {.decided = {}, .repeat = true, .say = {}};
    auto reply = request_->approval() != nullptr ? answer_approval(line) : answer_question(line);
    waiting_ = reply.decided.has_value();
    return reply;
}

PlainReply PlainPrompt::answer_approval(std::string_view line) {
    if (is_mere_agreement(line)) return unclear(Word::mere_agreement);
    if (const auto* offer = offer_named(offers_, line, language_)) {
        if (offer->option.effect == Effect::allow && says_no(line)) return unclear(Word::label_deceives);
        return {.decided = decided_by(*offer), .repeat = false, .say = {}};
    }
    if (same_word(line, "cancel")) return cancel();
    const auto with_reason = refusal_with_reason(offers_, line, language_);
    if (!with_reason) return unclear(Word::no_such_choice);
    if (with_reason->reason.size() > limits::reason_bytes_max) return unclear(Word::reason_too_long);
    return {.decided = with_reason, .repeat = false, .say = {}};
}

PlainReply PlainPrompt::answer_question(std::string_view line) {
    if (same_word(line, "cancel")) return cancel();
    const auto* now = question();
    if (now == nullptr) return finish(line);
    Answer answer{.question_id = now->question_id, .choices = {}, .text = {}};
    if (line.empty()) {
        if (now->required) return unclear(Word::answer_wanted);
        return take({});
    }
    if (line.starts_with('=') && takes_text(*now)) {
        answer.text = line.substr(1);
    } else if (auto picked = choices_in(*now, line)) {
        if (!now->multiple && picked->size() > 1) return unclear(Word::only_one);
        answer.choices = std::move(*picked);
    } else if (!takes_text(*now) || (!now->choices.empty() && looks_like_numbers(line))) {
        return unclear(Word::no_such_choice);
    } else {
        answer.text = line;
    }
    if (answer.text.size() > limits::answer_text_bytes_max) return unclear(Word::line_answer_too_long);
    if (answer.choices.empty() && answer.text.empty()) return unclear(Word::empty_text);
    return take(std::move(answer));
}

PlainReply PlainPrompt::take(Answer answer) {
    const bool passed_over = answer.choices.empty() && answer.text.empty();
    answers_.push_back(passed_over ? std::nullopt : std::optional{std::move(answer)});
    // One question needs no second word; a bundle is looked at once more as a whole.
    const bool single = request_->questionnaire()->questions.size() == 1;
    if (single) return {.decided = Decided{.what = submission(), .reason = {}}, .repeat = false, .say = {}};
    return {.decided = {}, .repeat = false, .say = choices()};
}

PlainReply PlainPrompt::finish(std::string_view line) {
    if (same_word(line, "submit")) {
        return {.decided = Decided{.what = submission(), .reason = {}}, .repeat = false, .say = {}};
    }
    if (!same_word(line, "back")) return unclear(Word::not_submitted);
    answers_.clear();
    return {.decided = {}, .repeat = false, .say = choices()};
}

Submit PlainPrompt::submission() const {
    Submit all;
    for (const auto& answer : answers_) {
        if (answer) all.answers.push_back(*answer);
    }
    return all;
}

PlainReply PlainPrompt::cancel() const {
    if (request_->approval() == nullptr) {
        return {.decided = Decided{.what = Cancel{}, .reason = {}}, .repeat = false, .say = {}};
    }
    const auto found = std::ranges::find_if(
        offered_, [](const Option& option) { return option.known && option.effect == Effect::cancel; });
    if (found == offered_.end()) return {.decided = refusal(offered_), .repeat = false, .say = {}};
    return {.decided = Decided{.what = Choose{found->option_id}, .reason = {}}, .repeat = false, .say = {}};
}

PlainReply PlainPrompt::unclear(Word why) const {
    const auto said = text(language_, Word::nothing_decided_yet, {{"why", text(language_, why)}});
    return {.decided = {}, .repeat = false, .say = said + "\n" + choices()};
}

}  // namespace countersign::channels::terminal
