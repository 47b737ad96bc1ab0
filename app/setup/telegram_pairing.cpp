// SPDX-License-Identifier: Apache-2.0
#include "app/setup/telegram_pairing.hpp"

#include "core/limits.hpp"
#include "security/secret.hpp"

#include <charconv>

namespace countersign::app::setup {

namespace asio = boost::asio;
namespace telegram = channels::telegram;

namespace {

const json::Value* member(const json::Value* value, std::string_view name) {
    const auto* object = value == nullptr ? nullptr : value->object();
    return object == nullptr ? nullptr : object->find(name);
}

std::string text(const json::Value* value) {
    const auto* string = value == nullptr ? nullptr : value->string();
    return string == nullptr ? std::string{} : *string;
}

std::int64_t number(const json::Value* value) {
    const auto* lexeme = value == nullptr ? nullptr : value->number();
    std::int64_t result = 0;
    if (lexeme != nullptr) {
        std::from_chars(lexeme->lexeme.data(), lexeme->lexeme.data() + lexeme->lexeme.size(), result);
    }
    return result;
}

bool is_true(const json::Value* value) {
    const auto* truth = value == nullptr ? nullptr : value->boolean();
    return truth != nullptr && *truth;
}

// A group that the bot was added to, or where it can read.
void look_for_group(const json::Value& update, Paired& paired) {
    for (const auto* kind : {"my_chat_member", "message"}) {
        const auto* chat = member(member(&update, kind), "chat");
        const auto type = text(member(chat, "type"));
        if (type != "group" && type != "supergroup") continue;
        if (paired.groups.size() >= limits::paired_groups_max) return;
        paired.groups[std::to_string(number(member(chat, "id")))] = text(member(chat, "title"));
    }
}

bool is_the_person(const json::Value& update, const std::string& code, Paired& paired) {
    const auto* message = member(&update, "message");
    const auto* from = member(message, "from");
    if (text(member(member(message, "chat"), "type")) != "private" || is_true(member(from, "is_bot"))) return false;
    if (text(member(message, "text")) != "/start " + code) return false;
    paired.person = number(member(from, "id"));
    return paired.person > 0;
}

Error refused(const telegram::Refusal& refusal) {
    using enum telegram::Refusal::Kind;
    if (refusal.kind == bad_token) return {Errc::missing_secret, "Telegram knows no bot with this token"};
    if (refusal.kind == conflict) return {Errc::conflict, refusal.why};
    return {Errc::unavailable, refusal.why};
}

}  // namespace

std::string pairing_code() {
    constexpr std::string_view letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    const auto random = security::Secret::random(8);
    std::string code;
    for (const auto byte : random.bytes()) code += letters[byte % letters.size()];
    return code;
}

asio::awaitable<Result<std::string>> bot_name(const telegram::Client& client) {
    auto reply = co_await client.call(telegram::get_me());
    if (const auto* refusal = std::get_if<telegram::Refusal>(&reply)) co_return refused(*refusal);
    const auto name = text(member(&std::get<json::Value>(reply), "username"));
    if (name.empty()) co_return Error{Errc::malformed, "Telegram did not say the bot's name"};
    co_return "@" + name;
}

asio::awaitable<Result<Paired>> pair(const telegram::Client& client, Clock& clock, std::string code) {
    Paired paired;
    std::optional<std::int64_t> offset;
    for (const auto ends = clock.boot() + limits::pairing_max; clock.boot() < ends;) {
        auto reply = co_await client.call(telegram::get_updates(offset, 100, 20), limits::pairing_poll_max);
        if (const auto* refusal = std::get_if<telegram::Refusal>(&reply)) {
            if (refusal->kind != telegram::Refusal::Kind::retry && refusal->kind != telegram::Refusal::Kind::flood) {
                co_return refused(*refusal);
            }
            co_await clock.sleep_until(clock.boot() + refusal->retry_after.value_or(limits::pairing_retry));
            continue;
        }
        bool found = false;
        if (const auto* updates = std::get<json::Value>(reply).array()) {
            for (const auto& update : *updates) {
                offset = number(member(&update, "update_id")) + 1;
                look_for_group(update, paired);
                found = found || is_the_person(update, code, paired);
            }
        }
        if (!found) continue;
        // Confirmed, so that the code is not read again.
        (void)co_await client.call(telegram::get_updates(offset, 1, 0), limits::pairing_poll_max);
        co_return paired;
    }
    co_return Error{Errc::timeout, "nobody wrote the code within ten minutes; start again for a new one"};
}

}  // namespace countersign::app::setup
