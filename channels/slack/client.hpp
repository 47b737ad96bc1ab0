// SPDX-License-Identifier: Apache-2.0
// The Web API over the HttpClient port: a call out, a result or a refusal back.
//
// The token is in a header and in no address. Nothing that leaves this class tells it, also not where a server echoes
// it.
#pragma once

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

namespace countersign::channels::slack {

// Why the Web API did not do what we asked, by what is to be done about it.
struct Refusal {
    enum class Kind {
        retry,          // not reached, or it failed by itself: try again later
        flood,          // too many calls of this method: wait as long as it says
        unreachable,    // no such channel, not in it, archived, or a person who is gone: nothing we send arrives there
        no_thread,      // the message that it goes below is gone
        nothing_to_do,  // the message to change is gone, or too old to change
        bad_token,      // the token is not valid, it says; believed once auth.test says it too
        rejected,       // all else: our call is wrong for this chat, and would be again
    } kind = Kind::rejected;
    std::string why;  // one line for the operator and for people; sanitised, without the token
    std::optional<std::chrono::seconds> retry_after = std::nullopt;
    bool unsent = false;  // no part of the call left this machine, so it has no effect
};

using ApiReply = std::variant<json::Object, Refusal>;

// What an answer means. Pure.
[[nodiscard]] ApiReply read_reply(const HttpResponse& response);
[[nodiscard]] Refusal read_failure(const Error& error);

// Errc::missing_secret with what to do, if this cannot be such a token: "xoxb-" of a bot, "xapp-" of an app.
[[nodiscard]] Result<void> check_token(const security::Secret& token, std::string_view prefix);

class SlackClient {
public:
    // Borrows the HttpClient. Precondition: check_token(token).
    SlackClient(HttpClient& http, std::string base_url, security::Secret token);

    boost::asio::awaitable<ApiReply> call(Call call,
                                          std::chrono::milliseconds deadline = limits::http_deadline_default) const;
    // To the address that the platform gave for one file. Without our token: the address is the credential.
    boost::asio::awaitable<std::optional<Refusal>> put_file(std::string url, std::string text) const;
    // True only if auth.test itself says so. A channel ends on that and on nothing less.
    boost::asio::awaitable<bool> is_token_refused() const;
    [[nodiscard]] bool calls_with(const security::Secret& token) const;

private:
    [[nodiscard]] std::string without_token(std::string text) const;
    [[nodiscard]] bool may_upload_to(std::string_view url) const;

    HttpClient& http_;
    std::string base_url_;  // without a slash at its end
    security::Secret token_;
};

}  // namespace countersign::channels::slack
