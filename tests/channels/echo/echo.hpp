// SPDX-License-Identifier: Apache-2.0
// Echo: a second platform, for tests alone. It has no buttons and edits nothing; people answer by typing a code, hear
// back in the answer to the webhook, and the platform proves with a GET that it owns the address. All of it is in this
// folder: what a new platform needs besides is what the seams are wrong about.
#pragma once

#include "channels/card_text.hpp"
#include "channels/chat_channel.hpp"
#include "channels/platform.hpp"
#include "core/ports/inbound.hpp"
#include "security/encoding.hpp"
#include "security/hmac.hpp"

#include <string>
#include <utility>
#include <vector>

namespace countersign::channels::echo {

inline constexpr TextRules text_rules{};
inline constexpr CardRules card_rules{
    .text = text_rules, .units_max = 1'600, .can_mention = [](std::string_view) { return false; }};

// "echo:7" is the person with the number 7, whose only chat has the same number.
class EchoMessenger final : public Messenger, public Renderer {
public:
    explicit EchoMessenger(Keys keys) : keys_{keys} {}

    [[nodiscard]] const Renderer& renderer() const override { return *this; }
    [[nodiscard]] Capabilities capabilities() const override { return {.edits = false, .files = false}; }
    [[nodiscard]] Result<std::string> chat_of(const Recipient& to) const override {
        if (!to.principal.starts_with("echo:")) return Error{Errc::undeliverable, "somebody here has no number"};
        return to.principal.substr(5);
    }
    [[nodiscard]] bool is_group(const std::string&) const override { return false; }
    [[nodiscard]] bool is_message(const std::string& name) const override { return name.starts_with("e"); }

    [[nodiscard]] Parcel card(const Presentation& shown, const MessageTarget& spot, WallTime now) const override {
        CardText text{.presentation = shown, .now = now, .code = keys_.codes.code(shown.request->id, spot.chat)};
        const auto whole = whole_card(text, card_rules);
        if (fits(whole, shown, card_rules)) return {.card = post(spot, whole)};
        text.allow_is_missing = true;  // there are no files here, so the rest can't be shown
        return {.card = post(spot, brief_card(text, card_rules)), .whole = false};
    }
    [[nodiscard]] Outgoing conclusion_reply(const Presentation& shown, const MessageTarget& spot, const std::string&,
                                            const Conclusion& ended) const override {
        return post(spot, conclusion_text(ended, language_of(shown.audience.language), text_rules));
    }
    [[nodiscard]] Outgoing reminder(const Presentation& shown, const MessageTarget& spot, const std::string&,
                                    const Reminder& reminder) const override {
        return post(spot, reminder_text(shown, reminder, card_rules));
    }
    [[nodiscard]] Outgoing session_end(const MessageTarget& spot, const SessionEnd& end) const override {
        return post(spot, session_end_text(end, text_rules));
    }
    [[nodiscard]] Outgoing announcement(const MessageTarget& spot, const Announcement& words) const override {
        return post(spot, announcement_text(words));
    }
    [[nodiscard]] Outgoing reply(const MessageTarget& spot, const Phrase& words) const override {
        return post(spot, words);
    }
    [[nodiscard]] Reply in_slot(const Phrase& words, bool) const override {
        return {.status = 200, .content_type = "text/plain", .body = words.text()};
    }

    boost::asio::awaitable<Tried> send(Outgoing call) override {
        sent.push_back(call.path + ": " + std::get<std::string>(call.body));
        co_return Tried{.message = "e" + std::to_string(sent.size())};
    }

    std::vector<std::string> sent;

private:
    static Outgoing post(const MessageTarget& spot, const Phrase& words) {
        return {.path = spot.target, .body = words.text(), .posts = true, .content_type = "text/plain"};
    }

    Keys keys_;
};

// A delivery is "number, a space, the words", signed with HMAC-SHA-256 over the bytes.
class EchoInbound final : public Inbound {
public:
    EchoInbound(security::Secret secret, ChatChannel& chat, Clock& clock)
        : secret_{std::move(secret)}, chat_{chat}, clock_{clock} {}

    boost::asio::awaitable<Reply> handle(InboundMessage message) override {
        if (message.method == "GET") {
            co_return Reply{.status = 200, .content_type = "text/plain", .body = message.query};
        }
        const auto* signature = single_header(message.headers, "x-echo-signature");
        const auto expected = security::hmac_sha256(secret_, {message.body});
        if (signature == nullptr || !security::equal_in_constant_time(security::hex(expected), *signature)) {
            co_return Reply{.status = 401};
        }
        const auto* id = single_header(message.headers, "x-echo-id");
        const auto space = message.body.find(' ');
        if (id == nullptr || space == std::string::npos) co_return Reply{.status = 400};
        Typed typed{.chat = message.body.substr(0, space), .message = *id, .text = message.body.substr(space + 1)};
        typed.principal = "echo:" + typed.chat;
        typed.direct = true;
        Handling handling{co_await boost::asio::this_coro::executor};
        chat_.take({.delivery = *id, .what = std::move(typed), .slot = message.slot}, handling.one_more());
        co_await handling.all_handled(clock_, std::chrono::minutes{1});
        co_return Reply{};
    }
    [[nodiscard]] std::chrono::milliseconds reply_max() const override { return std::chrono::seconds{3}; }
    [[nodiscard]] Reply deferred() const override { return {.status = 202, .content_type = {}, .body = {}}; }

private:
    security::Secret secret_;
    ChatChannel& chat_;
    Clock& clock_;
};

// One channel of this platform, which never fetches anything: people are heard at its one address.
class Echo final : public Platform {
public:
    Echo(PlatformContext context, security::Secret key)
        : context_{std::move(context)},
          messenger_{context_.ports.keys},
          chat_{context_.executor,
                {.name = context_.name,
                 .answer_max = std::chrono::seconds{2},
                 .stop_max = std::chrono::seconds{1},
                 .replays_kept = std::chrono::hours{1},
                 .typing = {.assurance = Assurance::sms_code, .allow_needs_code = true},
                 .handled = context_.handled},
                context_.people,
                chat_ports(messenger_, context_.ports)},
          inbound_{std::move(key), chat_, context_.ports.clock} {}

    [[nodiscard]] Channel& channel() override { return chat_; }
    [[nodiscard]] std::vector<InboundPath> inbound() override {
        return {{.inbound = &inbound_, .answers_get = true}, {.inbound = &inbound_, .below = "events"}};
    }
    boost::asio::awaitable<Result<void>> start() override {
        started_ = true;
        context_.ports.memory.keep("starts", context_.ports.memory.values().contains("starts") ? "again" : "first");
        co_return Result<void>{};
    }
    [[nodiscard]] std::string introduction() const override { return started_ ? "echo, webhook" : "nobody"; }
    boost::asio::awaitable<void> run() override { co_return; }
    void stop_listening() override {}
    boost::asio::awaitable<void> stop() override { return chat_.stop(); }
    [[nodiscard]] std::vector<std::string> unready() const override { return {context_.name + ": " + colour_}; }
    [[nodiscard]] Result<std::function<void()>> prepare(const Settings& wanted) override {
        if (wanted.text("colour") == "mud") return Error{Errc::bad_config, "mud is not a colour"};
        return std::function<void()>{[this, colour = wanted.text("colour")] { colour_ = colour; }};
    }

private:
    PlatformContext context_;
    EchoMessenger messenger_;
    ChatChannel chat_;
    EchoInbound inbound_;
    std::string colour_ = "grey";
    bool started_ = false;
};

inline Result<std::unique_ptr<Platform>> open(PlatformContext context) {
    auto key = context.settings.secret("key_file");
    if (!key) return key.error();
    return std::unique_ptr<Platform>{std::make_unique<Echo>(std::move(context), std::move(*key))};
}

}  // namespace countersign::channels::echo
