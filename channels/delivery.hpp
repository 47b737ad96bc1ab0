// SPDX-License-Identifier: Apache-2.0
// DeliveryEngine: the life of every message of a channel: queued, shown, changed, concluded, across failures and moves.
//
// It knows no platform: a Messenger renders and sends. What became of a delivery is reported to Deliveries, each as
// often as that port promises. All on the owner's thread; its letters run in the channel's task group.
#pragma once

#include "channels/cards.hpp"
#include "channels/holds.hpp"
#include "channels/messenger.hpp"
#include "channels/outbox.hpp"
#include "core/hub/task_group.hpp"
#include "core/limits.hpp"
#include "core/ports/channel.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/ids.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

struct DeliveryOptions {
    std::string channel;                                          // its name in the configuration
    std::vector<std::pair<std::string, std::string>> moved = {};  // chats that have another id now
    std::function<void(const std::string& from, const std::string& to)> on_moved = {};
    std::function<void(const std::string& line)> on_problem = {};  // for the operator; holds no secret
    Rates rates = {};                                              // as the platform has them
};

// Borrowed: they outlive every task.
struct DeliveryPorts {
    Messenger& messenger;
    Clock& clock;
    Ids& ids;
    Deliveries& deliveries;
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

    // Marks at the choices that somebody took, on the cards of this request in this chat.
    void mark(const Ulid& request, const std::string& chat, const Chosen& chosen);
    void pressed(const Pressed& pressed);
    // The platform took this message and now says that it never arrived. The route goes on to its next step.
    void bounced(const std::string& chat, const std::string& message, std::string why);
    // Takes the buttons of such a message away; a card says how its request ended, where that is known.
    void close(const StaleCopy& copy, const std::optional<Conclusion>& conclusion);

    // The platform told that a chat has another id now. False, and nothing is noted, if that would lead in a circle.
    bool moved(const std::string& from, const std::string& to);

    // Words for who wrote something. At most chat_replies_max wait; one more is not made: anybody may write to us,
    // and what they are answered must not fill the queue that the ends of requests wait in. `make` is asked when its
    // turn comes.
    void reply(const std::string& chat, std::function<Outgoing()> make) { reply(chat, std::move(make), {}); }
    // The same for a message that asks for a reason or offers to deny with one, about a card of this chat. Its buttons
    // go when the request ends.
    void prompt(const Ulid& request, const std::string& chat, ReasonPrompt prompt, std::function<Outgoing()> make);
    // Words for who pressed something, in an order of their own: they wait for nobody's card.
    void answer(const std::string& order, Outgoing call);

    [[nodiscard]] const Cards& cards() const { return cards_; }
    [[nodiscard]] const Chats& chats() const { return chats_; }
    [[nodiscard]] MessageTarget spot_of(const std::string& chat) const;
    // What waits to be sent.
    [[nodiscard]] std::size_t depth() const { return outbox_.size(); }
    [[nodiscard]] OutboxReport report(std::size_t chats_max) const { return outbox_.report(chats_max); }
    // Resolves when nothing is left, or the time is over.
    boost::asio::awaitable<void> drain(BootTime until) { return outbox_.drain(until); }

private:
    using Make = std::function<std::optional<Outgoing>()>;  // nothing: there is nothing to change any more
    using Done = std::function<void(const Result<void>&)>;
    using Posted = std::function<void(const std::string& message)>;  // it was posted
    // One call that is no card. `chat` is what keeps an order of its own; what is not rated is in none of them.
    struct Call {
        std::string chat;
        std::string_view what;  // as DeadLetter says
        Urgency urgency = Urgency::other;
        std::string sender = {};  // the agent that it is about
        bool rated = true;
        bool answers = false;
        bool edits = false;
        std::optional<std::chrono::milliseconds> time = std::nullopt;  // else as its urgency has it
        std::optional<Ulid> request = std::nullopt;
    };

    [[nodiscard]] Capabilities can() const { return ports_.messenger.capabilities(); }
    boost::asio::awaitable<Tried> send(Outgoing call);  // unless its bucket has to wait
    boost::asio::awaitable<Sending> send_card(DeliveryId id);
    boost::asio::awaitable<Sending> send_call(std::string chat, Make make, Posted posted);
    boost::asio::awaitable<Sending> send_announcement(std::string chat,
                                                      std::shared_ptr<const Announcement> announcement);
    void card_sent(DeliveryId id, const Result<void>& result);
    void refresh(Card& card);
    void landed(Card& card, const std::string& message);
    void retire_older(const Presentation& presentation, const std::string& chat);
    void retire(const std::string& chat, const std::string& message, const Ulid& request);  // its buttons go
    void change(Card& card, Urgency urgency, Make make);
    void conclude_card(Card& card);
    void put_conclusion(Card& card, Make make);
    void forget_if_over(DeliveryId id);
    void put_earlier(const Place& place, const Ulid& request, Make make, Done done);
    [[nodiscard]] Sending sending_of(const Tried& tried, const std::string& target);  // where it was sent to
    void reply(const std::string& chat, std::function<Outgoing()> make, Posted posted);
    LetterId put(Letter letter);  // 0 if there is no room; the operator hears of it
    LetterId put_call(Call call, Make make, Done done = {}, Posted posted = {});  // the same
    void give_up(const Call& call, const Error& why);
    [[nodiscard]] MessageTarget spot_of(const Card& card) const;
    [[nodiscard]] MessageRef ref_of(const Card& card, const std::string& message) const;
    void problem(const std::string& line) const;

    boost::asio::any_io_executor executor_;
    DeliveryOptions options_;
    DeliveryPorts ports_;
    Outbox outbox_;
    Holds holds_;
    Cards cards_;
    Chats chats_;
    std::map<std::pair<std::string, std::string>, LetterId> earlier_;  // by chat and message: what waits to be told
    std::size_t replies_ = 0;                                          // to texts, waiting
};

}  // namespace countersign::channels
