// SPDX-License-Identifier: Apache-2.0
// What a person types, from the bytes to an attempt.
#include "channels/terminal/terminal.hpp"

#include "channels/terminal/word.hpp"

#include <utility>

namespace countersign::channels::terminal {

namespace asio = boost::asio;

namespace {

constexpr std::string_view input_ended = "the input ended";

bool ends(const Key& key) { return key.kind == KeyKind::interrupt || key.kind == KeyKind::end_of_input; }

}  // namespace

asio::awaitable<std::string> Terminal::read_in() {
    while (!ended_) {
        if (decoder_.pending()) {
            const auto until = ports_.clock.boot() + limits::terminal_escape_wait;
            if (!co_await client_->readable_before(ports_.clock, until)) {
                for (const auto& key : decoder_.flush()) press(key);
                continue;
            }
            if (ended_) break;
        }
        const auto bytes = co_await client_->read();
        if (ended_) break;
        if (!bytes) co_return bytes.error().detail;
        if (bytes->empty()) co_return std::string{input_ended};
        take(*bytes);
    }
    co_return why_;
}

void Terminal::take(std::string_view bytes) {
    const auto drops = drops_;
    if (options_.plain) {
        for (const auto& typed : lines_.feed(bytes)) {
            if (drops == drops_) line(typed);
        }
    } else {
        for (const auto& key : decoder_.feed(bytes)) {
            if (drops == drops_ || ends(key)) press(key);
        }
    }
}

// Another card comes: what was typed so far was meant for the one before, or for none. Scripts write ahead into a pipe
// and mean it; there the order of the lines is all that binds an answer to its card.
void Terminal::drop_typed() {
    if (!client_->typed_by_hand()) return;
    ++drops_;
    const auto typed = client_->drop_typed();
    if (options_.plain) {
        const bool held = lines_.forget();
        if (!held && (typed.empty() || typed.ends_with('\n'))) return;
        begun_before_ = true;
        screen_.tell("\n" + text(language(), Word::line_dropped));
        return;
    }
    const auto keys = decoder_.feed(typed);
    decoder_.forget();
    for (const auto& key : keys) {
        if (ends(key)) press(key);
    }
}

void Terminal::press(const Key& key) {
    if (ended_) return;
    if (ends(key)) {
        interrupted_ = key.kind == KeyKind::interrupt;
        why_ = input_ended;
        return close();
    }
    auto* card = current();
    if (card == nullptr) return;
    auto& prompt = std::get<Prompt>(card->prompt);
    const bool command = key.kind == KeyKind::text && !prompt.typing();
    if (key.kind == KeyKind::page_down || (command && key.text == "n")) return walk(true);
    if (key.kind == KeyKind::page_up || (command && key.text == "p")) return walk(false);
    if (command && key.text == "l") return show_held(*card);
    auto decided = prompt.press(key, ports_.clock.boot());
    // Drawn before it is handed in, because the answer may come back from inside submit().
    redraw();
    if (decided) submit(*card, std::move(*decided));
}

void Terminal::line(const LineReader::Line& line) {
    const bool begun_before = std::exchange(begun_before_, false);
    auto* card = current();
    if (card == nullptr) return screen_.tell(text(language(), Word::nothing_waits));
    if (begun_before) {
        return take_nothing(text(language(), Word::line_begun_before));
    }
    if (line.text == "/next" || line.text == "/previous") return walk(line.text == "/next");
    if (line.text == "/lines") return show_held(*card);
    if (line.too_long) {
        return take_nothing(
            text(language(), Word::line_too_long, {{"count", std::to_string(limits::terminal_line_bytes_max)}}));
    }
    auto& prompt = std::get<PlainPrompt>(card->prompt);
    auto reply = prompt.answer(line.text, ports_.clock.boot());
    if (reply.repeat) return show(*card);
    client_->echo(!prompt.secret());
    if (!reply.say.empty()) screen_.tell(reply.say);
    if (reply.decided) submit(*card, std::move(*reply.decided));
}

void Terminal::take_nothing(std::string why) {
    screen_.tell(text(language(), Word::nothing_decided_yet, {{"why", std::move(why)}}));
    refresh();
}

void Terminal::submit(Card& card, Decided decided) {
    const Moment now{.arrived = ports_.clock.boot(), .made = ports_.clock.wall()};
    auto attempt = attempt_of(std::move(decided), card.presentation, seat_, now);
    auto done = [this, place = attempt.where, principal = attempt.principal](const Result<Receipt>& receipt) {
        if (!receipt) tell_refused(place, principal, receipt.error());
    };
    // The card may be gone when this returns. What was decided is said by update() or conclude().
    ports_.attempts.submit(std::move(attempt), std::move(done));
}

}  // namespace countersign::channels::terminal
