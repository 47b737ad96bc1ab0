// SPDX-License-Identifier: Apache-2.0
// Terminal: the channel of whoever sits at this machine, through the same ports as every other channel.
//
// It shows one request at a time, in the order they came; the others are counted, and PageUp and PageDown (or p and n)
// walk through them, each with its draft. When another card comes, what was typed before is dropped: on a terminal an
// answer is typed to a card that can be read. Over a pipe lines may be written ahead, and answer the cards in their
// order. What else is said waits until the card is answered, or until the person asks for it (l, or /lines). Runs on
// the owner's thread. Whether the answer counts is decided elsewhere: being at the keyboard gives no
// right to approve (I4).
#pragma once

#include "channels/catalogue.hpp"
#include "channels/terminal/client.hpp"
#include "channels/terminal/inbound.hpp"
#include "channels/terminal/keys.hpp"
#include "channels/terminal/plain_prompt.hpp"
#include "channels/terminal/prompt.hpp"
#include "channels/terminal/screen.hpp"
#include "channels/terminal/speech.hpp"
#include "core/limits.hpp"
#include "core/ports/attempts.hpp"
#include "core/ports/channel.hpp"
#include "core/ports/clock.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace countersign::channels::terminal {

struct TerminalOptions {
    std::string name = "terminal";
    int in = 0;
    int out = 1;
    bool plain = false;                  // lines instead of keys: for pipes and screen readers
    bool child_shares_terminal = false;  // the agent draws on this terminal, and would see and type what people do
    std::string principal;               // empty: terminal:<uid> of this process
    std::chrono::milliseconds dwell = limits::terminal_dwell;
    // The language of a person, as a tag; empty for one that has none: then a card is in its route's.
    std::function<std::string(const std::string& principal)> language;
    std::function<void()> on_interrupt;                     // Ctrl-C; the terminal is as it was before
    std::function<void(const std::string& why)> on_closed;  // the input ended, or the output is gone
};

// Borrowed: main owns them, and they outlive every task.
struct TerminalPorts {
    Clock& clock;
    Deliveries& deliveries;
    Attempts& attempts;
};

class Terminal final : public Channel {
public:
    // Errc::unsupported if it is no terminal and not plain, Errc::conflict if a child would share it.
    [[nodiscard]] static Result<std::unique_ptr<Terminal>> open(const boost::asio::any_io_executor& executor,
                                                                TerminalOptions options, TerminalPorts ports);

    // Reads and writes until the input ends, close() is called or it is cancelled; then the terminal is as it was
    // before. Precondition of the destructor: it has ended, or never began.
    boost::asio::awaitable<void> run();
    void close();

    [[nodiscard]] const std::string& name() const override { return options_.name; }
    void present(Presentation presentation) override;
    void conclude(DeliveryId id, const Conclusion& conclusion) override;
    void conclude_earlier(DeliveryId, const MessageRef&, const Conclusion&) override {
    }  // its cards went with its process
    void tell_earlier(DeliveryId, const MessageRef&, const EarlierNews&) override {}
    void update(DeliveryId id, CardState state) override;
    void announce(Announcement announcement) override;

    // Words beside the cards: the process's own, or those of an agent, of which each row names the speaker. While a
    // card is open they are held back and printed when it is answered: nothing comes between a card and its choices
    // (I15). The caller sanitised what others wrote. False, and nothing is taken, when the terminal is closed.
    bool say(std::string_view lines) { return take_words({}, lines); }
    bool quote(std::string_view speaker, std::string_view words) { return take_words(speaker, words); }
    [[nodiscard]] Language language();  // of the card that is shown; without one, of who sits here

private:
    struct Card {
        Presentation presentation;
        std::variant<Prompt, PlainPrompt> prompt;
        bool begun = false;      // some of it may be on the screen
        bool delivered = false;  // and was reported
    };
    using Cards = std::list<Card>;

    Terminal(boost::asio::any_io_executor executor, TerminalOptions options, TerminalPorts ports,
             std::unique_ptr<TerminalClient> client);

    [[nodiscard]] std::variant<Prompt, PlainPrompt> prompt_for(const Presentation& shown) const;
    [[nodiscard]] Cards::iterator find(DeliveryId id);
    [[nodiscard]] Card* current();
    void show(Card& card);
    void written(DeliveryId id);
    void refresh();
    void ask_for_a_line(const PlainPrompt& prompt, const std::string& words);
    void redraw();
    void close_if_stuck();
    void walk(bool forward);
    void undeliverable_later(DeliveryId id, std::string why);
    [[nodiscard]] std::string own_language() const;
    bool take_words(std::string_view speaker, std::string_view words);
    void print_held();
    void show_held(Card& card);

    // typing.cpp: what a person types.
    boost::asio::awaitable<std::string> read_in();
    void take(std::string_view bytes);
    void press(const Key& key);
    void line(const LineReader::Line& line);
    void take_nothing(std::string why);
    void submit(Card& card, Decided decided);
    void tell_refused(const Place& place, const std::string& principal, const Error& why);
    void drop_typed();

    void restore();
    void report(const std::string& why);

    boost::asio::any_io_executor executor_;
    TerminalOptions options_;
    TerminalPorts ports_;
    Seat seat_;
    std::unique_ptr<TerminalClient> client_;
    Screen screen_;
    HeldLines held_;
    KeyDecoder decoder_;
    LineReader lines_;
    Cards cards_;
    std::optional<DeliveryId> current_;
    bool settling_ = false;      // the current card is not all on the screen since it became that
    std::uint64_t drops_ = 0;    // how often what was typed has been dropped
    bool begun_before_ = false;  // the line that ends next was begun before the current card was on the screen
    std::string why_;            // for on_closed; empty when the owner closed it
    bool interrupted_ = false;
    bool ended_ = false;   // nothing more is read
    bool closed_ = false;  // and the terminal is as it was before
};

}  // namespace countersign::channels::terminal
