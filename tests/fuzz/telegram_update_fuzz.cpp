// SPDX-License-Identifier: Apache-2.0
// Any bytes as an update or as an answer of the Bot API: never a crash. Anything that a person presses or types is
// attributed only to its sender, and an attempt is always about a request that was shown in that chat.
#include "channels/telegram/client.hpp"
#include "channels/telegram/inbound.hpp"
#include "core/json/read.hpp"
#include "tests/fuzz/room.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace {

using namespace countersign;
using namespace countersign::channels;
using namespace countersign::channels::telegram;

void check(const Intent& intent, std::int64_t from, std::int64_t chat) {
    fuzz::require_own(intent, "telegram:" + std::to_string(from), chat == -100);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const fuzz::Room room{"-100", "42", "telegram:77"};
    const std::string_view body{reinterpret_cast<const char*>(data), size};
    const auto sight = room.sight();
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
