// SPDX-License-Identifier: Apache-2.0
// Poller: takes a bot's updates by long polling, where no public address is at hand.
//
// An update is confirmed to Telegram only after it was handled: what was not comes again after a crash. It never
// removes a webhook: somebody may rely on that.
#pragma once

#include "channels/handling.hpp"
#include "channels/telegram/client.hpp"
#include "channels/telegram/update.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/ids.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::channels::telegram {

struct UpdateHandler {
    std::function<void(Update update, bool after_gap, Handled handled)> handle;
    std::function<void()> expect = [] {};                  // one that Telegram sent is about to be read
    std::function<void(const Error& why)> pass_over = {};  // one that is too large to be read, so it never will be
};

// What to do about a Refusal::Kind::conflict of getUpdates, by Telegram's own sentence.
[[nodiscard]] std::string_view explain_conflict(std::string_view why);

class Poller {
public:
    struct Options {
        std::optional<std::int64_t> offset;                     // where the last run stopped, if that is known
        std::function<void(std::int64_t offset)> on_confirmed;  // everything below it was handled
        std::optional<BootTime> caught_up = std::nullopt;       // when the last run had nothing left to take
        std::function<void(BootTime now)> on_success = {};      // Telegram answered, be it with nothing
        std::function<void()> on_caught_up = {};                // nothing is left that may have waited
        std::function<void(const std::string& line)> on_problem;
    };
    // Borrows all but the options.
    Poller(const TelegramClient& client, Clock& clock, Ids& ids, UpdateHandler handler, Options options);

    // Until it is cancelled, or the token turns out to be none.
    boost::asio::awaitable<void> run();

private:
    boost::asio::awaitable<void> take(std::vector<Update> updates, bool after_gap);
    boost::asio::awaitable<void> pause(const Refusal& refusal);
    boost::asio::awaitable<BotReply> ask(std::chrono::seconds wait);
    void pass_over_too_large();
    // Whether updates may still wait at Telegram after an answer with so many.
    [[nodiscard]] bool may_leave_some(std::size_t taken, std::size_t asked_for, bool new_offset);
    void tell(std::string line);

    const TelegramClient& client_;
    Clock& clock_;
    Ids& ids_;
    UpdateHandler handler_;
    Options options_;
    std::optional<BootTime> last_success_;  // of this run, or of the last one when it had nothing left to take
    bool catching_up_ = true;               // what comes may have waited: ask without waiting until nothing is left
    bool gap_ = false;                      // and it waited too long for a tap to count
    std::optional<std::optional<std::int64_t>> asked_offset_;  // of the last question; none before the first
    unsigned short_answers_ = 0;                               // in a row, while catching up, each to a new offset
    std::size_t batch_;                                        // how many updates are asked for
    unsigned passed_over_ = 0;                                 // ids in a row whose update was too large
    bool only_last_ = false;                                   // ask for the last update, and forget those before it
    unsigned failures_ = 0;
    std::string last_told_;
};

}  // namespace countersign::channels::telegram
