// SPDX-License-Identifier: Apache-2.0
#include "channels/telegram/preview.hpp"

#include "channels/telegram/fields.hpp"
#include "channels/telegram/render.hpp"
#include "core/json/read.hpp"

namespace countersign::channels::telegram {

namespace {

std::string text_in(const json::Value& value) {
    const auto* object = value.object();
    return object == nullptr ? std::string{} : text_of(*object, "text");
}

const json::Array* keyboard_in(const json::Value& card) {
    const auto* object = card.object();
    const auto* markup = object == nullptr ? nullptr : object->find("reply_markup");
    const auto* parts = markup == nullptr ? nullptr : markup->object();
    const auto* rows = parts == nullptr ? nullptr : parts->find("inline_keyboard");
    return rows == nullptr ? nullptr : rows->array();
}

Result<PreviewText> read_card(const Outgoing& card) {
    const auto body = json::read(std::get<std::string>(card.body));
    if (!body) return body.error();
    PreviewText read{.words = text_in(body->value), .buttons = {}};
    const auto* keyboard = keyboard_in(body->value);
    if (keyboard == nullptr) return read;
    for (const auto& row : *keyboard) {
        if (row.array() == nullptr) continue;
        auto& labels = read.buttons.emplace_back();
        for (const auto& button : *row.array()) labels.push_back(text_in(button));
    }
    return read;
}

}  // namespace

constinit const Preview preview{.help = "The body of the Bot API call; its method on standard error",
                                .chat = "77",
                                .render = render,
                                .read = read_card};

}  // namespace countersign::channels::telegram
