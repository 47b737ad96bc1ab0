// SPDX-License-Identifier: Apache-2.0
// Outbox: what a channel has to say, until the platform took it or the time for it is over (I11).
//
// Letters of one chat go out one at a time, by their Turns, and within an urgency the agents take turns (Lane); only a
// card goes beside whatever else is under way, because an agent waits for it. A chat that must wait, because the
// platform asked for it or it has had as much as it takes in that time, holds back its own letters and no others. What
// we choose to wait after a failure holds back nothing that is more urgent. So many go out at once over all chats, as
// fast as the whole channel may; what hangs leaves places for cards, and for answers to taps.
//
// It knows no platform: a letter brings its own way to be sent, and whoever made the outbox knows the rates. Bounded;
// runs on the owner's thread, in the channel's task group; every wait goes through the Clock. Nothing here looks
// through what waits: one letter costs the same, however many there are.
#pragma once

#include "channels/lane.hpp"
#include "channels/token_bucket.hpp"
#include "channels/turns.hpp"
#include "core/hub/task_group.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/ids.hpp"
#include "core/result.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace countersign::channels {

// What one try came to.
struct Sending {
    enum class State { done, retry, failed } state = State::done;
    std::string why = {};  // for people, where it was not done
    // The platform's own wish; else we choose. Zero is at once, and granted to a letter only the first time.
    std::optional<std::chrono::milliseconds> after = std::nullopt;
    // What the wish is for: all of the chat; only letters like this one in it; or every chat.
    enum class Scope { chat, bucket, bot } scope = Scope::chat;
    std::size_t calls = 1;  // that the platform counts
};

struct Letter {
    std::string chat;  // whatever keeps an order of its own
    Urgency urgency = Urgency::other;
    std::string sender = {};  // the agent that it is about: within an urgency each has its turn
    bool rated = true;        // keeps the rates of its chat and of the channel; the same for all of a chat
    bool counts = true;       // against the rate of the chat
    bool answers = false;     // a person waits for it, so it need not leave the reserve of its chat to cards
    BootTime deadline;
    // One try. Called again after a retry, never while it runs; it keeps in itself what it got done before.
    std::function<boost::asio::awaitable<Sending>()> send;
    // Called once, unless it was dropped: it was taken, or why it never will be.
    std::function<void(const Result<void>&)> done = {};
    // Called once at most, if it has not ended by then, or as soon as it is known that it will not have. It is still
    // tried.
    BootTime patience = BootTime::max();
    std::function<void(const std::string& why)> late = {};
};

using LetterId = std::uint64_t;  // never 0

// How fast a platform lets us speak. None: as fast as it answers.
struct Rates {
    Rate channel = {};
    std::function<Rate(const std::string& chat)> of_chat = {};
};

// What one chat waits for.
struct WaitingChat {
    std::string chat;
    ByUrgency<std::size_t> letters{};
    std::chrono::milliseconds waited{0};  // its oldest letter
    std::size_t tries = 0;                // of the letter that is next
    std::string why;                      // the last try did not succeed; empty if it did
    bool in_flight = false;
    std::chrono::milliseconds next_in{0};  // at the earliest
};

struct OutboxReport {
    ByUrgency<std::size_t> waiting{};
    ByUrgency<std::uint64_t> sent{};     // since the start
    ByUrgency<std::uint64_t> retried{};  // tries that ended in another try
    std::vector<WaitingChat> chats;      // whoever waits longest first
    std::size_t more_chats = 0;          // that are not listed
};

class Outbox {
public:
    // Borrows all three.
    Outbox(boost::asio::any_io_executor executor, TaskGroup& tasks, Clock& clock, Ids& ids, Rates rates = {});
    Outbox(const Outbox&) = delete;
    Outbox& operator=(const Outbox&) = delete;

    // Errc::busy when outbox_letters_max of that urgency wait.
    [[nodiscard]] Result<LetterId> put(Letter letter);

    // dropped: it will not be sent, and its `done` is never called. in_flight: it is being sent right now, `done` will
    // be called. gone: it ended before, or never was.
    enum class Dropped { dropped, in_flight, gone };
    Dropped drop(LetterId id);

    [[nodiscard]] std::size_t size() const { return by_id_.size(); }
    // At most so many chats; looks through all of them.
    [[nodiscard]] OutboxReport report(std::size_t chats_max) const;
    // Resolves when nothing is left, or the time is over. No card will come, so edits no longer leave a reserve to
    // them.
    boost::asio::awaitable<void> drain(BootTime until);

private:
    struct Chat;
    struct Waiting {
        LetterId id = 0;
        const std::string* sender = nullptr;
        Chat* chat = nullptr;
        Urgency urgency = Urgency::other;
        bool answers = false;
        bool counts = true;
        bool hurried = false;  // it was tried again at once
        bool in_flight = false;
        std::uint32_t tries = 0;
        std::uint32_t failures = 0;  // without a wish of the platform
        BootTime since;
        BootTime deadline;
        BootTime patience;
        std::optional<BootTime> alarm;  // its entry among the alarms
        std::function<boost::asio::awaitable<Sending>()> send;
        std::function<void(const Result<void>&)> done;
        std::function<void(const std::string&)> late;
    };
    using Letters = Lane<Waiting>;
    struct Chat {
        std::string name;
        bool rated = true;
        TokenBucket bucket;
        ByUrgency<Letters> letters;
        Turns turns;
        // As the platform wished, or we chose after a failure.
        ByUrgency<BootTime> not_before;
        bool keeps_reserve = true;  // for cards that may come
        std::string why;            // of its last try
        ByUrgency<bool> busy{};     // one of its letters is in flight

        [[nodiscard]] bool is_busy() const { return busy != ByUrgency<bool>{}; }
        // When a letter of this urgency may go. Edits and notices leave some of the chat's rate to the cards that may
        // come; while cards wait already, all go by their turns.
        [[nodiscard]] BootTime may_go_at(std::size_t urgency) const;
        // Where it waits for its turn: among those that may go, by urgency and in the order they came; or for its time.
        enum class Place { nowhere, ready, asleep, idle } place = Place::nowhere;
        std::size_t urgency = 0;
        std::uint64_t turn = 0;
        BootTime when;
    };
    using Queue = std::set<std::pair<std::uint64_t, Chat*>>;
    // By the time and then by the turn: an order by address would favour the same chats again and again.
    using Sleepers = std::map<std::pair<BootTime, std::uint64_t>, Chat*>;

    boost::asio::awaitable<void> work();
    boost::asio::awaitable<void> send(LetterId id);
    boost::asio::awaitable<void> something_happens();
    void returned(LetterId id, const Sending& sent);
    void try_again(Letters::Position letter, const Sending& sent);
    void ring();
    void wake_chats();
    void start_all();
    // No card, and nobody's tap waits for it either.
    [[nodiscard]] static bool is_other(const Chat& chat, Urgency urgency) {
        return chat.rated && urgency != Urgency::approval;
    }
    [[nodiscard]] bool others_may() const { return others_in_flight_ < limits::outbox_in_flight_others_max; }
    [[nodiscard]] Turns::Waits ready_rated() const;
    void start(Chat& chat);
    [[nodiscard]] Chat* next_chat();
    [[nodiscard]] BootTime channel_may_at() const { return std::max(bucket_.ready_at(), bot_not_before_); }
    [[nodiscard]] BootTime next_moment() const;
    void place(Chat& chat);
    void take_away(Chat& chat);
    void set_alarm(Waiting& letter);
    void take_alarm(Waiting& letter);
    void tell_late(Waiting& letter);
    void finish(Letters::Position letter, const Result<void>& result);
    void wake();
    // What the platform wishes, where we grant it.
    [[nodiscard]] static std::optional<std::chrono::milliseconds> wish_of(Waiting& letter, const Sending& sent);
    [[nodiscard]] static Turns::Waits has_letters(const Chat& chat);
    [[nodiscard]] static Turns::Waits may_start(const Chat& chat);
    [[nodiscard]] WaitingChat described(const Chat& chat, BootTime now) const;

    boost::asio::any_io_executor executor_;
    TaskGroup& tasks_;
    Clock& clock_;
    Ids& ids_;
    Rates rates_;
    TokenBucket bucket_;       // of the whole channel
    BootTime bot_not_before_;  // as the platform wished it for every chat
    std::unordered_map<std::string, Chat> chats_;
    std::unordered_map<LetterId, Letters::Position> by_id_;
    LetterId last_ = 0;
    ByUrgency<std::size_t> waiting_{};
    ByUrgency<std::uint64_t> sent_{};
    ByUrgency<std::uint64_t> retried_{};
    std::set<std::pair<BootTime, LetterId>> alarms_;  // deadlines and patience, of all that is not in flight
    ByUrgency<Queue> ready_[2];                       // chats that may go: unrated, and rated
    Sleepers asleep_;                                 // chats with letters, until they may go
    Sleepers idle_;                                   // chats without, until nothing is to be remembered of them
    std::uint64_t last_turn_ = 0;
    Turns turns_;  // among the chats that may go
    std::size_t in_flight_ = 0;
    std::size_t others_in_flight_ = 0;  // of those
    bool draining_ = false;
    bool running_ = false;               // the task that starts letters exists
    bool woken_ = false;                 // something changed since it looked
    boost::asio::steady_timer bell_;     // cancelled for that
    boost::asio::steady_timer emptied_;  // cancelled when the last letter is gone
};

}  // namespace countersign::channels
