// SPDX-License-Identifier: Apache-2.0
// What a channel shows, and where: every delivery with its messages. Entirely passive; the delivery engine changes it.
//
// A click asks which request a message is about, a typed code what a chat shows: both are looked up, however many cards
// there are.
#pragma once

#include "channels/outbox.hpp"
#include "core/boxed_optional.hpp"
#include "core/ports/channel.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace countersign::channels {

// A delivery, in its chat. Its messages are noted through Cards, which must find them again.
struct Card {
    Presentation presentation;
    std::string chat;                     // as it is configured
    std::string reader = {};              // the one person who reads it, where that is known: it shows their draft
    LetterId letter = 0;                  // while the card waits to be sent; 0 if none does
    LetterId edit = 0;                    // the newest change that waits to be sent
    LetterId reminder = 0;                // the newest that waits to be sent
    bool outdated = false;                // it changed while it was on its way
    BoxedOptional<std::string> document;  // the file that went ahead
    bool shows_all = true;                // by itself and its document
    bool document_refused = false;        // the chat takes no files: the card cannot allow
    std::optional<std::string> message;   // the card itself
    std::vector<std::string> doubles;     // the same card again: an answer got lost, and it was sent twice
    std::vector<std::string> reminders;   // words below it that ask for an answer; one may be given to them
    std::vector<std::string> prompts;     // messages that ask for a reason, or offer to deny with one
    std::set<std::string> asked;  // the principals whose reason was asked for: the message is there or on its way
    // Sends of it without an answer: one is under way, or the answer got lost. Each may have left a copy that we do not
    // know, until a press on it tells (I10).
    std::size_t unanswered = 0;
    std::size_t told_by_press = 0;  // of those: copies that a press has told
    bool retired = false;           // a newer card took its buttons
    BoxedOptional<Conclusion> conclusion;
    std::size_t edits_open = 0;  // of the conclusion
    bool left_open = false;      // one of them failed

    // This message is the card, or one of its doubles.
    [[nodiscard]] bool has(const std::string& name) const {
        return message == name || std::ranges::find(doubles, name) != doubles.end();
    }
};

// Groups that got another id: buttons and codes keep the old one.
class Chats {
public:
    // Forgets the oldest past chat_moved_max. False, and nothing is noted, if it would lead back to `from`.
    bool moved(const std::string& from, const std::string& to);
    // Where a message to this chat goes today.
    [[nodiscard]] std::string target(const std::string& chat) const;
    // All ids that mean this chat, itself first.
    [[nodiscard]] std::vector<std::string> names(const std::string& chat) const;

private:
    [[nodiscard]] const std::string* next(const std::string& chat) const;  // null: it is still there

    std::deque<std::pair<std::string, std::string>> moves_;
};

// What a message of ours wants from its reader, besides the card itself.
struct ReasonPrompt {
    enum class Kind {
        none,    // a card, its file or a reminder
        asks,    // a reply to it denies with the reply's words
        offers,  // its button denies with `words`
    } kind = Kind::none;
    std::string principal = {};  // who pressed "Deny…", or wrote the words: the prompt is for this person alone
    std::string person = {};     // their name, for the others
    std::string words = {};
};

// A message with a button of ours, as a press tells of it.
struct Copy {
    Ulid request;
    std::string chat;  // as it is configured
    std::uint8_t generation = 0;
    std::string thread = {};  // the platform's topic, where it told one
};

class Cards {
public:
    Card& add(Presentation presentation, std::string chat);  // precondition: the id is new
    [[nodiscard]] Card* find(DeliveryId id);
    // The file of a card, the card, and the card again: false if it is known already, or one double too many.
    void document_landed(Card& card, std::string message);
    void reminder_landed(Card& card, std::string message);
    // A person's offer takes the place of their earlier one; past reason_prompts_max of one card the oldest of all is
    // forgotten. Returned if it has a button, which must be removed.
    std::optional<std::string> prompt_landed(Card& card, const std::string& message, ReasonPrompt prompt);
    enum class Landed { first, again, known };
    Landed landed(Card& card, const std::string& message);
    // The chats keep its id for honest answers, up to chat_ended_kept_max of them.
    void forget(DeliveryId id);
    void conclude(Card& card, const Conclusion& conclusion);
    // A message of an earlier process is a card of this request.
    void remember_earlier(const Ulid& request, const std::string& chat, const std::string& message);
    // The card that a message which we do not know may be a copy of: a send of it was not answered (I10).
    [[nodiscard]] std::optional<DeliveryId> unanswered(const Copy& copy) const;
    // The message is a card that is kept: when its request ends, it is told there anyway.
    [[nodiscard]] bool is_kept(const Ulid& request, const std::string& chat, const std::string& message) const;
    [[nodiscard]] std::size_t size() const { return cards_.size(); }
    [[nodiscard]] std::size_t concluded() const { return concluded_; }  // of these: what they say is still to be sent
    [[nodiscard]] std::vector<DeliveryId> of_request(const Ulid& request) const;  // oldest first

    // In one chat, by all of its names.
    using Names = std::span<const std::string>;
    // This very message is a card of the request there, and no newer one took its buttons.
    [[nodiscard]] bool is_current(const Ulid& request, Names chat, const std::string& message) const;
    [[nodiscard]] std::vector<Ulid> shown_in(Names chat) const;  // those that ended, then the others, oldest first
    [[nodiscard]] std::optional<std::uint32_t> newest_generation(const Ulid& request, Names chat) const;
    // Everything of it was delivered in this chat (I7).
    [[nodiscard]] bool whole_in(const Ulid& request, Names chat) const;
    // The language it is shown in there, as a tag of the configuration; empty where it is not.
    [[nodiscard]] std::string language_in(const Ulid& request, Names chat) const;
    // That of the card which this message belongs to, also of one that ended; empty where that is not known.
    [[nodiscard]] std::string language_of(Names chat, const std::string& message) const;
    // Of the newest that is open there.
    [[nodiscard]] std::string newest_language_in(Names chat) const;
    // The name under which this chat shows it.
    [[nodiscard]] std::optional<std::string> chat_of(const Ulid& request, Names chat) const;
    [[nodiscard]] std::optional<Ulid> request_of(Names chat, const std::string& message) const;
    // Kind::none where the message isn't a prompt, or isn't known.
    [[nodiscard]] ReasonPrompt prompt_at(Names chat, const std::string& message) const;

private:
    struct Ended {
        Ulid request;
        std::string chat;
        std::vector<std::string> messages;
    };
    using MessageTarget = std::pair<std::string, std::string>;  // chat and message

    struct Shown {
        Ulid request;
        std::string language;
        ReasonPrompt prompt = {};
    };

    [[nodiscard]] const Shown* shown_at(Names chat, const std::string& message) const;  // null: none of ours
    void note(const Card& card, const std::string& message, ReasonPrompt prompt = {});
    void forget_oldest_ended();

    std::unordered_map<DeliveryId, Card> cards_;
    std::size_t concluded_ = 0;
    std::set<std::pair<Ulid, DeliveryId>> by_request_;
    std::map<std::string, std::set<DeliveryId>, std::less<>> by_chat_;
    std::map<MessageTarget, Shown> by_message_;  // also of those that ended
    std::deque<Ended> ended_;
    std::map<std::string, std::deque<Ulid>> ended_in_;  // by chat, oldest first
};

}  // namespace countersign::channels
