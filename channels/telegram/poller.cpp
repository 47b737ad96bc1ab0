// SPDX-License-Identifier: Apache-2.0
#include "channels/telegram/poller.hpp"

#include "channels/backoff.hpp"
#include "channels/telegram/bounds.hpp"
#include "core/limits.hpp"

#include <boost/asio/this_coro.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace countersign::channels::telegram {

namespace asio = boost::asio;

// Telegram has one number for two causes, and a sentence for each.
std::string_view explain_conflict(std::string_view why) {
    if (why.find("webhook") != why.npos || why.find("Webhook") != why.npos) {
        return "a webhook is set for this bot, so nothing can be polled: take it away with countersign setup telegram "
               "--poll, or set mode = \"webhook\"";
    }
    return "another process polls this bot, and each of the two takes taps away from the other: stop it, or give one "
           "of "
           "them a bot of its own";
}

Poller::Poller(const TelegramClient& client, Clock& clock, Ids& ids, UpdateHandler handler, Options options)
    : client_{client},
      clock_{clock},
      ids_{ids},
      handler_{std::move(handler)},
      options_{std::move(options)},
      batch_{limits::telegram_updates_max} {
    last_success_ = options_.caught_up;
}

asio::awaitable<BotReply> Poller::ask(std::chrono::seconds wait) {
    const auto offset = only_last_ ? std::optional<std::int64_t>{-1} : options_.offset;
    return client_.call(get_updates(offset, batch_, wait.count()), limits::telegram_poll_deadline);
}

asio::awaitable<void> Poller::run() {
    while (true) {
        // What waited must not be mixed with what is new: the first question after a pause does not wait for an answer.
        const auto asked = clock_.boot();
        const bool new_offset = asked_offset_ && *asked_offset_ != options_.offset;
        asked_offset_.emplace(options_.offset);
        const auto wait = catching_up_ ? std::chrono::seconds{0} : limits::telegram_poll_wait;
        const auto reply = co_await ask(wait);
        const auto now = clock_.boot();
        if (const auto* refusal = std::get_if<Refusal>(&reply)) {
            if (refusal->kind == Refusal::Kind::bad_token && co_await client_.knows_no_bot()) {
                tell("Telegram does not know this bot any more: " + refusal->why + "; give the channel a new token");
                co_return;
            }
            if (refusal->too_large) pass_over_too_large();
            co_await pause(*refusal);
            continue;
        }
        auto updates = read_updates(std::get<json::Value>(reply));
        if (!updates) {
            co_await pause({.kind = Refusal::Kind::retry, .why = updates.error().detail});
            continue;
        }
        gap_ = gap_ || !last_success_ || now - *last_success_ > limits::polling_gap_max;
        last_success_ = now;
        failures_ = 0;
        if (options_.on_success) options_.on_success(now);
        if (!last_told_.empty()) tell("updates of Telegram come in again");
        last_told_.clear();
        const bool more_may_wait = may_leave_some(updates->size(), batch_, new_offset);
        batch_ = std::min(2 * batch_, limits::telegram_updates_max);
        passed_over_ = 0;
        only_last_ = false;
        const bool at_once = now - asked < limits::outbox_backoff_first;
        const bool waits = updates->empty() && catching_up_;  // the next question is one that it may wait with
        const auto before = options_.offset;
        co_await take(std::move(*updates), gap_);
        catching_up_ = more_may_wait;
        gap_ = gap_ && more_may_wait;
        if (!more_may_wait && options_.on_caught_up) options_.on_caught_up();
        // A server that does not wait for us, or brings the same again and again, is not asked without pause.
        if (at_once && !waits && options_.offset == before) {
            co_await clock_.sleep_until(now + limits::outbox_backoff_first);
        }
    }
}

// Telegram cuts an answer to a single update if the same offset was asked within half a second before: by the process
// that crashed, after a failure, or by an HTTP client that sent the call twice. So after a pause an answer below the
// batch size says that nothing waited behind it only if its offset was new, and only if the answer before it said the
// same. A stranger who keeps writing can't prolong that without filling whole batches.
bool Poller::may_leave_some(std::size_t taken, std::size_t asked_for, bool new_offset) {
    const bool is_full = taken >= asked_for;
    if (!catching_up_ && !gap_) return is_full;
    short_answers_ = is_full || !new_offset ? 0 : short_answers_ + 1;
    if (taken > 0 && short_answers_ < 2) return true;
    short_answers_ = 0;
    return false;
}

// The same question would get the same answer forever. So updates are asked for one by one; one that is too large
// alone is passed over. Its id isn't known, but no update is pending below it: raising the offset by one loses no
// other. If the offset isn't known, or Telegram restarted its ids below it, only the last update can be asked for.
void Poller::pass_over_too_large() {
    if (std::exchange(batch_, 1) > 1) return;
    if (handler_.pass_over) {
        handler_.pass_over({Errc::too_large, "Telegram has an update that is longer or deeper than we take: it is "
                                             "passed over"});
    }
    const bool is_known = options_.offset && *options_.offset < std::numeric_limits<std::int64_t>::max();
    only_last_ = !is_known || passed_over_ >= limits::telegram_passed_over_max;
    if (only_last_) return;
    ++passed_over_;
    ++*options_.offset;
    if (options_.on_confirmed) options_.on_confirmed(*options_.offset);
}

asio::awaitable<void> Poller::take(std::vector<Update> updates, bool after_gap) {
    if (updates.empty()) co_return;
    Handling handling{co_await asio::this_coro::executor};
    // Of this batch alone: after a quiet week the numbers may begin anew, below those we know.
    auto last = updates.front().id;
    for (auto& update : updates) {
        last = std::max(last, update.id);
        handler_.handle(std::move(update), after_gap, handling.one_more());
    }
    co_await handling.all_handled(clock_, limits::telegram_handle_max);
    if (last == std::numeric_limits<std::int64_t>::max()) co_return;  // no server of Telegram's; there is no next one
    options_.offset = last + 1;
    if (options_.on_confirmed) options_.on_confirmed(last + 1);
}

asio::awaitable<void> Poller::pause(const Refusal& refusal) {
    catching_up_ = true;
    if (refusal.kind == Refusal::Kind::conflict) {
        tell(std::string{explain_conflict(refusal.why)} + " (" + refusal.why + ")");
    } else {
        tell("updates of Telegram do not come in: " + refusal.why);
    }
    const auto ours = backoff(failures_++, ids_);
    const std::chrono::milliseconds theirs = refusal.retry_after.value_or(std::chrono::seconds{0});
    co_await clock_.sleep_until(clock_.boot() + std::max(ours, theirs));
}

// Once for as long as it stays the same.
void Poller::tell(std::string line) {
    if (line == last_told_) return;
    last_told_ = line;
    if (options_.on_problem) options_.on_problem(line);
}

}  // namespace countersign::channels::telegram
