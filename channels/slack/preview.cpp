// SPDX-License-Identifier: Apache-2.0
#include "channels/slack/preview.hpp"

#include "channels/slack/render.hpp"
#include "core/json/members.hpp"
#include "core/json/read.hpp"

namespace countersign::channels::slack {

namespace {

std::string text_in(const json::Object& holder) { return text_of(object_in(holder, "text"), "text"); }

// Each object of an array.
template <class Visit> void each(const json::Array& values, Visit visit) {
    for (const auto& value : values) {
        if (const auto* object = value.object()) visit(*object);
    }
}

std::string words_of(const json::Object& block) {
    const auto type = text_of(block, "type");
    if (type == "header") return text_in(block) + "\n";
    std::string words;
    each(array_in(block, "elements"), [&](const json::Object& element) {
        if (type == "context") words += text_of(element, "text") + "\n";
        if (type != "rich_text") return;
        each(array_in(element, "elements"), [&](const json::Object& part) {
            const auto user = text_of(part, "user_id");
            words += user.empty() ? text_of(part, "text") : "@" + user;
        });
        words += "\n";
    });
    return words;
}

Result<PreviewText> read_card(const Outgoing& card) {
    const auto body = json::read(std::get<std::string>(card.body));
    if (!body) return body.error();
    PreviewText read;
    each(array_in(*body->value.object(), "blocks"), [&](const json::Object& block) {
        if (text_of(block, "type") != "actions") {
            read.words += words_of(block);
            return;
        }
        auto& labels = read.buttons.emplace_back();
        each(array_in(block, "elements"), [&](const json::Object& element) {
            if (const auto label = text_in(element); !label.empty()) labels.push_back(label);
            each(array_in(element, "options"), [&](const json::Object& option) { labels.push_back(text_in(option)); });
        });
    });
    return read;
}

}  // namespace

constinit const Preview preview{.help = "The body of the Web API call; its method on standard error",
                                .chat = "C0123ABCD",
                                .render = render_card<SlackRenderer>,
                                .read = read_card};

}  // namespace countersign::channels::slack
