// SPDX-License-Identifier: Apache-2.0
// From updates to attempts and answers. Every click is answered exactly once, whatever it was.
#include "channels/telegram/telegram.hpp"
#include "channels/telegram/words.hpp"
#include "core/limits.hpp"

#include <algorithm>

namespace countersign::channels::telegram {

namespace asio = boost::asio;

namespace {

StyledText words(std::string_view text) { return StyledText{}.plain(text); }

bool is_group(const std::string& chat) { return chat.starts_with('-') || chat.starts_with('@'); }

}  // namespace

void Telegram::take(Update update, bool after_gap, Handled handled) {
    // A replay has no effect at all, also no second answer (I5).
    if (!replays_.take(options_.name, std::to_string(update.id), ports_.clock.boot())) return handled();
    const Sight sight{.channel = options_.name,
                      .bot = bot_,
                      .keys = keys(),
                      .open = ports_.open,
                      .cards = engine_.cards(),
                      .chats = engine_.chats(),
                      .known = options_.is_known};
    const Arrival arrival{.at = ports_.clock.boot(), .after_gap = after_gap};
    Incoming incoming;
    if (const auto* click = std::get_if<Click>(&update.what)) incoming = read(*click, sight, arrival);
    if (const auto* text = std::get_if<Text>(&update.what)) incoming = read(*text, sight, arrival);
    if (const auto* moved = std::get_if<Moved>(&update.what)) follow(*moved);
    if (incoming.pressed) engine_.pressed(*incoming.pressed);
    Turn turn{.asker = std::move(incoming.asker), .update = update.id, .handled = std::move(handled)};
    std::visit([&](auto& meaning) { act(std::move(turn), std::move(meaning)); }, incoming.meaning);
}

void Telegram::act(Turn turn, const Nothing& /*nothing*/) { turn.handled(); }

void Telegram::act(Turn turn, const Say& what) {
    say(turn.asker, what.words);
    turn.handled();
}

void Telegram::act(Turn turn, Decide decide) { submit(std::move(turn), std::move(decide.attempt)); }

void Telegram::act(Turn turn, Pick pick) {
    const auto open = ports_.open.open_request(pick.attempt.request_id);
    const auto& questionnaire = *open->request->questionnaire();
    auto& draft = drafts_.of(pick.attempt.request_id, pick.attempt.principal, questionnaire);
    draft.pick(questionnaire, pick.question, pick.choice);
    if (!gathers(questionnaire)) return submit_draft(std::move(turn), std::move(pick.attempt), draft, questionnaire);
    say(turn.asker, words("Chosen: " + draft.summary(questionnaire) + ". Tap Submit when you are done."), false);
    // In a group everybody sees the same card, and a draft is one person's: marks are shown in private chats alone.
    const auto& chat = pick.attempt.where.chat;
    if (!is_group(chat)) engine_.mark(pick.attempt.request_id, chat, draft.chosen());
    turn.handled();
}

void Telegram::act(Turn turn, Write write) {
    const auto open = ports_.open.open_request(write.attempt.request_id);
    const auto& questionnaire = *open->request->questionnaire();
    const auto written = read_answer(questionnaire, write.text);
    if (!written) return act(std::move(turn), Say{words("Nothing was noted: " + written.error().detail + ".")});
    if (questionnaire.questions[written->question].secret && is_group(write.attempt.where.chat)) {
        return act(std::move(turn),
                   Say{words("Everybody here can read that, so it was not taken. Delete it, and answer "
                             "in a private chat or at the terminal.")});
    }
    auto& draft = drafts_.of(write.attempt.request_id, write.attempt.principal, questionnaire);
    draft.write(*written);
    if (questionnaire.questions.size() == 1) {
        return submit_draft(std::move(turn), std::move(write.attempt), draft, questionnaire);
    }
    act(std::move(turn), Say{words("Noted. Tap Submit on the card when you are done.")});
}

void Telegram::act(Turn turn, Finish finish) {
    const auto open = ports_.open.open_request(finish.attempt.request_id);
    const auto& questionnaire = *open->request->questionnaire();
    const auto& draft = drafts_.of(finish.attempt.request_id, finish.attempt.principal, questionnaire);
    submit_draft(std::move(turn), std::move(finish.attempt), draft, questionnaire);
}

void Telegram::act(Turn turn, const ShowAll& show) {
    const auto open = ports_.open.open_request(show.request);
    if (!open || turn.asker.text.chat.empty()) return act(std::move(turn), Say{words("Write /more and the code.")});
    const auto chat = turn.asker.text.chat;
    const auto language = language_of(engine_.cards().language_in(show.request, engine_.chats().names(chat)));
    engine_.reply(chat, [this, open = *open, chat, language] {
        return render_document(*open.request, open.offered, engine_.spot_of(chat), language);
    });
    turn.handled();
}

void Telegram::act(Turn turn, const Begin& begin) {
    if (options_.on_start) {
        say(turn.asker, words(options_.on_start({begin.code, turn.asker.principal, turn.asker.text.chat})));
    } else {
        StyledText hello;
        hello.plain("Hello. To me you are ").code(turn.asker.principal).plain(".\n\n").plain(help_words());
        say(turn.asker, hello);
    }
    turn.handled();
}

void Telegram::submit_draft(Turn turn, Attempt attempt, const Draft& draft, const Questionnaire& questionnaire) {
    auto answers = draft.answers(questionnaire);
    if (!answers) return act(std::move(turn), Say{words("Not yet: " + answers.error().detail + ".")});
    attempt.what = Submit{std::move(*answers)};
    submit(std::move(turn), std::move(attempt));
}

// Somebody looks at a spinner until it is answered.
struct Telegram::Answering {
    bool answered = false;
    TaskGroup::Handle watch;
};

// The hub goes on with it whatever happens to us; what came of it is the answer.
void Telegram::submit(Turn turn, Attempt attempt) {
    attempt.delivery = std::to_string(turn.update);
    const auto answering = std::make_shared<Answering>();
    const auto asker = turn.asker;
    ports_.attempts.submit(
        std::move(attempt), [this, turn = std::move(turn), answering](const Result<Receipt>& receipt) {
            if (!std::exchange(answering->answered, true)) {
                if (receipt) {
                    say(turn.asker, words("Recorded, as record " + std::to_string(receipt->seq) + "."), false);
                } else {
                    say(turn.asker, words(refusal_words(receipt.error(), turn.asker.principal)));
                }
            }
            answering->watch.cancel();
            turn.handled();
        });
    if (!asker.query.empty() && !answering->answered) answering->watch = tasks_.spawn(answer_by(asker, answering));
}

// Past this they are told to look at the card instead.
asio::awaitable<void> Telegram::answer_by(Asker asker, std::shared_ptr<Answering> answering) {
    co_await ports_.clock.sleep_until(ports_.clock.boot() + limits::telegram_answer_max);
    if (!std::exchange(answering->answered, true))
        say(asker, words("It is being worked on; the card will say what came of it."), false);
}

void Telegram::say(const Asker& asker, const StyledText& text, bool alert) {
    if (!asker.query.empty())
        return engine_.answer("query " + asker.query, answer_query(asker.query, text.text(), alert));
    engine_.reply(asker.text.chat, [this, to = asker.text, text] {
        return send_reply({engine_.chats().target(to.chat), to.message}, text);
    });
}

}  // namespace countersign::channels::telegram
