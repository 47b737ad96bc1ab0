// SPDX-License-Identifier: Apache-2.0
// Outbox: what a channel has to say, until the platform took it or the time for it is over (I11).
//
// Letters of one chat go out one at a time: approvals before everything else, but only so many of them while something
// else waits, and each kind in the order it came. A chat that must wait, because the platform asked for it or was not
// reached, holds back its own letters and no others.
//
// It knows no platform: a letter brings its own way to be sent. Bounded; runs on the owner's thread, in the channel's
// task group; every wait goes through the Clock.
#pragma once

#include "core/hub/task_group.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/ids.hpp"
#include "core/result.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace countersign::channels {

// What one try came to.
struct Sending {
    enum class State { done, retry, failed } state = State::done;
    std::string why = {};  // for people, where it was not done
    // The platform's own wish; else we choose. Zero is at once, and granted to a letter only the first time.
    std::optional<std::chrono::milliseconds> after = std::nullopt;
};

enum class Urgency { approval, other };

struct Letter {
    std::string chat;  // whatever keeps an order of its own
    Urgency urgency = Urgency::other;
    BootTime deadline;
    // One try. Called again after a retry, never while it runs; it keeps in itself what it got done before.
    std::function<boost::asio::awaitable<Sending>()> send;
    // Called once, unless it was dropped: it was taken, or why it never will be.
    std::function<void(const Result<void>&)> done;
};

using LetterId = std::uint64_t;  // never 0

class Outbox {
public:
    // Borrows all three.
    Outbox(boost::asio::any_io_executor executor, TaskGroup& tasks, Clock& clock, Ids& ids);

    // Errc::busy when outbox_letters_max of that urgency wait.
    [[nodiscard]] Result<LetterId> put(Letter letter);

    // dropped: it will not be sent, and its `done` is never called. in_flight: it is being sent right now, `done` will
    // be called. gone: it ended before, or never was.
    enum class Dropped { dropped, in_flight, gone };
    Dropped drop(LetterId id);

    [[nodiscard]] std::size_t size() const { return waiting_[0] + waiting_[1]; }
    // Resolves when nothing is left, or the time is over.
    boost::asio::awaitable<void> drain(BootTime until);

private:
    struct Waiting {
        LetterId id = 0;
        Letter letter;
        unsigned tries = 0;
        bool hurried = false;  // it was tried again at once
        bool in_flight = false;
        std::string why;  // of the last try
    };
    // Whose turn it is: an approval's, unless something else has let outbox_approvals_in_a_row_max of them pass.
    class Turns {
    public:
        [[nodiscard]] Urgency next(bool approval_waits, bool other_waits) const;
        void took(Urgency urgency, bool other_waits);

    private:
        std::size_t passed_ = 0;
    };
    struct Chat {
        std::list<Waiting> letters[2];  // by urgency
        Turns turns;
        BootTime not_before;
        bool running = false;  // its task exists
    };
    // A place among the outbox_in_flight_max, given back when it goes.
    class Slot {
    public:
        explicit Slot(Outbox& outbox) : outbox_{&outbox} {}
        Slot(const Slot&) = delete;
        Slot& operator=(const Slot&) = delete;
        ~Slot();

    private:
        Outbox* outbox_;
    };

    boost::asio::awaitable<void> work(std::string name);
    boost::asio::awaitable<void> take_slot(Urgency urgency);
    void send_overdue_back(Chat& chat);
    void finish(Chat& chat, LetterId id, const Result<void>& result);
    [[nodiscard]] std::chrono::milliseconds wait_before_next(Waiting& letter, const Sending& sent);
    [[nodiscard]] static Waiting* next(Chat& chat);
    [[nodiscard]] static Waiting* find(Chat& chat, LetterId id);
    [[nodiscard]] static BootTime next_moment(const Chat& chat);

    boost::asio::any_io_executor executor_;
    TaskGroup& tasks_;
    Clock& clock_;
    Ids& ids_;
    std::map<std::string, Chat> chats_;
    std::map<LetterId, std::string> chat_of_;
    LetterId last_ = 0;
    std::size_t waiting_[2] = {0, 0};
    std::size_t in_flight_ = 0;
    std::list<boost::asio::steady_timer*> queue_[2];  // tasks that wait for a slot
    Turns slot_turns_;
    boost::asio::steady_timer emptied_;  // cancelled when the last letter is gone
};

}  // namespace countersign::channels
