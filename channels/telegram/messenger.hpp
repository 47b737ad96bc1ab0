// SPDX-License-Identifier: Apache-2.0
// The Bot API as a Messenger: cards into calls, and answers into what is to be done.
#pragma once

#include "channels/messenger.hpp"
#include "channels/telegram/client.hpp"
#include "channels/telegram/render.hpp"

#include <functional>
#include <string>

namespace countersign::limits {

inline constexpr std::size_t telegram_group_reserve = 5;  // of a group's burst: edits and notices leave it to cards

}  // namespace countersign::limits

namespace countersign::channels::telegram {

// Groups have negative ids, and public ones may be named.
[[nodiscard]] bool is_group(const std::string& chat);

// What an answer means for whoever wanted to send something. Pure. A refused token is a reason to wait, until somebody
// found out that there is no such bot any more.
[[nodiscard]] Tried tried_of(const BotReply& reply);

class TelegramMessenger final : public Messenger {
public:
    // Borrows the client and the keys. `is_gone` is asked each time that the token was refused: true if it is known
    // that there is no such bot.
    TelegramMessenger(const TelegramClient& client, Keys keys, std::function<bool()> is_gone)
        : client_{client}, keys_{keys}, is_gone_{std::move(is_gone)} {}

    [[nodiscard]] Result<std::string> chat_of(const Recipient& to) const override;
    [[nodiscard]] bool is_group(const std::string& chat) const override;
    [[nodiscard]] bool is_message(const std::string& name) const override;
    [[nodiscard]] Parcel card(const Presentation& presentation, const MessageTarget& spot, WallTime now) const override;
    [[nodiscard]] Outgoing update(const Presentation& presentation, const MessageTarget& spot,
                                  const std::string& message, WallTime now, bool may_allow) const override;
    [[nodiscard]] Outgoing marks(const Presentation& presentation, const MessageTarget& spot,
                                 const std::string& message) const override;
    [[nodiscard]] Outgoing retired(const MessageTarget& spot, const std::string& message) const override;
    [[nodiscard]] Outgoing conclusion(const Presentation& presentation, const MessageTarget& spot,
                                      const std::string& message, const Conclusion& conclusion) const override;
    [[nodiscard]] Outgoing conclusion_reply(const Presentation& presentation, const MessageTarget& spot,
                                            const std::string& document, const Conclusion& conclusion) const override;
    [[nodiscard]] Outgoing earlier(const MessageTarget& spot, const std::string& message,
                                   const Conclusion& conclusion) const override;
    [[nodiscard]] Outgoing earlier(const MessageTarget& spot, const std::string& message,
                                   const EarlierNews& news) const override;
    [[nodiscard]] Outgoing reminder(const Presentation& presentation, const MessageTarget& spot,
                                    const std::string& message, const Reminder& reminder) const override;
    [[nodiscard]] Outgoing session_end(const MessageTarget& spot, const SessionEnd& end) const override;
    [[nodiscard]] Outgoing announcement(const MessageTarget& spot, const Announcement& announcement) const override;
    [[nodiscard]] Outgoing reply(const MessageTarget& spot, const Phrase& words) const override;
    [[nodiscard]] Outgoing answer(const std::string& query, const Phrase& words, bool alert) const override;
    [[nodiscard]] Outgoing document(const Request& request, const std::vector<Option>& offered,
                                    const MessageTarget& spot, Language language) const override;
    [[nodiscard]] Outgoing reason_wanted(const MessageTarget& spot, const ReasonWanted& wanted,
                                         Language language) const override;
    [[nodiscard]] Outgoing reason_offer(const Presentation& presentation, const MessageTarget& spot,
                                        Language language) const override;
    boost::asio::awaitable<Tried> send(Outgoing call) override;

private:
    const TelegramClient& client_;
    Keys keys_;
    std::function<bool()> is_gone_;
};

}  // namespace countersign::channels::telegram
