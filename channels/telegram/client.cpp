// SPDX-License-Identifier: Apache-2.0
#include "channels/telegram/client.hpp"

#include "channels/telegram/bounds.hpp"
#include "channels/telegram/text.hpp"
#include "core/json/members.hpp"
#include "core/json/read.hpp"
#include "core/utf8.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace countersign::channels::telegram {

namespace asio = boost::asio;

namespace {

using Kind = Refusal::Kind;

std::string one_line(std::string_view text) {
    return shown_line(utf8::head(text, limits::telegram_description_bytes_max));
}

// Telegram has no codes below the status: its sentences are the codes, and are stable.
struct Sentence {
    std::string_view part;
    Kind kind;
};
constexpr std::array sentences{
    Sentence{"message is not modified", Kind::nothing_to_do},
    Sentence{"message to edit not found", Kind::nothing_to_do},
    Sentence{"message can't be edited", Kind::nothing_to_do},
    Sentence{"MESSAGE_ID_INVALID", Kind::nothing_to_do},
    Sentence{"query is too old", Kind::nothing_to_do},
    Sentence{"query ID is invalid", Kind::nothing_to_do},
    Sentence{"chat not found", Kind::unreachable},
    Sentence{"user not found", Kind::unreachable},
    Sentence{"PEER_ID_INVALID", Kind::unreachable},
    Sentence{"group chat was deactivated", Kind::unreachable},
    Sentence{"have no rights to send a message", Kind::unreachable},
    Sentence{"CHAT_WRITE_FORBIDDEN", Kind::unreachable},
};

Kind kind_of(int status, std::int64_t code, std::string_view description) {
    if (code == 429) return Kind::flood;
    if (code == 409) return Kind::conflict;
    if (code == 401 || code == 404) return Kind::bad_token;
    if (code == 403) return Kind::unreachable;  // blocked, kicked, not a member, never spoken to
    if (code >= 500 || status >= 500) return Kind::retry;
    const auto* const found = std::ranges::find_if(
        sentences, [&](const Sentence& one) { return description.find(one.part) != description.npos; });
    return found == sentences.end() ? Kind::rejected : found->kind;
}

// "No time at all" is no wish: whoever follows it asks without end.
std::optional<std::chrono::seconds> wish_of(const HttpResponse& response) {
    const auto seconds = retry_after(response);
    return seconds && seconds->count() > 0 ? seconds : std::nullopt;
}

// Precondition: the answer has an error_code.
Refusal refusal_of(const HttpResponse& response, const json::Object& answer) {
    const auto code = *integer_of(answer, "error_code");
    Refusal refusal{.kind = kind_of(response.status, code, text_of(answer, "description")),
                    .why = one_line(text_of(answer, "description"))};
    if (refusal.why.empty()) refusal.why = "Telegram answered " + std::to_string(response.status);
    if (const auto* parameters = find_object(answer, "parameters")) {
        if (const auto seconds = integer_of(*parameters, "retry_after"); seconds && *seconds > 0) {
            refusal.retry_after = std::min<std::chrono::seconds>(
                std::chrono::seconds{std::min<std::int64_t>(*seconds, 1'000'000)}, limits::http_retry_after_max);
        }
        const auto to = integer_of(*parameters, "migrate_to_chat_id");
        if (to && *to < 0) {  // a group becomes a group
            refusal.moved_to = to;
            refusal.kind = Kind::moved;
        }
    }
    if (refusal.kind == Kind::flood && !refusal.retry_after) refusal.retry_after = wish_of(response);
    return refusal;
}

// Something between us and Telegram answered in its place, or it is down. Whatever it says, it says nothing about our
// token or our call.
Refusal foreign(const HttpResponse& response) {
    return {.kind = response.status == 429 ? Kind::flood : Kind::retry,
            .why = "the answer is none of the Bot API's (status " + std::to_string(response.status) + ")",
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
           symbol == '_' || symbol == '-';
}

}  // namespace

BotReply read_reply(const HttpResponse& response) {
    // As long as an answer may be: a batch that strangers filled must not stop the updates behind it.
    const auto document = json::read(response.body, limits::http_answer_body_bytes_max);
    const auto* answer = document ? document->value.object() : nullptr;
    const auto* ok = answer == nullptr ? nullptr : answer->find("ok");
    if (ok == nullptr || ok->boolean() == nullptr) return foreign(response);
    const auto* result = answer->find("result");
    if (*ok->boolean()) return result == nullptr ? BotReply{foreign(response)} : BotReply{*result};
    return integer_of(*answer, "error_code") ? refusal_of(response, *answer) : foreign(response);
}

Refusal read_failure(const Error& error) {
    // The class of the error is ours to branch on; whoever reads this wants to know what happened.
    return {.kind = Kind::retry,
            .why = one_line(error.detail.empty() ? name(error.code) : error.detail),
            .unsent = is_unsent(error.code)};
}

Result<void> check_token(const security::Secret& token) {
    constexpr auto advice = "copy the token that @BotFather gave you; it looks like 123456789:AAF…";
    const auto text = token.reveal();
    const auto colon = text.find(':');
    if (text.empty()) return Error{Errc::missing_secret, std::string{"the bot's token is empty: "} + advice};
    const bool fits = colon != std::string_view::npos && colon > 0 && text.size() >= limits::secret_bytes_min &&
                      std::ranges::all_of(text.substr(0, colon), [](char c) { return c >= '0' && c <= '9'; }) &&
                      text.size() > colon + 1 && std::ranges::all_of(text.substr(colon + 1), is_token_symbol);
    if (!fits) return Error{Errc::missing_secret, std::string{"this is not a bot's token: "} + advice};
    return {};
}

TelegramClient::TelegramClient(HttpClient& http, std::string base_url, security::Secret token)
    : http_{http}, base_url_{std::move(base_url)}, token_{std::move(token)} {
    while (base_url_.ends_with('/')) base_url_.pop_back();
}

asio::awaitable<BotReply> TelegramClient::call(Call call, std::chrono::milliseconds deadline) const {
    HttpRequest request{.method = call.verb,
                        .url = base_url_ + "/bot" + std::string{token_.reveal()} + "/" + call.path,
                        .deadline = deadline};
    if (std::holds_alternative<std::string>(call.body)) request.headers = {{"content-type", call.content_type}};
    request.body = std::move(call.body);
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

asio::awaitable<bool> TelegramClient::knows_no_bot() const {
    const auto reply = co_await call(get_me());
    const auto* refusal = std::get_if<Refusal>(&reply);
    co_return refusal != nullptr && refusal->kind == Kind::bad_token;
}

// The part behind the colon is the secret; what is before it is the bot's public id.
std::string TelegramClient::without_token(std::string text) const {
    const auto secret = token_.reveal().substr(token_.reveal().find(':') + 1);
    for (auto at = text.find(secret); at != std::string::npos; at = text.find(secret, at)) {
        text.replace(at, secret.size(), "…");
    }
    return text;
}

}  // namespace countersign::channels::telegram
