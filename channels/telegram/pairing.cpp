// SPDX-License-Identifier: Apache-2.0
#include "channels/telegram/pairing.hpp"

#include "channels/telegram/bounds.hpp"
#include "channels/telegram/poller.hpp"
#include "channels/telegram/update.hpp"
#include "core/json/members.hpp"
#include "core/limits.hpp"

namespace countersign::channels::telegram {

namespace asio = boost::asio;

namespace {

const json::Object* message_in(const json::Value& update) {
    const auto* object = update.object();
    return object == nullptr ? nullptr : find_object(*object, "message");
}

// Nothing that anybody wrote, if it has no text.
Text text_in(const json::Value& update) {
    const auto read = read_update(update);
    const auto* text = read ? std::get_if<Text>(&read->what) : nullptr;
    return text == nullptr ? Text{} : *text;
}

// A group that the bot can read in; the first thing there is that it was added.
void look_for_group(const json::Value& update, Paired& paired) {
    const auto* message = message_in(update);
    const auto* chat = message == nullptr ? nullptr : find_object(*message, "chat");
    if (chat == nullptr || paired.groups.size() >= limits::paired_groups_max) return;
    if (const auto type = text_of(*chat, "type"); type != "group" && type != "supergroup") return;
    paired.groups[std::to_string(integer_of(*chat, "id").value_or(0))] = text_of(*chat, "title");
}

Error refused(const Refusal& refusal) {
    using enum Refusal::Kind;
    if (refusal.kind == bad_token) return {Errc::missing_secret, "Telegram knows no bot with this token"};
    if (refusal.kind == conflict) return {Errc::conflict, std::string{explain_conflict(refusal.why)}};
    return {Errc::unavailable, refusal.why};
}

class PairingPoller {
public:
    PairingPoller(const TelegramClient& client, Clock& clock, PairingTerminal terminal)
        : client_{client}, clock_{clock}, pairing_{clock, std::move(terminal)} {}

    asio::awaitable<Result<Paired>> run() {
        while (!pairing_.is_over()) {
            auto reply = co_await client_.call(get_updates(offset_, limits::telegram_updates_max, poll_seconds),
                                               limits::pairing_poll_max);
            if (const auto* refusal = std::get_if<Refusal>(&reply)) {
                if (refusal->kind != Kind::retry && refusal->kind != Kind::flood) co_return refused(*refusal);
                co_await clock_.sleep_until(clock_.boot() + refusal->retry_after.value_or(limits::pairing_retry));
            } else if (co_await look_at(std::get<json::Value>(reply))) {
                co_return co_await confirmed();
            }
        }
        co_return pairing_timeout();
    }

private:
    using Kind = Refusal::Kind;
    static constexpr std::int64_t poll_seconds = 20;

    // True: the person is among those who wrote.
    asio::awaitable<bool> look_at(const json::Value& updates) {
        const auto* array = updates.array();
        if (array == nullptr) co_return false;
        for (const auto& update : *array) {
            const auto* object = update.object();
            offset_ = (object == nullptr ? 0 : integer_of(*object, "update_id").value_or(0)) + 1;
            look_for_group(update, paired_);
            co_await look_at_text(text_in(update), message_in(update));
        }
        co_return paired_.person > 0;
    }

    asio::awaitable<void> look_at_text(Text written, const json::Object* message) {
        const bool by_person = written.from && !written.from->is_bot;
        const auto heard =
            pairing_.hear({.text = written.text, .direct = written.direct, .own = by_person && is_own_words(written)});
        if (!by_person) co_return;
        if (heard == Pairing::Heard::paired) {
            paired_.person = written.from->id;
            const auto* from = message == nullptr ? nullptr : find_object(*message, "from");
            if (from != nullptr) paired_.first_name = text_of(*from, "first_name");
        } else if (heard == Pairing::Heard::needs_code) {
            co_await write_to(written.from->id, "Send /start and the code that your terminal shows.");
        }
    }

    asio::awaitable<Result<Paired>> confirmed() {
        // Confirmed, so that the code is not read again.
        (void)co_await client_.call(get_updates(offset_, 1, 0), limits::pairing_poll_max);
        co_await write_to(paired_.person, paired_words);
        co_return std::move(paired_);
    }

    // A courtesy: whether it arrives changes nothing.
    asio::awaitable<void> write_to(std::int64_t who, std::string_view words) {
        (void)co_await client_.call(send_message(std::to_string(who), StyledText{}.plain(words), {}));
    }

    const TelegramClient& client_;
    Clock& clock_;
    Pairing pairing_;
    std::optional<std::int64_t> offset_;
    Paired paired_;
};

}  // namespace

asio::awaitable<Result<std::string>> bot_name(const TelegramClient& client) {
    auto reply = co_await client.call(get_me());
    if (const auto* refusal = std::get_if<Refusal>(&reply)) co_return refused(*refusal);
    const auto* me = std::get<json::Value>(reply).object();
    const auto name = me == nullptr ? std::string{} : text_of(*me, "username");
    if (name.empty()) co_return Error{Errc::malformed, "Telegram did not say the bot's name"};
    co_return "@" + name;
}

asio::awaitable<Result<Paired>> pair(const TelegramClient& client, Clock& clock, PairingTerminal terminal) {
    PairingPoller poller{client, clock, std::move(terminal)};
    co_return co_await poller.run();
}

}  // namespace countersign::channels::telegram
