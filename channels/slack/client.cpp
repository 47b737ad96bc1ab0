// SPDX-License-Identifier: Apache-2.0
#include "channels/slack/client.hpp"

#include "channels/slack/bounds.hpp"
#include "channels/slack/text.hpp"
#include "core/json/members.hpp"
#include "core/json/read.hpp"
#include "core/utf8.hpp"
#include "security/hmac.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace countersign::channels::slack {

namespace asio = boost::asio;

namespace {

using Kind = Refusal::Kind;

std::string one_line(std::string_view text) {
    return shown_line(utf8::head(text, limits::slack_description_bytes_max));
}

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

std::optional<std::chrono::seconds> wish_of(const HttpResponse& response) {
    const auto seconds = retry_after(response);
    return seconds && seconds->count() > 0 ? seconds : std::nullopt;
}

Refusal refusal_of(const HttpResponse& response, const json::Object& answer) {
    const auto error = text_of(answer, "error");
    const auto* const found = std::ranges::find(words, error, &std::pair<std::string_view, Kind>::first);
    Refusal refusal{.kind = found == words.end() ? Kind::rejected : found->second, .why = one_line(error)};
    if (response.status == 429) refusal.kind = Kind::flood;
    if (response.status >= 500 && refusal.kind == Kind::rejected) refusal.kind = Kind::retry;
    if (const auto needed = text_of(answer, "needed"); error == "missing_scope" && !needed.empty()) {
        refusal.why += ": the app needs the scope " + one_line(needed);
    }
    if (refusal.kind == Kind::flood) refusal.retry_after = wish_of(response);
    return refusal;
}

// Something between us and Slack answered in its place, or it is down. That says nothing about our token or our call.
Refusal foreign(const HttpResponse& response) {
    return {.kind = response.status == 429 ? Kind::flood : Kind::retry,
            .why = "the answer is not one of the Web API (status " + std::to_string(response.status) + ")",
            .retry_after = wish_of(response)};
}

// By the contract of HttpClient. After any other error the server may have the call.
bool is_unsent(Errc code) {
    switch (code) {
    case Errc::away:
    case Errc::busy:
    case Errc::unsupported:
    case Errc::malformed:
    case Errc::bad_signature:
    case Errc::bad_config:
        return true;
    default:
        return false;
    }
}

bool is_token_symbol(char symbol) {
    return (symbol >= 'a' && symbol <= 'z') || (symbol >= 'A' && symbol <= 'Z') || (symbol >= '0' && symbol <= '9') ||
           symbol == '-' || symbol == '.' || symbol == '_';
}

// "https://files.slack.com" of an address in it.
std::string_view origin_of(std::string_view url) {
    const auto host = url.find("://");
    if (host == std::string_view::npos) return {};
    return url.substr(0, url.find('/', host + 3));
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

Refusal read_failure(const Error& error) {
    return {.kind = Kind::retry,
            .why = one_line(error.detail.empty() ? name(error.code) : error.detail),
            .unsent = is_unsent(error.code)};
}

Result<void> check_token(const security::Secret& token, std::string_view prefix) {
    const auto text = token.reveal();
    const bool fits = text.starts_with(prefix) && text.size() >= limits::secret_bytes_min &&
                      std::ranges::all_of(text, is_token_symbol);
    if (fits) return {};
    const auto where =
        prefix == "xapp-" ? "Basic Information, App-Level Tokens" : "OAuth & Permissions, Bot User OAuth Token";
    return Error{Errc::missing_secret, (text.empty() ? std::string{"the token is empty"} : "this is not such a token") +
                                           ": copy the one that begins with " + std::string{prefix} +
                                           " from the app's page, " + where};
}

SlackClient::SlackClient(HttpClient& http, std::string base_url, security::Secret token)
    : http_{http}, base_url_{std::move(base_url)}, token_{std::move(token)} {
    while (base_url_.ends_with('/')) base_url_.pop_back();
}

asio::awaitable<ApiReply> SlackClient::call(Call call, std::chrono::milliseconds deadline) const {
    HttpRequest request{
        .method = call.verb,
        .url = base_url_ + "/" + call.path,
        .headers = {{"authorization", "Bearer " + std::string{token_.reveal()}}, {"content-type", call.content_type}},
        .body = std::move(call.body),
        .deadline = deadline};
    // Before anything is read or cut: half a token in an error would be one too.
    auto response = co_await http_.send(std::move(request));
    if (!response) {
        auto error = response.error();
        error.detail = without_token(std::move(error.detail));
        co_return read_failure(error);
    }
    response->body = without_token(std::move(response->body));
    co_return read_reply(*response);
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

std::string SlackClient::without_token(std::string text) const {
    const auto secret = token_.reveal();
    for (auto at = text.find(secret); at != std::string::npos; at = text.find(secret, at)) {
        text.replace(at, secret.size(), "…");
    }
    return text;
}

// What a server says is no reason to send an agent's call anywhere else.
bool SlackClient::may_upload_to(std::string_view url) const {
    const auto origin = origin_of(url);
    if (!origin.empty() && origin == origin_of(base_url_)) return true;
    return origin.starts_with("https://") && (origin.ends_with(".slack.com") || origin.ends_with(".slack-gov.com")) &&
           origin.find('@') == std::string_view::npos;
}

}  // namespace countersign::channels::slack
