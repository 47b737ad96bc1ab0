// SPDX-License-Identifier: Apache-2.0
// Updates as values.
#include "channels/telegram/update.hpp"
#include "core/json/read.hpp"
#include "tests/channels/telegram_fakes.hpp"

#include <gtest/gtest.h>

namespace countersign::channels::telegram {
namespace {

using fakes::click;
using fakes::Json;
using fakes::message;

Update read(const Json& json) {
    const auto update = read_body(json.dump());
    EXPECT_TRUE(update);
    return update ? *update : Update{};
}

TEST(TelegramUpdate, AClickIsReadWithItsMessage) {
    const auto update = read(click({.update = 7, .from = 77, .data = "abc", .chat = -100, .message = 42}));
    EXPECT_EQ(update.id, 7);
    EXPECT_EQ(std::get<Click>(update.what),
              (Click{.query = "q7",
                     .from = {.id = 77},
                     .data = "abc",
                     .on = Click::On{.chat = -100, .message = 42, .author = fakes::bot_id, .has_button = false}}));
}

TEST(TelegramUpdate, AClickTellsWhetherItsMessageHasTheButton) {
    auto update = click({.update = 7, .data = "abc"});
    auto& message = update["callback_query"]["message"];
    message["reply_markup"]["inline_keyboard"] = Json::parse(R"([[{"text":"A","callback_data":"x"}],
                                                                  [{"text":"B","callback_data":"abc"}]])");
    EXPECT_EQ(std::get<Click>(read(update).what).on->has_button, true);
    message["reply_markup"]["inline_keyboard"][1][0]["callback_data"] = "abd";
    EXPECT_EQ(std::get<Click>(read(update).what).on->has_button, false);
    message.erase("from");
    EXPECT_EQ(std::get<Click>(read(update).what).on->has_button, std::nullopt) << "Telegram no longer shows it";
}

TEST(TelegramUpdate, ATextIsReadWithWhoSentIt) {
    const auto update = read(message({.update = 8, .text = "/help", .chat = 77, .date = 9, .reply_to = 5}));
    const auto& text = std::get<Text>(update.what);
    EXPECT_TRUE(text.direct);
    EXPECT_EQ(text.from->id, 77);
    EXPECT_EQ(text.date, 9);
    EXPECT_EQ(text.reply_to, 5);
    EXPECT_FALSE(text.anonymous);
    EXPECT_FALSE(text.second_hand);
}

TEST(TelegramUpdate, WhatIsNotAsWeKnowItIsNothing) {
    for (const auto* body : {R"({"update_id":1})", R"({"update_id":1,"callback_query":{"id":"q"}})",
                             R"({"update_id":1,"callback_query":{"from":{"id":77}}})",
                             R"({"update_id":1,"callback_query":{"id":"q","from":{"id":"77"}}})",
                             R"({"update_id":1,"callback_query":{"id":"q","from":{"id":77.5}}})",
                             R"({"update_id":1,"message":{"message_id":1,"chat":{"id":1e3},"text":"x"}})",
                             R"({"update_id":1,"message":{"message_id":1,"chat":{"id":1}}})",
                             R"({"update_id":1,"message":7,"poll":{}})"}) {
        const auto update = read_body(body);
        ASSERT_TRUE(update) << body;
        EXPECT_TRUE(std::holds_alternative<Other>(update->what)) << body;
    }
    for (const auto* body : {"", "7", "[]", "{}", R"({"update_id":"1"})", R"({"update_id":1e400})",
                             R"({"update_id":1,"message":{"text":"a","text":"b"}})"}) {
        EXPECT_FALSE(read_body(body)) << body;
    }
}

TEST(TelegramUpdate, ABatchKeepsItsOrderAndLeavesOutWhatHasNoId) {
    const auto document = json::read(R"([{"update_id":3},{"x":1},{"update_id":2}])");
    const auto updates = read_updates(document->value);
    ASSERT_TRUE(updates);
    ASSERT_EQ(updates->size(), 2U);
    EXPECT_EQ((*updates)[0].id, 3);
    EXPECT_EQ((*updates)[1].id, 2);
    EXPECT_FALSE(read_updates(json::Value{true}));
}

}  // namespace
}  // namespace countersign::channels::telegram
