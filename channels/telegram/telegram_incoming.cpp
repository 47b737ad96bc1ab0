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
                      .cards = cards_,
                      .chats = chats_,
                      .known = options_.is_known};
    const Arrival arrival{.at = ports_.clock.boot(), .after_gap = after_gap};
    Incoming incoming;
    if (const auto* click = std::get_if<Click>(&update.what)) incoming = read(*click, sight, arrival);
    if (const auto* text = std::get_if<Text>(&update.what)) incoming = read(*text, sight, arrival);
    if (const auto* moved = std::get_if<Moved>(&update.what)) follow(*moved);
    if (incoming.pressed) note_pressed(*incoming.pressed);
    Turn turn{.asker = std::move(incoming.asker), .update = update.id, .handled = std::move(handled)};
    std::visit([&](auto& meaning) { act(std::move(turn), std::move(meaning)); }, incoming.meaning);
}

// The button is there, so the message is: also if the answer to our own call is late or got lost.
void Telegram::note_pressed(const Pressed& pressed) {
    for (const auto id : cards_.of_request(pressed.request)) {
        auto* card = cards_.find(id);
        if (card->presentation.generation % (limits::button_index_max + 1U) != pressed.generation) continue;
        if (card->chat != pressed.chat) continue;
        if (outbox_.drop(card->letter) == Outbox::Dropped::dropped) card->letter = 0;  // no need to send it again
        return landed(*card, pressed.message);
    }
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
    show_marks(pick.attempt, draft);
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
    reply(chat, [this, open = *open, chat] {
        return std::optional{render_document(*open.request, open.offered, spot_of(chat))};
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

// In a group everybody sees the same card, and a draft is one person's: marks are shown in private chats alone.
void Telegram::show_marks(const Attempt& attempt, const Draft& draft) {
    if (is_group(attempt.where.chat)) return;
    for (const auto id : cards_.of_request(attempt.request_id)) {
        auto* card = cards_.find(id);
        if (card->chat != attempt.where.chat || !card->message || card->retired || card->conclusion) continue;
        outbox_.drop(card->edit);
        const auto make = [this, id, chosen = draft.chosen()]() -> std::optional<Call> {
            const auto* shown = cards_.find(id);
            if (shown == nullptr || shown->conclusion) return std::nullopt;
            return render_marks(shown->presentation, spot_of(shown->chat), keys(), *shown->message, chosen);
        };
        card->edit = put_call(card->chat, limits::outbox_other_max, make);
    }
}

// Anybody may write to a bot. What they are answered must not fill the queue that the ends of requests wait in.
void Telegram::reply(const std::string& chat, std::function<std::optional<Call>()> make) {
    if (replies_ >= limits::telegram_replies_max) return;
    const auto done = [this](const Result<void>&) { --replies_; };
    if (put_call(chat, limits::outbox_other_max, std::move(make), done) != 0) ++replies_;
}

void Telegram::say(const Asker& asker, const StyledText& text, bool alert) {
    if (asker.query.empty()) {
        return reply(asker.text.chat, [this, to = asker.text, text] {
            return std::optional{send_reply({chats_.target(to.chat), to.message}, text)};
        });
    }
    // In an order of its own: it waits for nobody's card.
    const auto make = [query = asker.query, line = text.text(), alert] {
        return std::optional{answer_query(query, line, alert)};
    };
    put_call("query " + asker.query, limits::http_deadline_default, make);
}

}  // namespace countersign::channels::telegram
