// SPDX-License-Identifier: Apache-2.0
#include "channels/bot_link.hpp"

#include "channels/backoff.hpp"

#include <utility>

namespace countersign::channels {

namespace asio = boost::asio;

asio::awaitable<Result<void>> BotLink::reach(Platform& platform) {
    for (unsigned failures = 0; !reached_ && listening_; ++failures) {
        const auto started = co_await platform.start();
        if (started) break;
        if (started.error().code != Errc::unavailable) {
            chat_.problem(started.error().detail);
            co_return started.error();
        }
        co_await clock_.sleep_until(clock_.boot() + backoff(failures, ids_));
    }
    co_return Result<void>{};
}

void BotLink::reached() {
    reached_ = true;
    if (std::exchange(away_, false)) chat_.problem(std::string{words_.platform} + " is back again");
}

Error BotLink::away(const std::string& why) {
    if (!std::exchange(away_, true)) {
        chat_.problem(std::string{words_.platform} + " was not reached, and is tried again: " + why);
    }
    return {Errc::unavailable, why};
}

bool BotLink::is_gone() {
    if (chat_.is_closed()) return true;
    if (!std::exchange(doubting_, true)) chat_.tasks().spawn(settle_doubt());
    return false;
}

asio::awaitable<void> BotLink::settle_doubt() {
    const bool refused = co_await is_refused_();
    doubting_ = false;
    if (!refused || chat_.is_closed()) co_return;
    chat_.close(std::string{words_.refused});
    chat_.problem(std::string{words_.advice});
}

}  // namespace countersign::channels
