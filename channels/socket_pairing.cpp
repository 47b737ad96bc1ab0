// SPDX-License-Identifier: Apache-2.0
#include "channels/socket_pairing.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <utility>

namespace countersign::channels {

namespace asio = boost::asio;

namespace {

constexpr std::string_view what_to_write = "Send the code that your terminal shows.";

}  // namespace

SocketPairing::SocketPairing(const asio::any_io_executor& executor, Clock& clock, PairingTerminal terminal, Tell tell)
    : clock_{clock},
      tell_{std::move(tell)},
      changed_{executor, asio::steady_timer::time_point::max()},
      tasks_{executor, [this](const std::string& what) { tell_(what + "\n"); }},
      pairing_{clock, std::move(terminal)} {}

asio::awaitable<Result<Paired>> SocketPairing::run() {
    start();
    tasks_.spawn(wake_at_the_end());
    while (!is_done()) {
        boost::system::error_code woken;
        co_await changed_.async_wait(asio::redirect_error(asio::use_awaitable, woken));
    }
    if (paired_ && !chat_.empty()) co_await write_to(chat_, paired_words);
    stop();
    tasks_.cancel();
    co_await tasks_.join();
    if (paired_) co_return std::move(*paired_);
    if (refused_) co_return std::move(*refused_);
    auto late = pairing_timeout();
    if (!heard_) late.detail += ". " + std::string{doubt()};
    co_return late;
}

bool SocketPairing::is_done() const { return (paired_ && in_hand() == 0) || refused_ || pairing_.is_over(); }

asio::awaitable<void> SocketPairing::wake_at_the_end() {
    while (!pairing_.is_over()) co_await clock_.sleep_until(pairing_.ends());  // a new code ends later
    changed_.cancel();
}

void SocketPairing::hear(const Said& said, Paired by) {
    heard_ = true;
    const auto heard = pairing_.hear(said.what);
    if (heard == Pairing::Heard::paired) {
        chat_ = said.chat;
        paired_ = std::move(by);
        changed_.cancel();
    } else if (heard == Pairing::Heard::needs_code && said.by_person) {
        tasks_.spawn(write_to(said.chat, what_to_write));
    }
}

std::string_view SocketPairing::hear_command(std::string_view text, Paired by) {
    heard_ = true;
    const auto heard = pairing_.hear({.text = std::string{text}, .direct = true});
    if (heard != Pairing::Heard::paired) return what_to_write;
    paired_ = std::move(by);
    changed_.cancel();
    return paired_words;
}

void SocketPairing::overhear(const std::string& text) {
    heard_ = true;
    static_cast<void>(pairing_.hear({.text = text, .direct = false}));
}

void SocketPairing::refuse(Error why) {
    refused_ = std::move(why);
    changed_.cancel();
}

}  // namespace countersign::channels
