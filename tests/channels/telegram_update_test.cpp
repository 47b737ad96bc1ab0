// SPDX-License-Identifier: Apache-2.0
// Updates, drafts, cards and chats as values.
#include "channels/telegram/cards.hpp"
#include "channels/telegram/drafts.hpp"
#include "channels/telegram/update.hpp"
#include "core/json/read.hpp"
#include "core/limits.hpp"
#include "tests/channels/telegram_fakes.hpp"

#include <gtest/gtest.h>

namespace countersign::channels::telegram {
namespace {

using fakes::click;
using fakes::Json;
using fakes::message;

Ulid id_of(std::uint64_t number) {
    std::array<std::uint8_t, 10> random{};
    for (std::size_t i = 0; i < 8; ++i) random[9 - i] = static_cast<std::uint8_t>(number >> (8 * i));
    return {WallTime{std::chrono::milliseconds{1'763'258'400'000}}, random};
}

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
                     .on = Click::On{.chat = -100, .message = 42, .author = fakes::bot_id}}));
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
    for (const auto* body : {"", "7", "[]", "{}", R"({"update_id":"1"})", R"({"update_id":1e400})"}) {
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

Questionnaire stack() {
    Question notes{.question_id = "Notes", .text = "?", .choices = {}, .free_text = true};
    notes.required = false;
    return {{{.question_id = "Stack", .text = "?", .choices = {{"React", ""}, {"Vue", ""}}},
             {.question_id = "Targets", .text = "?", .choices = {{"web", ""}, {"ios", ""}}, .multiple = true},
             notes}};
}

TEST(TelegramDrafts, AnAnswerIsANumberALabelOrText) {
    const auto bundle = stack();
    EXPECT_EQ(*read_answer(bundle, "1 Vue"), (Written{0, {1}, ""}));
    EXPECT_EQ(*read_answer(bundle, "1. 2"), (Written{0, {1}, ""}));
    EXPECT_EQ(*read_answer(bundle, "2 web, 2"), (Written{1, {0, 1}, ""}));
    EXPECT_EQ(*read_answer(bundle, " 3  two\nlines "), (Written{2, {}, "two\nlines"}));
    for (const auto* bad : {"", "Vue", "4 x", "0 x", "1 Angular", "1 web, ios", "2 web, x", "3", "3 "}) {
        EXPECT_FALSE(read_answer(bundle, bad)) << bad;
    }
    const Questionnaire one{{{.question_id = "q", .text = "?", .choices = {{"A", ""}}, .free_text = true}}};
    EXPECT_EQ(*read_answer(one, "1"), (Written{0, {0}, ""}));
    EXPECT_EQ(*read_answer(one, "8080"), (Written{0, {}, "8080"}));
}

TEST(TelegramDrafts, I13_AnAnswerPastTheBoundIsRefused) {
    const Questionnaire one{{{.question_id = "q", .text = "?", .choices = {}, .free_text = true}}};
    EXPECT_TRUE(read_answer(one, std::string(limits::answer_text_bytes_max, 'a')));
    EXPECT_EQ(read_answer(one, std::string(limits::answer_text_bytes_max + 1, 'a')).error().code, Errc::too_large);
}

TEST(TelegramDrafts, ATapTakesAChoiceAndASecondGivesItBack) {
    const auto bundle = stack();
    Draft draft{bundle};
    draft.pick(bundle, 0, 0);
    draft.pick(bundle, 0, 1);
    draft.pick(bundle, 1, 0);
    draft.pick(bundle, 1, 1);
    draft.pick(bundle, 1, 0);
    EXPECT_EQ(draft.chosen(), (Chosen{{1}, {1}, {}}));
    EXPECT_EQ(draft.summary(bundle), "1. Vue; 2. ios");
    EXPECT_EQ(*draft.answers(bundle), (std::vector<Answer>{{"Stack", {"Vue"}, ""}, {"Targets", {"ios"}, ""}}));
    draft.pick(bundle, 0, 1);
    EXPECT_EQ(draft.answers(bundle).error().detail, "question 1 has no answer yet");
    draft.write({2, {}, "secret words"});
    EXPECT_EQ(draft.summary(bundle), "2. ios; 3. written");
}

TEST(TelegramDrafts, EachPersonHasTheirOwn) {
    const auto bundle = stack();
    Drafts drafts;
    drafts.of(id_of(1), "telegram:77", bundle).pick(bundle, 0, 0);
    EXPECT_EQ(drafts.of(id_of(1), "telegram:78", bundle).chosen(), (Chosen{{}, {}, {}}));
    EXPECT_EQ(drafts.of(id_of(1), "telegram:77", bundle).chosen(), (Chosen{{0}, {}, {}}));
    drafts.forget(id_of(1));
    EXPECT_EQ(drafts.size(), 0U);
}

TEST(TelegramDrafts, I13_OneTooManyForgetsTheOldest) {
    const auto bundle = stack();
    Drafts drafts;
    for (std::size_t i = 0; i <= limits::telegram_drafts_max; ++i) {
        drafts.of(id_of(i), "telegram:77", bundle).pick(bundle, 0, 0);
    }
    EXPECT_EQ(drafts.size(), limits::telegram_drafts_max);
    EXPECT_EQ(drafts.of(id_of(1), "telegram:77", bundle).chosen()[0].size(), 1U);
    EXPECT_EQ(drafts.of(id_of(0), "telegram:77", bundle).chosen()[0].size(), 0U);
}

TEST(TelegramChats, AMovedGroupIsOneChatUnderBothNames) {
    Chats chats;
    EXPECT_TRUE(chats.moved("-1", "-1001"));
    EXPECT_EQ(chats.target("-1"), "-1001");
    EXPECT_EQ(chats.target("-1001"), "-1001");
    EXPECT_EQ(chats.names("-1001"), (std::vector<std::string>{"-1001", "-1"}));
    EXPECT_EQ(chats.names("-1"), (std::vector<std::string>{"-1", "-1001"}));
    EXPECT_EQ(chats.names("-2"), (std::vector<std::string>{"-2"}));
}

TEST(TelegramChats, AMoveThatClosesACircleIsNotNoted) {
    Chats chats;
    EXPECT_FALSE(chats.moved("-1", "-1"));
    EXPECT_TRUE(chats.moved("-1", "-2"));
    EXPECT_FALSE(chats.moved("-2", "-1"));
    EXPECT_TRUE(chats.moved("-3", "-1"));
    EXPECT_FALSE(chats.moved("-1", "-3")) << "also in place of another move";
    EXPECT_EQ(chats.target("-3"), "-2");
}

TEST(TelegramChats, I13_OneMoveTooManyForgetsTheOldest) {
    Chats chats;
    for (std::size_t i = 0; i <= limits::telegram_moved_max; ++i) {
        EXPECT_TRUE(chats.moved("-" + std::to_string(i + 1), "-100" + std::to_string(i + 1)));
    }
    EXPECT_EQ(chats.target("-1"), "-1");
    EXPECT_EQ(chats.target("-2"), "-1002");
}

Presentation shown(DeliveryId id, const Ulid& request, std::uint32_t generation = 0) {
    Presentation made;
    made.id = id;
    auto body = std::make_shared<Request>();
    body->id = request;
    made.request = body;
    made.generation = generation;
    return made;
}

TEST(TelegramCards, AChatKnowsWhatItShowsAndWhatItShowed) {
    Cards cards;
    const std::vector<std::string> room{"-100"};
    auto& card = cards.add(shown(1, id_of(1)), "-100");
    card.message = 42;
    cards.add(shown(2, id_of(1), 1), "-100");
    cards.add(shown(3, id_of(2), 5), "77");
    EXPECT_EQ(cards.shown_in(room), std::vector<Ulid>{id_of(1)});
    EXPECT_EQ(cards.newest_generation(id_of(1), room), 1U);
    EXPECT_EQ(cards.newest_generation(id_of(2), room), std::nullopt);
    EXPECT_EQ(cards.request_of(room, 42), id_of(1));
    EXPECT_EQ(cards.request_of(room, 43), std::nullopt);
    cards.forget(1);
    cards.forget(2);
    EXPECT_EQ(cards.shown_in(room), std::vector<Ulid>{id_of(1)}) << "for an honest answer";
    EXPECT_EQ(cards.request_of(room, 42), id_of(1));
    EXPECT_EQ(cards.size(), 1U);
}

TEST(TelegramCards, I13_OneEndedCardTooManyForgetsTheOldest) {
    Cards cards;
    for (std::size_t i = 1; i <= limits::telegram_ended_kept_max + 1; ++i) {
        cards.add(shown(i, id_of(i)), "-100");
        cards.forget(i);
    }
    const std::vector<std::string> room{"-100"};
    const auto kept = cards.shown_in(room);
    EXPECT_EQ(kept.size(), limits::telegram_ended_kept_max);
    EXPECT_EQ(kept.front(), id_of(2));
}

}  // namespace
}  // namespace countersign::channels::telegram
