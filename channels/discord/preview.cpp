// SPDX-License-Identifier: Apache-2.0
#include "channels/discord/preview.hpp"

#include "channels/discord/render.hpp"
#include "core/json/members.hpp"
#include "core/json/read.hpp"

namespace countersign::channels::discord {

namespace {

// One line outside of a block, without what styles it.
std::string plain(std::string_view line) {
    for (const std::string_view style : {"## ", "### ", "-# "}) {
        if (line.starts_with(style)) line.remove_prefix(style.size());
    }
    std::string made;
    bool code = false;
    for (std::size_t at = 0; at < line.size(); ++at) {
        if (line[at] == '`') {
            code = !code;
        } else if (!code && line[at] == '\\' && at + 1 < line.size()) {
            made += line[++at];
        } else if (code || line[at] != '*') {
            made += line[at];
        }
    }
    return made;
}

std::string words_of(std::string_view markdown) {
    std::string words;
    bool block = false;
    while (!markdown.empty()) {
        const auto end = std::min(markdown.find('\n'), markdown.size());
        const auto line = markdown.substr(0, end);
        markdown.remove_prefix(std::min(end + 1, markdown.size()));
        if (line.starts_with("```")) {
            block = !block;
            continue;
        }
        words += (block ? std::string{line} : plain(line)) + "\n";
    }
    return words;
}

void read_into(PreviewText& text, const json::Array& components) {
    std::vector<std::string> labels;
    for (const auto& value : components) {
        const auto* component = value.object();
        if (component == nullptr) continue;
        text.words += words_of(json::text_of(*component, "content"));
        if (auto label = json::text_of(*component, "label"); !label.empty()) labels.push_back(std::move(label));
        for (const auto& option : json::array_in(*component, "options")) {
            if (const auto* object = option.object()) labels.push_back(json::text_of(*object, "label"));
        }
        read_into(text, json::array_in(*component, "components"));
    }
    if (!labels.empty()) text.buttons.push_back(std::move(labels));
}

Result<PreviewText> read_card(const Outgoing& card) {
    const auto body = json::read(std::get<std::string>(card.body));
    if (!body) return body.error();
    PreviewText read;
    read_into(read, json::array_in(*body->value.object(), "components"));
    return read;
}

}  // namespace

constinit const Preview preview{.help = "The body of the REST call; its path on standard error",
                                .chat = "539000000000000001",
                                .render = render_card<DiscordRenderer>,
                                .read = read_card};

}  // namespace countersign::channels::discord
