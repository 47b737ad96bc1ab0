// SPDX-License-Identifier: Apache-2.0
// The Web API as a Messenger: cards into calls, and answers into what is to be done.
#pragma once

#include "channels/messenger.hpp"
#include "channels/slack/client.hpp"
#include "channels/slack/render.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>

namespace countersign::channels::slack {

// What an answer means for the caller who wanted to send something. Pure.
[[nodiscard]] Tried tried_of(const Refusal& refusal, std::string_view method);

// Which press is answered, and how: `quiet` where the card itself says what came of it, so that only a refusal is told.
struct Query {
    std::string chat;
    Private to;
    bool quiet = false;
};
[[nodiscard]] std::string query_name(const Query& query);
[[nodiscard]] std::optional<Query> query_of(std::string_view name);

class SlackMessenger final : public Messenger {
public:
    // Borrows the client and the keys. `is_gone` is asked each time that the token was refused: true if it is known to
    // be refused for good.
    SlackMessenger(const SlackClient& client, Keys keys, std::function<bool()> is_gone)
        : client_{client}, keys_{keys}, is_gone_{std::move(is_gone)} {}

    [[nodiscard]] Capabilities capabilities() const override { return {.edits_count = false}; }
    // A person's direct messages are known by the person: Slack's id of them is looked up when something is sent.
    [[nodiscard]] Result<std::string> chat_of(const Recipient& to) const override;
    [[nodiscard]] bool is_group(const std::string& chat) const override { return is_channel(chat); }
    [[nodiscard]] bool is_message(const std::string& name) const override { return is_timestamp(name); }
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
    [[nodiscard]] Reply in_slot(const Phrase& words, bool alert) const override;
    [[nodiscard]] Outgoing answer(const std::string& query, const Phrase& words, bool alert) const override;
    [[nodiscard]] Outgoing document(const Request& request, const std::vector<Option>& offered,
                                    const MessageTarget& spot, Language language) const override;
    [[nodiscard]] Outgoing reason_wanted(const MessageTarget& spot, const ReasonWanted& wanted,
                                         Language language) const override;
    [[nodiscard]] Outgoing reason_offer(const Presentation& presentation, const MessageTarget& spot,
                                        Language language) const override;
    boost::asio::awaitable<Tried> send(Outgoing call) override;

private:
    boost::asio::awaitable<Tried> send_to(Outgoing call, std::string chat);
    boost::asio::awaitable<Tried> send_file(Outgoing call, std::string chat);
    [[nodiscard]] Tried refused(const Refusal& refusal, std::string_view method) const;
    // The id of a person's direct messages.
    boost::asio::awaitable<std::variant<std::string, Refusal>> direct_chat(std::string user);

    const SlackClient& client_;
    Keys keys_;
    std::function<bool()> is_gone_;
    std::map<std::string, std::string> direct_;  // by user; the platform keeps the same id for good
};

}  // namespace countersign::channels::slack
