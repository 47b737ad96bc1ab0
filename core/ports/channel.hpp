// SPDX-License-Identifier: Apache-2.0
// Channel: where people see requests. It queues and reports back later; nothing here waits for a platform.
//
// Treat the other side as another process: all arguments are values, ids are global, and calls may cross.
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

// Where one delivery goes: a chat, or one person directly. Neither, where the channel has only one place.
struct Recipient {
    std::string chat;
    std::string principal;    // of this channel's platform
    std::string thread = {};  // the platform's own topic within the chat; empty for the chat itself
    friend bool operator==(const Recipient&, const Recipient&) = default;
};

// Somebody whom a message in a group should reach, by the id that this channel's platform knows them by.
struct Mention {
    std::string person;  // the name in the configuration
    std::string principal;
    friend bool operator==(const Mention&, const Mention&) = default;
};

// For whom it is written. The hub resolves it, with today's configuration.
struct Audience {
    std::string language = "en";                            // a tag of the configuration
    std::vector<Mention> mentions = {};                     // in a chat: who may decide
    std::optional<MessageRef> in_thread_of = std::nullopt;  // goes below this message, where the platform can do that
    friend bool operator==(const Audience&, const Audience&) = default;
};

// All of a card that can change while it is open. A card that is shown later begins with it.
struct CardState {
    std::vector<Vote> votes = {};  // that count today
    std::uint32_t required = 1;
    std::uint32_t asked = 1;    // how many identical requests the card stands for
    std::uint32_t waiting = 0;  // how many others of the session wait behind it
    // Of a question, in a message to one person: the choices they took so far. Not the hub's to say: whoever draws the
    // card looks them up in Drafts.
    Chosen chosen = {};
    // Its buttons are new ones from now on: an allow of those before covers less than the card says.
    std::optional<std::uint32_t> generation = std::nullopt;
    friend bool operator==(const CardState&, const CardState&) = default;
};

// What to show, and to whom. A step that names several people is a presentation for each of them: what became of one
// says nothing about the others. `request` and `offered` are shared, immutable values.
struct Presentation {
    DeliveryId id = 0;
    std::shared_ptr<const Request> request;
    Offered offered;
    Recipient to;
    Audience audience = {};
    CardState state = {};
    std::optional<WallTime> expires;
    std::uint32_t generation = 0;
    // An older message of this request in the same place, also of an earlier process: it loses its buttons.
    BoxedOptional<MessageRef> replaces = {};
    bool resumed = false;  // shown again after a restart of the bridge: votes from before it do not count
};

// How it ended, in the words a person needs.
struct Conclusion {
    Ulid request_id;
    Outcome outcome = Outcome::indeterminate;
    std::string decided_by;  // person, "grant:<id>", "policy:<rule>"; empty if nobody decided
    std::string channel;
    std::string option_label;
    Scope granted = Scope::once;  // for how long the hub allows the same call by itself; once: it does not
    std::string answered = {};    // to a question, redacted; a secret answer only as given
    std::string reason;
    bool forwarded = false;  // the agent has the answer
    // Of a request that ended in an earlier process some of these are not known, and channels leave them out: the
    // epoch, zero and an empty root say so.
    WallTime at;
    std::chrono::milliseconds took{0};
    std::uint64_t seq = 0;   // of the terminal record
    std::string root;        // base64; channels show its head
    std::uint64_t size = 0;  // of the tree with this root
};

// Words for a chat that ask nothing, and that somebody may want to keep. What is in `exact` reaches the reader byte for
// byte: no style, link or character of the platform's own may change it.
struct Announcement {
    DeliveryId id = 0;
    Recipient to;
    std::string heading;  // one line, in our own words
    std::string exact;    // lines, each ended by LF
};

// Words below a card that is still open: how long it has waited, and who has not decided yet. They lead to the card,
// and nothing in them decides.
struct Reminder {
    std::chrono::milliseconds waited{0};
    std::vector<Mention> mentions = {};
    friend bool operator==(const Reminder&, const Reminder&) = default;
};

// The agent of a session is gone. Told where the session was shown, below its first message.
struct SessionEnd {
    Recipient to;
    MessageRef below;
    std::string language = "en";
    std::string agent_id;
    std::string session_key;
    std::string failure = {};    // why, redacted; empty if it ended as agents do
    std::string halted_by = {};  // who stopped it: then it is no failure, however it ended
};

// A message that an earlier process left with its buttons, and how its request ended.
struct EarlierMessage {
    MessageRef ref;
    Conclusion conclusion;
};

// A message that was given up. It says what became of what, never what was in it.
struct DeadLetter {
    std::string channel;
    std::string chat = {};  // or whom it was for
    std::string what;  // "card", "conclusion", "edit", "announcement", "reminder", "session end", "reply", "answer"
    std::optional<Ulid> request = std::nullopt;
    std::string why = {};
    WallTime at = {};  // the hub's to say
};

// What such a message says while its request is open: the hub restarted, and the agent has not shown it again yet,
// or it has, and a newer message has the buttons (I12).
struct EarlierNews {
    Ulid request_id;
    enum class State { waits, goes_on } state = State::waits;
    std::string language = "en";  // a tag of the configuration
};

class Channel {
public:
    virtual ~Channel() = default;
    [[nodiscard]] virtual const std::string& name() const = 0;
    // Queues. Later exactly one of Deliveries::delivered or ::undeliverable is called with the same id, unless conclude
    // came first.
    virtual void present(Presentation presentation) = 0;
    // Drops what is unsent and edits what is sent or in flight.
    virtual void conclude(DeliveryId id, const Conclusion& conclusion) = 0;
    // Edits a message of an earlier process, of which only the ref is known; then Deliveries::concluded is called with
    // this id. A channel whose messages do not outlive the process does nothing.
    virtual void conclude_earlier(DeliveryId id, const MessageRef& ref, const Conclusion& conclusion) = 0;
    // The same for a request that is still open: the message loses its buttons and says so. Where it goes on elsewhere,
    // Deliveries::concluded is called with this id. The newest that is told of a message counts.
    virtual void tell_earlier(DeliveryId id, const MessageRef& ref, const EarlierNews& news) = 0;
    // What changed on an open card: "1 of 2: alice". The newest state counts.
    virtual void update(DeliveryId id, CardState state) = 0;
    // Queues, behind every request, unless the card is concluded, replaced or not sent yet. A channel whose cards
    // cannot be overlooked does nothing.
    virtual void remind(DeliveryId /*id*/, const Reminder& /*reminder*/) {}
    // Queues, behind every request; nobody hears what became of it. A channel whose words do not stay does nothing.
    virtual void session_ended(SessionEnd /*end*/) {}
    // Queues, behind every request. Later exactly one of Deliveries::delivered or ::undeliverable is called with the
    // same id. A channel whose words do not stay says undeliverable.
    virtual void announce(Announcement announcement) = 0;
};

// What a channel reports back; the hub implements it.
class Deliveries {
public:
    virtual ~Deliveries() = default;
    // `whole` is true only if the platform confirmed every byte of the shown text (I7).
    virtual void delivered(DeliveryId id, MessageRef ref, bool whole) = 0;
    virtual void undeliverable(DeliveryId id, std::string why) = 0;
    // It was delivered, and the platform now says that it never arrived: the route goes on to its next step.
    virtual void bounced(DeliveryId id, std::string why) = 0;
    // People were to see it by now and do not, or it is known that they will not: the route goes on to its next step.
    // It is still tried, so delivered or undeliverable comes later. At most once for a presentation.
    virtual void delayed(DeliveryId id, std::string why) = 0;
    // A message other than a presentation or an announcement was given up; those are undeliverable.
    virtual void given_up(DeadLetter letter) = 0;
    // The same delivery stands there a second time: the platform's answer got lost, and it was sent again. Its buttons
    // work like those of the first, so whoever looks for them after a restart must know it too.
    virtual void also_delivered(DeliveryId id, MessageRef ref) = 0;
    // Every message of this delivery now shows how the request ended; called once after Channel::conclude, if it was
    // sent.
    virtual void concluded(DeliveryId id) = 0;
};

}  // namespace countersign
