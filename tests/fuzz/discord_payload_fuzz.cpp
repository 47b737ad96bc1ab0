// SPDX-License-Identifier: Apache-2.0
// Any bytes as an interaction, as a direct message or as an answer of the REST API: never a crash. Anything that a
// person presses, types or fills in is attributed only to that person; an attempt is always about a request that was
// shown in that chat; and the token of an interaction never appears in a name.
#include "channels/discord/client.hpp"
#include "channels/discord/commands.hpp"
#include "channels/discord/ids.hpp"
#include "channels/discord/inbound.hpp"
#include "core/json/read.hpp"
#include "tests/fuzz/room.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace {

using namespace countersign;
using namespace countersign::channels;
using namespace countersign::channels::discord;

constexpr auto chat = "345626669114982999";

struct Checked {
    const ChatSight& sight;

    void press(const Press& press, const std::string& user) const {
        fuzz::require(press.principal == principal_of(user));
        fuzz::require_own(read_press(press, sight, {}).intent, principal_of(user), press.on && press.on->chat == chat);
    }
    void typed(const Typed& typed, const std::string& user) const {
        fuzz::require(typed.principal == principal_of(user));
        // In their own direct messages they may decide requests that were shown to them elsewhere.
        fuzz::require_own(read_typed(typed, sight, {}), principal_of(user), true);
    }
    void operator()(const Ignored& /*other*/) const {}
    void operator()(const Ping& /*other*/) const {}
    void operator()(const Click& click) const { press(press_of(click, ours), click.at.user); }
    void operator()(const Submission& filled) const {
        auto pressed = press_of(filled, ours);
        pressed.words = filled.fields.empty() || filled.fields.front().values.empty()
                            ? std::string{}
                            : filled.fields.front().values.front();
        press(pressed, filled.at.user);
    }
    void operator()(const Slash& slash) const {
        const auto text = typed_of(slash, ours);
        fuzz::require(interaction_of(text.message) == slash.at.interaction.id);
        typed(text, slash.at.user);
    }
    void operator()(const Message& message) const { typed(typed_of(message, ours), message.user); }

    std::function<bool(const std::string&)> is_used = [](const std::string& id) { return id == chat; };
    Ours ours{.bot = "290926444748734466", .is_used = is_used};
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const fuzz::Room room{chat, "1100000000000000001", "discord:53908232506183680"};
    const std::string_view body{reinterpret_cast<const char*>(data), size};
    const auto sight = room.sight();
    const Checked checked{.sight = sight};
    static_cast<void>(read_reply({.status = 200, .headers = {}, .body = std::string{body}}));
    static_cast<void>(read_reply({.status = 400, .headers = {}, .body = std::string{body}}));
    if (const auto payload = read_body(body)) std::visit(checked, *payload);
    if (const auto document = json::read(body)) {
        if (const auto* object = document->value.object()) {
            std::visit(checked, read_message(*object, false));
            std::visit(checked, read_message(*object, true));
        }
        if (const auto* list = document->value.array()) {
            static_cast<void>(missing_commands(*list, {.application = "9"}));
            static_cast<void>(missing_commands(*list, {.application = "9", .server = "8"}));
            static_cast<void>(own_commands(*list));
        }
    }
    return 0;
}
