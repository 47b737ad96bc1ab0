// SPDX-License-Identifier: Apache-2.0
// CallQueue: the way of every call to the platform: it waits for its turn and its bucket, is tried again, follows a
// chat that moved, and is seen by the operator when it is given up. It knows no cards. All on the owner's thread.
#pragma once

#include "channels/cards.hpp"
#include "channels/holds.hpp"
#include "channels/messenger.hpp"
#include "channels/outbox.hpp"
#include "core/hub/task_group.hpp"
#include "core/ports/channel.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/drafts.hpp"
#include "core/ports/ids.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace countersign::channels {

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
    const Drafts& drafts;
};

class CallQueue {
public:
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

    // Borrows the options.
    CallQueue(const boost::asio::any_io_executor& executor, TaskGroup& tasks, const DeliveryOptions& options,
              DeliveryPorts ports);

    LetterId put(Letter letter);  // 0 if there is no room; the operator hears of it
    LetterId put_call(Call call, Make make, Done done = {}, Posted posted = {});  // the same
    Outbox::Dropped drop(LetterId letter) { return outbox_.drop(letter); }
    boost::asio::awaitable<Tried> send(Outgoing call);                                // unless its bucket has to wait
    [[nodiscard]] Sending sending_of(const Tried& tried, const std::string& target);  // where it was sent to
    void give_up(const Call& call, const Error& why);

    // Words for who wrote something. At most chat_replies_max wait; one more is not made: anybody may write to us,
    // and what they are answered must not fill the queue that the ends of requests wait in. `make` is asked when its
    // turn comes. False: there is no room.
    bool reply(const std::string& chat, std::function<Outgoing()> make, Posted posted, Done done = {});
    // Words for who pressed something, in an order of their own: they wait for nobody's card.
    void answer(const std::string& order, Outgoing call);

    // The platform told that a chat has another id now. False, and nothing is noted, if that would lead in a circle.
    bool moved(const std::string& from, const std::string& to);

    [[nodiscard]] Capabilities can() const { return ports_.messenger.capabilities(); }
    [[nodiscard]] const Chats& chats() const { return chats_; }
    [[nodiscard]] MessageTarget spot_of(const std::string& chat) const;
    // What waits to be sent.
    [[nodiscard]] std::size_t depth() const { return outbox_.size(); }
    [[nodiscard]] OutboxReport report(std::size_t chats_max) const { return outbox_.report(chats_max); }
    // Resolves when nothing is left, or the time is over.
    boost::asio::awaitable<void> drain(BootTime until) { return outbox_.drain(until); }
    void problem(const std::string& line) const;

private:
    boost::asio::awaitable<Sending> send_call(std::string chat, Make make, Posted posted);

    const DeliveryOptions& options_;
    DeliveryPorts ports_;
    Outbox outbox_;
    Holds holds_;
    Chats chats_;
    std::size_t replies_ = 0;  // to texts, waiting
};

}  // namespace countersign::channels
