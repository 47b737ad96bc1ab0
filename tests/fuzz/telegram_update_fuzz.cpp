// SPDX-License-Identifier: Apache-2.0
// Any bytes as an update or as an answer of the Bot API: never a crash; and whatever somebody presses or types, nobody
// but the one who sent it is named, and an attempt is only ever about a request that was shown in that chat.
#include "channels/telegram/client.hpp"
#include "channels/telegram/inbound.hpp"
#include "core/json/read.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using namespace countersign;
using namespace countersign::channels;
using namespace countersign::channels::telegram;

void require(bool holds) {
    if (!holds) std::abort();
}

const Ulid shown{WallTime{std::chrono::milliseconds{1'763'258'400'000}}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 1}};

struct OneOpen final : OpenRequests {
    OneOpen() {
        Request made;
        made.id = shown;
        made.body = Approval{.display_text = "ls",
                             .options = {{.option_id = "allow", .label = "Allow", .effect = Effect::allow},
                                         {.option_id = "deny", .label = "Deny", .effect = Effect::deny}}};
        request = std::make_shared<const Request>(std::move(made));
    }
    std::optional<OpenRequest> open_request(const Ulid& id) const override {
        if (id != shown) return std::nullopt;
        return OpenRequest{.request = request, .offered = request->approval()->options};
    }
    std::vector<OpenRequest> open_requests() const override { return {*open_request(shown)}; }
    std::vector<OpenRequest> open_requests_for(const std::string&) const override { return open_requests(); }
    [[nodiscard]] std::vector<Halt> halts_for(const std::string&) const override { return {}; }
    [[nodiscard]] std::vector<Grant> grants_for(const std::string&) const override { return {}; }
    [[nodiscard]] Result<void> check(const Attempt&) const override { return {}; }
    [[nodiscard]] std::optional<Winner> ended(const Ulid&) const override { return std::nullopt; }
    std::shared_ptr<const Request> request;
};

struct Room {
    Room() {
        Presentation presentation;
        presentation.id = 1;
        presentation.request = open.request;
        cards.landed(cards.add(std::move(presentation), "-100"), "42");
    }
    std::string channel = "chat";
    std::string bot_name = "countersign_bot";
    security::ButtonTokens tokens{security::Secret{std::string_view{"a button key of the tests alone"}}};
    security::ShortCodes codes{security::Secret{std::string_view{"a code key of the tests alone"}}};
    OneOpen open;
    Cards cards;
    Chats chats;
    std::function<bool(const std::string&)> known = [](const std::string& who) { return who == "telegram:77"; };
};

void check(const Intent& intent, std::int64_t from, std::int64_t chat) {
    if (const auto* decide = std::get_if<Decide>(&intent)) {
        require(decide->attempt.principal == "telegram:" + std::to_string(from));
        require(decide->attempt.request_id == shown && chat == -100);
        require(decide->attempt.where.channel == "chat");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Room room;
    const std::string_view body{reinterpret_cast<const char*>(data), size};
    const ChatSight sight{.channel = room.channel,
                          .bot_name = room.bot_name,
                          .keys = {room.tokens, room.codes},
                          .open = room.open,
                          .cards = room.cards,
                          .chats = room.chats,
                          .known = room.known};
    static_cast<void>(read_reply({.status = 200, .headers = {}, .body = std::string{body}}));
    if (const auto document = json::read(body)) static_cast<void>(read_updates(document->value).has_value());
    const auto update = read_body(body);
    if (!update) return 0;
    if (const auto* click = std::get_if<Click>(&update->what)) {
        check(read_press(press_of(*click, 123456789), sight, {}).intent, click->from.id,
              click->on ? click->on->chat : 0);
    } else if (const auto* text = std::get_if<Text>(&update->what)) {
        check(read_typed(typed_of(*text, 123456789), sight, {}), text->from ? text->from->id : 0, text->chat);
    }
    return 0;
}
