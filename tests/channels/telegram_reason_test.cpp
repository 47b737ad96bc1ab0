// SPDX-License-Identifier: Apache-2.0
// Denying with a reason from a phone: the button "Deny…", replies to cards, and what the app's menu offers.
#include "channels/telegram/bounds.hpp"
#include "tests/channels/telegram_world.hpp"

#include "channels/commands.hpp"
#include "core/json/write.hpp"
#include "core/limits.hpp"

#include <gmock/gmock.h>

namespace countersign::channels::telegram::fakes {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class TelegramReason : public TelegramWorld {
protected:
    void adjust(TelegramOptions& options) override {
        options.people.person = [](const std::string& principal) { return principal == "telegram:77" ? "alice" : ""; };
    }
    // The id of the message that was sent last.
    [[nodiscard]] std::int64_t last_sent() const { return http.last_message; }
};

TEST_F(TelegramReason, DenyWithAReasonTakesOneTapAndOneReply) {
    begin();
    ask("rm -rf build");
    tap("Deny…");
    EXPECT_EQ(last_answer(), "Reply to the next message with your reason.");
    EXPECT_TRUE(forwarded().empty()) << "the tap alone decides nothing";
    const auto prompt = http.of("sendMessage").back();
    EXPECT_EQ(prompt["reply_parameters"]["message_id"], 42) << "below the card";
    EXPECT_TRUE(prompt["reply_markup"]["force_reply"]);
    EXPECT_TRUE(prompt["reply_markup"]["selective"]) << "only the person who tapped is asked";
    EXPECT_EQ(prompt["entities"][0]["user"]["id"], 77);

    type("more tests first", 77, -100, last_sent());
    ASSERT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(forwarded()[0].outcome, Outcome::denied);
    EXPECT_EQ(forwarded()[0].reason, "more tests first");
    EXPECT_EQ(world->ledger.text("decision", "decidedBy"), "alice");
}

TEST_F(TelegramReason, AReasonMayBeginWithTheWordOfACommand) {
    begin();
    ask();
    tap("Deny…");
    const auto prompt = last_sent();
    type("approve nothing on a Friday", 77, -100, prompt);
    ASSERT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(forwarded()[0].outcome, Outcome::denied);
    EXPECT_EQ(forwarded()[0].reason, "approve nothing on a Friday");
}

TEST_F(TelegramReason, I4_AStrangersReplyToThePromptIsRefusedAndRecorded) {
    begin();
    ask();
    tap("Deny…");
    type("no", 99, -100, last_sent());
    EXPECT_TRUE(forwarded().empty());
    EXPECT_EQ(world->ledger.count("refused"), 1U);
    EXPECT_THAT(last_text(), StartsWith("You may not decide this."));
}

TEST_F(TelegramReason, I4_AStrangerIsNotAskedForAReason) {
    begin();
    ask();
    tap("Deny…", 99);
    EXPECT_EQ(http.of("sendMessage").size(), 1U) << "the card alone";
    EXPECT_THAT(last_answer(), StartsWith("You may not decide this."));
    EXPECT_EQ(world->ledger.count("refused"), 1U);
    EXPECT_TRUE(forwarded().empty());
}

TEST_F(TelegramReason, AReplyToACardDecidesNothingAndOffersOneButton) {
    begin();
    ask();
    type("looks dangerous to me", 77, -100, 42);
    EXPECT_TRUE(forwarded().empty());
    const auto offer = http.of("sendMessage").back();
    EXPECT_EQ(offer["text"], "A reply alone doesn't decide.");
    EXPECT_EQ(offer["reply_parameters"]["message_id"], 1101) << "below what was written";
    ASSERT_EQ(offer["reply_markup"]["inline_keyboard"].size(), 1U);
    ASSERT_EQ(offer["reply_markup"]["inline_keyboard"][0].size(), 1U);

    tap("Deny with this reason", 77, -100, last_sent());
    ASSERT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(forwarded()[0].outcome, Outcome::denied);
    EXPECT_EQ(forwarded()[0].reason, "looks dangerous to me");
    EXPECT_EQ(world->ledger.count("presented"), 1U) << "the offer is not a card";
    const auto cleared = http.of("editMessageReplyMarkup");
    ASSERT_EQ(cleared.size(), 1U);
    EXPECT_EQ(cleared[0]["message_id"], 43) << "the offer loses its button";
}

TEST_F(TelegramReason, I4_OnlyTheWriterOfAReasonCanDenyWithIt) {
    begin();
    ask();
    type("looks dangerous to me", 77, -100, 42);
    const auto offer = last_sent();
    tap("Deny with this reason", 78, -100, offer);
    EXPECT_TRUE(forwarded().empty()) << "nobody is quoted with the words of another";
    EXPECT_EQ(last_answer(), "Only alice can use this button. Write your own reply.");
    EXPECT_EQ(world->ledger.count("refused"), 1U);
    EXPECT_EQ(world->ledger.text("refused", "detail"), "the offer to deny with another person's words");
    EXPECT_EQ(world->ledger.text("refused", "principal"), "telegram:78");
    EXPECT_TRUE(http.of("editMessageReplyMarkup").empty()) << "the button stays for the writer";

    tap("Deny with this reason", 77, -100, offer);
    ASSERT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(forwarded()[0].reason, "looks dangerous to me");
    EXPECT_EQ(world->ledger.text("decision", "decidedBy"), "alice");
}

TEST_F(TelegramReason, I4_AStrangerWhoTapsAnOfferIsRefusedWithoutItsWords) {
    begin();
    ask();
    type("looks dangerous to me", 77, -100, 42);
    tap("Deny with this reason", 99, -100, last_sent());
    EXPECT_TRUE(forwarded().empty());
    EXPECT_THAT(last_answer(), StartsWith("You may not decide this."));
    EXPECT_EQ(world->ledger.count("refused"), 1U);
    EXPECT_THAT(json::canonical(world->ledger.last("refused")->fields), Not(HasSubstr("dangerous")));
}

TEST_F(TelegramReason, I4_OnlyThePersonWhoPressedDenyCanAnswerThePrompt) {
    begin();
    const auto id = ask();
    tap("Deny…");
    const auto prompt = last_sent();
    for (const auto* words : {"not today", "/etc/passwd must not be read"}) {
        type(words, 78, -100, prompt);
        EXPECT_TRUE(forwarded().empty());
        EXPECT_EQ(last_text(), "Only alice can answer this. Reply to the card yourself, or press Deny… there.");
        EXPECT_EQ(world->ledger.text("refused", "detail"), "an answer to a prompt for another person");
    }
    EXPECT_EQ(world->ledger.count("refused"), 2U);
    type("/approve@countersign_bot 00000000", 78, -100, prompt);
    EXPECT_THAT(last_text(), StartsWith("No open request in this chat has that code."))
        << "a command is its writer's own";
    type("more tests first", 77, -100, prompt);
    ASSERT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(forwarded()[0].request_id, id);
    EXPECT_EQ(forwarded()[0].reason, "more tests first");
    EXPECT_EQ(world->ledger.text("decision", "decidedBy"), "alice");
}

TEST_F(TelegramReason, AForwardedPromptOrOfferAsksAndOffersNothing) {
    begin();
    ask();
    tap("Deny…");
    const auto prompt = last_sent();
    type("no", 77, 77, prompt);  // the same number in another chat is another message
    EXPECT_TRUE(forwarded().empty());
    type("hm", 77, -100, 42);
    tap("Deny with this reason", 77, 77, last_sent());
    EXPECT_TRUE(forwarded().empty());
    EXPECT_EQ(last_answer(), "This button does not work here.");
}

TEST_F(TelegramReason, AnOfferLosesItsButtonWhenTheRequestEndsOtherwise) {
    begin();
    ask();
    type("hm", 77, -100, 42);
    tap("Allow");
    ASSERT_EQ(forwarded().size(), 1U);
    ASSERT_EQ(http.of("editMessageReplyMarkup").size(), 1U);
    EXPECT_EQ(http.of("editMessageReplyMarkup")[0]["message_id"], 43);
}

TEST_F(TelegramReason, AStrangersReplyToACardOffersNothing) {
    begin();
    ask();
    type("what is this?", 99, -100, 42);
    EXPECT_FALSE(http.of("sendMessage").back().contains("reply_markup"));
    EXPECT_EQ(last_text(), "A reply alone doesn't decide.");
}

TEST_F(TelegramReason, I10_TheOffersButtonCannotAllow) {
    begin();
    const auto id = ask();
    const auto forged =
        keys.tokens.mint({.verb = security::ButtonVerb::reason, .request_id = id, .option = 0, .question = 1},
                         {.channel = "chat", .chat = "-100"});
    ASSERT_TRUE(forged);
    push(click({.update = ++last_update, .from = 77, .data = *forged, .chat = -100, .message = 42}));
    EXPECT_TRUE(forwarded().empty());
    EXPECT_EQ(last_answer(), "This button isn't one of mine.");
}

TEST_F(TelegramReason, AReplyToThePromptOfAnEndedRequestSaysHowItEnded) {
    begin();
    ask();
    tap("Deny…");
    const auto prompt = last_sent();
    tap("Allow", 78);
    type("no!", 77, -100, prompt);
    ASSERT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(forwarded()[0].outcome, Outcome::allowed);
    EXPECT_THAT(last_text(), StartsWith("Too late. Allowed by bob"));
}

TEST_F(TelegramReason, APersonIsAskedForAReasonOnceOnEachCard) {
    begin();
    const auto id = ask();
    tap("Deny…");
    const auto prompt = last_sent();
    tap("Deny…");
    EXPECT_EQ(last_answer(), "You were already asked for your reason. Reply to that message, or write /deny " +
                                 code(id) + " and the reason.");
    EXPECT_EQ(http.of("sendMessage").size(), 2U) << "the card and one prompt";
    type("not on a Friday", 77, -100, prompt);
    ASSERT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(forwarded()[0].reason, "not on a Friday");
}

TEST_F(TelegramReason, APromptThatCouldNotBeSentIsSentOnTheNextTap) {
    begin();
    ask();
    http.will("sendMessage", FakeTelegram::refused(400, "Bad Request: message text is empty"));
    tap("Deny…");
    tap("Deny…");
    EXPECT_EQ(last_answer(), "Reply to the next message with your reason.");
    EXPECT_EQ(http.of("sendMessage").size(), 3U);
}

// Carol is a person of the configuration, and may not decide here.
TEST_F(TelegramReason, I4_WhoMayNotDenyIsNotAskedForAReasonAndPushesNoPromptOut) {
    auto configuration = telegram_configuration();
    configuration.routes.front().deciders = {"alice", "bob"};
    begin(configuration);
    ask();
    tap("Deny…");
    const auto prompt = last_sent();
    for (std::size_t i = 0; i <= limits::reason_prompts_max; ++i) {
        tap("Deny…", 79);
        EXPECT_THAT(last_answer(), StartsWith("You may not decide this."));
    }
    EXPECT_EQ(world->ledger.count("refused"), 1 + limits::reason_prompts_max);
    EXPECT_EQ(world->ledger.text("refused", "principal"), "telegram:79");
    EXPECT_EQ(http.of("sendMessage").size(), 2U) << "the card and one prompt";
    type("let me see", 79, -100, 42);
    EXPECT_FALSE(http.of("sendMessage").back().contains("reply_markup")) << "and is offered nothing";
    EXPECT_EQ(last_text(), "A reply alone doesn't decide.");
    type("not on a Friday", 77, -100, prompt);
    ASSERT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(forwarded()[0].reason, "not on a Friday");
}

TEST_F(TelegramReason, AReplyToAMessageThatWeForgotIsAnswered) {
    begin();
    ask();
    type("no, more tests first", 77, -100, 999);
    EXPECT_EQ(last_text(), "Nothing was decided: I no longer know the message that you replied to. Press Deny… on the "
                           "card, or reply to the card.");
    EXPECT_TRUE(forwarded().empty());
    const auto sent = http.of("sendMessage").size();
    type("no, more tests first", 99, -100, 999);
    EXPECT_EQ(http.of("sendMessage").size(), sent) << "a stranger is not";
    push(message({.update = ++last_update,
                  .from = 77,
                  .text = "hm",
                  .chat = -100,
                  .date = 1'763'258'400,
                  .reply_to = 998,
                  .reply_author = 78}));
    EXPECT_EQ(http.of("sendMessage").size(), sent) << "people may talk";
}

TEST_F(TelegramReason, ANewReplyToACardTakesTheButtonOfTheEarlierOffer) {
    begin();
    ask();
    type("first", 77, -100, 42);
    const auto first = last_sent();
    type("again", 77, -100, 42);
    ASSERT_EQ(http.of("editMessageReplyMarkup").size(), 1U);
    EXPECT_EQ(http.of("editMessageReplyMarkup")[0]["message_id"], first);
    tap("Deny with this reason", 77, -100, last_sent());
    ASSERT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(forwarded()[0].reason, "again");
}

TEST_F(TelegramReason, TheToastSaysHowItEndedAndWhichRecordHasIt) {
    begin();
    ask("one");
    tap("Allow");
    EXPECT_EQ(last_answer(), "Allowed. Record 2.");
    ask("two");
    tap("Deny", 77, -100, 43);
    EXPECT_THAT(last_answer(), StartsWith("Denied. Record "));
}

TEST_F(TelegramReason, AnAgentThatDoesNotListenHoldsUpNoAnswerAndNoUpdate) {
    begin();
    ask();
    world->agent.hangs = true;
    tap("Deny");
    EXPECT_EQ(last_answer(), "Denied. Record 2.");
    EXPECT_EQ(confirmed.back(), last_update + 1) << "the next updates are asked for";
    EXPECT_TRUE(http.of("editMessageText").empty()) << "the card waits for what became of it";
    world->agent.listen();
    world->settle();
    EXPECT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(http.of("editMessageText").size(), 1U);
}

TEST_F(TelegramReason, AnUnknownCommandIsAnsweredInOneLine) {
    begin();
    type("/aprove K7K7K7K7", 77, 77);
    EXPECT_EQ(last_text(), "Unknown command /aprove. Write /help for the list.");
    type("/aprove@countersign_bot", 77, -100);
    EXPECT_EQ(http.of("sendMessage").size(), 2U);
    type("/weather", 77, -100);
    EXPECT_EQ(http.of("sendMessage").size(), 2U) << "in a group it may be another bot's";
    type("/aprove@other_bot", 77, 77);
    EXPECT_THAT(last_text(), Not(HasSubstr("other_bot")));
}

TEST_F(TelegramReason, TheMenuOfCommandsIsFilledInEachLanguage) {
    begin();
    const auto menus = http.of("setMyCommands");
    ASSERT_EQ(menus.size(), 3U);
    EXPECT_FALSE(menus[0].contains("language_code")) << "English is for everyone else";
    EXPECT_EQ(menus[1]["language_code"], "de");
    EXPECT_EQ(menus[2]["language_code"], "zh");
    for (const auto& menu : menus) {
        EXPECT_EQ(menu["commands"].size(), 10U);
        for (const auto& entry : menu["commands"]) {
            EXPECT_TRUE(parse_command("/" + entry["command"].get<std::string>() + " X", {.bare_words = true})->verb !=
                        Verb::unknown);
            EXPECT_LE(entry["description"].get<std::string>().size(), 256U);
        }
    }
}

TEST_F(TelegramReason, AMenuThatTelegramMakesUsWaitForIsFilledLater) {
    http.will("setMyCommands", FakeTelegram::refused(429, "Too Many Requests", {{"retry_after", 30}}));
    begin();
    world->advance(std::chrono::seconds{29});
    EXPECT_EQ(http.of("setMyCommands").size(), 1U);
    world->advance(std::chrono::seconds{1});
    EXPECT_EQ(http.of("setMyCommands").size(), 4U);
    EXPECT_TRUE(problems.empty());
}

TEST_F(TelegramReason, I13_AMenuThatCannotBeSetIsGivenUp) {
    for (int i = 0; i < 20; ++i) http.will("setMyCommands", Error{Errc::away, "network is down"});
    begin();
    for (int i = 0; i < 300; ++i) world->advance(std::chrono::seconds{1});
    EXPECT_EQ(http.of("setMyCommands").size(), limits::telegram_menu_tries_max);
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_THAT(problems[0], HasSubstr("menu of commands"));
}

TEST_F(TelegramReason, AChannelThatNoLongerListensFillsNoMenu) {
    http.hold(true);
    begin();
    telegram->stop_listening();
    http.hold(false);
    world->settle();
    EXPECT_EQ(http.of("getMe").size(), 1U);
    EXPECT_TRUE(http.of("setMyCommands").empty());
}

TEST_F(TelegramReason, AMenuThatIsRefusedIsAProblemAndNothingElse) {
    http.will("setMyCommands", FakeTelegram::refused(400, "Bad Request: BOT_COMMAND_INVALID"));
    begin();
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_THAT(problems[0], HasSubstr("menu of commands"));
    ask();
    tap("Allow");
    EXPECT_EQ(forwarded().size(), 1U);
}

}  // namespace
}  // namespace countersign::channels::telegram::fakes
