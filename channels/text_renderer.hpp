// SPDX-License-Identifier: Apache-2.0
// TextRenderer: what the messages of a platform with text, buttons and edits say, the same on each. How they look there
// is the platform's.
//
// The whole text or no allow (I7): what does not fit into one message goes ahead as a file, with its SHA-256 on the
// card, and the card that can allow is for after the file was delivered.
#pragma once

#include "channels/card_text.hpp"
#include "channels/keys.hpp"
#include "channels/messenger.hpp"

#include <optional>
#include <string>
#include <vector>

namespace countersign::channels {

class TextRenderer : public Renderer {
public:
    // Borrows the rules and the keys.
    TextRenderer(const CardRules& rules, Keys keys) : rules_{rules}, keys_{keys} {}

    [[nodiscard]] Parcel card(const Presentation& presentation, const MessageTarget& spot, WallTime now) const final;
    [[nodiscard]] Outgoing update(const Presentation& presentation, const MessageTarget& spot,
                                  const std::string& message, WallTime now, bool may_allow) const final;
    // An edit replaces all of a message, and the text of this one is not known.
    [[nodiscard]] Outgoing retired(const MessageTarget& spot, const std::string& message) const override;
    [[nodiscard]] Outgoing conclusion(const Presentation& presentation, const MessageTarget& spot,
                                      const std::string& message, const Conclusion& conclusion) const final;
    [[nodiscard]] Outgoing earlier(const MessageTarget& spot, const std::string& message,
                                   const Conclusion& conclusion) const final;
    [[nodiscard]] Outgoing earlier(const MessageTarget& spot, const std::string& message,
                                   const EarlierNews& news) const final;
    [[nodiscard]] Outgoing reminder(const Presentation& presentation, const MessageTarget& spot,
                                    const std::string& message, const Reminder& reminder) const final;
    [[nodiscard]] Outgoing session_end(const MessageTarget& spot, const SessionEnd& end) const final;
    [[nodiscard]] Outgoing announcement(const MessageTarget& spot, const Announcement& announcement) const final;
    [[nodiscard]] Outgoing document(const Request& request, const std::vector<Option>& offered,
                                    const MessageTarget& spot, Language language) const final;

protected:
    struct Buttons {
        bool may_allow = true;
        bool shows_all = true;  // the card shows the whole text, not its beginning
    };
    struct File {
        std::string name;
        std::string text;
        Phrase caption;
    };

    // Words below or beside the cards. A platform that refuses to make the same message twice tells by the identity
    // that it is tried again: the kind of message, then what distinguishes it from others of that kind.
    struct Note {
        Phrase words;
        std::vector<std::string> identity;
    };

    // All of the card's text, if one message has room for it, and its beginning. A platform where styles take up room
    // measures what it sends.
    [[nodiscard]] virtual std::optional<Phrase> whole_words(const CardText& card, const MessageTarget& spot) const;
    [[nodiscard]] virtual Phrase brief_words(const CardText& card, const MessageTarget& spot) const;

    [[nodiscard]] virtual Outgoing post_card(const Presentation& presentation, const MessageTarget& spot,
                                             const Phrase& words, Buttons buttons) const = 0;
    [[nodiscard]] virtual Outgoing edit_card(const Presentation& presentation, const MessageTarget& spot,
                                             const std::string& message, const Phrase& words,
                                             Buttons buttons) const = 0;
    // In the place of the card, without buttons.
    [[nodiscard]] virtual Outgoing end_card(const Presentation& presentation, const MessageTarget& spot,
                                            const std::string& message, const Phrase& words,
                                            const Conclusion& conclusion) const;
    // For notes that ask for nothing: no sound, where the platform can be quiet.
    [[nodiscard]] virtual Outgoing note(const MessageTarget& spot, const Note& note) const = 0;
    [[nodiscard]] virtual Outgoing note_below(const MessageTarget& spot, const std::string& message,
                                              const Note& note) const = 0;
    // In the place of a card, without buttons. `ended` says how, where the request did.
    [[nodiscard]] virtual Outgoing replace(const MessageTarget& spot, const std::string& message, const Phrase& words,
                                           std::optional<Outcome> ended) const = 0;
    [[nodiscard]] virtual Outgoing file(const MessageTarget& spot, File file) const = 0;
    // The file that goes out before its card.
    [[nodiscard]] virtual Outgoing file_of_card(const Presentation& presentation, const MessageTarget& spot,
                                                File file) const;
    // Others read in this place, so that people are called by their names.
    [[nodiscard]] virtual bool calls_people(const Presentation& presentation, const MessageTarget& spot) const = 0;

    [[nodiscard]] CardText card_text(const Presentation& presentation, const MessageTarget& spot, WallTime now) const;
    [[nodiscard]] const Keys& keys() const { return keys_; }

private:
    [[nodiscard]] File whole_text(const Request& request, const std::vector<Option>& offered, Language language) const;

    const CardRules& rules_;
    Keys keys_;
};

}  // namespace countersign::channels
