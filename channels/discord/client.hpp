// SPDX-License-Identifier: Apache-2.0
// The REST API over the HttpClient port: a call out, a result or a refusal back.
//
// The bot's token is sent in a header, and only where the bot calls: an answer to an interaction has its own token in
// the path. Nothing that leaves this class contains either of them, even if a server echoes it.
#pragma once

#include "channels/discord/message.hpp"
#include "core/json/value.hpp"
#include "core/limits.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/http_client.hpp"
#include "core/result.hpp"
#include "security/secret.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace countersign::channels::discord {

// Why the REST API did not do what we asked, by what is to be done about it.
struct Refusal {
    enum class Kind {
        retry,             // not reached, or it failed by itself: try again later
        flood,             // too many calls: wait as long as it says
        unreachable,       // no such channel, no access, no right to write there, or a person who takes no messages
        no_thread,         // the thread is archived and locked, or one can't be opened here
        no_reply,          // we may not reply here, because we can't read what was written before
        nothing_to_do,     // the message to change is gone
        gone_interaction,  // it was answered already, or its token is no longer valid
        bad_token,         // the token is not valid, it says; believed once users/@me says it too
        rejected,          // all else: our call is wrong for this chat, and would be again
    } kind = Kind::rejected;
    enum class Scope { bucket, bot };  // what a flood is of: calls like this one, or all calls of the bot
    std::string why;                   // one line for the operator and for people; sanitised, without a token
    std::optional<std::chrono::milliseconds> retry_after = std::nullopt;
    Scope scope = Scope::bucket;
    bool unsent = false;    // no part of the call left this machine, so it has no effect
    std::int64_t code = 0;  // the platform's own; 0 where it told none
};

struct ApiAnswer {
    json::Object object;    // empty where the answer is a list or has no body
    json::Array list = {};  // empty where it is an object
};
using ApiReply = std::variant<ApiAnswer, Refusal>;

// What an answer means. Pure.
[[nodiscard]] ApiReply read_reply(const HttpResponse& response);
[[nodiscard]] Refusal read_failure(const Error& error);

// Errc::missing_secret with what to do, if this cannot be a bot's token.
[[nodiscard]] Result<void> check_token(const security::Secret& token);

// "PATCH channels/5/messages/:id" of a call: what the platform counts together, as far as an address tells it. Empty
// where it counts nothing: interactions have no limit.
[[nodiscard]] std::string route_of(const Call& call);

// The platform's counters, as far as its answers told them: how many calls are left, and until when. A route learns its
// counter's name with the first answer; several routes may share one, and each channel has its own.
class Counters {
public:
    // In the past where nothing is known to wait for.
    [[nodiscard]] BootTime free_at(const std::string& route) const;
    [[nodiscard]] bool is_all_held(BootTime now) const { return all_until_ > now; }
    void spend(const std::string& route);
    void learn(const std::string& route, const HttpResponse& response, BootTime now);
    void hold(const std::string& route, const Refusal& flood, BootTime now);
    [[nodiscard]] std::size_t size() const { return counters_.size(); }

private:
    struct Counter {
        std::size_t left = 1;
        BootTime until;
    };
    void make_room(BootTime now);

    std::map<std::string, std::string> names_;  // of counters, by route
    std::map<std::string, Counter> counters_;
    BootTime all_until_;
};

class DiscordClient {
public:
    // Borrows HttpClient and Clock. Precondition: check_token(token).
    DiscordClient(HttpClient& http, Clock& clock, std::string base_url, security::Secret token);

    // What the platform would refuse, because a counter is used up, is not sent.
    boost::asio::awaitable<ApiReply> call(Call call,
                                          std::chrono::milliseconds deadline = limits::http_deadline_default);
    // True only if users/@me itself says so. A channel ends on that and on nothing less.
    boost::asio::awaitable<bool> is_token_refused();
    [[nodiscard]] bool calls_with(const security::Secret& token) const;
    // For the Gateway, which takes it in a message.
    [[nodiscard]] std::string_view token() const { return token_.reveal(); }

private:
    boost::asio::awaitable<ApiReply> call_once(Call call, std::chrono::milliseconds deadline);

    HttpClient& http_;
    Clock& clock_;
    std::string base_url_;  // without a slash at its end
    security::Secret token_;
    Counters counters_;
};

}  // namespace countersign::channels::discord
