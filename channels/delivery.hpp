// SPDX-License-Identifier: Apache-2.0
// DeliveryEngine: the life of every message of a channel: queued, shown, changed, concluded, across failures and moves.
//
// It knows no platform: a Messenger renders and sends. What became of a delivery is reported to Deliveries, each as
// often as that port promises. All on the owner's thread; its letters run in the channel's task group.
#pragma once

#include "channels/call_queue.hpp"
#include "channels/cards.hpp"
#include "channels/messenger.hpp"
#include "channels/outbox.hpp"
#include "core/hub/task_group.hpp"
#include "core/ports/channel.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace countersign::channels {

// A button of ours was pressed on this message, which we had not known: so a send of it that was not answered got
// through.
struct Pressed {
    Copy copy;
    std::string message;
};

// A message whose buttons work no more, and which still has them as far as the press on it tells.
struct StaleCopy {
    Ulid request;
    std::string chat;  // as it is configured
    std::string message;
    bool is_card = false;  // it has a button of this request; else nothing is known of what it says
};

class DeliveryEngine {
public:
    DeliveryEngine(boost::asio::any_io_executor executor, TaskGroup& tasks, DeliveryOptions options,
                   DeliveryPorts ports);

    // As Channel says. `chat` is the place on this platform, as it is configured.
    void present(Presentation presentation, std::string chat);
    void update(DeliveryId id, CardState state);
    void conclude(DeliveryId id, const Conclusion& conclusion);
    void conclude_earlier(DeliveryId id, const MessageRef& ref, const Conclusion& conclusion);
    void tell_earlier(DeliveryId id, const MessageRef& ref, const EarlierNews& news);
    void announce(Announcement announcement, std::string chat);
    void remind(DeliveryId id, const Reminder& reminder);
    void session_ended(const SessionEnd& end, const std::string& chat);
    // Says so once whoever called is done: nobody has stored the id yet.
    void undeliverable_later(DeliveryId id, std::string why);

    // Marks at the choices that this person took so far, on the cards of this request in this chat, which nobody else
    // reads. Whenever one of those is drawn again, it shows their draft as it is then.
    void mark(const Ulid& request, const std::string& chat, const std::string& principal);
    void pressed(const Pressed& pressed);
    // The platform took this message and now says that it never arrived. The route goes on to its next step.
    void bounced(const std::string& chat, const std::string& message, std::string why);
    // Takes the buttons of such a message away; a card says how its request ended, where that is known.
    void close(const StaleCopy& copy, const std::optional<Conclusion>& conclusion);

    bool moved(const std::string& from, const std::string& to) { return calls_.moved(from, to); }
    void reply(const std::string& chat, std::function<Outgoing()> make) { calls_.reply(chat, std::move(make), {}); }
    // A reply that asks for a reason or offers to deny with one, about a card of this chat. Its buttons go when the
    // request ends. False: this person was asked on this card already, and nothing is sent.
    bool prompt(const Ulid& request, const std::string& chat, ReasonPrompt prompt, std::function<Outgoing()> make);
    void answer(const std::string& order, Outgoing call) { calls_.answer(order, std::move(call)); }

    [[nodiscard]] const Cards& cards() const { return cards_; }
    [[nodiscard]] const Chats& chats() const { return calls_.chats(); }
    [[nodiscard]] MessageTarget spot_of(const std::string& chat) const { return calls_.spot_of(chat); }
    [[nodiscard]] std::size_t depth() const { return calls_.depth(); }
    [[nodiscard]] OutboxReport report(std::size_t chats_max) const { return calls_.report(chats_max); }
    boost::asio::awaitable<void> drain(BootTime until) { return calls_.drain(until); }

private:
    boost::asio::awaitable<Sending> send_card(DeliveryId id);
    boost::asio::awaitable<Sending> send_announcement(std::string chat,
                                                      std::shared_ptr<const Announcement> announcement);
    void card_sent(DeliveryId id, const Result<void>& result);
    void refresh(Card& card);
    void look_up_marks(Card& card) const;
    void landed(Card& card, const std::string& message);
    void retire_older(const Presentation& presentation, const std::string& chat);
    void retire(const std::string& chat, const std::string& message, const Ulid& request);  // its buttons go
    void change(Card& card, Urgency urgency, CallQueue::Make make);
    void conclude_card(Card& card);
    void put_conclusion(Card& card, CallQueue::Make make);
    void forget_if_over(DeliveryId id);
    void put_earlier(const Place& place, const Ulid& request, CallQueue::Make make, CallQueue::Done done);
    [[nodiscard]] Card* open_card(const Ulid& request, const std::string& chat);
    [[nodiscard]] MessageTarget spot_of(const Card& card) const;
    [[nodiscard]] MessageRef ref_of(const Card& card, const std::string& message) const;

    boost::asio::any_io_executor executor_;
    DeliveryOptions options_;
    DeliveryPorts ports_;
    CallQueue calls_;
    Cards cards_;
    std::map<std::pair<std::string, std::string>, LetterId> earlier_;  // by chat and message: what waits to be told
};

}  // namespace countersign::channels
