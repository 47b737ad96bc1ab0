// SPDX-License-Identifier: Apache-2.0
#include "channels/telegram/client.hpp"

#include "channels/telegram/bounds.hpp"
#include "core/json/members.hpp"
#include "core/json/read.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace countersign::channels::telegram {

namespace asio = boost::asio;

namespace {

using Kind = Refusal::Kind;

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

// Precondition: the answer has an error_code.
Refusal refusal_of(const HttpResponse& response, const json::Object& answer) {
    const auto code = *integer_of(answer, "error_code");
    Refusal refusal{.kind = kind_of(response.status, code, text_of(answer, "description")),
                    .why = reason_line(text_of(answer, "description"))};
    if (refusal.why.empty()) refusal.why = "Telegram answered " + std::to_string(response.status);
    if (const auto* parameters = find_object(answer, "parameters")) {
        if (const auto seconds = integer_of(*parameters, "retry_after"); seconds && *seconds > 0) {
            refusal.retry_after = std::min<std::chrono::seconds>(
                std::chrono::seconds{std::min<std::int64_t>(*seconds, 1'000'000)}, limits::http_retry_after_max);
        }
        const auto to = integer_of(*parameters, "migrate_to_chat_id");
        if (to && *to < 0) {  // a group becomes a group
            refusal.moved_to = std::to_string(*to);
            refusal.kind = Kind::moved;
        }
    }
    if (refusal.kind == Kind::flood && !refusal.retry_after) refusal.retry_after = wanted_wait(response);
    return refusal;
}

Refusal foreign(const HttpResponse& response) {
    return foreign_answer(response, "the answer is none of the Bot API's");
}

}  // namespace

BotReply read_reply(const HttpResponse& response) {
    // As long as an answer may be: a batch that strangers filled must not stop the updates behind it.
    const auto document = json::read(response.body, limits::http_answer_body_bytes_max);
    if (!document && document.error().code == Errc::too_large) return read_failure(document.error());
    const auto* answer = document ? document->value.object() : nullptr;
    const auto* ok = answer == nullptr ? nullptr : answer->find("ok");
    if (ok == nullptr || ok->boolean() == nullptr) return foreign(response);
    const auto* result = answer->find("result");
    if (*ok->boolean()) return result == nullptr ? BotReply{foreign(response)} : BotReply{*result};
    return integer_of(*answer, "error_code") ? refusal_of(response, *answer) : foreign(response);
}

Result<void> check_token(const security::Secret& token) {
    constexpr auto advice = "copy the token that @BotFather gave you; it looks like 123456789:AAF…";
    const auto text = token.reveal();
    const auto colon = text.find(':');
    if (text.empty()) return Error{Errc::missing_secret, std::string{"the bot's token is empty: "} + advice};
    const bool fits = colon != std::string_view::npos && colon > 0 && text.size() >= limits::secret_bytes_min &&
                      std::ranges::all_of(text.substr(0, colon), [](char c) { return c >= '0' && c <= '9'; }) &&
                      text.size() > colon + 1 && is_token_text(text.substr(colon + 1), "_-");
    if (!fits) return Error{Errc::missing_secret, std::string{"this is not a bot's token: "} + advice};
    return {};
}

TelegramClient::TelegramClient(HttpClient& http, std::string base_url, security::Secret token)
    : http_{http}, base_url_{base_of(std::move(base_url))}, token_{std::move(token)} {}

asio::awaitable<BotReply> TelegramClient::call(Call call, std::chrono::milliseconds deadline) const {
    HttpRequest request{.method = call.verb,
                        .url = base_url_ + "/bot" + std::string{token_.reveal()} + "/" + call.path,
                        .deadline = deadline};
    if (std::holds_alternative<std::string>(call.body)) request.headers = {{"content-type", call.content_type}};
    request.body = std::move(call.body);
    // The part behind the colon is the secret; what is before it is the bot's public id.
    const auto secret = token_.reveal().substr(token_.reveal().find(':') + 1);
    const auto response = co_await send_without_telling(http_, std::move(request), {secret});
    co_return response ? read_reply(*response) : read_failure(response.error());
}

asio::awaitable<bool> TelegramClient::knows_no_bot() const {
    const auto reply = co_await call(get_me());
    const auto* refusal = std::get_if<Refusal>(&reply);
    co_return refusal != nullptr && refusal->kind == Kind::bad_token;
}

}  // namespace countersign::channels::telegram
