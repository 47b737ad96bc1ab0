// SPDX-License-Identifier: Apache-2.0
// Whole flows: from a request through a card, a tap and the log to the agent, over a fake Bot API.
#include "channels/telegram/bounds.hpp"
#include "security/digest.hpp"
#include "security/encoding.hpp"
#include "tests/channels/telegram_world.hpp"

#include <set>

namespace countersign::channels::telegram::fakes {
namespace {

using namespace std::chrono_literals;
using countersign::fakes::question_request;
using countersign::fakes::shell_request;
using ::testing::Test;

std::string text_of_button(const Json& call, std::size_t row, std::size_t column) {
    return call["reply_markup"]["inline_keyboard"][row][column]["text"];
}

TEST_F(TelegramWorld, ATapOnAllowReachesTheAgentAndEndsTheCard) {
    begin();
    const auto id = ask("ls -l");
    ASSERT_EQ(http.of("sendMessage").size(), 1U);
    EXPECT_EQ(http.of("sendMessage")[0]["chat_id"], -100);
    EXPECT_EQ(world->ledger.count("presented"), 1U);

    tap("Allow");
    ASSERT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(forwarded()[0].request_id, id);
    EXPECT_EQ(forwarded()[0].outcome, Outcome::allowed);
    EXPECT_EQ(world->ledger.text("decision", "decidedBy"), "alice");
    EXPECT_EQ(last_answer(), "Allowed. Record " + std::to_string(world->ledger.count("request") + 1) + ".");
    ASSERT_EQ(http.of("editMessageText").size(), 1U);
    const auto edit = http.of("editMessageText")[0];
    EXPECT_EQ(edit["message_id"], 42);
    EXPECT_TRUE(edit["reply_markup"]["inline_keyboard"].empty()) << "the buttons are gone";
    EXPECT_TRUE(edit["text"].get<std::string>().starts_with("✅ Allowed (Allow) by alice on chat"));
    EXPECT_EQ(world->ledger.count("concluded"), 1U);
    EXPECT_EQ(world->ledger.text("decision", "delivery"), "101") << "known again after a restart (I5)";
    EXPECT_EQ(confirmed, std::vector<std::int64_t>{102});
}

TEST_F(TelegramWorld, I10_TheDataOfOneCardOnTheMessageOfAnotherDoesNothing) {
    begin();
    ask("one");
    const auto first = button("Allow");
    ask("two");
    for (const std::int64_t from : {666, 77}) {
        push(click({.update = ++last_update, .from = from, .data = first, .chat = -100, .message = 43}));
        EXPECT_NE(last_answer().find("isn't one of mine"), std::string::npos) << last_answer();
    }
    EXPECT_TRUE(forwarded().empty());
    push(click({.update = ++last_update, .from = 77, .data = first, .chat = -100, .message = 42}));
    ASSERT_EQ(forwarded().size(), 1U);
    for (const auto& edit : http.of("editMessageText")) EXPECT_EQ(edit["message_id"], 42) << "the other card stands";
}

TEST_F(TelegramWorld, I10_AButtonOnAMessageThatWasNeverSentIsRefusedAndNothingIsPresentedThere) {
    begin();
    const auto id = ask("one");
    for (const auto* label : {"Allow", "Deny"}) {
        tap(label, 77, -100, 7);
        EXPECT_EQ(last_answer(), "This button does not work here.");
        EXPECT_EQ(world->ledger.text("refused", "why"), "not_shown");
    }
    EXPECT_EQ(world->ledger.text("refused", "requestId"), id.str());
    EXPECT_EQ(world->ledger.count("refused"), 2U);
    EXPECT_EQ(world->ledger.count("presented"), 1U);
    EXPECT_TRUE(forwarded().empty());
    tap("Allow");
    EXPECT_EQ(forwarded().size(), 1U);
}

TEST_F(TelegramWorld, I10_OneLostAnswerIsOneUnknownCopyAndNoMore) {
    begin();
    http.will("sendMessage", Error{Errc::timeout, "no answer"});  // it arrived as 40
    ask();
    world->advance(1s);
    tap("Allow", 99, -100, 40);
    EXPECT_EQ(world->ledger.text("refused", "why"), "not_authorised") << "a stranger is the gate's to refuse";
    tap("Allow", 77, -100, 40);
    EXPECT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(world->ledger.count("presented"), 2U);
}

TEST_F(TelegramWorld, I10_APlatformThatRefusedTheSendPostedNothing) {
    begin();
    http.will("sendMessage", FakeTelegram::refused(429, "Too Many Requests", {{"retry_after", 5}}));
    ask();
    tap("Allow", 77, -100, 40);
    EXPECT_TRUE(forwarded().empty());
    EXPECT_EQ(world->ledger.count("presented"), 0U);
}

TEST_F(TelegramWorld, I10_ASendThatReachedNoServerPostedNothing) {
    begin();
    const std::array unsent{Errc::away, Errc::busy, Errc::bad_signature};
    for (const auto code : unsent) http.will("sendMessage", Error{code, "no connection"});
    ask();
    for (int i = 0; i < 60; ++i) world->advance(1s);
    ASSERT_EQ(http.of("sendMessage").size(), unsent.size() + 1);
    tap("Allow", 77, -100, 40);
    EXPECT_EQ(last_answer(), "This button does not work here.");
    EXPECT_EQ(world->ledger.text("refused", "why"), "not_shown");
    EXPECT_TRUE(forwarded().empty());
    tap("Allow");
    EXPECT_EQ(forwarded().size(), 1U);
}

// A click on a message that still has the button, as Telegram tells it.
Json click_with_button(Tap tap) {
    auto update = click(tap);
    update["callback_query"]["message"]["reply_markup"]["inline_keyboard"] =
        Json::array({Json::array({{{"text", "Allow"}, {"callback_data", tap.data}}})});
    return update;
}

TEST_F(TelegramWorld, I3_ATapOnACopyThatNobodyKnewIsAnsweredHonestlyAndTakesItsButtonsAway) {
    begin();
    http.will("sendMessage", Error{Errc::timeout, "no answer"});  // it arrived as 40, and we were not told
    ask();
    world->advance(1s);
    const auto data = button("Allow");
    tap("Deny");
    ASSERT_EQ(http.of("editMessageText").size(), 1U);
    push(click_with_button({.update = ++last_update, .data = data, .message = 40}));
    EXPECT_TRUE(last_answer().starts_with("Too late. Denied by alice on chat")) << last_answer();
    ASSERT_EQ(http.of("editMessageText").size(), 2U);
    const auto edit = http.of("editMessageText").back();
    EXPECT_EQ(edit["message_id"], 40);
    EXPECT_TRUE(edit["reply_markup"]["inline_keyboard"].empty());
    EXPECT_NE(edit["text"].get<std::string>().find("Denied"), std::string::npos);
    push(click({.update = ++last_update, .data = data, .message = 40}));
    EXPECT_EQ(http.of("editMessageText").size(), 2U) << "it has no buttons any more";
}

TEST_F(TelegramWorld, I3_AnUnknownCopyIsClosedByTheTapOnItAlsoAfterARestart) {
    begin();
    const auto ended = world->ids.next();
    const auto forgotten = world->ids.next();
    const auto data = [&](const Ulid& id) {
        return *keys.tokens.mint({.verb = security::ButtonVerb::decide, .request_id = id},
                                 {.channel = "chat", .chat = "-100"});
    };
    world->hub.remember_ended({{ended, "dev", "hash", {Outcome::denied, "alice", "chat", world->clock.wall()}}});
    push(click_with_button({.update = ++last_update, .data = data(ended), .message = 7}));
    EXPECT_TRUE(last_answer().starts_with("Too late. Denied by alice")) << last_answer();
    EXPECT_EQ(http.of("editMessageText").back()["message_id"], 7);
    push(click_with_button({.update = ++last_update, .data = data(forgotten), .message = 8}));
    ASSERT_EQ(http.of("editMessageReplyMarkup").size(), 1U) << "nobody knows how it ended; its buttons go";
    EXPECT_EQ(http.of("editMessageReplyMarkup")[0]["message_id"], 8);
}

TEST_F(TelegramWorld, I11_WhatTheChannelRefusesLeavesARecordAndIsCounted) {
    begin();
    const auto id = ask();
    const auto data = button("Allow");
    auto forged = data;
    forged.back() = forged.back() == 'A' ? 'B' : 'A';
    std::vector<Json> updates{
        click({.from = 666, .data = forged}),             // a forged button
        click({.from = 666, .data = "a:01HZX"}),          // something else
        click({.from = 666, .data = data, .chat = -200})  // genuine, in another chat
    };
    auto by_bot = click({.data = data});
    by_bot["callback_query"]["from"]["is_bot"] = true;
    updates.push_back(by_bot);
    auto inline_message = click({.data = data});
    inline_message["callback_query"].erase("message");
    updates.push_back(inline_message);
    const auto command = [&](const char* member, const Json& value) {
        auto update = message({.text = "/approve " + code(id)});
        update["message"][member] = value;
        updates.push_back(update);
    };
    command("sender_chat", {{"id", -100}});
    command("forward_origin", Json::object());
    command("via_bot", Json::object());
    command("edit_date", 1763258401);
    updates.push_back(message({.text = "/approve 00000000"}));
    updates.push_back(message({.from = 666, .text = "/approve 00000000"}));
    updates.push_back(message({.from = 1087968824, .text = "/halt dev"}));
    std::size_t count = 0;
    for (auto update : updates) {
        update["update_id"] = ++last_update;
        if (update.contains("callback_query")) update["callback_query"]["id"] = std::to_string(last_update);
        push(update);
        EXPECT_EQ(world->ledger.count("refused"), ++count) << update.dump();
    }
    EXPECT_EQ(world->hub.counts().refused, count);
    EXPECT_TRUE(forwarded().empty());
    EXPECT_EQ(world->ledger.count("presented"), 1U);
    push(message({.update = ++last_update, .from = 1087968824, .text = "/help"}));
    EXPECT_EQ(world->ledger.count("refused"), count) << "who only reads tries nothing";
}

TEST_F(TelegramWorld, I11_AForgedButtonIsRecordedWithTheRequestThatItNamesAndNothingElseOfIt) {
    begin();
    const auto id = ask();
    push(click({.update = ++last_update, .from = 666, .data = button("Allow"), .chat = -200}));
    EXPECT_EQ(world->ledger.text("refused", "requestId"), id.str());
    EXPECT_EQ(world->ledger.text("refused", "principal"), "telegram:666");
    EXPECT_EQ(world->ledger.text("refused", "channel"), "chat");
    EXPECT_EQ(world->ledger.text("refused", "why"), "bad_signature");
    push(click({.update = ++last_update, .from = 666, .data = "hunter3"}));
    EXPECT_EQ(world->ledger.last("refused")->fields.find("requestId"), nullptr);
    EXPECT_EQ(world->ledger.text("refused", "detail").find("hunter3"), std::string::npos);
}

TEST_F(TelegramWorld, I10_AStrangerDoesNotSayWhereACardIs) {
    begin();
    ask("one");
    push(click({.update = ++last_update, .from = 666, .data = button("Allow"), .chat = -100, .message = 7}));
    tap("Deny");
    ASSERT_EQ(forwarded().size(), 1U);
    for (const auto& edit : http.of("editMessageText")) EXPECT_EQ(edit["message_id"], 42);
}

TEST_F(TelegramWorld, ADenyIsTypedWithItsReason) {
    begin();
    const auto id = ask();
    type("/deny@countersign_bot " + code(id) + " not on a Friday");
    ASSERT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(forwarded()[0].outcome, Outcome::denied);
    EXPECT_EQ(forwarded()[0].reason, "not on a Friday");
    EXPECT_NE(last_text("editMessageText").find("reason: not on a Friday"), std::string::npos);
    EXPECT_EQ(http.of("sendMessage").back()["reply_parameters"]["message_id"], 1101);
}

TEST_F(TelegramWorld, AnAllowIsTypedByCodeOrByTheWholeId) {
    begin();
    const auto first = ask("one");
    const auto second = ask("two");
    type("/approve " + code(first));
    type("/approve " + second.str());
    ASSERT_EQ(forwarded().size(), 2U);
    EXPECT_EQ(forwarded()[0].request_id, first);
    EXPECT_EQ(forwarded()[1].request_id, second);
}

TEST_F(TelegramWorld, I4_SomebodyElsesTapIsRefusedInAWindow) {
    begin();
    ask();
    tap("Allow", 99);
    EXPECT_TRUE(forwarded().empty());
    ASSERT_EQ(http.of("answerCallbackQuery").size(), 1U);
    EXPECT_TRUE(http.of("answerCallbackQuery")[0]["show_alert"]);
    EXPECT_TRUE(last_answer().starts_with("You may not decide this. Your id is telegram:99"));
    EXPECT_EQ(world->ledger.count("refused"), 1U);
    tap("Allow");
    EXPECT_EQ(forwarded().size(), 1U);
}

TEST_F(TelegramWorld, I10_AForgedButtonDoesNothingAndIsAnswered) {
    begin();
    ask();
    auto data = button("Allow");
    data.back() = data.back() == 'A' ? 'B' : 'A';
    push(click({.update = 1, .data = data}));
    EXPECT_EQ(last_answer(), "This button does not work here.");
    push(click({.update = 2, .data = "a:01HZX"}));
    EXPECT_EQ(last_answer(), "This button isn't one of mine.");
    EXPECT_TRUE(forwarded().empty());
    EXPECT_EQ(http.of("answerCallbackQuery").size(), 2U);
}

TEST_F(TelegramWorld, I10_AButtonOfAnotherChatDoesNotWorkHere) {
    begin();
    ask();
    push(click({.update = 1, .data = button("Allow"), .chat = -200}));
    EXPECT_EQ(last_answer(), "This button does not work here.");
    EXPECT_TRUE(forwarded().empty());
}

TEST_F(TelegramWorld, I5_AReplayedUpdateHasNoEffectAtAll) {
    begin();
    ask();
    const auto again = click({.update = 5, .from = 99, .data = button("Allow")});
    push(again);
    push(again);
    EXPECT_EQ(http.of("answerCallbackQuery").size(), 1U);
    EXPECT_EQ(world->ledger.count("refused"), 1U);
    EXPECT_EQ(confirmed.back(), 6);
}

TEST_F(TelegramWorld, I5_AnUpdateOfTheLastRunIsNotHandledAgain) {
    begin();
    ask();
    const auto data = button("Allow");
    TelegramOptions options;
    options.name = "chat";
    options.token = security::Secret{token};
    options.mode = Mode::webhook;
    options.secrets.present = security::Secret{std::string_view{"a-webhook-secret_0123456789"}};
    options.handled = {"5"};
    auto next = Telegram::open(world->io.get_executor(), std::move(options), ports.of(*world, http));
    ASSERT_TRUE(next);
    InboundMessage delivery{.headers = {{"X-Telegram-Bot-Api-Secret-Token", "a-webhook-secret_0123456789"}},
                            .body = click({.update = 5, .data = data}).dump(),
                            .arrived = world->clock.boot()};
    unsigned status = 0;
    boost::asio::co_spawn(world->io, (*next)->webhook()->handle(delivery),
                          [&](const std::exception_ptr&, const countersign::Reply& reply) { status = reply.status; });
    world->settle();
    EXPECT_EQ(status, 200U);
    EXPECT_TRUE(forwarded().empty());
    EXPECT_TRUE(http.of("answerCallbackQuery").empty());
}

TEST_F(TelegramWorld, I16_ATapThatWaitedWhileNobodyPolledIsLateAndShownAgain) {
    begin();
    ask();
    const auto data = button("Allow");
    http.will("getUpdates", Error{Errc::unavailable, "network is down"});
    http.release();
    world->settle();
    world->clock.advance(limits::polling_gap_max + 1s);
    http.push(click({.update = 5, .data = data}));
    world->settle();
    EXPECT_TRUE(forwarded().empty());
    EXPECT_TRUE(last_answer().starts_with("Your tap arrived too late"));
    ASSERT_EQ(http.of("sendMessage").size(), 2U) << "the card is shown again";
    ASSERT_EQ(http.of("editMessageReplyMarkup").size(), 1U) << "and the old one loses its buttons";
    EXPECT_EQ(http.of("editMessageReplyMarkup")[0]["message_id"], 42);

    // An old allow leads to the new card, an old deny counts.
    push(click({.update = 6, .data = data}));
    EXPECT_EQ(last_answer(), "This card was replaced by a newer one below. Look there.");
    EXPECT_TRUE(forwarded().empty());
    tap("Allow", 77, -100, 43);
    ASSERT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(http.of("editMessageText").size(), 2U) << "both cards say how it ended";
}

TEST_F(TelegramWorld, I16_ADenyCountsHoweverLateItIs) {
    begin();
    ask();
    const auto data = button("Deny");
    http.will("getUpdates", Error{Errc::unavailable, "network is down"});
    http.release();
    world->settle();
    world->clock.advance(limits::polling_gap_max + 1s);
    http.push(click({.update = 5, .data = data}));
    world->settle();
    ASSERT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(forwarded()[0].outcome, Outcome::denied);
}

TEST_F(TelegramWorld, I16_ATypedAllowHasItsOwnTime) {
    begin();
    const auto id = ask();
    push(message({.update = 5, .text = "/approve " + code(id), .date = 1763258400 - 301}));
    EXPECT_TRUE(forwarded().empty());
    EXPECT_TRUE(http.of("sendMessage")[1]["text"].get<std::string>().starts_with("Your tap arrived too late"));
    EXPECT_TRUE(last_text().starts_with("Approval")) << "shown again, as soon as its new buttons are on record";
    type("/approve " + code(id));
    EXPECT_EQ(forwarded().size(), 1U);
}

TEST_F(TelegramWorld, I3_WhoComesSecondHearsWhoWasFirst) {
    begin();
    const auto id = ask();
    const auto data = button("Allow");
    tap("Deny");
    world->advance(12s);
    push(click({.update = 500, .from = 78, .data = data}));
    EXPECT_EQ(last_answer(), "Too late. Denied by alice on chat, 12 s ago");
    type("/approve " + code(id), 78);
    EXPECT_NE(last_text().find("Denied by alice on chat, 12 s ago"), std::string::npos);
    EXPECT_EQ(forwarded().size(), 1U);
}

TEST_F(TelegramWorld, AWithdrawnRequestIsSaidToBeSo) {
    begin();
    const auto id = ask();
    world->hub.asking().withdraw(id, world->agent, "the agent moved on");
    world->settle();
    EXPECT_NE(last_text("editMessageText").find("Withdrawn"), std::string::npos);
    EXPECT_TRUE(http.of("editMessageText")[0]["reply_markup"]["inline_keyboard"].empty());
}

TEST_F(TelegramWorld, WhatEndsBeforeItWasSentIsNeverSent) {
    begin();
    http.will("sendMessage", Error{Errc::unavailable, "network is down"});
    const auto id = ask();
    world->hub.asking().withdraw(id, world->agent, "the agent moved on");
    world->settle();
    world->advance(2min);
    EXPECT_EQ(http.of("sendMessage").size(), 1U);
    EXPECT_TRUE(http.of("editMessageText").empty());
}

TEST_F(TelegramWorld, WhatEndsWhileItIsSentIsEditedAfterItLanded) {
    begin();
    http.hold(true);
    const auto id = ask();
    ASSERT_EQ(http.of("sendMessage").size(), 1U);
    world->hub.asking().withdraw(id, world->agent, "the agent moved on");
    world->settle();
    EXPECT_TRUE(http.of("editMessageText").empty());
    http.hold(false);
    world->settle();
    ASSERT_EQ(http.of("editMessageText").size(), 1U);
    EXPECT_EQ(http.of("editMessageText")[0]["message_id"], 42);
}

TEST_F(TelegramWorld, I11_TooManyCallsWaitAsLongAsTelegramSays) {
    begin();
    http.will("sendMessage", FakeTelegram::refused(429, "Too Many Requests: retry after 7", {{"retry_after", 7}}));
    ask();
    world->advance(6'999ms);
    EXPECT_EQ(http.of("sendMessage").size(), 1U);
    world->advance(1ms);
    EXPECT_EQ(http.of("sendMessage").size(), 2U);
    tap("Allow");
    EXPECT_EQ(forwarded().size(), 1U);
}

TEST_F(TelegramWorld, I11_TooManyCallsWithoutATimeOrWithNoneWaitForOurOwn) {
    for (const auto& parameters : {Json{{"retry_after", 0}}, Json{}}) {
        begin();
        for (int i = 0; i < 50; ++i)
            http.will("sendMessage", FakeTelegram::refused(429, "Too Many Requests", parameters));
        const auto before = http.of("sendMessage").size();
        ask();
        EXPECT_EQ(http.of("sendMessage").size(), before + 1) << parameters.dump();
        world->advance(limits::outbox_backoff_first / 2 - 1ms);
        EXPECT_EQ(http.of("sendMessage").size(), before + 1) << parameters.dump();
        world->advance(limits::outbox_backoff_first);
        EXPECT_EQ(http.of("sendMessage").size(), before + 2) << parameters.dump();
        http.answers.clear();
        TearDown();
    }
}

TEST_F(TelegramWorld, I11_AGroupThatMovesInACircleIsUndeliverable) {
    begin();
    for (int i = 0; i < 50; ++i) {
        http.will("sendMessage", FakeTelegram::refused(400, "Bad Request: group chat was upgraded to a supergroup chat",
                                                       {{"migrate_to_chat_id", i % 2 == 0 ? -1009 : -100}}));
    }
    ask();
    EXPECT_EQ(http.of("sendMessage").size(), 2U);
    ASSERT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(forwarded()[0].outcome, Outcome::undeliverable);
    EXPECT_NE(world->ledger.text("dead_letter", "why").find("in a circle"), std::string::npos);
    EXPECT_EQ(moved, (std::vector<std::pair<std::string, std::string>>{{"-100", "-1009"}})) << "no circle is kept";
}

TEST_F(TelegramWorld, AGroupThatMovedIsFollowedAndItsButtonsStillWork) {
    begin();
    http.will("sendMessage", FakeTelegram::refused(400, "Bad Request: group chat was upgraded to a supergroup chat",
                                                   {{"migrate_to_chat_id", -1009}}));
    const auto id = ask();
    ASSERT_EQ(http.of("sendMessage").size(), 2U);
    EXPECT_EQ(http.of("sendMessage")[1]["chat_id"], -1009);
    EXPECT_EQ(moved, (std::vector<std::pair<std::string, std::string>>{{"-100", "-1009"}}));
    push(click({.update = 1, .from = 99, .data = button("Allow"), .chat = -1009}));
    EXPECT_TRUE(last_answer().starts_with("You may not")) << "the button is known";
    type("/approve " + code(id), 77, -1009);
    EXPECT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(http.of("editMessageText")[0]["chat_id"], -1009);
}

class TelegramOfOneGroup : public TelegramWorld {
protected:
    void adjust(TelegramOptions& options) override {
        options.is_used = [](const std::string& chat) { return chat == "-100"; };
    }
};

TEST_F(TelegramOfOneGroup, TheMessageThatAGroupMovedIsFollowedBeforeASendFails) {
    begin();
    const auto move = [](std::int64_t update, std::int64_t chat, const char* member, std::int64_t other) {
        return Json{
            {"update_id", update},
            {"message",
             {{"message_id", update}, {"date", 1}, {"chat", {{"id", chat}, {"type", "group"}}}, {member, other}}}};
    };
    push(move(1, -555, "migrate_to_chat_id", -1005));
    push(move(5, -100, "migrate_to_chat_id", 666));
    EXPECT_TRUE(moved.empty()) << "a group that nobody named";
    push(move(2, -100, "migrate_to_chat_id", -1009));
    push(move(3, -1009, "migrate_from_chat_id", -100));
    EXPECT_EQ(moved, (std::vector<std::pair<std::string, std::string>>{{"-100", "-1009"}})) << "once";
    ask();
    ASSERT_EQ(http.of("sendMessage").size(), 1U);
    EXPECT_EQ(http.of("sendMessage")[0]["chat_id"], -1009);
    push(move(4, -1009, "migrate_to_chat_id", -100));
    EXPECT_EQ(moved.size(), 1U) << "not in a circle";
}

TEST_F(TelegramWorld, I11_ABlockedBotFailsOverToTheNextStep) {
    auto configuration = telegram_configuration();
    configuration.routes.front().steps.push_back({.after = 5min, .channel = "pager", .chat = "p"});
    begin(configuration);
    http.will("sendMessage", FakeTelegram::refused(403, "Forbidden: bot was blocked by the user"));
    ask();
    EXPECT_EQ(world->pager.presented.size(), 1U) << "at once, not after five minutes";
    EXPECT_NE(world->ledger.text("dead_letter", "why").find("blocked by the user"), std::string::npos);
}

TEST_F(TelegramWorld, I7_ALongTextIsAFileFirstAndTheCardFollows) {
    begin();
    http.hold(true);
    const auto id = ask("echo " + std::string(5000, 'x') + " && rm -rf /");
    ASSERT_EQ(http.methods().back(), "sendDocument");
    EXPECT_TRUE(http.of("sendMessage").empty()) << "no card before the file was delivered";
    const auto document = http.of("sendDocument")[0];
    EXPECT_NE(document["document"].get<std::string>().find("&& rm -rf /"), std::string::npos);
    http.hold(false);
    world->settle();
    ASSERT_EQ(http.of("sendMessage").size(), 1U);
    const auto digest = security::hex(security::sha256(document["document"].get<std::string>()));
    EXPECT_NE(last_text().find(digest), std::string::npos);
    tap("Allow", 77, -100, 43);
    ASSERT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(forwarded()[0].request_id, id);
}

TEST_F(TelegramWorld, I7_WithoutTheFileThereIsNoAllow) {
    begin();
    http.will("sendDocument",
              FakeTelegram::refused(400, "Bad Request: not enough rights to send documents to the chat"));
    const auto id = ask("echo " + std::string(5000, 'x'));
    ASSERT_EQ(http.of("sendMessage").size(), 1U);
    EXPECT_EQ(button("Allow"), "");
    EXPECT_NE(button("Deny"), "");
    type("/approve " + code(id));
    EXPECT_NE(last_text().find("whole text was not delivered here"), std::string::npos);
    const auto genuine = *keys.tokens.mint({.request_id = id, .option = 0}, {"chat", "-100"});
    push(click({.update = 9, .data = genuine}));
    EXPECT_TRUE(last_answer().starts_with("The whole text was not delivered here"));
    EXPECT_TRUE(forwarded().empty());
    tap("Deny");
    EXPECT_EQ(forwarded().size(), 1U);
}

TEST_F(TelegramWorld, I7_AnAllowIsTypedOnlyWhereTheWholeTextWasShown) {
    auto configuration = telegram_configuration();
    configuration.routes.front().steps.push_back({.channel = "chat", .people = {"alice"}});
    begin(configuration);
    http.will("sendDocument",
              FakeTelegram::refused(400, "Bad Request: not enough rights to send documents to the chat"));
    const auto id = ask("echo " + std::string(5000, 'x'));
    ASSERT_EQ(http.of("sendMessage").size(), 2U);
    type("/approve " + code(id));
    EXPECT_TRUE(forwarded().empty()) << "the channel showed it, this chat did not";
    type("/approve " + code(id, "77"), 77, 77);
    EXPECT_EQ(forwarded().size(), 1U);
}

TEST_F(TelegramWorld, I16_VotesDoNotGiveAnOldCardItsButtonsBack) {
    auto configuration = telegram_configuration();
    configuration.routes.front().required = 2;
    begin(configuration);
    const auto id = ask();
    push(message({.update = 5, .text = "/approve " + code(id), .date = 1763258400 - 301}));
    ASSERT_EQ(http.of("editMessageReplyMarkup").size(), 1U);
    tap("Allow", 77, -100, 44);
    ASSERT_EQ(http.of("editMessageText").size(), 1U);
    EXPECT_EQ(http.of("editMessageText")[0]["message_id"], 44);
}

TEST_F(TelegramWorld, I7_AFileThatMustBeTriedAgainHoldsTheCardBack) {
    begin();
    http.will("sendDocument", Error{Errc::timeout, "no answer"});
    ask("echo " + std::string(5000, 'x'));
    EXPECT_TRUE(http.of("sendMessage").empty());
    world->advance(1s);
    EXPECT_EQ(http.of("sendDocument").size(), 2U);
    EXPECT_EQ(http.of("sendMessage").size(), 1U);
}

TEST_F(TelegramWorld, WhoGotTheFileAloneHearsHowItEnded) {
    begin();
    http.will("sendMessage", Error{Errc::unavailable, "network is down"});
    const auto id = ask("echo " + std::string(5000, 'x'));
    world->hub.asking().withdraw(id, world->agent, "the agent moved on");
    world->settle();
    world->advance(2s);
    const auto last = http.of("sendMessage").back();
    EXPECT_EQ(last["reply_parameters"]["message_id"], 42);
    EXPECT_NE(last["text"].get<std::string>().find("Withdrawn"), std::string::npos);
}

TEST_F(TelegramWorld, WhoGotTheFileAloneHearsItInTheLanguageOfTheChat) {
    auto configuration = telegram_configuration();
    configuration.routes.front().language = "de";
    begin(configuration);
    http.will("sendMessage", Error{Errc::unavailable, "network is down"});
    const auto id = ask("echo " + std::string(5000, 'x'));
    EXPECT_TRUE(http.of("sendDocument")[0]["caption"].get<std::string>().starts_with("Der ganze Text"));
    world->hub.asking().withdraw(id, world->agent, "the agent moved on");
    world->settle();
    world->advance(2s);
    const std::string text = http.of("sendMessage").back()["text"];
    EXPECT_NE(text.find(pattern(language_of("de"), Key::withdrawn)), std::string::npos) << text;
}

TEST_F(TelegramWorld, ATapMayOvertakeTheAnswerToOurOwnCall) {
    begin();
    http.hold(true);
    ask();
    tap("Allow");
    ASSERT_EQ(forwarded().size(), 1U) << "the button is there, so the card was delivered";
    EXPECT_EQ(world->ledger.count("presented"), 1U);
    http.hold(false);
    world->settle();
    EXPECT_EQ(world->ledger.count("presented"), 1U);
    EXPECT_EQ(http.of("editMessageText").size(), 1U);
}

TEST_F(TelegramWorld, ACardThatWasSentTwiceIsEditedTwice) {
    begin();
    http.will("sendMessage", Error{Errc::timeout, "no answer"});  // it arrived as 40, and we were not told
    ask();
    world->advance(1s);
    ASSERT_EQ(http.of("sendMessage").size(), 2U);
    tap("Deny", 77, -100, 40);
    EXPECT_EQ(forwarded().size(), 1U);
    ASSERT_EQ(http.of("editMessageText").size(), 2U);
    EXPECT_EQ(http.of("editMessageText")[0]["message_id"], 42);
    EXPECT_EQ(http.of("editMessageText")[1]["message_id"], 40);
    EXPECT_EQ(world->ledger.count("presented"), 2U) << "a restart finds both";
    EXPECT_EQ(world->ledger.count("concluded"), 2U);
}

TEST_F(TelegramWorld, I13_OneDoubleTooManyIsNotEdited) {
    auto configuration = telegram_configuration();
    configuration.routes.front().deciders = {"alice"};  // the others are known, and decide nothing here
    begin(configuration);
    constexpr auto too_many = limits::chat_doubles_max + 1;
    for (std::size_t i = 0; i < too_many; ++i) http.will("sendMessage", Error{Errc::timeout, "no answer"});
    ask();
    for (std::size_t i = 0; i < too_many; ++i) world->advance(limits::outbox_backoff_max);
    ASSERT_EQ(http.of("sendMessage").size(), too_many + 1);
    const auto data = button("Allow");
    for (std::size_t i = 0; i < too_many; ++i) {
        const auto number = static_cast<std::int64_t>(1000 + i);
        push(click({.update = number, .from = 79, .data = data, .message = number}));
    }
    tap("Deny");
    world->advance(1min);
    EXPECT_EQ(http.of("editMessageText").size(), 1 + limits::chat_doubles_max);
}

TEST_F(TelegramWorld, I12_Incident_hermes_100408_OldButtonsAreAnsweredAndLeadToTheNewOnes) {
    begin();
    auto request = countersign::fakes::shell_request(world->ids.next());
    const auto old_button = [&](std::uint8_t option) {
        return *keys.tokens.mint({.verb = security::ButtonVerb::decide, .request_id = request.id, .option = option},
                                 {.channel = "chat", .chat = "-100"});
    };
    const auto tap_old = [&](std::uint8_t option) {
        push(click({.update = ++last_update, .from = 77, .data = old_button(option), .chat = -100, .message = 7}));
    };
    world->hub.await_orphans({{.id = request.id,
                               .agent_id = request.agent_id,
                               .args_hash = request.args_hash.hex,
                               .native_key = request.native_key,
                               .route = "all",
                               .asked = world->clock.boot(),
                               .shown = {{{"chat", "-100", "", "7"}, 0}}}});
    world->settle();
    EXPECT_EQ(http.of("editMessageText").back()["message_id"], 7);
    EXPECT_NE(last_text("editMessageText").find("Hub restarted, waiting for the agent"), std::string::npos);
    for (const auto option : {std::uint8_t{0}, std::uint8_t{2}}) {
        tap_old(option);
        EXPECT_NE(last_answer().find("The hub restarted and is waiting for the agent"), std::string::npos);
    }
    EXPECT_EQ(world->ledger.count("decision"), 0U);

    ask(request);
    EXPECT_NE(last_text().find("shown again after a restart"), std::string::npos);
    EXPECT_EQ(http.of("editMessageText").back()["message_id"], 7);
    EXPECT_NE(last_text("editMessageText").find("continued in a newer message"), std::string::npos);
    tap_old(0);
    EXPECT_EQ(last_answer(), "This card was replaced by a newer one below. Look there.");
    EXPECT_EQ(world->ledger.count("decision"), 0U);
    tap("Allow");
    ASSERT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(forwarded()[0].outcome, Outcome::allowed);
    tap_old(2);
    EXPECT_NE(last_answer().find("Allowed by alice"), std::string::npos);
}

TEST_F(TelegramWorld, I12_WhatItsAgentDoesNotAskAgainSaysThatItWasNotRun) {
    begin();
    world->hub.await_orphans({{.id = world->ids.next(), .asked = {}, .shown = {{{"chat", "-100", "", "7"}, 0}}}});
    world->settle();
    world->advance(limits::orphan_wait_max);
    EXPECT_EQ(http.of("editMessageText").back()["message_id"], 7);
    EXPECT_NE(last_text("editMessageText").find("not run, please retry"), std::string::npos);
}

TEST_F(TelegramWorld, VotesAreShownOnTheCard) {
    auto configuration = telegram_configuration();
    configuration.routes.front().required = 2;
    begin(configuration);
    ask();
    tap("Allow", 77);
    EXPECT_TRUE(forwarded().empty());
    EXPECT_NE(last_text("editMessageText").find("1 of 2: alice"), std::string::npos);
    EXPECT_EQ(last_answer(), "Your vote is recorded: 1 of 2. Still needed: 1.");
    tap("Allow", 77);
    EXPECT_EQ(last_answer(), "Your vote was already recorded; another person must vote too.");
    tap("Allow", 78);
    ASSERT_EQ(forwarded().size(), 1U);
    EXPECT_TRUE(last_answer().starts_with("Allowed. Record ")) << last_answer();
    EXPECT_NE(last_text("editMessageText").find("Allowed"), std::string::npos);
}

TEST_F(TelegramWorld, PeopleAreWrittenToDirectly) {
    auto configuration = telegram_configuration();
    configuration.routes.front().steps = {{.channel = "chat", .people = {"alice", "bob"}}};
    begin(configuration);
    ask();
    ASSERT_EQ(http.of("sendMessage").size(), 2U);
    EXPECT_EQ(http.of("sendMessage")[0]["chat_id"], 77);
    EXPECT_EQ(http.of("sendMessage")[1]["chat_id"], 78);
    EXPECT_EQ(world->ledger.count("presented"), 2U) << "after a restart each of them is found again (I12)";
    tap("Allow", 78, 78, 43);
    EXPECT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(http.of("editMessageText").size(), 2U) << "both cards say how it ended";
    EXPECT_EQ(world->ledger.count("concluded"), 2U);
}

TEST_F(TelegramWorld, I7_WhatOnePersonGotSaysNothingAboutWhatAnotherGot) {
    auto configuration = telegram_configuration();
    configuration.routes.front().steps = {{.channel = "chat", .people = {"alice", "bob"}}};
    begin(configuration);
    http.will("sendDocument", FakeTelegram::refused(400, "Bad Request: not enough rights to send documents"));
    const auto id = ask("echo " + std::string(5000, 'x'));
    const auto genuine = *keys.tokens.mint({.request_id = id, .option = 0}, {"chat", "77"});
    std::size_t on_the_card = 0;
    for (const std::int64_t message : {42, 43, 44}) {  // one of them is alice's card
        push(click({.update = ++last_update, .data = genuine, .chat = 77, .message = message}));
        if (last_answer().starts_with("The whole text was not delivered here")) ++on_the_card;
    }
    EXPECT_EQ(on_the_card, 1U);
    EXPECT_TRUE(forwarded().empty());
    type("/approve " + code(id, "78"), 78, 78);
    EXPECT_EQ(forwarded().size(), 1U) << "bob got everything";
}

TEST_F(TelegramWorld, I11_OnePersonWhoIsNotReachedIsADeadLetterAndDoesNotStopTheOthers) {
    auto configuration = telegram_configuration();
    configuration.routes.front().steps = {{.channel = "chat", .people = {"alice", "bob"}}};
    begin(configuration);
    http.will("sendMessage", FakeTelegram::refused(403, "Forbidden: bot was blocked by the user"));
    ask();
    EXPECT_EQ(world->ledger.count("dead_letter"), 1U);
    EXPECT_NE(world->ledger.text("dead_letter", "why").find("blocked"), std::string::npos);
    EXPECT_EQ(world->ledger.count("presented"), 1U);
}

TEST_F(TelegramWorld, AStepThatNamesNobodyOfTelegramIsUndeliverable) {
    auto configuration = telegram_configuration();
    configuration.routes.front().steps = {{.channel = "chat", .people = {"nobody"}}};
    begin(configuration);
    ask();
    EXPECT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(forwarded()[0].outcome, Outcome::undeliverable);
}

TEST_F(TelegramWorld, I11_AClickIsAnsweredInTimeAlsoWhenTheLogIsSlow) {
    begin();
    ask();
    world->ledger.hold(true);
    tap("Allow");
    EXPECT_EQ(last_answer(), "");
    world->advance(limits::telegram_answer_max);
    EXPECT_TRUE(last_answer().starts_with("Working on it"));
    world->ledger.hold(false);
    world->settle();
    EXPECT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(http.of("answerCallbackQuery").size(), 1U) << "exactly once";
}

TEST_F(TelegramWorld, AnUpdateIsConfirmedOnlyAfterItWasHandled) {
    begin();
    ask();
    world->ledger.hold(true);
    tap("Allow");
    EXPECT_TRUE(confirmed.empty());
    world->ledger.hold(false);
    world->settle();
    EXPECT_EQ(confirmed, std::vector<std::int64_t>{102});
}

TEST_F(TelegramWorld, AQuestionOfOneChoiceIsAnsweredByOneTap) {
    begin();
    auto request = question_request(world->ids.next());
    std::get<Questionnaire>(request.body).questions.resize(1);
    ask(std::move(request));
    tap("2. B");
    ASSERT_EQ(forwarded().size(), 1U);
    EXPECT_NE(last_text("editMessageText").find("answer: B\n"), std::string::npos);
    EXPECT_EQ(forwarded()[0].answers, (std::vector<Answer>{{"q1", {"B"}, ""}}));
}

TEST_F(TelegramWorld, AQuestionIsAnsweredByAReplyToItsCard) {
    begin();
    auto request = question_request(world->ids.next());
    std::get<Questionnaire>(request.body).questions.resize(1);
    ask(std::move(request));
    type("something else", 77, -100, 42);
    ASSERT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(forwarded()[0].answers, (std::vector<Answer>{{"q1", {}, "something else"}}));
}

TEST_F(TelegramWorld, SeveralQuestionsAreGatheredUntilSubmit) {
    auto configuration = telegram_configuration();
    configuration.routes.front().steps = {{.channel = "chat", .people = {"alice"}}};
    begin(configuration);
    const auto id = ask(question_request(world->ids.next()));
    tap("1.1. A", 77, 77);
    EXPECT_TRUE(forwarded().empty());
    EXPECT_EQ(last_answer(), "Chosen: 1. A. Tap Submit when you are done.");
    EXPECT_EQ(text_of_button(http.of("editMessageReplyMarkup").back(), 0, 0), "✓ 1.1. A");
    tap("Submit", 77, 77);
    EXPECT_EQ(last_answer(), "Not submitted: question 2 has no answer yet.");
    type("answer " + code(id, "77") + " 2 hunter2", 77, 77);
    EXPECT_EQ(last_text(), "Noted. Tap Submit on the card when you are done.");
    tap("Submit", 77, 77);
    ASSERT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(forwarded()[0].answers, (std::vector<Answer>{{"q1", {"A"}, ""}, {"q2", {}, "hunter2"}}));
    for (const auto& call : http.calls) EXPECT_EQ(call.body.dump().find("hunter2"), std::string::npos);
    EXPECT_NE(last_text("editMessageText").find("answer: 1. A; 2. given\n"), std::string::npos);
}

TEST_F(TelegramWorld, ASecretIsNotTakenWhereOthersRead) {
    begin();
    const auto id = ask(question_request(world->ids.next()));
    type("/answer " + code(id) + " 2 hunter2");
    EXPECT_TRUE(last_text().starts_with("Everyone here can read that"));
    EXPECT_EQ(last_text().find("hunter2"), std::string::npos);
}

TEST_F(TelegramWorld, AQuestionIsCancelled) {
    begin();
    ask(question_request(world->ids.next()));
    tap("Cancel");
    ASSERT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(forwarded()[0].outcome, Outcome::cancelled);
}

TEST_F(TelegramWorld, MoreListsOnlyWhatIsOffered) {
    begin();
    auto request = shell_request(world->ids.next());
    auto& options = std::get<Approval>(request.body).options;
    options[0].detail = std::string(100, 'd');
    options.push_back({.option_id = "amend", .label = "Amend", .detail = "changes all", .effect = Effect::allow});
    options.back().scope = Scope::always;
    options.back().exact_call = false;
    const auto id = ask(std::move(request));
    type("/more " + code(id));
    const std::string file = http.of("sendDocument").back()["document"];
    EXPECT_NE(file.find("option Allow:"), std::string::npos);
    EXPECT_EQ(file.find("Amend"), std::string::npos);
}

TEST_F(TelegramWorld, ARequestThatExpiresSaysItOnce) {
    begin();
    auto request = shell_request(world->ids.next());
    request.timeout = 8s;
    ask(std::move(request));
    world->advance(8s);
    const auto text = last_text("editMessageText");
    EXPECT_NE(text.find("no approver decided in time"), std::string::npos);
    EXPECT_EQ(text.find("no approver decided in time"), text.rfind("no approver decided in time")) << text;
}

TEST_F(TelegramWorld, MoreSendsTheWholeTextToKnownPeople) {
    begin();
    const auto id = ask("ls -l");
    type("/more " + code(id), 99);
    EXPECT_TRUE(http.of("sendDocument").empty());
    type("/more " + code(id));
    ASSERT_EQ(http.of("sendDocument").size(), 1U);
    EXPECT_NE(http.of("sendDocument")[0]["document"].get<std::string>().find("ls -l"), std::string::npos);
}

TEST_F(TelegramWorld, TheFileThatIsAskedForIsInTheLanguageOfTheChat) {
    auto configuration = telegram_configuration();
    configuration.routes.front().language = "de";
    begin(configuration);
    const auto id = ask("ls -l");
    type("/more " + code(id));
    ASSERT_EQ(http.of("sendDocument").size(), 1U);
    EXPECT_TRUE(http.of("sendDocument")[0]["caption"].get<std::string>().starts_with("Der ganze Text"));
}

TEST_F(TelegramWorld, EveryClickIsAnsweredExactlyOnce) {
    begin();
    ask();
    const auto good = button("Deny");
    auto inaccessible = click({.update = 1, .data = good, .message = 9});
    inaccessible["callback_query"]["message"].erase("from");
    auto inlined = click({.update = 2, .data = good});
    inlined["callback_query"].erase("message");
    auto bot = click({.update = 3, .data = good});
    bot["callback_query"]["from"]["is_bot"] = true;
    auto foreign = click({.update = 4, .data = good});
    foreign["callback_query"]["message"]["from"]["id"] = 5;
    auto empty = click({.update = 5, .data = ""});
    for (const auto& update : {inaccessible, inlined, bot, foreign, empty}) push(update);
    EXPECT_EQ(http.of("answerCallbackQuery").size(), 5U);
    EXPECT_TRUE(forwarded().empty());
    auto ours = click({.update = 6, .data = good, .message = 42});
    ours["callback_query"]["message"].erase("from");
    push(ours);
    EXPECT_EQ(forwarded().size(), 1U) << "a message that Telegram no longer shows, and that we know";
    std::set<std::string> queries;
    for (const auto& answer : http.of("answerCallbackQuery")) queries.insert(answer["callback_query_id"]);
    EXPECT_EQ(queries.size(), 6U);
}

TEST_F(TelegramWorld, TheLastEditsGoOutBeforeTheEnd) {
    begin();
    ask();
    world->stop();
    EXPECT_NE(last_text("editMessageText").find("Lost"), std::string::npos);
}

struct Heard final : Deliveries {
    void delivered(DeliveryId /*id*/, MessageRef /*ref*/, bool /*whole*/) override {}
    void bounced(DeliveryId, std::string) override {}
    void undeliverable(DeliveryId id, std::string why) override { failed.emplace_back(id, std::move(why)); }
    void delayed(DeliveryId /*id*/, std::string /*why*/) override {}
    void given_up(DeadLetter /*letter*/) override {}
    void also_delivered(DeliveryId /*id*/, MessageRef /*ref*/) override {}
    void concluded(DeliveryId /*id*/) override {}
    std::vector<std::pair<DeliveryId, std::string>> failed;
};

TEST(TelegramBounds, I13_OneCardTooManyIsUndeliverable) {
    countersign::fakes::World world;
    FakeTelegram http;
    channels::fakes::TestPorts ports;
    Heard heard;
    TelegramOptions options;
    options.token = security::Secret{token};
    auto telegram = Telegram::open(world.io.get_executor(), std::move(options), ports.of(world, http, heard));
    ASSERT_TRUE(telegram);
    http.hold(true);
    const auto present = [&](DeliveryId id) {
        Presentation presentation;
        presentation.id = id;
        presentation.request = std::make_shared<const Request>(shell_request(world.ids.next()));
        presentation.to.chat = "-100";
        (*telegram)->chat().present(std::move(presentation));
        world.settle();
    };
    for (DeliveryId id = 1; id <= limits::chat_cards_max; ++id) present(id);
    EXPECT_TRUE(heard.failed.empty());
    present(limits::chat_cards_max + 1);
    ASSERT_EQ(heard.failed.size(), 1U);
    EXPECT_EQ(heard.failed[0].first, limits::chat_cards_max + 1);
    bool stopped = false;
    boost::asio::co_spawn(world.io, (*telegram)->stop(), [&](const std::exception_ptr&) { stopped = true; });
    world.settle();
    world.advance(limits::telegram_stop_max);
    EXPECT_TRUE(stopped);
}

TEST(TelegramStart, I2_ABadTokenOrSecretRefusesToStartAndSaysWhy) {
    countersign::fakes::World world;
    FakeTelegram http;
    channels::fakes::TestPorts ports;
    const auto open = [&](std::string_view with_token, std::optional<std::string_view> secret, Mode mode) {
        TelegramOptions options;
        options.token = security::Secret{with_token};
        options.mode = mode;
        if (secret) options.secrets.present = security::Secret{*secret};
        return Telegram::open(world.io.get_executor(), std::move(options), ports.of(world, http));
    };
    for (const auto* bad : {"", " ", "hello", "123456789", ":AAFakeTokenOfTheTests", "12:ab",
                            "123456789:AAF ake/Token?x", "x23456789:AAFakeTokenOfTheTestsAlone"}) {
        const auto opened = open(bad, std::nullopt, Mode::poll);
        ASSERT_FALSE(opened) << bad;
        EXPECT_EQ(opened.error().code, Errc::missing_secret);
        EXPECT_NE(opened.error().detail.find("BotFather"), std::string::npos);
    }
    EXPECT_EQ(open(token, std::nullopt, Mode::webhook).error().code, Errc::missing_secret);
    for (const auto* weak : {"", "short", "has blanks in it, and is long"}) {
        EXPECT_EQ(open(token, weak, Mode::webhook).error().code, Errc::missing_secret) << weak;
    }
    EXPECT_TRUE(open(token, std::nullopt, Mode::poll));
    EXPECT_TRUE(open(token, "a-webhook-secret_0123456789", Mode::webhook));
}

TEST_F(TelegramWorld, I2_ATokenThatTelegramDoesNotKnowMakesEverythingUndeliverable) {
    http.will("getMe", FakeTelegram::refused(401, "Unauthorized"));
    begin();
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_NE(problems[0].find("BotFather"), std::string::npos);
    ask();
    EXPECT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(forwarded()[0].outcome, Outcome::undeliverable);
}

TEST_F(TelegramWorld, I11_OneAnswerAboutTheTokenIsDoubtedAndTheCardIsSentAgain) {
    begin();
    http.will("sendMessage", FakeTelegram::refused(401, "Unauthorized"));
    ask();
    world->advance(2s);
    EXPECT_EQ(http.of("getMe").size(), 2U) << "at the start, and in doubt";
    tap("Allow");
    EXPECT_EQ(forwarded().size(), 1U);
}

TEST_F(TelegramWorld, I11_ATokenThatGetMeDoesNotKnowEitherEndsTheChannel) {
    begin();
    http.will("getMe", FakeTelegram::refused(401, "Unauthorized"));
    for (int i = 0; i < 2; ++i) http.will("sendMessage", FakeTelegram::refused(401, "Unauthorized"));
    ask();
    world->advance(2s);
    ASSERT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(forwarded()[0].outcome, Outcome::undeliverable);
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_NE(problems[0].find("new token"), std::string::npos);
}

TEST_F(TelegramWorld, TelegramMayBeAwayAtTheStart) {
    for (int i = 0; i < 2; ++i) http.will("getMe", Error{Errc::unavailable, "network is down"});
    begin();
    EXPECT_TRUE(http.polls().empty());
    world->advance(1s);
    EXPECT_EQ(problems,
              std::vector<std::string>{"chat: Telegram was not reached, and is tried again: network is down"});
    world->advance(2s);
    EXPECT_EQ(http.polls().size(), 2U) << "once for what waited, then for what comes";
    ASSERT_EQ(problems.size(), 2U);
    EXPECT_EQ(problems[1], "chat: Telegram is back again");
}

TEST_F(TelegramWorld, ItIsNotReadyWhileNoUpdatesComeIn) {
    begin();
    world->advance(limits::polling_gap_max);
    EXPECT_TRUE(telegram->unready().empty());
    world->advance(1ms);
    EXPECT_EQ(telegram->unready(), std::vector<std::string>{"chat: no updates of Telegram came in for 2 min"});
    http.release();
    world->settle();
    EXPECT_TRUE(telegram->unready().empty());
}

TEST_F(TelegramWorld, ItIsNotReadyWithoutABot) {
    http.will("getMe", FakeTelegram::refused(401, "Unauthorized"));
    begin();
    EXPECT_EQ(telegram->unready(), std::vector<std::string>{"chat: Telegram knows no bot with this token"});
}

TEST_F(TelegramWorld, AWebhookMayBeQuietForAsLongAsNobodyTaps) {
    begin(telegram_configuration(), Mode::webhook);
    world->advance(1h);
    EXPECT_TRUE(telegram->unready().empty());
}

TEST_F(TelegramWorld, AtTheEndNothingMoreIsTakenAndWhatWasIsAnsweredAndEdited) {
    begin();
    ask("one");
    const auto second = ask("two");
    world->ledger.hold(true);
    tap("Deny", 77, -100, 43);
    telegram->stop_listening();
    push(message({.update = 500, .text = "/approve " + code(second), .date = 1763258400}));
    world->ledger.hold(false);
    world->settle();
    ASSERT_EQ(forwarded().size(), 1U) << "what was taken is decided";
    EXPECT_EQ(forwarded()[0].outcome, Outcome::denied);
    EXPECT_TRUE(last_answer().starts_with("Denied. Record "));
    EXPECT_TRUE(confirmed.empty()) << "what was not taken comes again at the next start";
    world->stop();
    EXPECT_EQ(http.of("editMessageText").size(), 2U);
    EXPECT_NE(last_text("editMessageText").find("Lost"), std::string::npos);
}

TEST_F(TelegramWorld, AnAnnouncementWaitsBehindWhatPeopleAreAsked) {
    begin();
    std::vector<Result<MessageRef>> heard;
    const auto announce = [&] {
        world->hub.announce("chat", {.to = {.chat = "-100", .principal = {}}, .heading = "# h", .exact = "5 abc\n"},
                            [&](const Result<MessageRef>& result) { heard.push_back(result); });
        world->settle();
    };
    http.hold(true);
    ask("one");
    announce();
    ask("two");
    http.hold(false);
    world->settle();
    const auto sent = http.of("sendMessage");
    ASSERT_EQ(sent.size(), 3U);
    EXPECT_EQ(sent[2]["text"], "# h\n5 abc");
    EXPECT_TRUE(sent[2].value("disable_notification", false));
    ASSERT_EQ(heard.size(), 1U);
    ASSERT_TRUE(heard[0]);
    EXPECT_EQ(heard[0]->place, (Place{"chat", "-100", "", "44"}));

    http.will("sendMessage", FakeTelegram::refused(403, "Forbidden: bot was kicked from the supergroup chat"));
    announce();
    ASSERT_EQ(heard.size(), 2U);
    EXPECT_EQ(heard[1].error().code, Errc::undeliverable);
    EXPECT_NE(heard[1].error().detail.find("kicked"), std::string::npos);
}

TEST_F(TelegramWorld, AnAnnouncementIsSentAgainAfterAFailureAndFollowsAGroupThatMoved) {
    begin();
    std::vector<Result<MessageRef>> heard;
    http.will("sendMessage", FakeTelegram::refused(500, "Internal Server Error"));
    http.will("sendMessage", FakeTelegram::refused(400, "Bad Request: group chat was upgraded to a supergroup chat",
                                                   {{"migrate_to_chat_id", -100555}}));
    world->hub.announce("chat", {.to = {.chat = "-100", .principal = {}}, .heading = "# h", .exact = "5 abc\n"},
                        [&](const Result<MessageRef>& result) { heard.push_back(result); });
    world->settle();
    EXPECT_TRUE(heard.empty());
    world->advance(limits::outbox_backoff_max);
    ASSERT_EQ(heard.size(), 1U);
    EXPECT_TRUE(heard[0]);
    EXPECT_EQ(http.of("sendMessage").back()["chat_id"], -100555);
}

}  // namespace
}  // namespace countersign::channels::telegram::fakes
