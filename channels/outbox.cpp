// SPDX-License-Identifier: Apache-2.0
#include "channels/outbox.hpp"

#include "channels/backoff.hpp"
#include "core/limits.hpp"

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

namespace countersign::channels {

namespace asio = boost::asio;

namespace {

// One try. What throws has failed like anything else, and the chat's other letters go on; only a task that is cancelled
// ends by it.
asio::awaitable<Sending> tried(std::function<asio::awaitable<Sending>()> send) {
    bool aborted = false;
    std::string why;
    try {
        co_return co_await send();
    } catch (const boost::system::system_error& error) {
        aborted = error.code() == asio::error::operation_aborted;
        why = error.what();
    } catch (const std::exception& error) {
        why = error.what();
    } catch (...) {
        why = "an exception of unknown type";
    }
    const auto state = co_await asio::this_coro::cancellation_state;
    if (aborted && state.cancelled() != asio::cancellation_type::none) {
        throw boost::system::system_error{asio::error::operation_aborted};
    }
    co_return Sending{Sending::State::failed, "sending it ended with an exception: " + why};
}

Error overdue(const std::string& why) {
    return {Errc::timeout, why.empty() ? "it could not be sent in time" : "it could not be sent in time: " + why};
}

Turns::Waits cards_of(const Turns::Waits& waits) {
    Turns::Waits cards{};
    cards[index_of(Urgency::approval)] = waits[index_of(Urgency::approval)];
    return cards;
}

}  // namespace

BootTime Outbox::Chat::may_go_at(std::size_t one) const {
    constexpr auto card = index_of(Urgency::approval);
    const bool cards_wait = letters[card].size() > (busy[card] ? 1U : 0U);
    if (!letters[one].empty() && !letters[one].next().counts) return not_before[one];
    const bool answers = !letters[one].empty() && letters[one].next().answers;
    const bool leaves_reserve = keeps_reserve && one != card && !answers && !cards_wait;
    return std::max(not_before[one], leaves_reserve ? bucket.ready_beyond_reserve_at() : bucket.ready_at());
}

Outbox::Outbox(asio::any_io_executor executor, TaskGroup& tasks, Clock& clock, Ids& ids, Rates rates)
    : executor_{std::move(executor)},
      tasks_{tasks},
      clock_{clock},
      ids_{ids},
      rates_{std::move(rates)},
      bucket_{rates_.channel},
      bell_{executor_, asio::steady_timer::time_point::max()},
      emptied_{executor_, asio::steady_timer::time_point::max()} {}

Result<LetterId> Outbox::put(Letter letter) {
    auto& waiting = waiting_[index_of(letter.urgency)];
    if (waiting >= limits::outbox_letters_max) return Error{Errc::busy, "too many messages wait to be sent"};
    ++waiting;
    const auto id = ++last_;
    const auto [found, is_new] = chats_.try_emplace(letter.chat);
    auto& chat = found->second;
    if (is_new) {
        chat.name = std::move(letter.chat);
        chat.rated = letter.rated;
        if (chat.rated && rates_.of_chat) chat.bucket = TokenBucket{rates_.of_chat(chat.name)};
    }
    chat.keeps_reserve = !draining_;
    const auto added = chat.letters[index_of(letter.urgency)].add(letter.sender, {.id = id,
                                                                                  .chat = &chat,
                                                                                  .urgency = letter.urgency,
                                                                                  .answers = letter.answers,
                                                                                  .counts = letter.counts,
                                                                                  .since = clock_.boot(),
                                                                                  .deadline = letter.deadline,
                                                                                  .patience = letter.patience,
                                                                                  .alarm = {},
                                                                                  .send = std::move(letter.send),
                                                                                  .done = std::move(letter.done),
                                                                                  .late = std::move(letter.late)});
    by_id_.emplace(id, added);
    set_alarm(*added);
    place(chat);
    wake();
    return id;
}

Outbox::Dropped Outbox::drop(LetterId id) {
    const auto found = by_id_.find(id);
    if (found == by_id_.end()) return Dropped::gone;
    if (found->second->in_flight) return Dropped::in_flight;
    found->second->done = nullptr;
    finish(found->second, {});
    return Dropped::dropped;
}

asio::awaitable<void> Outbox::drain(BootTime until) {
    using namespace asio::experimental::awaitable_operators;
    draining_ = true;
    const auto asleep = asleep_;  // placing changes it
    for (const auto& [when, chat] : asleep) {
        chat->keeps_reserve = false;
        place(*chat);
    }
    wake();
    while (size() > 0 && clock_.boot() < until) {
        boost::system::error_code ignored;
        co_await (emptied_.async_wait(asio::redirect_error(asio::use_awaitable, ignored)) || clock_.sleep_until(until));
    }
}

// One task for all chats, as long as there are letters. It starts what may go and sleeps until something may change.
asio::awaitable<void> Outbox::work() {
    while (!by_id_.empty()) {
        ring();
        wake_chats();
        start_all();
        if (!by_id_.empty()) co_await something_happens();
    }
    running_ = false;
}

void Outbox::wake() {
    woken_ = true;
    bell_.cancel();
    if (!by_id_.empty() && !std::exchange(running_, true)) tasks_.spawn(work());
}

asio::awaitable<void> Outbox::something_happens() {
    using namespace asio::experimental::awaitable_operators;
    boost::system::error_code ignored;
    const auto moment = next_moment();
    if (!std::exchange(woken_, false) && clock_.boot() < moment) {
        if (moment == BootTime::max()) {
            co_await bell_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        } else {
            co_await (bell_.async_wait(asio::redirect_error(asio::use_awaitable, ignored)) ||
                      clock_.sleep_until(moment));
        }
        woken_ = false;
    }
    const auto state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none) {
        throw boost::system::system_error{asio::error::operation_aborted};
    }
}

BootTime Outbox::next_moment() const {
    auto moment = BootTime::max();
    if (!alarms_.empty()) moment = alarms_.begin()->first;
    if (!asleep_.empty()) moment = std::min(moment, asleep_.begin()->first.first);
    const bool waits_for_channel = std::ranges::any_of(ready_rated(), std::identity{});
    if (waits_for_channel && in_flight_ < limits::outbox_in_flight_max) moment = std::min(moment, channel_may_at());
    return moment;
}

// What ran out of time goes back, and who was patient long enough hears of it. Whoever hears may put and drop letters.
void Outbox::ring() {
    while (!alarms_.empty() && alarms_.begin()->first <= clock_.boot()) {
        const auto letter = by_id_.at(alarms_.begin()->second);
        if (clock_.boot() >= letter->deadline) {
            finish(letter, overdue(letter->chat->why));
        } else {
            tell_late(*letter);
        }
    }
}

void Outbox::wake_chats() {
    const auto now = clock_.boot();
    while (!asleep_.empty() && asleep_.begin()->first.first <= now) place(*asleep_.begin()->second);
    while (!idle_.empty() && idle_.begin()->first.first <= now) place(*idle_.begin()->second);
}

void Outbox::start_all() {
    while (in_flight_ < limits::outbox_in_flight_max) {
        auto* chat = next_chat();
        if (chat == nullptr) return;
        start(*chat);
    }
}

// Chats that the channel's rate holds back or lets go. What is no card may hang, and leaves places for cards.
Turns::Waits Outbox::ready_rated() const {
    Turns::Waits waits{};
    for (std::size_t one = 0; one < urgencies; ++one) waits[one] = !ready_[1][one].empty();
    return others_may() ? waits : cards_of(waits);
}

// Whose turn it is among those that may go. While the channel has said as much as it may, only what is not rated does.
Outbox::Chat* Outbox::next_chat() {
    const bool rated_may = channel_may_at() <= clock_.boot();
    const auto rated_waits = rated_may ? ready_rated() : Turns::Waits{};
    Turns::Waits waits{};
    for (std::size_t one = 0; one < urgencies; ++one) waits[one] = !ready_[0][one].empty() || rated_waits[one];
    if (std::ranges::none_of(waits, std::identity{})) return nullptr;
    const auto urgency = turns_.next(waits);
    turns_.took(urgency, waits);
    const auto& unrated = ready_[0][index_of(urgency)];
    const auto& rated = ready_[1][index_of(urgency)];
    if (!rated_waits[index_of(urgency)]) return unrated.begin()->second;
    if (unrated.empty()) return rated.begin()->second;
    return std::min(*unrated.begin(), *rated.begin()).second;
}

void Outbox::start(Chat& chat) {
    auto may = may_start(chat);
    if (chat.rated && !others_may()) may = cards_of(may);
    for (std::size_t one = 0; one < urgencies; ++one) may[one] = may[one] && chat.may_go_at(one) <= clock_.boot();
    const auto urgency = chat.turns.next(may);
    chat.turns.took(urgency, has_letters(chat));
    auto& letter = chat.letters[index_of(urgency)].next();
    chat.busy[index_of(urgency)] = true;
    ++in_flight_;
    if (is_other(chat, urgency)) ++others_in_flight_;
    take_alarm(letter);
    letter.in_flight = true;
    ++letter.tries;
    if (chat.rated) {
        if (letter.counts) chat.bucket.take(clock_.boot());
        bucket_.take(clock_.boot());
    }
    tasks_.spawn(send(letter.id));
    place(chat);  // a card may go beside it
}

asio::awaitable<void> Outbox::send(LetterId id) {
    const auto sent = co_await tried(by_id_.at(id)->send);
    returned(id, sent);  // in flight, so nobody took it out
}

void Outbox::returned(LetterId id, const Sending& sent) {
    const auto letter = by_id_.at(id);
    const auto urgency = index_of(letter->urgency);
    auto& chat = *letter->chat;  // busy, so that it stays while somebody hears what came of the letter
    --in_flight_;
    if (is_other(chat, letter->urgency)) --others_in_flight_;
    letter->in_flight = false;
    if (chat.rated && sent.calls == 0) {
        if (letter->counts) chat.bucket.give_back();
        bucket_.give_back();
    } else if (chat.rated) {
        if (letter->counts) chat.bucket.take(clock_.boot(), sent.calls - 1);
        bucket_.take(clock_.boot(), sent.calls - 1);
    }
    chat.why = sent.why;
    if (sent.state == Sending::State::done) {
        ++sent_[urgency];
        finish(letter, {});
    } else if (sent.state == Sending::State::failed) {
        finish(letter, Error{Errc::undeliverable, sent.why});
    } else {
        try_again(letter, sent);
    }
    chat.busy[urgency] = false;
    place(chat);
    wake();
}

void Outbox::try_again(Letters::Position letter, const Sending& sent) {
    auto& chat = *letter->chat;
    const auto urgency = index_of(letter->urgency);
    ++retried_[urgency];
    const auto wish = wish_of(*letter, sent);
    const auto next = clock_.boot() + (wish ? *wish : backoff(letter->failures++, ids_));
    const auto scope = wish ? sent.scope : Sending::Scope::chat;
    if (scope == Sending::Scope::bot) bot_not_before_ = std::max(bot_not_before_, next);
    // A wish for the chat holds back all of it. Our own patience with an edit that fails is none of a card's.
    const auto first = wish && scope != Sending::Scope::bucket ? 0 : urgency;
    const auto end = scope == Sending::Scope::bucket ? urgency + 1 : urgencies;
    for (auto one = first; one < end; ++one) {
        chat.not_before[one] = std::max(chat.not_before[one], next);
    }
    // Known to be too late is said at once, so that the route can go on to its next step.
    if (chat.not_before[urgency] >= letter->deadline) return finish(letter, overdue(sent.why));
    set_alarm(*letter);
}

// Whoever always says "at once" would have us ask without end.
std::optional<std::chrono::milliseconds> Outbox::wish_of(Waiting& letter, const Sending& sent) {
    const bool at_once = sent.after && sent.after->count() <= 0;
    return at_once && std::exchange(letter.hurried, true) ? std::nullopt : sent.after;
}

Turns::Waits Outbox::has_letters(const Chat& chat) {
    Turns::Waits has{};
    for (std::size_t one = 0; one < urgencies; ++one) has[one] = !chat.letters[one].empty();
    return has;
}

// But for their time. A try may take as long as an HTTP call does, and a card does not wait for that.
Turns::Waits Outbox::may_start(const Chat& chat) {
    constexpr auto card = index_of(Urgency::approval);
    auto may = has_letters(chat);
    for (std::size_t one = 0; one < urgencies; ++one) {
        may[one] = may[one] && !(one == card ? chat.busy[card] : chat.is_busy());
    }
    return may;
}

// Where it stands in line, after anything about it changed. A chat without letters is forgotten once it could not be
// told from a new one. The reference is void afterwards, unless the chat is busy or has letters.
void Outbox::place(Chat& chat) {
    const auto now = clock_.boot();
    const auto waiting = may_start(chat);
    const bool empty = std::ranges::none_of(waiting, std::identity{});
    // An edit before a waiting approval hurries as that one does.
    auto urgency = static_cast<std::size_t>(std::ranges::find(waiting, true) - waiting.begin());
    auto may_go = chat.may_go_at(empty ? urgencies - 1 : urgency);
    // An answer does not wait for an edit that leaves the reserve.
    for (auto one = urgency; one < urgencies && may_go > now; ++one) {
        if (!waiting[one] || chat.may_go_at(one) >= may_go) continue;
        urgency = one;
        may_go = chat.may_go_at(one);
    }
    const bool goes_now = !empty && may_go <= now;
    if (goes_now && chat.place == Chat::Place::ready && chat.urgency == urgency) return;  // keeps its turn
    if (!empty && !goes_now && chat.place == Chat::Place::asleep && chat.when == may_go) return;

    take_away(chat);
    if (empty && chat.is_busy()) return;  // until that is back
    chat.turn = ++last_turn_;
    if (goes_now) {
        chat.place = Chat::Place::ready;
        chat.urgency = urgency;
        ready_[chat.rated ? 1 : 0][urgency].emplace(chat.turn, &chat);
        return;
    }
    chat.when = empty ? std::max(may_go, chat.bucket.full_at()) : may_go;
    if (empty && chat.when <= now) {
        chats_.erase(chats_.find(chat.name));
        return;
    }
    chat.place = empty ? Chat::Place::idle : Chat::Place::asleep;
    (empty ? idle_ : asleep_).emplace(std::pair{chat.when, chat.turn}, &chat);
}

void Outbox::take_away(Chat& chat) {
    if (chat.place == Chat::Place::ready) ready_[chat.rated ? 1 : 0][chat.urgency].erase({chat.turn, &chat});
    if (chat.place == Chat::Place::asleep) asleep_.erase({chat.when, chat.turn});
    if (chat.place == Chat::Place::idle) idle_.erase({chat.when, chat.turn});
    chat.place = Chat::Place::nowhere;
}

// A chat that will not be spoken to before the patience ends is known to be late now.
void Outbox::set_alarm(Waiting& letter) {
    take_alarm(letter);
    letter.alarm = letter.deadline;
    if (letter.late) {
        const bool known = letter.chat->not_before[index_of(letter.urgency)] >= letter.patience;
        letter.alarm = std::min(letter.deadline, known ? clock_.boot() : letter.patience);
    }
    alarms_.emplace(*letter.alarm, letter.id);
}

void Outbox::take_alarm(Waiting& letter) {
    if (letter.alarm) alarms_.erase({*letter.alarm, letter.id});
    letter.alarm.reset();
}

void Outbox::tell_late(Waiting& letter) {
    const auto late = std::exchange(letter.late, nullptr);
    set_alarm(letter);
    const auto why = letter.chat->why.empty() ? std::string{"it waits to be sent"} : letter.chat->why;
    late(why);  // last: it may drop the letter
}

void Outbox::finish(Letters::Position letter, const Result<void>& result) {
    auto& chat = *letter->chat;
    const auto urgency = index_of(letter->urgency);
    const auto done = std::move(letter->done);
    take_alarm(*letter);
    by_id_.erase(letter->id);
    --waiting_[urgency];
    chat.letters[urgency].erase(letter, letter->tries > 0);
    place(chat);
    if (by_id_.empty()) {
        emptied_.cancel();
        wake();
    }
    if (done) done(result);
}

OutboxReport Outbox::report(std::size_t chats_max) const {
    OutboxReport report{.waiting = waiting_, .sent = sent_, .retried = retried_, .chats = {}};
    std::vector<std::pair<LetterId, const Chat*>> oldest;
    for (const auto& [name, chat] : chats_) {
        auto first = std::numeric_limits<LetterId>::max();
        for (const auto& letters : chat.letters) {
            if (!letters.empty()) first = std::min(first, letters.oldest().id);
        }
        if (first != std::numeric_limits<LetterId>::max()) oldest.emplace_back(first, &chat);
    }
    std::ranges::sort(oldest);
    const auto listed = std::min(oldest.size(), chats_max);
    report.more_chats = oldest.size() - listed;
    for (std::size_t i = 0; i < listed; ++i) report.chats.push_back(described(*oldest[i].second, clock_.boot()));
    return report;
}

WaitingChat Outbox::described(const Chat& chat, BootTime now) const {
    WaitingChat described{.chat = chat.name, .why = chat.why, .in_flight = chat.is_busy()};
    auto since = now;
    for (std::size_t one = 0; one < urgencies; ++one) {
        described.letters[one] = chat.letters[one].size();
        if (!chat.letters[one].empty()) since = std::min(since, chat.letters[one].oldest().since);
    }
    described.waited = now - since;
    const auto next = index_of(chat.turns.next(has_letters(chat)));
    described.tries = chat.letters[next].next().tries;
    const auto may_go = std::max(chat.may_go_at(next), now);
    described.next_in = may_go - now;
    return described;
}

}  // namespace countersign::channels
