// SPDX-License-Identifier: Apache-2.0
// ChatChannel: everything that a chat platform does the same way: cards with buttons in groups and direct messages,
// presses and typed commands into Attempts, replies with a reason, answers to people. Being in a chat gives no right to
// decide (I4).
//
// A platform brings a Messenger (how things look and are sent there) and a front that calls `take` with what it
// received and verified. All on the owner's thread.
#pragma once

#include "channels/answering.hpp"
#include "channels/chat_sight.hpp"
#include "channels/delivery.hpp"
#include "channels/handling.hpp"
#include "channels/messenger.hpp"
#include "channels/press.hpp"
#include "channels/typed.hpp"
#include "core/hub/task_group.hpp"
#include "core/ports/attempts.hpp"
#include "core/ports/channel.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/drafts.hpp"
#include "core/ports/ids.hpp"
#include "core/ports/inbound.hpp"
#include "core/ports/open_requests.hpp"
#include "security/replay_guard.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace countersign::channels {

// A person wrote /start CODE in a private chat.
struct Starting {
    std::string code;       // empty without one
    std::string principal;  // "telegram:77"
    std::string chat;
};

// What the channel asks about the people and chats of the configuration, and whom it tells.
struct ChatPeople {
    std::function<bool(const std::string& principal)> is_known = {};  // a person of the configuration; else nobody is
    std::function<std::string(const std::string& principal)> person = {};    // their name there; empty for a stranger
    std::function<std::string(const std::string& principal)> language = {};  // a person's own; empty if they have none
    std::function<std::string(const Starting& starting)> on_start = {};      // the words to answer with
    std::function<void(const std::string& line)> on_problem = {};            // for the operator; holds no secret
};

struct ChatOptions {
    std::string name;  // in the configuration
    std::chrono::milliseconds answer_max;
    std::chrono::milliseconds stop_max;
    std::chrono::milliseconds replays_kept;
    TypingRules typing = {};
    Rates rates = {};
    // What the last run left: deliveries that changed something, and chats that have another id now.
    std::vector<std::string> handled = {};
    std::vector<std::pair<std::string, std::string>> moved = {};
    std::function<void(const std::string& from, const std::string& to)> on_moved = {};
};

// Borrowed: they outlive every task.
struct ChatPorts {
    Messenger& messenger;
    Clock& clock;
    Ids& ids;
    Deliveries& deliveries;
    Attempts& attempts;
    const OpenRequests& open;
    Drafts& drafts;
    Keys keys;
};

// One press or text, as the platform's front received and verified it.
struct Heard {
    std::string delivery;    // the platform's own name for it: what comes twice counts once (I5)
    std::string query = {};  // how the platform wants the press to be answered; empty for a text
    std::variant<Press, Typed> what;
    bool after_gap = false;  // it may have waited while nobody listened (I16)
    // Where the platform takes words in its answer to the webhook; none where it takes them through calls only.
    std::shared_ptr<ReplySlot> slot = {};
};

class ChatChannel final : public Channel {
public:
    ChatChannel(boost::asio::any_io_executor executor, ChatOptions options, ChatPeople people, ChatPorts ports);

    // Every press is answered exactly once, whatever it was. `handled` is called when nothing more will come of it.
    void take(Heard heard, Handled handled);
    // What a press asks for, without taking it: a platform may answer it with a modal of its own instead.
    [[nodiscard]] ReadPress look_at(const Press& press) const;
    [[nodiscard]] Language language_for(const Press& press) const;
    // Nothing reaches the platform any more: from now on everything is undeliverable here.
    void close(std::string why) { closed_ = std::move(why); }
    [[nodiscard]] bool is_closed() const { return closed_.has_value(); }
    void set_bot_name(std::string name) { bot_name_ = std::move(name); }
    [[nodiscard]] const std::string& bot_name() const { return bot_name_; }
    // After Hub::stop: gives the last edits stop_max, then ends every task. Precondition of the destructor.
    boost::asio::awaitable<void> stop();

    [[nodiscard]] DeliveryEngine& engine() { return engine_; }
    [[nodiscard]] const DeliveryEngine& engine() const { return engine_; }
    [[nodiscard]] TaskGroup& tasks() { return tasks_; }
    void problem(const std::string& line) const;

    [[nodiscard]] const std::string& name() const override { return options_.name; }
    void present(Presentation presentation) override;
    void conclude(DeliveryId id, const Conclusion& conclusion) override;
    void conclude_earlier(DeliveryId id, const MessageRef& ref, const Conclusion& conclusion) override;
    void tell_earlier(DeliveryId id, const MessageRef& ref, const EarlierNews& news) override;
    void update(DeliveryId id, CardState state) override { engine_.update(id, std::move(state)); }
    void remind(DeliveryId id, const Reminder& reminder) override { engine_.remind(id, reminder); }
    void session_ended(SessionEnd end) override;
    void announce(Announcement announcement) override;

private:
    // How to answer: in the slot while that is open; then a press by its query, a text by a reply to it.
    struct Asked {
        std::string query;
        std::string chat;
        std::string message;
        std::string principal;
        std::string button = {};  // the data of the one that was pressed
        std::shared_ptr<ReplySlot> slot = {};
    };
    // Who is answered, and the card they pressed; `card` is empty for a text.
    struct Reader {
        std::string principal;
        std::string chat;
        std::string card;
    };
    [[nodiscard]] Asked asked_by(const Heard& heard) const;
    // The person's own; else that of the card they pressed, or of the newest one there.
    [[nodiscard]] Language language_for(const Reader& reader) const;
    [[nodiscard]] ChatSight sight(Language language) const;
    [[nodiscard]] bool is_first_edit(const Typed& typed);
    [[nodiscard]] std::optional<Conclusion> end_of(const Ulid& request) const;
    [[nodiscard]] std::string name_of(const std::string& principal) const;
    void act(Caller caller, const Asked& asked, Intent intent);
    void show_all(const Caller& caller, const Asked& asked, const ShowAll& show);
    void ask_reason(const Caller& caller, const Asked& asked, const AskReason& ask);
    void open_modal(const Asked& asked, const std::string& chat, const ReasonWanted& wanted, Language language);
    void offer_reason(const Caller& caller, const Asked& asked, const OfferReason& offer);
    void greet(const Caller& caller, const Asked& asked, const Begin& begin);
    void say(const Asked& asked, const Phrase& words, Caller::Tone tone);
    void reply(const Asked& asked, const Phrase& words);

    boost::asio::any_io_executor executor_;
    ChatOptions options_;
    ChatPeople people_;
    ChatPorts ports_;
    std::string bot_name_;
    std::optional<std::string> closed_;  // why
    TaskGroup tasks_;
    DeliveryEngine engine_;
    Answering answering_;
    security::ReplayGuard replays_;
};

}  // namespace countersign::channels
