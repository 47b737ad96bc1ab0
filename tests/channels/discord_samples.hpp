// SPDX-License-Identifier: Apache-2.0
// What Discord's own documents bound, checked on every body that a test renders, and a reader of its Markdown.
#pragma once

#include "channels/discord/bounds.hpp"
#include "channels/discord/render.hpp"
#include "tests/channels/telegram_samples.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace countersign::channels::discord::samples {

using telegram::fakes::TestKeys;
using telegram::samples::approval;
using telegram::samples::denied;
using telegram::samples::edit;
using telegram::samples::id_of;
using telegram::samples::now;
using telegram::samples::presentation;
using telegram::samples::questions;

inline const std::string ops = "345626669114982999";
inline const std::string alice = "53908232506183680";
inline const MessageTarget spot{.channel = "desk", .chat = ops, .target = ops};
inline const MessageTarget direct_spot{.channel = "desk", .chat = "@" + alice, .target = "@" + alice};
inline const std::string card_message = "1100000000000000001";

inline void expect_golden(std::vector<Call> calls, const std::string& name) {
    for (auto& call : calls) call.path = std::string{countersign::name(call.verb)} + " " + call.path;
    telegram::samples::expect_golden(calls, name);
}

// Of a message with a file: the part that is JSON.
inline Json body(const Call& call) {
    const auto* form = std::get_if<Form>(&call.body);
    return Json::parse(form == nullptr ? std::get<std::string>(call.body) : form->front().data);
}

inline std::size_t units(const Json& text) { return sent_units(text.get<std::string>()); }

// Every component of a message, the nested ones behind their parents.
inline void add_components(std::vector<Json>& all, const Json& components) {
    for (const auto& component : components) {
        all.push_back(component);
        if (component.contains("components")) add_components(all, component["components"]);
    }
}
inline std::vector<Json> components(const Json& message) {
    std::vector<Json> all;
    add_components(all, message["components"]);
    return all;
}

inline void expect_text(const Json& text, std::size_t units_max) {
    EXPECT_GE(units(text), 1U) << text;
    EXPECT_LE(units(text), units_max) << text;
}

inline void expect_row(const Json& row) {
    const auto& inside = row["components"];
    EXPECT_GE(inside.size(), 1U);
    EXPECT_LE(inside.size(), inside[0]["type"] == 3 ? 1U : limits::discord_row_buttons_max);
    for (const auto& element : inside) {
        EXPECT_EQ(element["type"], inside[0]["type"]);
        if (element["type"] == 2) {
            expect_text(element["label"], limits::discord_button_units_max);
            EXPECT_GE(element["style"], 2);
            EXPECT_LE(element["style"], 4);
            continue;
        }
        EXPECT_EQ(element["type"], 3);
        expect_text(element["placeholder"], limits::discord_placeholder_units_max);
        EXPECT_GE(element["options"].size(), 1U);
        EXPECT_LE(element["options"].size(), limits::discord_list_options_max);
        EXPECT_LE(element["min_values"], element["max_values"]);
        EXPECT_LE(element["max_values"], element["options"].size());
        std::set<std::string> values;
        for (const auto& option : element["options"]) {
            expect_text(option["label"], limits::discord_option_units_max);
            expect_text(option["value"], limits::discord_option_units_max);
            if (option.contains("description")) expect_text(option["description"], limits::discord_option_units_max);
            EXPECT_TRUE(values.insert(option["value"]).second);
        }
    }
}

inline void expect_components(const Json& message) {
    const auto all = components(message);
    EXPECT_GE(all.size(), 1U);
    EXPECT_LE(all.size(), limits::discord_components_max);
    std::size_t text = 0;
    std::set<std::string> ids;
    for (const auto& component : all) {
        const int type = component["type"];
        EXPECT_TRUE(std::set({1, 2, 3, 10, 13, 14, 17}).contains(type)) << component;
        if (type == 10) {
            expect_text(component["content"], limits::discord_text_units_max);
            text += units(component["content"]);
        }
        if (type == 1) expect_row(component);
        if (!component.contains("custom_id")) continue;
        expect_text(component["custom_id"], limits::discord_custom_id_units_max);
        EXPECT_TRUE(ids.insert(component["custom_id"]).second) << "an id stands once in a message";
    }
    EXPECT_LE(text, limits::discord_text_units_max) << "of all texts together";
}

inline void expect_content(const Json& message) {
    for (const auto* other : {"content", "embeds", "poll", "stickers"}) EXPECT_FALSE(message.contains(other));
    EXPECT_TRUE((message["flags"].get<std::uint32_t>() & components_flag) != 0);
    EXPECT_EQ(message["allowed_mentions"]["parse"], Json::array()) << "no text calls anyone";
    expect_components(message);
}

inline void expect_message(const Call& call) {
    const auto message = body(call);
    expect_content(message);
    if (!call.posts) return;
    expect_text(message["nonce"], limits::discord_nonce_bytes_max);
    EXPECT_EQ(message["enforce_nonce"], true);
}

inline void expect_modal(const Json& modal) {
    expect_text(modal["title"], limits::discord_modal_title_units_max);
    expect_text(modal["custom_id"], limits::discord_custom_id_units_max);
    EXPECT_GE(modal["components"].size(), 1U);
    EXPECT_LE(modal["components"].size(), limits::discord_modal_fields_max);
    std::set<std::string> ids;
    for (const auto& label : modal["components"]) {
        EXPECT_EQ(label["type"], 18);
        expect_text(label["label"], limits::discord_label_units_max);
        if (label.contains("description")) {
            expect_text(label["description"], limits::discord_label_description_units_max);
        }
        const auto& field = label["component"];
        EXPECT_EQ(field["type"], 4);
        EXPECT_LE(field["max_length"], limits::discord_field_units_max);
        EXPECT_TRUE(ids.insert(field["custom_id"]).second);
    }
}

// Every button of a message, by its label.
inline std::map<std::string, Json> buttons(const Json& message) {
    std::map<std::string, Json> found;
    for (const auto& component : components(message)) {
        if (component["type"] == 2) found[component["label"]] = component;
    }
    return found;
}
inline std::vector<Json> lists(const Json& message) {
    auto found = components(message);
    std::erase_if(found, [](const Json& component) { return component["type"] != 3; });
    return found;
}

// All texts, in the order they are read.
inline std::string texts(const Json& message) {
    std::string all;
    for (const auto& component : components(message)) {
        if (component["type"] == 10) all += component["content"].get<std::string>() + "\n";
    }
    return all;
}

// A text as Discord's app takes it apart: what it reads styles into, and what it shows as code.
struct Markdown {
    std::string outside;
    std::vector<std::string> blocks;
    std::vector<std::string> codes;
};
inline Markdown parsed(std::string_view text) {
    Markdown found;
    for (std::size_t at = 0; at < text.size();) {
        const auto ticks = std::min(text.find_first_not_of('`', at), text.size()) - at;
        if (ticks >= 3) {
            const auto end = text.find("```", at + 3);
            auto inside = text.substr(at + 3, end == text.npos ? text.npos : end - at - 3);
            const auto line = inside.find('\n');
            const bool has_language =
                line != inside.npos && line > 0 && std::ranges::all_of(inside.substr(0, line), [](unsigned char c) {
                    return std::isalnum(c) != 0 || c == '_' || c == '+' || c == '-';
                });
            if (has_language) inside.remove_prefix(line + 1);
            while (inside.starts_with('\n')) inside.remove_prefix(1);
            while (inside.ends_with('\n')) inside.remove_suffix(1);
            if (end != text.npos && !inside.empty()) {
                found.blocks.emplace_back(inside);
                at = end + 3;
                continue;
            }
        }
        if (ticks > 0) {
            std::size_t end = at + ticks;
            while ((end = text.find('`', end)) != text.npos) {
                const auto run = std::min(text.find_first_not_of('`', end), text.size()) - end;
                if (run == ticks) break;
                end += run;
            }
            if (end != text.npos) {
                found.codes.emplace_back(text.substr(at + ticks, end - at - ticks));
                at = end + ticks;
                continue;
            }
            found.outside += text.substr(at, ticks);
            at += ticks;
            continue;
        }
        const bool escape =
            text[at] == '\\' && at + 1 < text.size() && std::ispunct(static_cast<unsigned char>(text[at + 1])) != 0;
        if (escape) {
            at += 2;  // shown as it is: nothing is read into it
            continue;
        }
        found.outside += text[at++];
    }
    return found;
}
// Without what we put into a block to keep it whole.
inline std::string without_marks(std::string text) {
    constexpr std::string_view mark = "\xE2\x80\x8B";
    for (auto at = text.find(mark); at != text.npos; at = text.find(mark, at)) text.erase(at, mark.size());
    return text;
}

class DiscordRender : public ::testing::Test {
protected:
    TestKeys test_keys;
    Keys keys{test_keys.tokens, test_keys.codes};
    DiscordRenderer renderer{keys};
};

}  // namespace countersign::channels::discord::samples
