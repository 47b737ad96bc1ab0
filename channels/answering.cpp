// SPDX-License-Identifier: Apache-2.0
#include "channels/answering.hpp"

#include "channels/conclusion_words.hpp"
#include "channels/duration.hpp"
#include "channels/order_words.hpp"
#include "channels/refusal_words.hpp"
#include "core/limits.hpp"

#include <utility>

namespace countersign::channels {

namespace asio = boost::asio;

using Tone = Caller::Tone;

namespace {

// How it ended that somebody came too late for, if that is still known.
std::optional<EndedBefore> ended_before(const AnsweringPorts& ports, const Ulid& request) {
    const auto winner = ports.open.ended(request);
    if (!winner) return std::nullopt;
    return EndedBefore{.winner = *winner, .ago = ports.clock.wall() - winner->at};
}

// What was recorded: how the request ended, or a vote that needs others.
Phrase recorded_words(const Receipt& receipt, const std::optional<EndedBefore>& ended, Language language) {
    const auto number = [](std::uint64_t value) { return std::to_string(value); };
    if (receipt.votes >= receipt.votes_needed) {
        if (!ended) return {language, Key::recorded, {{"number", number(receipt.seq), TextStyle::plain}}};
        const std::string outcome{words_of(ended->winner.outcome, language).word};
        return {language,
                Key::recorded_outcome,
                {{"outcome", outcome, TextStyle::plain}, {"number", number(receipt.seq), TextStyle::plain}}};
    }
    return {language,
            Key::vote_recorded,
            {{"have", number(receipt.votes), TextStyle::plain},
             {"need", number(receipt.votes_needed), TextStyle::plain},
             {"left", number(receipt.votes_needed - receipt.votes), TextStyle::plain}}};
}

// "1. React, Vue": what is taken so far. A written answer is only said to be there.
std::string draft_words(const Draft& draft, const Questionnaire& questionnaire, Language language) {
    std::string words;
    for (std::size_t at = 0; at < questionnaire.questions.size(); ++at) {
        const auto& chosen = draft.chosen()[at];
        if (chosen.empty() && !draft.has_text(at)) continue;
        words += (words.empty() ? "" : "; ") + std::to_string(at + 1) + ". ";
        std::string separator;
        for (const auto choice : chosen) {
            words += std::exchange(separator, ", ") + questionnaire.questions[at].choices[choice].label;
        }
        if (draft.has_text(at)) words += pattern(language, Key::answer_written);
    }
    return words.empty() ? std::string{pattern(language, Key::chosen_nothing)} : words;
}

Insert submit_word(Language language) { return {"submit", text(language, Key::submit), TextStyle::plain}; }

}  // namespace

void Answering::act(Caller caller, Intent intent) {
    if (const auto* what = std::get_if<Say>(&intent)) return say(caller, what->words);
    if (const auto* what = std::get_if<Refuse>(&intent)) return refuse(caller, *what);
    if (auto* what = std::get_if<Decide>(&intent)) return submit(std::move(caller), std::move(what->attempt));
    if (auto* what = std::get_if<Pick>(&intent)) return pick(std::move(caller), std::move(*what));
    if (auto* what = std::get_if<Write>(&intent)) return write(std::move(caller), std::move(*what));
    if (auto* what = std::get_if<Finish>(&intent)) return finish(std::move(caller), std::move(*what));
    if (auto* what = std::get_if<Instruct>(&intent)) return instruct(std::move(caller), std::move(what->order));
    if (const auto* what = std::get_if<WrongCode>(&intent)) return wrong_code(caller, *what);
    caller.handled();
}

void Answering::say(const Caller& caller, const Phrase& words) {
    caller.say(words, Tone::alert);
    caller.handled();
}

void Answering::refuse(const Caller& caller, const Refuse& refused) {
    ports_.attempts.refused(refused.attempt, refused.why);
    if (!refused.words.pieces().empty()) caller.say(refused.words, Tone::alert);
    caller.handled();
}

void Answering::refuse(const Caller& caller, const Attempt& attempt, Error why, Phrase words) {
    refuse(caller, {.attempt = {attempt.request_id, attempt.principal, attempt.where.channel},
                    .why = std::move(why),
                    .words = std::move(words)});
}

void Answering::pick(Caller caller, Pick pick) {
    const auto open = ports_.open.open_request(pick.attempt.request_id);
    const auto& questionnaire = *open->request->questionnaire();
    auto draft = draft_of(pick.attempt, questionnaire);
    if (pick.choices) {
        draft.write({.question = pick.question, .choices = *pick.choices});
    } else {
        draft.pick(questionnaire, pick.question, pick.choice);
    }
    if (!gathers(questionnaire)) return submit_draft(std::move(caller), std::move(pick.attempt), draft, questionnaire);
    ports_.drafts.keep(pick.attempt.request_id, pick.attempt.principal, draft);
    const auto language = caller.language;
    caller.say(
        {language, Key::chosen, {{"choices", draft_words(draft, questionnaire, language)}, submit_word(language)}},
        Tone::note);
    // In a group everybody sees the same card, and a draft is one person's: marks are shown in private chats alone.
    const auto& chat = pick.attempt.where.chat;
    if (!options_.is_group(chat)) options_.mark(pick.attempt.request_id, chat, pick.attempt.principal);
    caller.handled();
}

void Answering::write(Caller caller, Write write) {
    const auto open = ports_.open.open_request(write.attempt.request_id);
    const auto& questionnaire = *open->request->questionnaire();
    const auto language = caller.language;
    const auto written = read_answer(questionnaire, write.text);
    if (!written) {
        return refuse(caller, write.attempt, written.error(), {language, answer_fault(written.error().code)});
    }
    if (questionnaire.questions[written->question].secret && options_.is_group(write.attempt.where.chat)) {
        return refuse(caller, write.attempt, {Errc::unsupported, "a secret answer in a group"},
                      {language, Key::secret_not_taken});
    }
    auto draft = draft_of(write.attempt, questionnaire);
    draft.write(*written);
    if (gathers(questionnaire)) ports_.drafts.keep(write.attempt.request_id, write.attempt.principal, draft);
    if (questionnaire.questions.size() == 1) {
        return submit_draft(std::move(caller), std::move(write.attempt), draft, questionnaire);
    }
    say(caller, {language, Key::noted, {submit_word(language)}});
}

void Answering::finish(Caller caller, Finish finish) {
    const auto open = ports_.open.open_request(finish.attempt.request_id);
    const auto& questionnaire = *open->request->questionnaire();
    const auto draft = draft_of(finish.attempt, questionnaire);
    submit_draft(std::move(caller), std::move(finish.attempt), draft, questionnaire);
}

Draft Answering::draft_of(const Attempt& attempt, const Questionnaire& questionnaire) const {
    return ports_.drafts.draft_of(attempt.request_id, attempt.principal).value_or(Draft{questionnaire});
}

void Answering::submit_draft(Caller caller, Attempt attempt, const Draft& draft, const Questionnaire& questionnaire) {
    if (const auto missing = draft.missing(questionnaire)) {
        const auto number = std::to_string(*missing + 1);
        return refuse(caller, attempt, {Errc::malformed, "question " + number + " has no answer"},
                      {caller.language, Key::not_answered_yet, {{"number", number, TextStyle::plain}}});
    }
    attempt.what = Submit{draft.answers(questionnaire)};
    submit(std::move(caller), std::move(attempt));
}

void Answering::instruct(Caller caller, Order order) {
    order.delivery = caller.delivery;
    const auto given = order;
    ports_.attempts.order(std::move(order), [caller = std::move(caller), given](const Result<Carried>& carried) {
        caller.say(order_words(given, carried, caller.language), Tone::alert);
        caller.handled();
    });
}

// The lock is said once: after that no code of theirs is answered, and each still has its record.
void Answering::wrong_code(const Caller& caller, const WrongCode& wrong) {
    if (!wrong_codes_.note(caller.principal, ports_.clock.boot())) {
        return refuse(caller, {wrong.attempt, {Errc::unknown_request, "a code that names nothing here"}, wrong.words});
    }
    const auto detail =
        std::to_string(limits::wrong_codes_max) + " wrong codes: locked for " + duration(limits::wrong_codes_lock);
    const auto lock = duration(limits::wrong_codes_lock, caller.language);
    refuse(caller, {wrong.attempt,
                    {Errc::unknown_request, detail},
                    {caller.language, Key::codes_locked, {{"time", lock, TextStyle::plain}}}});
}

// Somebody looks at a spinner until it is answered.
struct Answering::Spinning {
    bool answered = false;
    TaskGroup::Handle watch;
};

// The hub goes on with it whatever happens to us; what came of it is the answer.
void Answering::submit(Caller caller, Attempt attempt) {
    attempt.delivery = caller.delivery;
    const auto spinning = std::make_shared<Spinning>();
    const bool spins = caller.spins;
    const auto in_time = caller.say;
    const auto language = caller.language;
    const auto id = attempt.request_id;
    const auto done = [caller = std::move(caller), spinning, id, ports = ports_](const Result<Receipt>& receipt) {
        const auto refused = [&] {
            return refusal_words(receipt.error(), {caller.principal, caller.language}, ended_before(ports, id));
        };
        const bool late = std::exchange(spinning->answered, true);
        if (!late && receipt) {
            caller.say(recorded_words(*receipt, ended_before(ports, id), caller.language), Tone::note);
        } else if (!late) {
            caller.say(refused(), Tone::alert);
        } else if (!receipt && caller.follow_up) {
            caller.follow_up(refused());
        }
        spinning->watch.cancel();
        caller.handled();
    };
    ports_.attempts.submit(std::move(attempt), done);
    if (spins && !spinning->answered) spinning->watch = ports_.tasks.spawn(answer_in_time(in_time, language, spinning));
}

// Past this they are told to look at the card instead. Why it decided nothing follows as words of its own.
asio::awaitable<void> Answering::answer_in_time(std::function<void(const Phrase&, Caller::Tone)> say, Language language,
                                                std::shared_ptr<Spinning> spinning) {
    co_await ports_.clock.sleep_until(ports_.clock.boot() + options_.answer_max);
    if (!std::exchange(spinning->answered, true)) {
        say({language, Key::being_worked_on}, Tone::note);
    }
}

}  // namespace countersign::channels
