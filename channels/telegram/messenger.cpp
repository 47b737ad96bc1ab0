// SPDX-License-Identifier: Apache-2.0
#include "channels/telegram/messenger.hpp"

#include "channels/telegram/text.hpp"
#include "core/json/members.hpp"

namespace countersign::channels::telegram {

namespace asio = boost::asio;

namespace {

std::optional<std::int64_t> message_of(const json::Value& result) {
    const auto* message = result.object();
    return message == nullptr ? std::nullopt : integer_of(*message, "message_id");
}

}  // namespace

Tried tried_of(const BotReply& reply) {
    if (const auto* refusal = std::get_if<Refusal>(&reply)) return channels::tried_of(*refusal);
    const auto message = message_of(std::get<json::Value>(reply));
    return {.message = message ? std::to_string(*message) : ""};
}

bool is_group(const std::string& chat) { return chat.starts_with('-') || chat.starts_with('@'); }

// A person's private chat has the person's own id.
Result<std::string> TelegramMessenger::chat_of(const Recipient& to) const {
    if (!to.chat.empty()) return to.chat;
    if (to.principal.empty()) return Error{Errc::undeliverable, "this step names neither a chat nor people"};
    const auto user = user_of(to.principal);
    if (!user) return Error{Errc::undeliverable, "somebody of this step has no Telegram id"};
    return std::to_string(*user);
}

bool TelegramMessenger::is_group(const std::string& chat) const { return telegram::is_group(chat); }

bool TelegramMessenger::is_message(const std::string& name) const { return message_number(name) != 0; }

Parcel TelegramMessenger::card(const Presentation& presentation, const MessageTarget& spot, WallTime now) const {
    return render(presentation, spot, keys_, now);
}

Outgoing TelegramMessenger::update(const Presentation& presentation, const MessageTarget& spot,
                                   const std::string& message, WallTime now, bool may_allow) const {
    return render_update(presentation, spot, keys_, now, message_number(message), may_allow);
}

Outgoing TelegramMessenger::marks(const Presentation& presentation, const MessageTarget& spot,
                                  const std::string& message) const {
    return render_marks(presentation, spot, keys_, message_number(message));
}

Outgoing TelegramMessenger::retired(const MessageTarget& spot, const std::string& message) const {
    return edit_keyboard({spot.target, message_number(message)}, {});
}

Outgoing TelegramMessenger::conclusion(const Presentation& presentation, const MessageTarget& spot,
                                       const std::string& message, const Conclusion& conclusion) const {
    return render_conclusion(presentation, spot, message_number(message), conclusion);
}

Outgoing TelegramMessenger::conclusion_reply(const Presentation& presentation, const MessageTarget& spot,
                                             const std::string& document, const Conclusion& conclusion) const {
    return render_conclusion_reply(spot, message_number(document), conclusion,
                                   language_of(presentation.audience.language));
}

Outgoing TelegramMessenger::earlier(const MessageTarget& spot, const std::string& message,
                                    const Conclusion& conclusion) const {
    return render_earlier(spot, message_number(message), conclusion);
}

Outgoing TelegramMessenger::earlier(const MessageTarget& spot, const std::string& message,
                                    const EarlierNews& news) const {
    return render_earlier(spot, message_number(message), news);
}

Outgoing TelegramMessenger::reminder(const Presentation& presentation, const MessageTarget& spot,
                                     const std::string& message, const Reminder& reminder) const {
    return render_reminder(presentation, spot, message_number(message), reminder);
}

Outgoing TelegramMessenger::session_end(const MessageTarget& spot, const SessionEnd& end) const {
    return render_session_end(spot, end);
}

Outgoing TelegramMessenger::announcement(const MessageTarget& spot, const Announcement& announcement) const {
    return render_announcement(spot, announcement);
}

Outgoing TelegramMessenger::reply(const MessageTarget& spot, const Phrase& words) const {
    return send_reply({spot.target, message_number(spot.reply_to.value_or(""))}, styled(words));
}

Outgoing TelegramMessenger::answer(const std::string& query, const Phrase& words, bool alert) const {
    return answer_query(query, styled(words).text(), alert);
}

Outgoing TelegramMessenger::document(const Request& request, const std::vector<Option>& offered,
                                     const MessageTarget& spot, Language language) const {
    return render_document(request, offered, spot, language);
}

Outgoing TelegramMessenger::reason_wanted(const MessageTarget& spot, const ReasonWanted& wanted,
                                          Language language) const {
    return render_reason_wanted(spot, wanted, language);
}

Outgoing TelegramMessenger::reason_offer(const Presentation& presentation, const MessageTarget& spot,
                                         Language language) const {
    return render_reason_offer(presentation, spot, keys_, message_number(spot.reply_to.value_or("")), language);
}

asio::awaitable<Tried> TelegramMessenger::send(Outgoing call) {
    const bool posts = call.posts;
    const auto reply = co_await client_.call(std::move(call));
    const auto* refusal = std::get_if<Refusal>(&reply);
    if (refusal != nullptr && refusal->kind == Refusal::Kind::bad_token && is_gone_()) {
        co_return Tried{.kind = Tried::Kind::unreachable, .why = "Telegram knows no bot with this token"};
    }
    auto tried = tried_of(reply);
    if (posts && tried.kind == Tried::Kind::done && tried.message.empty()) {
        tried = {.kind = Tried::Kind::rejected, .why = "Telegram's answer names no message"};
    }
    co_return tried;
}

}  // namespace countersign::channels::telegram
