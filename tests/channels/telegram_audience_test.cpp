// SPDX-License-Identifier: Apache-2.0
// Topics, mentions, threads, reminders and shared cards, from the hub to the calls of the Bot API and back.
#include "channels/telegram/bounds.hpp"
#include "tests/channels/telegram_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

namespace countersign::channels::telegram {
namespace {

using namespace std::chrono_literals;
using fakes::click;
using fakes::FakeTelegram;
using fakes::Json;
using fakes::telegram_configuration;
using fakes::TelegramWorld;
using testing::HasSubstr;

Configuration in_topics(std::initializer_list<const char*> topics) {
    auto configuration = telegram_configuration();
    auto& steps = configuration.routes.front().steps;
    steps.clear();
    for (const auto* topic : topics) steps.push_back({.channel = "chat", .chat = "-100", .thread = topic});
    return configuration;
}

Json in_topic(Json update, std::int64_t topic) {
    auto& message = update["callback_query"]["message"];
    message["message_thread_id"] = topic;
    message["is_topic_message"] = true;
    return update;
}

TEST_F(TelegramWorld, I10_ATapInATopicDecidesAndTheCardThereIsEdited) {
    begin(in_topics({"12"}));
    ask();
    ASSERT_EQ(http.of("sendMessage").size(), 1U);
    EXPECT_EQ(http.of("sendMessage")[0]["message_thread_id"], 12);
    EXPECT_EQ(world->ledger.text("presented", "ref"), "chat/-100/12/42#0");
    push(in_topic(click({.update = 7, .data = button("Allow")}), 12));
    ASSERT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(http.of("editMessageText").at(0)["message_id"], 42);
    EXPECT_EQ(world->ledger.text("concluded", "ref"), "chat/-100/12/42#0");
}

TEST_F(TelegramWorld, I12_OfTwoTopicsEachCardIsItsOwnAndNoDoubleOfTheOther) {
    begin(in_topics({"12", "13"}));
    ask();
    ASSERT_EQ(http.of("sendMessage").size(), 2U);
    push(in_topic(click({.update = 7, .data = button("Deny"), .message = 43}), 13));
    ASSERT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(world->ledger.count("presented"), 2U) << "a press on the second is no second first";
    ASSERT_EQ(http.of("editMessageText").size(), 2U);
    EXPECT_EQ(world->ledger.count("concluded"), 2U);
}

TEST_F(TelegramWorld, I12_APressBeforeTheAnswerIsOfTheCardInItsTopic) {
    begin(in_topics({"12", "13"}));
    http.will("sendMessage", FakeTelegram::ok({{"message_id", 42}}));
    http.will("sendMessage", Error{Errc::unavailable, "the answer got lost"});
    const auto id = ask();
    const auto data = *keys.tokens.mint({.request_id = id, .option = 2}, {"chat", "-100"});
    push(in_topic(click({.update = 7, .data = data, .message = 99}), 13));
    ASSERT_EQ(forwarded().size(), 1U);
    world->advance(1min);  // the chat waits after a failure
    std::vector<std::int64_t> edited;
    for (const auto& call : http.of("editMessageText")) edited.push_back(call["message_id"]);
    EXPECT_THAT(edited, testing::UnorderedElementsAre(42, 99));
}

TEST_F(TelegramWorld, I11_ATopicThatIsGoneFailsOverToTheNextStep) {
    auto configuration = in_topics({"12"});
    configuration.routes.front().steps.push_back({.after = 5min, .channel = "chat", .chat = "-200"});
    begin(configuration);
    http.will("sendMessage", FakeTelegram::refused(400, "Bad Request: message thread not found"));
    ask();
    ASSERT_EQ(http.of("sendMessage").size(), 2U);
    EXPECT_EQ(http.of("sendMessage")[1]["chat_id"], -200);
    EXPECT_EQ(world->ledger.count("dead_letter"), 1U);
}

TEST_F(TelegramWorld, TheDecidersAreCalledByTheirIdsInAGroupAndNowhereElse) {
    auto configuration = telegram_configuration();
    configuration.routes.front().deciders = {"alice", "bob"};
    configuration.routes.front().steps.push_back({.channel = "chat", .chat = {}, .people = {"alice"}});
    begin(configuration);
    ask();
    ASSERT_EQ(http.of("sendMessage").size(), 2U);
    std::vector<std::int64_t> called;
    const auto group = http.of("sendMessage")[0];
    for (const auto& entity : group["entities"]) {
        if (entity["type"] == "text_mention") called.push_back(entity["user"]["id"]);
    }
    EXPECT_THAT(called, testing::ElementsAre(77, 78));
    EXPECT_THAT(group["text"].get<std::string>(), HasSubstr("asking: alice, bob\n"));
    EXPECT_EQ(http.of("sendMessage")[1]["text"].get<std::string>().find("asking"), std::string::npos);
}

TEST_F(TelegramWorld, CardsOfASessionAnswerItsFirstMessageAlsoWhenThatIsGone) {
    begin();
    ask("a");
    ask("b");
    const auto second = http.of("sendMessage").at(1);
    EXPECT_FALSE(http.of("sendMessage")[0].contains("reply_parameters"));
    EXPECT_EQ(second["reply_parameters"]["message_id"], 42);
    EXPECT_EQ(second["reply_parameters"]["allow_sending_without_reply"], true) << "a deleted message stops nothing";
}

TEST_F(TelegramWorld, AReminderAnswersTheCardCallsWhoHasNotVotedAndHasNoButtons) {
    auto configuration = telegram_configuration();
    configuration.routes.front().required = 2;
    begin(configuration);
    const auto id = ask();
    tap("Allow", 77);
    world->advance(limits::reminder_first);
    ASSERT_EQ(http.of("sendMessage").size(), 2U);
    const auto reminder = http.of("sendMessage")[1];
    EXPECT_EQ(reminder["text"], "⏰ no answer for 10 min\nasking: bob, carol\nid: " + id.str());
    EXPECT_EQ(reminder["reply_parameters"]["message_id"], 42);
    EXPECT_FALSE(reminder.contains("reply_markup"));
    EXPECT_FALSE(reminder.contains("disable_notification")) << "it is to be noticed";
    // Whoever answers the reminder means the card.
    type("ok", 78, -100, 43);
    EXPECT_THAT(last_text(), HasSubstr("A reply alone doesn't decide."));
    EXPECT_TRUE(forwarded().empty());
}

TEST_F(TelegramWorld, AReminderThatWaitsIsDroppedWhenTheRequestEnds) {
    begin();
    const auto id = ask();
    http.will("sendMessage", FakeTelegram::refused(429, "Too Many Requests", {{"retry_after", 60}}));
    world->advance(limits::reminder_first);
    ASSERT_EQ(http.of("sendMessage").size(), 2U) << "it must be tried again";
    world->hub.asking().withdraw(id, world->agent, "interrupted");
    world->settle();
    world->advance(2min);
    EXPECT_EQ(http.of("sendMessage").size(), 2U);
    EXPECT_THAT(last_text("editMessageText"), HasSubstr("Withdrawn"));
}

TEST_F(TelegramWorld, I9_OneCardStandsForThreeAndOnlyItsNewestButtonsAllowAllOfThem) {
    begin();
    ask();
    const auto first = button("Allow");
    ask();
    ask();
    EXPECT_EQ(http.of("sendMessage").size(), 1U);
    EXPECT_THAT(last_text("editMessageText"), HasSubstr("asked 3 times: one answer applies to all of them\n"));
    push(click({.update = 7, .data = first}));
    EXPECT_THAT(last_answer(), HasSubstr("The agent asked again since you looked."));
    EXPECT_TRUE(forwarded().empty());
    EXPECT_EQ(world->ledger.count("decision"), 0U);
    tap("Allow");
    EXPECT_EQ(forwarded().size(), 3U);
    EXPECT_EQ(world->ledger.count("decision"), 3U);
    for (int i = 0; i < 4; ++i) world->advance(limits::telegram_group_interval);  // edits come after cards
    EXPECT_THAT(last_text("editMessageText"), HasSubstr("Allowed"));
}

TEST_F(TelegramWorld, I9_ATypedAllowOfASharedCardIsRefusedAndADenyCounts) {
    begin();
    const auto id = ask();
    ask();
    type("/approve " + code(id));
    EXPECT_TRUE(forwarded().empty());
    EXPECT_THAT(last_text(), HasSubstr("tap its button"));
    type("/pending");
    EXPECT_THAT(last_text(), HasSubstr(", asked 2 times"));
    type("/deny " + code(id) + " enough");
    ASSERT_EQ(forwarded().size(), 2U);
    EXPECT_EQ(forwarded()[1].reason, "enough");
}

// A card that is on its way when the second request comes has the old buttons; it must not stay so.
TEST_F(TelegramWorld, I9_ACardThatChangedWhileItWasSentIsCorrectedWhenItLanded) {
    begin();
    http.hold(true);
    ask();
    ask();
    EXPECT_EQ(http.of("sendMessage").size(), 1U);
    http.hold(false);
    world->settle();
    EXPECT_THAT(last_text("editMessageText"), HasSubstr("asked 2 times"));
    tap("Allow");
    EXPECT_EQ(forwarded().size(), 2U);
}

TEST_F(TelegramWorld, AfterThreeRefusalsTheNextWaitBehindOneCardWithOneButtonForAll) {
    begin();
    std::int64_t message = 42;
    for (const auto* command : {"x", "y", "z"}) {
        ask(command);
        tap("Deny", 77, -100, message++);
    }
    const auto shown = ask("a");
    ask("b");
    ask("c");
    EXPECT_EQ(http.of("sendMessage").size(), 4U);
    for (int i = 0; i < 6; ++i) world->advance(limits::telegram_group_interval);  // edits come after cards
    EXPECT_THAT(last_text("editMessageText"), HasSubstr("still asking: 2 more waiting behind this one\n"));
    type("/pending");
    EXPECT_THAT(last_text(), HasSubstr("still asking: 2 more waiting behind this one"));
    EXPECT_EQ(forwarded().size(), 3U);
    tap("Deny all 3", 77, -100, message);
    ASSERT_EQ(forwarded().size(), 6U);
    for (const auto& verdict : forwarded()) EXPECT_EQ(verdict.outcome, Outcome::denied);
    EXPECT_EQ(world->ledger.count("decision"), 6U);
    EXPECT_EQ(forwarded()[3].request_id, shown);
}

TEST_F(TelegramWorld, I10_AnAllowForAllThatWaitIsNoButtonOfOurs) {
    begin();
    const auto id = ask();
    const auto made =
        *keys.tokens.mint({.request_id = id, .option = 0, .question = button_and_behind}, {"chat", "-100"});
    push(click({.update = 7, .data = made}));
    EXPECT_EQ(last_answer(), "This button isn't one of mine.");
    EXPECT_TRUE(forwarded().empty());
}

TEST_F(TelegramWorld, TheEndOfASessionIsALineBelowItsFirstMessage) {
    begin(in_topics({"12"}));
    ask("a");
    ask("b");
    world->hub.asking().gone(world->agent, {}, "the agent ended");
    world->settle();
    world->hub.asking().session_ended(world->agent, {}, "exited with 1");
    world->settle();
    const auto line = http.of("sendMessage").back();
    EXPECT_EQ(line["text"], "⚠ agent failed: exited with 1\nagent: dev\nsession: s1");
    EXPECT_EQ(line["reply_parameters"]["message_id"], 42);
    EXPECT_EQ(line["message_thread_id"], 12);
    EXPECT_EQ(line["disable_notification"], true);
    EXPECT_EQ(http.methods().back(), "sendMessage") << "behind every card";
}

TEST_F(TelegramWorld, TheEndOfAHaltedSessionIsNoFailure) {
    begin(in_topics({"12"}));
    ask("a");
    type("/halt dev");
    world->hub.asking().gone(world->agent, {}, "the agent ended");
    world->settle();
    world->hub.asking().session_ended(world->agent, {}, "exited with 1");
    world->settle();
    EXPECT_EQ(last_text(), "🏁 session ended, halted by alice\nagent: dev\nsession: s1");
}

}  // namespace
}  // namespace countersign::channels::telegram
