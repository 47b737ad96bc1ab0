// SPDX-License-Identifier: Apache-2.0
// The Web API over the HttpClient port: a call out, a result or a refusal back.
//
// The token is in a header and in no address. Nothing that leaves this class tells it, also not where a server echoes
// it.
#pragma once

#include "channels/api_call.hpp"
#include "channels/slack/message.hpp"
#include "core/json/value.hpp"
#include "core/limits.hpp"
#include "core/ports/http_client.hpp"
#include "core/result.hpp"
#include "security/secret.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace countersign::channels::slack {

using ApiReply = std::variant<json::Object, Refusal>;

// What an answer means. Pure.
[[nodiscard]] ApiReply read_reply(const HttpResponse& response);

// Errc::missing_secret with what it is instead and where to find the right one, if this cannot be such a token: "xoxb-"
// of a bot, "xapp-" of an app.
[[nodiscard]] Result<void> check_token(const security::Secret& token, std::string_view prefix);

// The bot that a token is of, as auth.test names it.
struct BotAccount {
    std::string user;
    std::string user_name;
    std::string bot;  // its id on messages
    std::string team;
    std::string team_name;
    std::string enterprise;
    std::vector<std::string_view> missing;  // scopes of app_scopes() that the token doesn't have
};

// The signing secret and the client secret look the same.
[[nodiscard]] bool looks_like_app_secret(std::string_view text);

class SlackClient {
public:
    // Borrows the HttpClient. Precondition: check_token(token).
    SlackClient(HttpClient& http, std::string base_url, security::Secret token);

    boost::asio::awaitable<ApiReply> call(Call call,
                                          std::chrono::milliseconds deadline = limits::http_deadline_default) const;
    // auth.test, with the scopes from the headers of its answer.
    boost::asio::awaitable<std::variant<BotAccount, Refusal>> account() const;
    // To the address that the platform gave for one file. Without our token: the address is the credential.
    boost::asio::awaitable<std::optional<Refusal>> put_file(std::string url, std::string text) const;
    // True only if auth.test itself says so. A channel ends on that and on nothing less.
    boost::asio::awaitable<bool> is_token_refused() const;
    [[nodiscard]] bool calls_with(const security::Secret& token) const;
    // True if the address of a WebSocket is one of Slack's, or on the host of base_url.
    [[nodiscard]] bool may_connect_to(std::string_view url) const;

private:
    boost::asio::awaitable<Result<HttpResponse>> exchange(Call call, std::chrono::milliseconds deadline) const;
    [[nodiscard]] bool may_upload_to(std::string_view url) const;

    HttpClient& http_;
    std::string base_url_;  // without a slash at its end
    security::Secret token_;
};

}  // namespace countersign::channels::slack
