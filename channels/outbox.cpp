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
#include <utility>
#include <vector>

namespace countersign::channels {

namespace asio = boost::asio;

namespace {

std::size_t index_of(Urgency urgency) { return urgency == Urgency::approval ? 0 : 1; }

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

}  // namespace

Outbox::Outbox(asio::any_io_executor executor, TaskGroup& tasks, Clock& clock, Ids& ids)
    : executor_{std::move(executor)},
      tasks_{tasks},
      clock_{clock},
      ids_{ids},
      emptied_{executor_, asio::steady_timer::time_point::max()} {}

Result<LetterId> Outbox::put(Letter letter) {
    auto& waiting = waiting_[index_of(letter.urgency)];
    if (waiting >= limits::outbox_letters_max) return Error{Errc::busy, "too many messages wait to be sent"};
    ++waiting;
    const auto id = ++last_;
    chat_of_.emplace(id, letter.chat);
    const auto name = letter.chat;
    auto& chat = chats_[name];
    chat.letters[index_of(letter.urgency)].push_back({.id = id, .letter = std::move(letter)});
    if (!std::exchange(chat.running, true)) tasks_.spawn(work(name));
    return id;
}

Outbox::Dropped Outbox::drop(LetterId id) {
    const auto of = chat_of_.find(id);
    if (of == chat_of_.end()) return Dropped::gone;
    auto& chat = chats_.at(of->second);
    auto* waiting = find(chat, id);
    if (waiting->in_flight) return Dropped::in_flight;
    waiting->letter.done = nullptr;
    finish(chat, id, {});
    return Dropped::dropped;
}

asio::awaitable<void> Outbox::drain(BootTime until) {
    using namespace asio::experimental::awaitable_operators;
    while (size() > 0 && clock_.boot() < until) {
        boost::system::error_code ignored;
        co_await (emptied_.async_wait(asio::redirect_error(asio::use_awaitable, ignored)) || clock_.sleep_until(until));
    }
}

// One task a chat, as long as the chat has letters. Whatever was looked at before a suspension is looked up again after
// it: letters come, are dropped and run out of time meanwhile.
asio::awaitable<void> Outbox::work(std::string name) {
    while (true) {
        auto* chat = &chats_.at(name);
        send_overdue_back(*chat);
        const auto* first = next(*chat);
        if (clock_.boot() < chat->not_before) {
            // Also without a letter: the platform's wish holds for the next one too.
            co_await clock_.sleep_until(next_moment(*chat));
            continue;
        }
        if (first == nullptr) break;
        // An edit before a waiting approval hurries as that one does.
        co_await take_slot(chat->letters[index_of(Urgency::approval)].empty() ? Urgency::other : Urgency::approval);
        const Slot slot{*this};
        chat = &chats_.at(name);
        send_overdue_back(*chat);
        auto* letter = next(*chat);
        if (letter == nullptr) continue;

        const auto id = letter->id;
        letter->in_flight = true;
        chat->turns.took(letter->letter.urgency, !chat->letters[index_of(Urgency::other)].empty());
        const auto sent = co_await tried(letter->letter.send);
        chat = &chats_.at(name);
        letter = find(*chat, id);  // in flight, so nobody took it out
        letter->in_flight = false;
        if (sent.state == Sending::State::done) {
            finish(*chat, id, {});
        } else if (sent.state == Sending::State::failed) {
            finish(*chat, id, Error{Errc::undeliverable, sent.why});
        } else {
            letter->why = sent.why;
            chat->not_before = clock_.boot() + wait_before_next(*letter, sent);
            // Known to be too late is said at once, so that the route can go on to its next step.
            if (chat->not_before >= letter->letter.deadline) finish(*chat, id, overdue(sent.why));
        }
    }
    chats_.erase(name);
}

// Whoever always says "at once" would have us ask without end.
std::chrono::milliseconds Outbox::wait_before_next(Waiting& letter, const Sending& sent) {
    const bool at_once = sent.after && sent.after->count() <= 0;
    if (sent.after && (!at_once || !std::exchange(letter.hurried, true))) return *sent.after;
    return backoff(letter.tries++, ids_);
}

void Outbox::send_overdue_back(Chat& chat) {
    std::vector<std::pair<LetterId, std::string>> late;
    for (const auto& letters : chat.letters) {
        for (const auto& waiting : letters) {
            if (!waiting.in_flight && clock_.boot() >= waiting.letter.deadline)
                late.emplace_back(waiting.id, waiting.why);
        }
    }
    for (const auto& [id, why] : late) finish(chat, id, overdue(why));
}

void Outbox::finish(Chat& chat, LetterId id, const Result<void>& result) {
    for (auto& letters : chat.letters) {
        const auto found = std::ranges::find(letters, id, &Waiting::id);
        if (found == letters.end()) continue;
        const auto letter = std::move(found->letter);
        letters.erase(found);
        chat_of_.erase(id);
        --waiting_[index_of(letter.urgency)];
        if (size() == 0) emptied_.cancel();
        if (letter.done) letter.done(result);
        return;
    }
}

Outbox::Waiting* Outbox::next(Chat& chat) {
    const bool approval_waits = !chat.letters[index_of(Urgency::approval)].empty();
    const bool other_waits = !chat.letters[index_of(Urgency::other)].empty();
    if (!approval_waits && !other_waits) return nullptr;
    return &chat.letters[index_of(chat.turns.next(approval_waits, other_waits))].front();
}

Urgency Outbox::Turns::next(bool approval_waits, bool other_waits) const {
    const bool others_turn = other_waits && passed_ >= limits::outbox_approvals_in_a_row_max;
    return approval_waits && !others_turn ? Urgency::approval : Urgency::other;
}

void Outbox::Turns::took(Urgency urgency, bool other_waits) {
    passed_ = urgency == Urgency::approval && other_waits ? passed_ + 1 : 0;
}

Outbox::Waiting* Outbox::find(Chat& chat, LetterId id) {
    for (auto& letters : chat.letters) {
        const auto found = std::ranges::find(letters, id, &Waiting::id);
        if (found != letters.end()) return &*found;
    }
    return nullptr;
}

BootTime Outbox::next_moment(const Chat& chat) {
    auto moment = chat.not_before;
    for (const auto& letters : chat.letters) {
        for (const auto& waiting : letters) moment = std::min(moment, waiting.letter.deadline);
    }
    return moment;
}

asio::awaitable<void> Outbox::take_slot(Urgency urgency) {
    if (in_flight_ >= limits::outbox_in_flight_max) {
        asio::steady_timer turn{executor_, asio::steady_timer::time_point::max()};
        auto& queue = queue_[index_of(urgency)];
        const auto self = queue.insert(queue.end(), &turn);
        boost::system::error_code ignored;
        co_await turn.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        // Whoever gave a slot away took us out of the queue and did not count the slot as free.
        if (std::ranges::find(queue, &turn) == queue.end()) co_return;
        queue.erase(self);
        throw boost::system::system_error{asio::error::operation_aborted};
    }
    ++in_flight_;
}

Outbox::Slot::~Slot() {
    const bool approval_waits = !outbox_->queue_[index_of(Urgency::approval)].empty();
    const bool other_waits = !outbox_->queue_[index_of(Urgency::other)].empty();
    if (!approval_waits && !other_waits) {
        --outbox_->in_flight_;
        return;
    }
    const auto urgency = outbox_->slot_turns_.next(approval_waits, other_waits);
    outbox_->slot_turns_.took(urgency, other_waits);
    auto& queue = outbox_->queue_[index_of(urgency)];
    auto* turn = queue.front();
    queue.pop_front();
    turn->cancel();  // the slot is theirs now
}

}  // namespace countersign::channels
