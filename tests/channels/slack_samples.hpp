// SPDX-License-Identifier: Apache-2.0
// What Slack's own documents bound, checked on every body that a test renders.
#pragma once

#include "channels/slack/bounds.hpp"
#include "channels/slack/render.hpp"
#include "tests/channels/telegram_samples.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace countersign::channels::slack::samples {

using channels::fakes::TestKeys;
using telegram::samples::approval;
using telegram::samples::denied;
using telegram::samples::edit;
using telegram::samples::expect_golden;
using telegram::samples::id_of;
using telegram::samples::now;
using telegram::samples::presentation;
using telegram::samples::questions;

inline const MessageTarget spot{.channel = "desk", .chat = "C0OPS", .target = "C0OPS"};
inline const std::string card_message = "1548261231.000200";

inline Json body(const Call& call) { return Json::parse(std::get<std::string>(call.body)); }

inline std::size_t units(const Json& text) { return text_rules.units(text.get<std::string>()); }

inline void expect_text(const Json& text, std::size_t units_max) {
    EXPECT_EQ(text["type"], "plain_text");
    EXPECT_GE(units(text["text"]), 1U) << text;
    EXPECT_LE(units(text["text"]), units_max) << text;
}

inline void expect_option(const Json& option) {
    expect_text(option["text"], limits::slack_choice_units_max);
    EXPECT_LE(units(option["value"]), 75U);
    if (option.contains("description")) expect_text(option["description"], limits::slack_choice_units_max);
}

inline void expect_element(const Json& element) {
    EXPECT_LE(units(element["action_id"]), limits::slack_action_id_units_max);
    if (element["type"] == "button") {
        expect_text(element["text"], limits::slack_button_units_max);
        EXPECT_LE(units(element["value"]), limits::slack_value_units_max);
        if (element.contains("style")) EXPECT_TRUE(element["style"] == "primary" || element["style"] == "danger");
        if (!element.contains("confirm")) return;
        const auto& confirm = element["confirm"];
        expect_text(confirm["title"], limits::slack_confirm_title_units_max);
        expect_text(confirm["text"], limits::slack_confirm_text_units_max);
        expect_text(confirm["confirm"], limits::slack_confirm_button_units_max);
        expect_text(confirm["deny"], limits::slack_confirm_button_units_max);
    } else if (element.contains("options")) {
        const bool boxes = element["type"] == "checkboxes" || element["type"] == "radio_buttons";
        EXPECT_LE(element["options"].size(), boxes ? limits::slack_boxes_max : limits::slack_choices_max);
        EXPECT_GE(element["options"].size(), 1U);
        for (const auto& option : element["options"]) expect_option(option);
    }
}

inline void expect_rich_text(const Json& block) {
    EXPECT_FALSE(block["elements"].empty());
    for (const auto& part : block["elements"]) {
        EXPECT_FALSE(part["elements"].empty());
        for (const auto& element : part["elements"]) {
            if (element["type"] == "text") EXPECT_NE(element["text"], "");
        }
    }
}

inline void expect_blocks(const Json& blocks, std::size_t most = limits::slack_blocks_max) {
    EXPECT_LE(blocks.size(), most);
    std::set<std::string> names;
    for (const auto& block : blocks) {
        const std::string type = block["type"];
        if (block.contains("block_id")) {
            EXPECT_LE(units(block["block_id"]), limits::slack_action_id_units_max);
            EXPECT_TRUE(names.insert(block["block_id"]).second) << "a block's name stands once in a message";
        }
        if (type == "header") {
            expect_text(block["text"], limits::slack_header_units_max);
        } else if (type == "rich_text") {
            expect_rich_text(block);
        } else if (type == "context") {
            EXPECT_LE(block["elements"].size(), limits::slack_context_elements_max);
            EXPECT_FALSE(block["elements"].empty());
            for (const auto& text : block["elements"]) expect_text(text, limits::slack_context_units_max);
        } else if (type == "actions") {
            EXPECT_LE(block["elements"].size(), limits::slack_actions_max);
            EXPECT_FALSE(block["elements"].empty());
            std::set<std::string> actions;
            for (const auto& element : block["elements"]) {
                expect_element(element);
                EXPECT_TRUE(actions.insert(element["action_id"]).second) << "an action's name stands once in a block";
            }
        } else if (type == "input") {
            expect_text(block["label"], limits::slack_label_units_max);
            expect_element(block["element"]);
        } else {
            ADD_FAILURE() << "a block of another type: " << type;
        }
    }
}

inline void expect_message(const Call& call) {
    const auto message = body(call);
    EXPECT_LE(units(message["text"]), limits::slack_text_units_max);
    expect_blocks(message["blocks"]);
}

inline void expect_view(const Json& view) {
    EXPECT_EQ(view["type"], "modal");
    for (const auto* name : {"title", "submit", "close"}) {
        if (view.contains(name)) expect_text(view[name], limits::slack_view_title_units_max);
    }
    EXPECT_TRUE(view.contains("title"));
    if (view.contains("private_metadata")) EXPECT_LE(units(view["private_metadata"]), limits::slack_metadata_bytes_max);
    expect_blocks(view["blocks"], limits::slack_view_blocks_max);
}

// Every button of a message, by its label.
inline std::map<std::string, Json> buttons(const Json& message) {
    std::map<std::string, Json> found;
    for (const auto& block : message["blocks"]) {
        if (block["type"] != "actions") continue;
        for (const auto& element : block["elements"]) {
            if (element["type"] == "button") found[element["text"]["text"]] = element;
        }
    }
    return found;
}

// What a person reads, line by line.
inline std::string reads(const Json& blocks) {
    std::string all;
    for (const auto& block : blocks) {
        if (block["type"] == "header") all += block["text"]["text"].get<std::string>() + "\n";
        if (block["type"] == "context") {
            for (const auto& text : block["elements"]) all += text["text"].get<std::string>() + "\n";
        }
        if (block["type"] != "rich_text") continue;
        for (const auto& part : block["elements"]) {
            for (const auto& element : part["elements"]) {
                all += element["type"] == "user" ? "@" + element["user_id"].get<std::string>()
                                                 : element["text"].get<std::string>();
            }
            all += "\n";
        }
    }
    return all;
}

// The texts in frames.
inline std::vector<std::string> frames(const Json& blocks) {
    std::vector<std::string> found;
    for (const auto& block : blocks) {
        if (block["type"] != "rich_text") continue;
        for (const auto& part : block["elements"]) {
            if (part["type"] == "rich_text_preformatted") found.push_back(part["elements"][0]["text"]);
        }
    }
    return found;
}

class SlackRender : public ::testing::Test {
protected:
    TestKeys keys;
    SlackRenderer renderer{{keys.tokens, keys.codes}};
};

}  // namespace countersign::channels::slack::samples
