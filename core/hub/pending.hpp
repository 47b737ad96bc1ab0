// SPDX-License-Identifier: Apache-2.0
// Pending: the hub's state of one open request. Entirely passive; the hub's functions change it.
#pragma once

#include "core/boxed_optional.hpp"
#include "core/configuration.hpp"
#include "core/ports/channel.hpp"
#include "core/ports/earlier.hpp"
#include "core/ports/ledger.hpp"
#include "core/ports/runtime.hpp"
#include "core/quorum.hpp"
#include "core/request.hpp"

#include <boost/asio/steady_timer.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace countersign {

struct Delivery {
    DeliveryId id = 0;
    Channel* channel = nullptr;
    Recipient to;
    // delayed: the channel still tries, but the route continued without it.
    enum class State { queued, delayed, delivered, undeliverable } state = State::queued;
    std::uint32_t sent_with = 0;  // the button set it first had
    MessageRef ref;
    std::vector<MessageRef> doubles = {};  // copies of the message, sent because an answer was lost
    bool whole = false;

    [[nodiscard]] bool is_at(const Place& where) const {
        return state == State::delivered && channel->name() == where.channel && ref.place.chat == where.chat;
    }
};

struct Pending {
    std::shared_ptr<const Request> request;
    Offered offered;
    std::string route;
    std::uint32_t required = 1;
    Runtime* runtime = nullptr;    // null once the agent is gone
    BoxedOptional<Ulid> asked_as;  // the runtime's id for it, if the agent asked again under another one (I12)
    BootTime asked;                // when the request's record was on disk
    BootTime shown_since;          // when it was given to people; steps and reminders count from here
    std::optional<BootTime> deadline;
    // recording: its request record is being written, so it can't be decided yet. settled: its terminal record is on
    // disk. unlogged: the log failed, and the refusal is on its way.
    enum class Phase { recording, open, settled, unlogged } phase = Phase::recording;
    struct Ending {
        Outcome outcome;
        std::string reason;
    };
    BoxedOptional<Ending> ending;  // requested while its own record or another end was being written
    BoxedOptional<Winner> taken;   // the winner, set when the terminal record is submitted
    std::size_t steps_shown = 0;
    std::size_t reminders = 0;  // sent
    BootTime reminded;          // when the last one was sent; initially shown_since
    // Identical requests that its card also covers, and the button set that was new when the last of them joined.
    std::vector<Ulid> sharers = {};
    std::uint32_t shared_since = 0;
    // Whether it has its own card, shares another request's card, or waits behind one.
    enum class Standing { own, shares, waits } standing = Standing::own;
    // Its agent was refused too often, so its card is in the line for all the agent's sessions.
    bool in_agents_line = false;
    Ulid shares_with;  // set while it shares
    std::vector<Delivery> deliveries;
    // Button sets: the newest one, and the newest one in the log. A message never carries a set that isn't in the log:
    // after a restart the next set must be newer than all visible ones (I12).
    std::uint32_t generation = 0;
    std::uint32_t recorded_generation = 0;
    bool resumed = false;             // an earlier hub was asked first (I12)
    std::vector<MessageRef> earlier;  // that hub's messages, until they say that the request continues elsewhere
    std::vector<Vote> votes;
    std::vector<Attempt> voted_by;                     // the attempt of each vote, in the same order
    bool voting = false;                               // a vote is being written; the next attempt waits
    std::shared_ptr<boost::asio::steady_timer> voted;  // cancelled when the vote is written
    // Cancelled when the request has ended; null until a task waits for it.
    std::shared_ptr<boost::asio::steady_timer> concluded;
    BoxedOptional<std::string> withdrawn;  // why the agent no longer waits
    std::optional<BootTime> alarm;         // the time that was last set in the hub's alarm

    [[nodiscard]] const Ulid& runtimes_id() const { return asked_as ? *asked_as : request->id; }
    // The whole text was delivered to this very chat, so an allow from there may be valid (I7).
    [[nodiscard]] bool shown_whole_at(const Place& where) const;
    // A button can distinguish only this many sets. One more would look like the first, which may still be visible.
    [[nodiscard]] bool may_have_new_buttons() const { return generation < limits::button_index_max; }
    // The newest message in this place with older buttons than the next message will have.
    [[nodiscard]] BoxedOptional<MessageRef> replaced_by_next(const Channel& on, const Recipient& to) const;
    // A card with the current number of requests has been sent there or is on its way.
    [[nodiscard]] bool shown_anew_to(const Recipient& to) const;
    // The recipients who get the card again after a tap without effect in this place.
    [[nodiscard]] std::vector<Recipient> shown_again_at(const Place& where, Errc why) const;
    // True if the card showed all the requests that it covers when this attempt was made (I9).
    [[nodiscard]] bool covers_all(const Attempt& attempt) const {
        return sharers.empty() || (attempt.generation && *attempt.generation >= shared_since);
    }
    // It may still be decided, and an agent waits for the decision.
    [[nodiscard]] bool alive() const {
        return phase == Phase::open && !taken && !ending && !withdrawn && runtime != nullptr;
    }
    [[nodiscard]] bool decidable() const { return phase != Phase::recording && !taken; }
    // Continues a request of an earlier hub. Its time has been running since it was first asked. It gets new buttons
    // and starts without votes (I12).
    void resume(const Orphan& orphan);
    // One vote per person: a later one replaces the earlier one.
    void keep(Vote vote, Attempt attempt);
    // It reached no approver and never will.
    [[nodiscard]] bool undeliverable(std::size_t steps) const;
    // It has reached no approver yet, and every message failed or is late, so the next step is due now.
    [[nodiscard]] bool reaches_nobody() const;
    // It was sent but never delivered.
    [[nodiscard]] bool never_shown() const;
};

// Uses the shorter of the request's own timeout and its route's.
[[nodiscard]] std::optional<BootTime> deadline_of(BootTime asked, std::optional<std::chrono::milliseconds> timeout,
                                                  const Route* route);

}  // namespace countersign
