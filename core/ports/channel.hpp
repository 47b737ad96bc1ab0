// SPDX-License-Identifier: Apache-2.0
// Channel: where people see requests. A channel queues its messages and reports the results later; no call waits for a
// platform.
//
// Treat the channel as if it were in another process: all arguments are values, ids are global, and a call may cross a
// report on its way.
#pragma once

#include "core/attempt.hpp"
#include "core/boxed_optional.hpp"
#include "core/draft.hpp"
#include "core/outcome.hpp"
#include "core/ports/offered.hpp"
#include "core/quorum.hpp"
#include "core/request.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace countersign {

using DeliveryId = std::uint64_t;

// Where one delivery goes: to a chat or directly to one person. Both are empty if the channel has only one place.
struct Recipient {
    std::string chat;
    std::string principal;    // of this channel's platform
    std::string thread = {};  // the platform's own topic within the chat; empty for the chat itself
    friend bool operator==(const Recipient&, const Recipient&) = default;
};

// A person to notify in a group message, by the id that this channel's platform uses.
struct Mention {
    std::string person;  // the name in the configuration
    std::string principal;
    friend bool operator==(const Mention&, const Mention&) = default;
};

// The readers a message is written for. The hub works this out from the current configuration.
struct Audience {
    std::string language = "en";                            // a language tag of the configuration
    std::vector<Mention> mentions = {};                     // in a chat: who may decide
    std::optional<MessageRef> in_thread_of = std::nullopt;  // post below this message, if the platform can do that
    friend bool operator==(const Audience&, const Audience&) = default;
};

// The parts of a card that can change while it is open. A card that is shown later starts with the current state.
struct CardState {
    std::vector<Vote> votes = {};  // the votes that are valid today
    std::uint32_t required = 1;
    std::uint32_t asked = 1;    // how many identical requests this card covers
    std::uint32_t waiting = 0;  // how many other requests of the session wait behind it
    // For a question in a message to one person: their choices so far. The hub doesn't set this; the code that renders
    // the card reads it from Drafts.
    Chosen chosen = {};
    // The card gets new buttons with this generation. An older Allow button covers fewer requests than the card now
    // says.
    std::optional<std::uint32_t> generation = std::nullopt;
    friend bool operator==(const CardState&, const CardState&) = default;
};

// One message to show, and its recipient. If a step names several people, each of them gets a presentation of their
// own: whether one was delivered says nothing about the others. `request` and `offered` are shared, immutable values.
struct Presentation {
    DeliveryId id = 0;
    std::shared_ptr<const Request> request;
    Offered offered;
    Recipient to;
    Audience audience = {};
    CardState state = {};
    std::optional<WallTime> expires;
    std::uint32_t generation = 0;
    // An older message of this request in the same place, possibly from an earlier process. It loses its buttons.
    BoxedOptional<MessageRef> replaces = {};
    bool resumed = false;  // shown again after the bridge restarted; earlier votes are no longer valid
};

// How a request ended, worded for people.
struct Conclusion {
    Ulid request_id;
    Outcome outcome = Outcome::indeterminate;
    std::string decided_by;  // person, "grant:<id>", "policy:<rule>"; empty if there was no decision
    std::string channel;
    std::string option_label;
    Scope granted = Scope::once;  // how long the hub allows the same call by itself; `once` means that it doesn't
    std::string answered = {};    // the answer to a question, redacted; for a secret only that there is one
    std::string reason;
    bool forwarded = false;  // the agent has the answer
    // For a request that ended in an earlier process, some of these are unknown: the time is then the epoch, the
    // numbers are zero and the root is empty. Channels leave unknown values out.
    WallTime at;
    std::chrono::milliseconds took{0};
    std::uint64_t seq = 0;   // of the terminal record
    std::string root;        // base64; channels show its first characters
    std::uint64_t size = 0;  // of the tree with this root
};

// A chat message that asks nothing and that a reader may want to keep. `exact` must reach the reader byte for byte: the
// platform's own styles, links or characters must not change it.
struct Announcement {
    DeliveryId id = 0;
    Recipient to;
    std::string heading;  // one line, our own text
    std::string exact;    // lines, each ending in LF
};

// A message below a card that is still open: how long it has waited, and who hasn't decided yet. It links to the card
// and can't decide anything itself.
struct Reminder {
    std::chrono::milliseconds waited{0};
    std::vector<Mention> mentions = {};
    friend bool operator==(const Reminder&, const Reminder&) = default;
};

// The agent of a session has exited. Shown where the session was shown, below its first message.
struct SessionEnd {
    Recipient to;
    MessageRef below;
    std::string language = "en";
    std::string agent_id;
    std::string session_key;
    std::string failure = {};    // why, redacted; empty if it ended normally
    std::string halted_by = {};  // who halted it; then this isn't a failure, however it ended
};

// A message with buttons that an earlier process left behind, and how its request ended.
struct EarlierMessage {
    MessageRef ref;
    Conclusion conclusion;
};

// A message that was given up. It names the message and the reason, but never contains the message's text.
struct DeadLetter {
    std::string channel;
    std::string chat = {};  // or the person it was for
    std::string what;  // "card", "conclusion", "edit", "announcement", "reminder", "session end", "reply", "answer"
    std::optional<Ulid> request = std::nullopt;
    std::string why = {};
    WallTime at = {};  // set by the hub
};

// What an earlier process's message shows while its request is still open. Either the hub restarted and the agent
// hasn't submitted the request again yet, or it has, and a newer message carries the buttons (I12).
struct EarlierNews {
    Ulid request_id;
    enum class State { waits, goes_on } state = State::waits;
    std::string language = "en";  // a language tag of the configuration
};

class Channel {
public:
    virtual ~Channel() = default;
    [[nodiscard]] virtual const std::string& name() const = 0;
    // Queues the message. Later the channel calls exactly one of Deliveries::delivered and ::undeliverable with the
    // same id, unless conclude came first.
    virtual void present(Presentation presentation) = 0;
    // Drops what hasn't been sent, and edits what has been sent or is in flight.
    virtual void conclude(DeliveryId id, const Conclusion& conclusion) = 0;
    // Edits a message of an earlier process, of which only the ref is known. Then the channel calls
    // Deliveries::concluded with this id. A channel whose messages don't outlive the process does nothing.
    virtual void conclude_earlier(DeliveryId id, const MessageRef& ref, const Conclusion& conclusion) = 0;
    // The same for a request that is still open: the message loses its buttons and says so. If the request continues
    // elsewhere, the channel calls Deliveries::concluded with this id. For each message only the newest call is valid.
    virtual void tell_earlier(DeliveryId id, const MessageRef& ref, const EarlierNews& news) = 0;
    // Changes an open card, e.g. to "1 of 2: alice". Only the newest state is valid.
    virtual void update(DeliveryId id, CardState state) = 0;
    // Queues after all requests, unless the card is concluded, replaced or not sent yet. A channel whose cards can't be
    // overlooked does nothing.
    virtual void remind(DeliveryId /*id*/, const Reminder& /*reminder*/) {}
    // Queues after all requests. The result isn't reported. A channel that doesn't keep its messages does nothing.
    virtual void session_ended(SessionEnd /*end*/) {}
    // Queues after all requests. Later the channel calls exactly one of Deliveries::delivered and ::undeliverable with
    // the same id. A channel that doesn't keep its messages reports undeliverable.
    virtual void announce(Announcement announcement) = 0;
};

// What a channel reports back. The hub implements it.
class Deliveries {
public:
    virtual ~Deliveries() = default;
    // `whole` is true only if the platform confirmed every byte of the text to show (I7).
    virtual void delivered(DeliveryId id, MessageRef ref, bool whole) = 0;
    virtual void undeliverable(DeliveryId id, std::string why) = 0;
    // The message was delivered, but the platform now reports that it never arrived. The route continues with its next
    // step.
    virtual void bounced(DeliveryId id, std::string why) = 0;
    // The message is late, or it is certain that it will be. The route continues with its next step. The channel keeps
    // trying, so delivered or undeliverable still follows. Called at most once per presentation.
    virtual void delayed(DeliveryId id, std::string why) = 0;
    // A message was given up that is neither a presentation nor an announcement; for those two, undeliverable is
    // called.
    virtual void given_up(DeadLetter letter) = 0;
    // The same message was posted twice: the platform's answer was lost, so it was sent again. Its buttons work like
    // those of the first one, so a cleanup after a restart must know about both.
    virtual void also_delivered(DeliveryId id, MessageRef ref) = 0;
    // Every message of this delivery now shows how the request ended. Called once after Channel::conclude, if the
    // message was sent.
    virtual void concluded(DeliveryId id) = 0;
};

}  // namespace countersign
