// SPDX-License-Identifier: Apache-2.0
#include "channels/answering.hpp"

#include "channels/refusal_words.hpp"

#include <utility>

namespace countersign::channels {

namespace asio = boost::asio;

using Tone = Caller::Tone;

void Answering::act(Caller caller, Meaning meaning) {
    if (const auto* what = std::get_if<Say>(&meaning)) return say(caller, what->words);
    if (auto* what = std::get_if<Decide>(&meaning)) return submit(std::move(caller), std::move(what->attempt));
    if (auto* what = std::get_if<Pick>(&meaning)) return pick(std::move(caller), std::move(*what));
    if (auto* what = std::get_if<Write>(&meaning)) return write(std::move(caller), std::move(*what));
    if (auto* what = std::get_if<Finish>(&meaning)) return finish(std::move(caller), std::move(*what));
    caller.handled();
}

void Answering::say(const Caller& caller, const Phrase& words) {
    caller.say(words, Tone::alert);
    caller.handled();
}

void Answering::pick(Caller caller, Pick pick) {
    const auto open = ports_.open.open_request(pick.attempt.request_id);
    const auto& questionnaire = *open->request->questionnaire();
    auto& draft = drafts_.of(pick.attempt.request_id, pick.attempt.principal, questionnaire);
    draft.pick(questionnaire, pick.question, pick.choice);
    if (!gathers(questionnaire)) return submit_draft(std::move(caller), std::move(pick.attempt), draft, questionnaire);
    caller.say(Phrase{"Chosen: " + draft.summary(questionnaire) + ". Tap Submit when you are done."}, Tone::note);
    // In a group everybody sees the same card, and a draft is one person's: marks are shown in private chats alone.
    const auto& chat = pick.attempt.where.chat;
    if (!options_.is_group(chat)) options_.mark(pick.attempt.request_id, chat, draft.chosen());
    caller.handled();
}

void Answering::write(Caller caller, Write write) {
    const auto open = ports_.open.open_request(write.attempt.request_id);
    const auto& questionnaire = *open->request->questionnaire();
    const auto written = read_answer(questionnaire, write.text);
    if (!written) return say(caller, Phrase{"Nothing was noted: " + written.error().detail + "."});
    if (questionnaire.questions[written->question].secret && options_.is_group(write.attempt.where.chat)) {
        return say(caller, Phrase{"Everybody here can read that, so it was not taken. Delete it, and answer "
                                  "in a private chat or at the terminal."});
    }
    auto& draft = drafts_.of(write.attempt.request_id, write.attempt.principal, questionnaire);
    draft.write(*written);
    if (questionnaire.questions.size() == 1) {
        return submit_draft(std::move(caller), std::move(write.attempt), draft, questionnaire);
    }
    say(caller, Phrase{"Noted. Tap Submit on the card when you are done."});
}

void Answering::finish(Caller caller, Finish finish) {
    const auto open = ports_.open.open_request(finish.attempt.request_id);
    const auto& questionnaire = *open->request->questionnaire();
    const auto& draft = drafts_.of(finish.attempt.request_id, finish.attempt.principal, questionnaire);
    submit_draft(std::move(caller), std::move(finish.attempt), draft, questionnaire);
}

void Answering::submit_draft(Caller caller, Attempt attempt, const Draft& draft, const Questionnaire& questionnaire) {
    auto answers = draft.answers(questionnaire);
    if (!answers) return say(caller, Phrase{"Not yet: " + answers.error().detail + "."});
    attempt.what = Submit{std::move(*answers)};
    submit(std::move(caller), std::move(attempt));
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
    ports_.attempts.submit(std::move(attempt), [caller = std::move(caller), spinning](const Result<Receipt>& receipt) {
        if (!std::exchange(spinning->answered, true)) {
            if (receipt) {
                caller.say(Phrase{"Recorded, as record " + std::to_string(receipt->seq) + "."}, Tone::note);
            } else {
                caller.say(Phrase{refusal_words(receipt.error(), caller.principal)}, Tone::alert);
            }
        }
        spinning->watch.cancel();
        caller.handled();
    });
    if (spins && !spinning->answered) spinning->watch = ports_.tasks.spawn(answer_in_time(in_time, spinning));
}

// Past this they are told to look at the card instead.
asio::awaitable<void> Answering::answer_in_time(std::function<void(const Phrase&, Caller::Tone)> say,
                                                std::shared_ptr<Spinning> spinning) {
    co_await ports_.clock.sleep_until(ports_.clock.boot() + options_.answer_max);
    if (!std::exchange(spinning->answered, true)) {
        say(Phrase{"It is being worked on; the card will say what came of it."}, Tone::note);
    }
}

}  // namespace countersign::channels
