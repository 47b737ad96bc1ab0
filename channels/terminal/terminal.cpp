// SPDX-License-Identifier: Apache-2.0
#include "channels/terminal/terminal.hpp"

#include "channels/terminal/render.hpp"
#include "channels/terminal/word.hpp"

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>

#include <unistd.h>

#include <algorithm>
#include <utility>

namespace countersign::channels::terminal {

namespace asio = boost::asio;

namespace {

// A pipe has nobody who reads before typing: a script that answers at once means it. It still cannot answer what was
// not written yet.
std::chrono::milliseconds dwell_of(const TerminalOptions& options, const TerminalClient& client) {
    return client.typed_by_hand() ? options.dwell : std::chrono::milliseconds{0};
}

// Words wait while more than this is still to be written: a flood of them must not fill the queue that cards need.
constexpr std::size_t words_backlog_max = limits::terminal_outgoing_bytes_max / 4;

}  // namespace

Result<std::unique_ptr<Terminal>> Terminal::open(const asio::any_io_executor& executor, TerminalOptions options,
                                                 TerminalPorts ports) {
    if (options.child_shares_terminal) {
        return Error{Errc::conflict, "the agent uses this terminal itself, and could answer its own requests; "
                                     "approve in a second terminal, or on another channel"};
    }
    auto client = TerminalClient::open(executor, {.in = options.in, .out = options.out, .plain = options.plain});
    if (!client) return client.error();
    if (options.principal.empty()) options.principal = "terminal:" + std::to_string(::getuid());
    return std::unique_ptr<Terminal>{new Terminal{executor, std::move(options), ports, std::move(*client)}};
}

Terminal::Terminal(asio::any_io_executor executor, TerminalOptions options, TerminalPorts ports,
                   std::unique_ptr<TerminalClient> client)
    : executor_{std::move(executor)},
      options_{std::move(options)},
      ports_{ports},
      seat_{
          .principal = options_.principal, .channel = options_.name, .chat = options_.plain ? "plain" : client->tty()},
      client_{std::move(client)},
      screen_{*client_, options_.plain, colours_wanted()} {
    options_.dwell = dwell_of(options_, *client_);
}

asio::awaitable<void> Terminal::run() {
    using namespace asio::experimental::awaitable_operators;
    std::string why;
    try {
        const auto ended = co_await (read_in() || client_->write_out());
        const auto* output = std::get_if<Error>(&ended);
        why = output != nullptr ? output->detail : std::get<std::string>(ended);
    } catch (const std::exception&) {
        // Only a cancellation comes here, and that is asked below.
        ended_ = true;
    }
    const auto state = co_await asio::this_coro::cancellation_state;
    restore();
    // Cancelled, the whole program ends: its requests are not undeliverable by that, and the owner needs no word of it.
    if (state.cancelled() == asio::cancellation_type::none) report(why);
}

void Terminal::close() {
    ended_ = true;
    client_->stop_reading();
}

void Terminal::present(Presentation presentation) {
    if (closed_ || ended_) return undeliverable_later(presentation.id, "the terminal is closed");
    if (cards_.size() >= limits::terminal_waiting_max) {
        return undeliverable_later(presentation.id, "too many requests wait on the terminal");
    }
    // One person sits here, so that their language goes before the route's.
    if (auto own = own_language(); !own.empty()) presentation.audience.language = std::move(own);
    auto prompt = prompt_for(presentation);
    cards_.push_back({.presentation = std::move(presentation), .prompt = std::move(prompt)});
    if (!current_) return show(cards_.back());
    if (options_.plain) {
        const auto count = std::to_string(cards_.size() - 1);
        screen_.tell(text(language(), Word::more_waiting, {{"count", count}, {"keys", "/next, /previous"}}));
    }
    redraw();
}

std::variant<Prompt, PlainPrompt> Terminal::prompt_for(const Presentation& shown) const {
    const auto language = language_of(shown.audience.language);
    std::variant<Prompt, PlainPrompt> prompt{Prompt{*shown.request, shown.offered, options_.dwell, language}};
    if (options_.plain) prompt = PlainPrompt{shown.request, shown.offered, options_.dwell, language};
    std::visit([&](auto& one) { one.behind(shown.state.waiting); }, prompt);
    return prompt;
}

void Terminal::conclude(DeliveryId id, const Conclusion& conclusion) {
    const auto found = find(id);
    if (closed_ || found == cards_.end()) return;
    const bool begun = found->begun;
    const auto language = language_of(found->presentation.audience.language);
    const auto next = cards_.erase(found);
    if (begun) {
        // An empty line, so that the next card stands apart.
        screen_.print(terminal::conclusion(conclusion, screen_.style(), language) + "\n",
                      [this, id] { ports_.deliveries.concluded(id); });
    }
    if (current_ != id) {
        // What was printed came between the open card and its choices: the card follows it.
        auto* open = begun ? current() : nullptr;
        return open != nullptr ? show(*open) : redraw();
    }
    current_.reset();
    if (options_.plain) client_->echo(true);
    print_held();
    if (cards_.empty()) return close_if_stuck();
    show(next == cards_.end() ? cards_.front() : *next);
}

void Terminal::update(DeliveryId id, CardState state) {
    const auto found = find(id);
    if (closed_ || found == cards_.end()) return;
    const bool more = state.asked != found->presentation.state.asked;
    const bool voted = state.votes != found->presentation.state.votes;
    if (state.generation) found->presentation.generation = *state.generation;
    found->presentation.state = std::move(state);  // a card that waits for its turn begins with it
    const auto& now = found->presentation;
    // Of another card it would come between the open one and its choices; that card says it when it is shown again.
    if (current_ == id && voted) screen_.tell(progress(now.state, language_of(now.audience.language)));
    std::visit([&](auto& prompt) { prompt.behind(now.state.waiting); }, found->prompt);
    // It stands for more now: no key counts before that was on the screen for as long as a new card must be.
    if (more && current_ == id) return show(*found);
    std::visit([](auto& prompt) { prompt.reopen(); }, found->prompt);
    refresh();
}

// What is written on a screen is gone with it: nobody could show it later.
void Terminal::announce(Announcement announcement) { undeliverable_later(announcement.id, "a terminal keeps nothing"); }

void Terminal::tell_refused(const Place& place, const std::string& principal, const Error& why) {
    if (closed_) return;
    screen_.tell(refused(why, {.principal = principal, .language = language()}));
    const auto found =
        std::ranges::find_if(cards_, [&](const Card& card) { return place_of(seat_, card.presentation.id) == place; });
    if (found != cards_.end()) std::visit([](auto& prompt) { prompt.reopen(); }, found->prompt);
    refresh();
}

bool Terminal::take_words(std::string_view speaker, std::string_view words) {
    if (closed_) return false;
    const bool first = held_.empty();
    held_.add(speaker, words);
    if (!current_) {
        print_held();
    } else if (first) {
        redraw();  // only then: an agent that talks must not make the choices flicker
    }
    return true;
}

void Terminal::print_held() {
    if (held_.empty() || current_ || closed_ || client_->backlog() > words_backlog_max) return;
    screen_.print(held_.take(screen_.style(), language()), [this] { print_held(); });
}

void Terminal::show_held(Card& card) {
    if (held_.empty()) return;
    screen_.print(held_.take(screen_.style(), language()));
    show(card);
}

void Terminal::undeliverable_later(DeliveryId id, std::string why) {
    // Never from inside present(): whoever calls it has not stored the id yet.
    asio::post(executor_,
               [&deliveries = ports_.deliveries, id, why = std::move(why)] { deliveries.undeliverable(id, why); });
}

Terminal::Cards::iterator Terminal::find(DeliveryId id) {
    return std::ranges::find_if(cards_, [id](const Card& card) { return card.presentation.id == id; });
}

std::string Terminal::own_language() const {
    return options_.language ? options_.language(options_.principal) : std::string{};
}

Language Terminal::language() {
    const auto* card = current();
    return language_of(card == nullptr ? own_language() : card->presentation.audience.language);
}

Terminal::Card* Terminal::current() {
    if (!current_) return nullptr;
    const auto found = find(*current_);
    return found == cards_.end() ? nullptr : &*found;
}

void Terminal::show(Card& card) {
    const auto id = card.presentation.id;
    if (current_ != id) {
        drop_typed();
        settling_ = true;
    }
    current_ = id;
    card.begun = true;
    std::visit([](auto& prompt) { prompt.hidden(); }, card.prompt);
    // Not shown before the last byte of the card is out: until then no key counts for it.
    if (!screen_.show(card.presentation, ports_.clock.wall(), [this, id] { written(id); })) return close_if_stuck();
    const auto* plain = std::get_if<PlainPrompt>(&card.prompt);
    if (plain == nullptr) return refresh();
    const auto words = plain->below_card();
    if (const auto note = screen_.note_above(words, language()); !note.empty()) screen_.tell(note);
    ask_for_a_line(*plain, words);
}

void Terminal::written(DeliveryId id) {
    const auto found = find(id);
    if (found == cards_.end()) return;
    if (current_ == id) {
        if (std::exchange(settling_, false)) drop_typed();
        std::visit([&](auto& prompt) { prompt.shown(ports_.clock.boot()); }, found->prompt);
    }
    if (std::exchange(found->delivered, true)) return;
    ports_.deliveries.delivered(id, {.place = place_of(seat_, id), .generation = found->presentation.generation}, true);
}

// Draws what is below the card: the widget, or in plain mode what can be typed.
void Terminal::refresh() {
    auto* card = current();
    if (card == nullptr) return;
    const auto* plain = std::get_if<PlainPrompt>(&card->prompt);
    if (plain != nullptr) return ask_for_a_line(*plain, plain->choices());
    if (screen_.resized()) return show(*card);
    auto view = std::get<Prompt>(card->prompt).view();
    view.held = held_.count();
    screen_.draw(view, cards_.size() - 1);
    close_if_stuck();
}

void Terminal::ask_for_a_line(const PlainPrompt& prompt, const std::string& words) {
    client_->echo(!prompt.secret());
    screen_.tell(words);
    close_if_stuck();
}

// The same after something was printed above it. Plain lines stay where they are.
void Terminal::redraw() {
    if (!options_.plain) return refresh();
    close_if_stuck();
}

void Terminal::close_if_stuck() {
    if (!screen_.stuck() || ended_) return;
    why_ = "the terminal takes no output";
    close();
}

void Terminal::walk(bool forward) {
    if (!current_ || cards_.size() < 2) return;
    auto at = find(*current_);
    std::visit([](auto& prompt) { prompt.hidden(); }, at->prompt);
    if (forward) {
        if (++at == cards_.end()) at = cards_.begin();
    } else {
        if (at == cards_.begin()) at = cards_.end();
        --at;
    }
    show(*at);
}

void Terminal::restore() {
    ended_ = true;
    closed_ = true;
    if (!cards_.empty()) {
        const auto count = std::to_string(cards_.size());
        screen_.tell(text(language(), Word::terminal_closes, {{"count", count}}));
    }
    if (!held_.empty()) screen_.print(held_.take(screen_.style(), language()));
    client_->restore();
}

void Terminal::report(const std::string& why) {
    current_.reset();
    for (const auto& card : std::exchange(cards_, {})) {
        if (!card.delivered) ports_.deliveries.undeliverable(card.presentation.id, "the terminal is closed");
    }
    if (interrupted_) {
        if (options_.on_interrupt) options_.on_interrupt();
    } else if (!why.empty() && options_.on_closed) {
        options_.on_closed(why);
    }
}

}  // namespace countersign::channels::terminal
