// SPDX-License-Identifier: Apache-2.0
#include "channels/telegram/preview.hpp"

#include "channels/telegram/render.hpp"
#include "core/json/members.hpp"
#include "core/json/read.hpp"

namespace countersign::channels::telegram {

namespace {

std::string text_in(const json::Value& value) {
    const auto* object = value.object();
    return object == nullptr ? std::string{} : text_of(*object, "text");
}

Result<PreviewText> read_card(const Outgoing& card) {
    const auto body = json::read(std::get<std::string>(card.body));
    if (!body) return body.error();
    PreviewText read{.words = text_in(body->value), .buttons = {}};
    const auto* parts = body->value.object();
    if (parts == nullptr) return read;
    for (const auto& row : array_in(object_in(*parts, "reply_markup"), "inline_keyboard")) {
        if (row.array() == nullptr) continue;
        auto& labels = read.buttons.emplace_back();
        for (const auto& button : *row.array()) labels.push_back(text_in(button));
    }
    return read;
}

}  // namespace

constinit const Preview preview{.help = "The body of the Bot API call; its method on standard error",
                                .chat = "77",
                                .render = render_card<TelegramRenderer>,
                                .read = read_card};

}  // namespace countersign::channels::telegram
