// SPDX-License-Identifier: Apache-2.0
// Pending: one open request, as the hub keeps it. Entirely passive; the hub's functions change it.
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
    // delayed: still tried, but the route did not wait for it.
    enum class State { queued, delayed, delivered, undeliverable } state = State::queued;
    std::uint32_t sent_with = 0;  // the set of buttons that it had at first
    MessageRef ref;
    std::vector<MessageRef> doubles = {};  // the same message again, because an answer got lost
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
    BoxedOptional<Ulid> asked_as;  // the id by which the runtime knows it, if the agent asked again under another (I12)
    BootTime asked;                // when the request record was on disk
    BootTime shown_since;          // when it was given to people: steps and reminders are counted from here
    std::optional<BootTime> deadline;
    // recording: its own record is being written, nothing may be decided yet. settled: its terminal record is on disk.
    // unlogged: the log failed, and the refusal is on its way.
    enum class Phase { recording, open, settled, unlogged } phase = Phase::recording;
    struct Ending {
        Outcome outcome;
        std::string reason;
    };
    BoxedOptional<Ending> ending;  // came while its own record, or another end of it, was being written
    BoxedOptional<Winner> taken;   // who was first, from the moment the terminal record is on its way
    std::size_t steps_shown = 0;
    std::size_t reminders = 0;  // sent
    BootTime reminded;          // when the last one was; at first shown_since
    // Identical requests that its card stands for beside itself, and the set of buttons that the last of them brought.
    std::vector<Ulid> sharers = {};
    std::uint32_t shared_since = 0;
    // Without a card of its own: another request's stands for it, or it waits behind one.
    enum class Standing { own, shares, waits } standing = Standing::own;
    // Its card is one of those that its agent may have in all sessions together, because it was refused too often.
    bool in_agents_line = false;
    Ulid shares_with;  // while it shares
    std::vector<Delivery> deliveries;
    // Sets of buttons: the newest there is, and the newest that the log knows of. No message carries one that it does
    // not: after a restart the next set must be newer than all that anybody can see (I12).
    std::uint32_t generation = 0;
    std::uint32_t recorded_generation = 0;
    bool resumed = false;             // it was asked of an earlier hub first (I12)
    std::vector<MessageRef> earlier;  // that hub's messages, until they say that it goes on elsewhere
    std::vector<Vote> votes;
    std::vector<Attempt> voted_by;                         // the attempt of each vote, in the same order
    bool voting = false;                                   // a vote is being written; the next attempt waits for it
    std::shared_ptr<boost::asio::steady_timer> voted;      // cancelled when it is
    std::shared_ptr<boost::asio::steady_timer> concluded;  // cancelled when it has ended; null until one waits for that
    BoxedOptional<std::string> withdrawn;                  // why the agent no longer waits
    std::optional<BootTime> alarm;                         // the moment that the hub's alarm was given last

    [[nodiscard]] const Ulid& runtimes_id() const { return asked_as ? *asked_as : request->id; }
    // The whole text reached this very chat, so an allow from there may count (I7).
    [[nodiscard]] bool shown_whole_at(const Place& where) const;
    // Buttons tell so many sets apart. One more would look like the first, which somebody may still see.
    [[nodiscard]] bool may_have_new_buttons() const { return generation < limits::button_index_max; }
    // The message in this place whose buttons are older than those that are shown next.
    [[nodiscard]] BoxedOptional<MessageRef> replaced_by_next(const Channel& on, const Recipient& to) const;
    // A card that tells how many it stands for was sent there, or is on its way.
    [[nodiscard]] bool shown_anew_to(const Recipient& to) const;
    // To whom it is shown again, after a tap there that was in vain.
    [[nodiscard]] std::vector<Recipient> shown_again_at(const Place& where, Errc why) const;
    // The card told how many it stands for when this was made (I9).
    [[nodiscard]] bool covers_all(const Attempt& attempt) const {
        return sharers.empty() || (attempt.generation && *attempt.generation >= shared_since);
    }
    // Somebody may still decide it, and an agent waits for that.
    [[nodiscard]] bool alive() const {
        return phase == Phase::open && !taken && !ending && !withdrawn && runtime != nullptr;
    }
    [[nodiscard]] bool decidable() const { return phase != Phase::recording && !taken; }
    // Continues a request of an earlier hub. Its time has been running since it was first asked; its buttons are new
    // ones, and nobody has voted on them (I12).
    void resume(const Orphan& orphan);
    // One vote a person: whoever may vote anew is counted by the last.
    void keep(Vote vote, Attempt attempt);
    // Nobody was reached and nobody will be.
    [[nodiscard]] bool undeliverable(std::size_t steps) const;
    // Nobody was reached, and all that was sent failed or is late: the next step does not wait for its time.
    [[nodiscard]] bool reaches_nobody() const;
    // It was sent, and nobody ever saw it.
    [[nodiscard]] bool never_shown() const;
};

// The shorter of the request's own timeout and its route's counts.
[[nodiscard]] std::optional<BootTime> deadline_of(BootTime asked, std::optional<std::chrono::milliseconds> timeout,
                                                  const Route* route);

}  // namespace countersign
