// SPDX-License-Identifier: Apache-2.0
// The Bot API over the HttpClient port: a call out, a result or a refusal back.
//
// The address of every call holds the bot's token. It is made here, for the moment of the call, and nothing that leaves
// this class tells it: not an error, not a description that a server echoes.
#pragma once

#include "channels/api_call.hpp"
#include "channels/telegram/message.hpp"
#include "core/json/value.hpp"
#include "core/limits.hpp"
#include "core/ports/http_client.hpp"
#include "core/result.hpp"
#include "security/secret.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace countersign::channels::telegram {

using BotReply = std::variant<json::Value, Refusal>;

// What an answer means. Pure.
[[nodiscard]] BotReply read_reply(const HttpResponse& response);

// Errc::missing_secret with what to do, if this cannot be a bot's token.
[[nodiscard]] Result<void> check_token(const security::Secret& token);

class TelegramClient {
public:
    // Borrows the HttpClient. Precondition: check_token(token).
    TelegramClient(HttpClient& http, std::string base_url, security::Secret token);

    boost::asio::awaitable<BotReply> call(Call call,
                                          std::chrono::milliseconds deadline = limits::http_deadline_default) const;
    // True only if getMe itself says that there is no such bot. A channel ends on that and on nothing less.
    boost::asio::awaitable<bool> knows_no_bot() const;

private:
    HttpClient& http_;
    std::string base_url_;  // without a slash at its end
    security::Secret token_;
};

}  // namespace countersign::channels::telegram
