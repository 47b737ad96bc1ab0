// SPDX-License-Identifier: Apache-2.0
// Messenger and Renderer: what a platform brings to the delivery engine: how a message looks there, and what became of
// one call.
//
// It keeps no state about messages. What waits, what stands where and what is tried again is the engine's.
#pragma once

#include "channels/outbox.hpp"
#include "channels/phrase.hpp"
#include "core/http_message.hpp"
#include "core/option.hpp"
#include "core/ports/channel.hpp"
#include "core/ports/inbound.hpp"
#include "core/request.hpp"
#include "core/result.hpp"
#include "core/time.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace countersign::channels {

// A call of the platform's own interface, rendered. The engine looks at its bucket and at nothing else.
struct Outgoing {
    std::string path;                      // below the platform's base URL
    std::variant<std::string, Form> body;  // or a form where a file goes along
    bool posts = false;                    // makes a message, which must have a name afterwards
    HttpMethod verb = HttpMethod::post;
    std::string content_type = "application/json";  // of a body that is no form
    std::string bucket = {};  // what the platform counts it in besides the chat and the bot; empty: in nothing else
};

// What a platform can do.
struct Capabilities {
    bool edits = true;        // a message can be changed; else how a request ended is said below it
    bool edits_count = true;  // against the rate of the chat, as messages do
    bool files = true;        // the whole text can be sent as one
    bool ephemeral = false;   // words for one person can be seen by them alone, also where others read
    bool modals = false;      // a press can open a field to write in; else a reply is asked for
};

// Where a message goes to. Buttons and codes are bound to `channel` and `chat`, as they are configured; `target` is
// another id if the chat moved.
struct MessageTarget {
    std::string channel;
    std::string chat;
    std::string target;
    std::string thread = {};                             // the platform's topic in it
    std::optional<std::string> reply_to = std::nullopt;  // the message that it goes below
    std::string only_for = {};                           // the one person who may see it, where words can be ephemeral
};

// What the platform made of one call, by what is to be done about it.
struct Tried {
    enum class Kind {
        done,         // also where there was nothing to do: the message is as we want it, or gone
        retry,        // later: it was not reached, it failed by itself, or we send too much
        moved,        // the chat has another id now
        unreachable,  // blocked, removed, or no such chat: nothing we send arrives there
        rejected,     // this call is wrong for this chat, and would be again; another may not be
    } kind = Kind::done;
    using Scope = Sending::Scope;
    std::string message = {};  // what was posted, by the platform's name for it
    std::string why = {};      // for people and the operator, where it was not done
    std::optional<std::chrono::milliseconds> after = std::nullopt;  // the platform's own wish
    Scope scope = Scope::chat;                                      // what has to wait so long
    std::string moved_to = {};
    bool maybe_posted = false;  // the answer got lost: the platform may have done it all the same
    bool held = false;          // it was not even tried: its bucket has to wait
};

// The whole text or no allow (I7).
struct Parcel {
    std::optional<Outgoing> document;       // to be delivered first
    Outgoing card;                          // may allow: everything is shown once this is delivered
    std::optional<Outgoing> without_allow;  // in its place, where the document could not be delivered
    bool whole = true;                      // card and document show everything; else nobody is offered to allow
};

// Asks a person why they deny a call; a reply with the words denies.
struct ReasonWanted {
    std::string card;  // the message that "Deny…" was pressed on
    std::string principal;
    std::string person;  // their name in the configuration
    std::string code;    // to be typed instead
    std::string button;  // the data of "Deny…": a modal brings it back with the words, as Press::data and Press::words
};

// How a message looks on the platform. Pure: the same values give the same bytes. `message` is one of ours, by the name
// that the platform gave it.
class Renderer {
public:
    virtual ~Renderer() = default;

    [[nodiscard]] virtual Parcel card(const Presentation& presentation, const MessageTarget& spot,
                                      WallTime now) const = 0;
    // Asked only where the platform edits:
    // The card anew, with the state it has now. `may_allow` is false where it was sent without allow.
    [[nodiscard]] virtual Outgoing update(const Presentation& /*presentation*/, const MessageTarget& /*spot*/,
                                          const std::string& /*message*/, WallTime /*now*/, bool /*may_allow*/) const {
        return {};
    }
    // Its buttons anew, with marks at the choices that were taken.
    [[nodiscard]] virtual Outgoing marks(const Presentation& /*presentation*/, const MessageTarget& /*spot*/,
                                         const std::string& /*message*/) const {
        return {};
    }
    // A newer card stands below: this one loses its buttons and nothing else.
    [[nodiscard]] virtual Outgoing retired(const MessageTarget& /*spot*/, const std::string& /*message*/) const {
        return {};
    }
    // How it ended, above what it was about, and no buttons.
    [[nodiscard]] virtual Outgoing conclusion(const Presentation& /*presentation*/, const MessageTarget& /*spot*/,
                                              const std::string& /*message*/, const Conclusion& /*conclusion*/) const {
        return {};
    }
    // The same as an answer to the document, where the card was never sent.
    [[nodiscard]] virtual Outgoing conclusion_reply(const Presentation& presentation, const MessageTarget& spot,
                                                    const std::string& document,
                                                    const Conclusion& conclusion) const = 0;
    // In the place of a card of an earlier process, of which only the place is known.
    [[nodiscard]] virtual Outgoing earlier(const MessageTarget& /*spot*/, const std::string& /*message*/,
                                           const Conclusion& /*conclusion*/) const {
        return {};
    }
    // The same while its request is open: it waits for its agent, or goes on in a newer message.
    [[nodiscard]] virtual Outgoing earlier(const MessageTarget& /*spot*/, const std::string& /*message*/,
                                           const EarlierNews& /*news*/) const {
        return {};
    }
    // Words below the card, that it still waits.
    [[nodiscard]] virtual Outgoing reminder(const Presentation& presentation, const MessageTarget& spot,
                                            const std::string& message, const Reminder& reminder) const = 0;
    [[nodiscard]] virtual Outgoing session_end(const MessageTarget& spot, const SessionEnd& end) const = 0;
    [[nodiscard]] virtual Outgoing announcement(const MessageTarget& spot, const Announcement& announcement) const = 0;

    // Words for a person who wrote something, below that message.
    [[nodiscard]] virtual Outgoing reply(const MessageTarget& spot, const Phrase& words) const = 0;
    // The same in the answer to the webhook, where the platform takes it there.
    [[nodiscard]] virtual Reply in_slot(const Phrase& /*words*/, bool /*alert*/) const { return {}; }
    // The answer to a press, by the platform's name for it. `alert`: so that it is not missed.
    [[nodiscard]] virtual Outgoing answer(const std::string& /*query*/, const Phrase& /*words*/, bool /*alert*/) const {
        return {};
    }
    // The whole text as a file, for a person who asks for more.
    [[nodiscard]] virtual Outgoing document(const Request& /*request*/, const std::vector<Option>& /*offered*/,
                                            const MessageTarget& /*spot*/, Language /*language*/) const {
        return {};
    }
    [[nodiscard]] virtual Outgoing reason_wanted(const MessageTarget& /*spot*/, const ReasonWanted& /*wanted*/,
                                                 Language /*language*/) const {
        return {};
    }
    // The same as a modal, where the platform has them: as a call, by the platform's name for the press; or in the
    // answer to the webhook, where the platform takes it there.
    [[nodiscard]] virtual Outgoing reason_modal(const std::string& /*query*/, const MessageTarget& /*spot*/,
                                                const ReasonWanted& /*wanted*/, Language /*language*/) const {
        return {};
    }
    [[nodiscard]] virtual std::optional<Reply>
    reason_modal_in_slot(const MessageTarget& /*spot*/, const ReasonWanted& /*wanted*/, Language /*language*/) const {
        return std::nullopt;
    }
    // Below what a person wrote in reply to a card: one button denies with these words.
    [[nodiscard]] virtual Outgoing reason_offer(const Presentation& /*presentation*/, const MessageTarget& /*spot*/,
                                                Language /*language*/) const {
        return {};
    }
};

class Messenger {
public:
    virtual ~Messenger() = default;

    [[nodiscard]] virtual Capabilities capabilities() const { return {}; }
    // The chat for this recipient, or Errc::undeliverable if the platform has none for them.
    [[nodiscard]] virtual Result<std::string> chat_of(const Recipient& to) const = 0;
    // Others read there too.
    [[nodiscard]] virtual bool is_group(const std::string& chat) const = 0;
    // A name that this platform gives to messages.
    [[nodiscard]] virtual bool is_message(const std::string& name) const = 0;
    // Lives as long as the messenger.
    [[nodiscard]] virtual const Renderer& renderer() const = 0;

    // One try. What was posted and has no name afterwards counts as rejected: nobody could ever edit it.
    virtual boost::asio::awaitable<Tried> send(Outgoing call) = 0;
};

}  // namespace countersign::channels
