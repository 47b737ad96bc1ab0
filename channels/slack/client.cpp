// SPDX-License-Identifier: Apache-2.0
#include "channels/slack/client.hpp"

#include "channels/guard.hpp"
#include "channels/slack/bounds.hpp"
#include "channels/slack/ids.hpp"
#include "channels/slack/scopes.hpp"
#include "core/json/members.hpp"
#include "core/json/read.hpp"
#include "security/hmac.hpp"
#include "security/url.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace countersign::channels::slack {

namespace asio = boost::asio;

namespace {

using Kind = Refusal::Kind;

// The platform's words for an error. What is not here is rejected.
constexpr auto words = std::to_array<std::pair<std::string_view, Kind>>({
    {"ratelimited", Kind::flood},
    {"rate_limited", Kind::flood},
    {"internal_error", Kind::retry},
    {"fatal_error", Kind::retry},
    {"service_unavailable", Kind::retry},
    {"request_timeout", Kind::retry},
    {"team_added_to_org", Kind::retry},
    {"channel_not_found", Kind::unreachable},
    {"not_in_channel", Kind::unreachable},
    {"is_archived", Kind::unreachable},
    {"user_not_found", Kind::unreachable},
    {"user_disabled", Kind::unreachable},
    {"cannot_dm_bot", Kind::unreachable},
    {"messages_tab_disabled", Kind::unreachable},
    {"restricted_action", Kind::unreachable},
    {"restricted_action_read_only_channel", Kind::unreachable},
    {"restricted_action_thread_only_channel", Kind::unreachable},
    {"restricted_action_non_threadable_channel", Kind::unreachable},
    {"team_access_not_granted", Kind::unreachable},
    {"ekm_access_denied", Kind::unreachable},
    {"thread_not_found", Kind::no_thread},
    {"cannot_reply_to_message", Kind::no_thread},
    {"message_not_found", Kind::nothing_to_do},
    {"cant_update_message", Kind::nothing_to_do},
    {"edit_window_closed", Kind::nothing_to_do},
    {"invalid_auth", Kind::bad_token},
    {"not_authed", Kind::bad_token},
    {"account_inactive", Kind::bad_token},
    {"token_revoked", Kind::bad_token},
    {"token_expired", Kind::bad_token},
});

Refusal refusal_of(const HttpResponse& response, const json::Object& answer) {
    const auto error = text_of(answer, "error");
    const auto* const found = std::ranges::find(words, error, &std::pair<std::string_view, Kind>::first);
    Refusal refusal{.kind = found == words.end() ? Kind::rejected : found->second, .why = reason_line(error)};
    if (response.status == 429) refusal.kind = Kind::flood;
    if (response.status >= 500 && refusal.kind == Kind::rejected) refusal.kind = Kind::retry;
    if (const auto needed = text_of(answer, "needed"); error == "missing_scope" && !needed.empty()) {
        refusal.why += ": the app needs the scope " + reason_line(needed) +
                       "; add it at the app's page, and install the app again";
    } else if (error == "not_in_channel") {
        refusal.why += ": the bot is not a member; type /invite and the bot's name in that channel";
    } else if (error == "channel_not_found") {
        refusal.why += ": the id is wrong, or the channel is private and the bot is not a member; type /invite and the "
                       "bot's name there";
    }
    if (refusal.kind == Kind::flood) refusal.retry_after = wanted_wait(response);
    return refusal;
}

Refusal foreign(const HttpResponse& response) {
    return foreign_answer(response, "the answer is not one of the Web API");
}

// What a text is that isn't the token we asked for. Empty if we don't know it.
std::string_view kind_of_token(std::string_view text) {
    struct Kind {
        std::string_view prefix;
        std::string_view what;
    };
    constexpr auto kinds =
        std::to_array<Kind>({{"xoxb-", "this is the bot's token"},
                             {"xapp-", "this is an app-level token"},
                             {"xoxp-", "this is a user's token, which would post in that person's name"},
                             {"xoxe.", "this is a token that expires, of an app with token rotation"},
                             {"xoxe-", "this is a refresh token, of an app with token rotation"},
                             {"xoxc-", "this is the token of a browser's session"},
                             {"xoxd-", "this is the cookie of a browser's session"},
                             {"xoxs-", "this is the token of a session"}});
    const auto* const found =
        std::ranges::find_if(kinds, [&](const Kind& one) { return text.starts_with(one.prefix); });
    if (found != kinds.end()) return found->what;
    return looks_like_app_secret(text) ? "this looks like the signing secret or the client secret" : std::string_view{};
}

// "https://files.slack.com" of an address in it. Empty if programs could disagree about its host.
std::string_view origin_of(std::string_view url) {
    if (!security::url_host(url)) return {};
    return url.substr(0, url.find_first_of("/?#", url.find("://") + 3));
}

// Without a port, a user name or another spelling.
bool is_of_slack(std::string_view url) {
    const auto host = security::url_host(url);
    if (!host || origin_of(url) != "https://" + *host) return false;
    return host->ends_with(".slack.com") || host->ends_with(".slack-gov.com");
}

// As an http address, which the strict reader of URLs knows.
std::string as_http(std::string_view url) {
    if (url.starts_with("wss://")) return "https" + std::string{url.substr(3)};
    if (url.starts_with("ws://")) return "http" + std::string{url.substr(2)};
    return {};
}

}  // namespace

ApiReply read_reply(const HttpResponse& response) {
    auto document = json::read(response.body, limits::http_answer_body_bytes_max);
    auto* answer = document ? document->value.object() : nullptr;
    const auto* ok = answer == nullptr ? nullptr : answer->find("ok");
    if (ok == nullptr || ok->boolean() == nullptr) return foreign(response);
    if (*ok->boolean()) return std::move(*answer);
    return text_of(*answer, "error").empty() ? ApiReply{foreign(response)} : ApiReply{refusal_of(response, *answer)};
}

Result<void> check_token(const security::Secret& token, std::string_view prefix) {
    const auto text = token.reveal();
    const bool fits = text.starts_with(prefix) && text.size() >= limits::secret_bytes_min && is_token_text(text, "-._");
    if (fits) return {};
    const auto where =
        prefix == "xapp-" ? "Basic Information, App-Level Tokens" : "OAuth & Permissions, Bot User OAuth Token";
    const auto known = text.starts_with(prefix) ? std::string_view{} : kind_of_token(text);
    auto what = text.empty() ? std::string{"the token is empty"} : std::string{known};
    if (what.empty()) what = "this is not such a token, or not all of it";
    return Error{Errc::missing_secret,
                 what + ": copy the one that begins with " + std::string{prefix} + " from the app's page, " + where};
}

bool looks_like_app_secret(std::string_view text) {
    constexpr std::size_t size = 32;
    return text.size() == size && std::ranges::all_of(text, [](char symbol) {
               return (symbol >= 'a' && symbol <= 'z') || (symbol >= '0' && symbol <= '9');
           });
}

SlackClient::SlackClient(HttpClient& http, std::string base_url, security::Secret token)
    : http_{http}, base_url_{base_of(std::move(base_url))}, token_{std::move(token)} {}

// What leaves here has no token in it: half a token in an error would be one too, so nothing is cut before.
asio::awaitable<Result<HttpResponse>> SlackClient::exchange(Call call, std::chrono::milliseconds deadline) const {
    HttpRequest request{
        .method = call.verb,
        .url = base_url_ + "/" + call.path,
        .headers = {{"authorization", "Bearer " + std::string{token_.reveal()}}, {"content-type", call.content_type}},
        .body = std::move(call.body),
        .deadline = deadline};
    co_return co_await send_without_telling(http_, std::move(request), {token_.reveal()});
}

asio::awaitable<ApiReply> SlackClient::call(Call call, std::chrono::milliseconds deadline) const {
    const auto response = co_await exchange(std::move(call), deadline);
    if (!response) co_return read_failure(response.error());
    co_return read_reply(*response);
}

asio::awaitable<std::variant<BotAccount, Refusal>> SlackClient::account() const {
    const auto response = co_await exchange(auth_test(), limits::http_deadline_default);
    if (!response) co_return read_failure(response.error());
    const auto reply = read_reply(*response);
    if (const auto* refusal = std::get_if<Refusal>(&reply)) co_return *refusal;
    const auto& me = std::get<json::Object>(reply);
    BotAccount account{.user = text_of(me, "user_id"),
                       .user_name = displayed_line(text_of(me, "user")),
                       .bot = text_of(me, "bot_id"),
                       .team = text_of(me, "team_id"),
                       .team_name = displayed_line(text_of(me, "team")),
                       .enterprise = text_of(me, "enterprise_id"),
                       .missing = {}};
    if (!is_user(account.user) || !is_team(account.team)) {
        co_return Refusal{.kind = Kind::retry, .why = "the answer to auth.test names no bot; is base_url right?"};
    }
    if (const auto* scopes = find_header(*response, "x-oauth-scopes")) account.missing = missing_scopes(*scopes);
    co_return account;
}

asio::awaitable<std::optional<Refusal>> SlackClient::put_file(std::string url, std::string text) const {
    if (!may_upload_to(url)) {
        co_return Refusal{.kind = Kind::rejected, .why = "the address for the file is not one of Slack's"};
    }
    HttpRequest request{.method = HttpMethod::post,
                        .url = std::move(url),
                        .headers = {{"content-type", "application/octet-stream"}},
                        .body = std::move(text)};
    const auto response = co_await http_.send(std::move(request));
    if (!response) co_return read_failure(response.error());
    if (response->status == 200) co_return std::nullopt;
    auto refusal = foreign(*response);
    refusal.why = "the file was not taken (status " + std::to_string(response->status) + ")";
    co_return refusal;
}

asio::awaitable<bool> SlackClient::is_token_refused() const {
    const auto reply = co_await call(auth_test());
    const auto* refusal = std::get_if<Refusal>(&reply);
    co_return refusal != nullptr && refusal->kind == Kind::bad_token;
}

bool SlackClient::calls_with(const security::Secret& token) const {
    return security::is_secret(token_, token.reveal());
}

// What a server says is no reason to send an agent's call anywhere else.
bool SlackClient::may_upload_to(std::string_view url) const {
    const auto origin = origin_of(url);
    return (!origin.empty() && origin == origin_of(base_url_)) || is_of_slack(url);
}

// A server of the tests may listen for sockets on another port.
bool SlackClient::may_connect_to(std::string_view url) const {
    const auto address = as_http(url);
    if (is_of_slack(address)) return true;
    const auto host = security::url_host(address);
    const bool same_scheme = address.starts_with("https://") == base_url_.starts_with("https://");
    return host && same_scheme && host == security::url_host(base_url_);
}

}  // namespace countersign::channels::slack
