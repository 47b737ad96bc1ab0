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

class Pairing {
public:
    Pairing(const TelegramClient& client, Clock& clock, PairingTerminal terminal)
        : client_{client}, clock_{clock}, terminal_{std::move(terminal)} {}

    asio::awaitable<Result<Paired>> run() {
        show_new_code();
        while (clock_.boot() < ends_) {
            auto reply = co_await client_.call(get_updates(offset_, limits::telegram_updates_max, poll_seconds),
                                               limits::pairing_poll_max);
            if (const auto* refusal = std::get_if<Refusal>(&reply)) {
                if (refusal->kind != Kind::retry && refusal->kind != Kind::flood) co_return refused(*refusal);
                co_await clock_.sleep_until(clock_.boot() + refusal->retry_after.value_or(limits::pairing_retry));
            } else if (co_await look_at(std::get<json::Value>(reply)) && clock_.boot() < ends_) {
                co_return co_await confirmed();
            }
        }
        co_return Error{Errc::timeout, "nobody wrote the code within ten minutes; start again for a new one"};
    }

private:
    using Kind = Refusal::Kind;
    static constexpr std::int64_t poll_seconds = 20;

    void show_new_code() {
        code_ = terminal_.new_code();
        ends_ = clock_.boot() + limits::pairing_max;
    }

    // True: the person is among those who wrote.
    asio::awaitable<bool> look_at(const json::Value& updates) {
        const auto* array = updates.array();
        if (array == nullptr) co_return false;
        for (const auto& update : *array) {
            const auto* object = update.object();
            offset_ = (object == nullptr ? 0 : integer_of(*object, "update_id").value_or(0)) + 1;
            look_for_group(update, paired_);
            if (paired_.person == 0) co_await look_at_text(text_in(update), message_in(update));
        }
        co_return paired_.person > 0;
    }

    // Only what a human writes themselves, in a private chat, counts.
    asio::awaitable<void> look_at_text(Text written, const json::Object* message) {
        const auto& words = written.text;
        const bool own = is_own_words(written);
        // Others may have read it there, and could be the first to write it here.
        if ((!written.direct || !own) && words.find(code_) != std::string::npos) show_new_code();
        if (!written.direct || !written.from || written.from->is_bot) co_return;
        const auto who = written.from->id;
        if (words == "/start " + code_ && own) {
            paired_.person = who;
            const auto* from = message == nullptr ? nullptr : find_object(*message, "from");
            if (from != nullptr) paired_.first_name = text_of(*from, "first_name");
            co_return;
        }
        if (words.starts_with("/start ") && own) terminal_.wrong_code();
        if (replies_ >= limits::pairing_replies_max) co_return;
        ++replies_;
        co_await write_to(who, "Send /start and the code that your terminal shows.");
    }

    asio::awaitable<Result<Paired>> confirmed() {
        // Confirmed, so that the code is not read again.
        (void)co_await client_.call(get_updates(offset_, 1, 0), limits::pairing_poll_max);
        co_await write_to(paired_.person, "Done. Go back to your terminal.");
        co_return std::move(paired_);
    }

    // A courtesy: whether it arrives changes nothing.
    asio::awaitable<void> write_to(std::int64_t who, std::string_view words) {
        (void)co_await client_.call(send_message(std::to_string(who), StyledText{}.plain(words), {}));
    }

    const TelegramClient& client_;
    Clock& clock_;
    PairingTerminal terminal_;
    std::string code_;
    BootTime ends_;
    std::optional<std::int64_t> offset_;
    Paired paired_;
    std::size_t replies_ = 0;
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
    Pairing pairing{client, clock, std::move(terminal)};
    co_return co_await pairing.run();
}

}  // namespace countersign::channels::telegram
