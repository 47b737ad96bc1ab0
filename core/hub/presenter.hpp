// SPDX-License-Identifier: Apache-2.0
// Presenter: what people see of a request, from the first card to its end: steps, deliveries, reminders, and the state
// of each message. It decides nothing.
#pragma once

#include "core/halts.hpp"
#include "core/hub/alarm.hpp"
#include "core/hub/context.hpp"
#include "core/hub/dead_letters.hpp"
#include "core/hub/flow.hpp"
#include "core/hub/gate.hpp"
#include "core/hub/session_threads.hpp"
#include "core/ports/channel.hpp"
#include "core/ports/earlier.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace countersign {

class Presenter final : public Deliveries {
public:
    // Borrowed: they outlive every task of the group.
    struct Borrowed {
        HubContext& context;
        const Gate& gate;
        Flow& flow;
    };
    // `state_of` returns the current state of a request's card.
    Presenter(Borrowed borrowed, std::function<CardState(const Pending&)> state_of);

    void add_channel(Channel& channel) { channels_[channel.name()] = &channel; }
    [[nodiscard]] Channel* channel(const std::string& name) const;

    // Shows an open request: sends the steps that are due, and sets an alarm for the others and for its deadline.
    void show(Pending& open);
    // Call when its times or its route's have changed.
    void set_alarm(Pending& open);
    // Updates its cards to the current state. With a generation they get new buttons.
    void show_state(const Pending& open, std::optional<std::uint32_t> generation = std::nullopt);
    // Sends a new card with new buttons after an attempt without effect: a late tap, or a tap on a card that covers
    // more requests by now and may never get to show that.
    void show_again(const Ulid& id, const Place& where, Errc why);
    // Records a new button set; messages may carry only recorded sets. Returns true if the request is still open and
    // the buttons may be shown.
    boost::asio::awaitable<bool> record_generation(Ulid id, std::uint32_t generation, LogEntry entry);
    // Updates each message to show how the request ended. It is no longer pending.
    void conclude(const Pending& ended, const Conclusion& conclusion);

    // For messages of an earlier process: shows how their requests ended, or that they wait for their agent (I12).
    void conclude_earlier(const std::vector<EarlierMessage>& messages);
    void conclude_earlier(const std::vector<MessageRef>& refs, const Conclusion& conclusion);
    void tell_waits(const Orphan& orphan);

    // See Hub::announce.
    void announce(const std::string& channel, Announcement announcement,
                  std::function<void(const Result<MessageRef>&)> done);
    void session_ended(const Runtime& from, const Asker& who, const std::string& failure, const Halts& halts);
    // Cancels all alarms.
    void stop() { alarm_.clear(); }

    void delivered(DeliveryId id, MessageRef ref, bool whole) override;
    void undeliverable(DeliveryId id, std::string why) override;
    void bounced(DeliveryId id, std::string why) override;
    void delayed(DeliveryId id, std::string why) override;
    void given_up(DeadLetter letter) override { bury(std::move(letter)); }
    void also_delivered(DeliveryId id, MessageRef ref) override;
    void concluded(DeliveryId id) override;

    [[nodiscard]] const DeadLetters& dead_letters() const { return dead_letters_; }
    [[nodiscard]] std::uint64_t delayed_count() const { return delayed_; }

private:
    struct Concluding {
        Ulid request;
        std::vector<MessageRef> refs;
    };
    struct Announcing {
        std::string channel;
        std::string chat;
        std::function<void(const Result<MessageRef>&)> done;
    };
    struct FoundDelivery {
        Pending* open = nullptr;
        Delivery* delivery = nullptr;
    };
    boost::asio::awaitable<void> moment_came(Ulid id);
    boost::asio::awaitable<void> present_again(Ulid id, Place where, Errc why);
    void present_due_steps(Pending& open);
    void present(Pending& open, const Step& step);
    void present(Pending& open, const std::string& channel, const std::vector<Recipient>& recipients);
    [[nodiscard]] Audience audience_for(const Pending& open, const std::string& channel, const Recipient& to) const;
    [[nodiscard]] std::optional<BootTime> next_moment(const Pending& open) const;
    [[nodiscard]] std::optional<BootTime> reminder_due(const Pending& open) const;
    void remind_if_due(Pending& open);
    [[nodiscard]] FoundDelivery find_delivery(DeliveryId id);
    void await_conclusion(DeliveryId id, Concluding concluding);
    void tell_goes_on(Pending& open);
    [[nodiscard]] bool announced(DeliveryId id, const Result<MessageRef>& result);  // false: it wasn't an announcement
    void bury(DeadLetter letter);

    HubContext& context_;
    const Gate& gate_;
    Flow& flow_;
    std::function<CardState(const Pending&)> state_of_;
    Alarm alarm_;  // steps, reminders and expiry
    std::map<std::string, Channel*> channels_;
    SessionThreads threads_;
    std::unordered_map<DeliveryId, Ulid> delivery_of_;
    std::map<DeliveryId, Concluding> concluding_;
    std::map<DeliveryId, Announcing> announcing_;
    DeliveryId last_delivery_ = 0;
    DeadLetters dead_letters_;
    std::uint64_t delayed_ = 0;
};

}  // namespace countersign
