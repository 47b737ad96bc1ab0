// SPDX-License-Identifier: Apache-2.0
#include "channels/telegram/messenger.hpp"

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
