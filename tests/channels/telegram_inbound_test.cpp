// SPDX-License-Identifier: Apache-2.0
// What people write and press, and what it means.
#include "channels/telegram/bounds.hpp"
#include "tests/channels/telegram_world.hpp"

namespace countersign::channels::telegram::fakes {
namespace {

using namespace std::chrono_literals;

class TelegramInbound : public TelegramWorld {
protected:
    void adjust(TelegramOptions& options) override {
        options.people.on_start = [this](const Starting& starting) {
            started.push_back(starting);
            return std::string{"Welcome."};
        };
        options.people.language = [this](const std::string& principal) { return languages[principal]; };
    }
    // Nothing was decided, and so many messages besides the card were sent.
    void expect_only(std::size_t replies) const {
        EXPECT_TRUE(forwarded().empty());
        EXPECT_EQ(http.of("sendMessage").size(), 1 + replies);
    }
    std::vector<Starting> started;
    std::map<std::string, std::string> languages;
};

TEST_F(TelegramInbound, AnotherBotsCommandIsNotOurs) {
    begin();
    const auto id = ask();
    type("/approve@other_bot " + code(id));
    expect_only(0);
    type("/approve@Countersign_Bot " + code(id));
    EXPECT_EQ(forwarded().size(), 1U);
}

// The same as the edit of a message that was sent before.
Json edited(Json update) {
    update["edited_message"] = update["message"];
    update["edited_message"]["edit_date"] = 1763258401;
    update.erase("message");
    return update;
}

TEST_F(TelegramInbound, AnEditedMessageDecidesNothing) {
    begin();
    const auto id = ask();
    auto update = message({.update = 1, .text = "/approve " + code(id)});
    update["edited_message"] = update["message"];
    update.erase("message");
    push(update);
    expect_only(1);
    EXPECT_EQ(last_text(), "Edited messages are ignored. Send it as a new message.");
    EXPECT_EQ(world->ledger.count("refused"), 1U);
    EXPECT_EQ(confirmed.back(), 2);
    auto as_message = message({.update = 2, .text = "/approve " + code(id)});
    as_message["message"]["edit_date"] = 1763258401;
    push(as_message);
    expect_only(2);
    EXPECT_EQ(world->ledger.count("refused"), 2U);
    EXPECT_EQ(world->ledger.text("refused", "detail"), "an edited message");
}

TEST_F(TelegramInbound, I11_AMessageThatIsEditedAgainIsRecordedEachTimeAndAnsweredOnce) {
    begin();
    const auto id = ask();
    for (const std::int64_t update : {1, 2, 3}) {
        auto again = message({.update = update, .text = "/approve " + code(id)});
        again["message"]["message_id"] = 900;
        push(edited(again));
    }
    expect_only(1);
    EXPECT_EQ(world->ledger.count("refused"), 3U);
}

TEST_F(TelegramInbound, AnEditIsAnsweredOnlyWhereItReadsAsACommandOrRepliesToACard) {
    begin();
    ask();
    push(edited(message({.update = 1, .text = "good mornign"})));
    push(edited(message({.update = 2, .text = "as I said", .reply_to = 7})));
    push(edited(message({.update = 3, .text = "/approve@other_bot 00000000"})));
    push(edited(message({.update = 4, .text = "hello", .chat = 77})));
    expect_only(0);
    EXPECT_EQ(world->ledger.count("refused"), 0U);
    push(edited(message({.update = 5, .text = "looks dangerous", .reply_to = 42})));
    expect_only(1);
    EXPECT_EQ(world->ledger.count("refused"), 1U);
    push(edited(message({.update = 6, .text = "/pending"})));
    expect_only(2);
    EXPECT_EQ(last_text(), "Edited messages are ignored. Send it as a new message.");
    EXPECT_EQ(world->ledger.count("refused"), 1U) << "it tries to decide nothing";
}

TEST_F(TelegramInbound, APostOfAChannelDecidesNothing) {
    begin();
    const auto id = ask();
    auto post = message({.update = 1, .text = "/approve " + code(id)});
    post["channel_post"] = post["message"];
    post.erase("message");
    push(post);
    auto in_channel = message({.update = 2, .text = "/approve " + code(id)});
    in_channel["message"]["chat"]["type"] = "channel";
    push(in_channel);
    expect_only(0);
}

TEST_F(TelegramInbound, I4_AnAnonymousAdminIsNobody) {
    begin();
    const auto id = ask();
    push(message({.update = 1, .from = 1087968824, .text = "/approve " + code(id)}));
    EXPECT_NE(last_text().find("can't tell who you are"), std::string::npos);
    auto as_chat = message({.update = 2, .text = "/approve " + code(id)});
    as_chat["message"]["sender_chat"] = {{"id", -100}};
    push(as_chat);
    auto nobody = message({.update = 3, .text = "/approve " + code(id)});
    nobody["message"].erase("from");
    push(nobody);
    expect_only(3);
    push(message({.update = 4, .from = 1087968824, .text = "good morning"}));
    expect_only(3);
}

TEST_F(TelegramInbound, ABotAndAForwardedMessageDecideNothing) {
    begin();
    const auto id = ask();
    auto bot = message({.update = 1, .text = "/approve " + code(id)});
    bot["message"]["from"]["is_bot"] = true;
    push(bot);
    expect_only(0);
    for (const auto* mark : {"forward_origin", "via_bot"}) {
        auto forwarded_message = message({.update = ++last_update, .text = "/approve " + code(id)});
        forwarded_message["message"][mark] = Json::object();
        push(forwarded_message);
    }
    expect_only(2);
}

// Each member of a Message by which Telegram says that a person did not write it here and now.
TEST_F(TelegramInbound, I11_WhatAPersonDidNotSendThemselvesDecidesNothingAndIsRecorded) {
    begin();
    const auto id = ask();
    const std::vector<std::pair<std::string, Json>> marks{{"is_from_offline", true},
                                                          {"forward_origin", Json::object()},
                                                          {"forward_date", 7},
                                                          {"is_automatic_forward", true},
                                                          {"via_bot", user(5, true)},
                                                          {"sender_chat", {{"id", -100}}},
                                                          {"sender_business_bot", user(5, true)},
                                                          {"business_connection_id", "b"},
                                                          {"guest_query_id", "g"},
                                                          {"guest_bot_caller_user", user(5)},
                                                          {"external_reply", Json::object()},
                                                          {"reply_to_story", Json::object()}};
    std::size_t records = 0;
    for (const auto& [name, value] : marks) {
        auto command = message({.update = ++last_update, .text = "/deny " + code(id)});
        command["message"][name] = value;
        push(command);
        auto reply = message({.update = ++last_update, .text = "not today", .reply_to = 42});
        reply["message"][name] = value;
        push(reply);
        EXPECT_TRUE(forwarded().empty()) << name;
        records += 2;
        EXPECT_EQ(world->ledger.count("refused"), records) << name;
        world->advance(20s);  // a group's messages are rationed
    }
    auto harmless = message({.update = ++last_update, .text = "/deny " + code(id)});
    for (const auto* name : {"is_from_offline", "is_automatic_forward"}) harmless["message"][name] = false;
    harmless["message"]["sender_boost_count"] = 3;
    harmless["message"]["sender_tag"] = "ops";
    harmless["message"]["quote"] = {{"text", "ls"}};
    push(harmless);
    EXPECT_EQ(forwarded().size(), 1U);
}

TEST_F(TelegramInbound, AnAutomaticMessageIsAnsweredWithWhatToDo) {
    begin();
    const auto id = ask();
    auto scheduled = message({.update = 1, .text = "/approve " + code(id)});
    scheduled["message"]["is_from_offline"] = true;
    push(scheduled);
    EXPECT_EQ(last_text(), "A scheduled or automatic message can't decide. Send it yourself.");
    auto quoting = message({.update = 2, .text = "/approve " + code(id)});
    quoting["message"]["external_reply"] = Json::object();
    push(quoting);
    EXPECT_EQ(last_text(), "A reply to a message in another chat can't decide. Write it here as a new message.");
    expect_only(2);
}

TEST_F(TelegramInbound, BareWordsCountInDirectMessagesOnly) {
    auto configuration = telegram_configuration();
    configuration.routes.front().steps.push_back({.channel = "chat", .people = {"alice"}});
    begin(configuration);
    const auto id = ask();
    type("deny " + code(id));
    EXPECT_TRUE(forwarded().empty());
    type("deny " + code(id, "77"), 77, 77);
    EXPECT_EQ(forwarded().size(), 1U);
}

TEST_F(TelegramInbound, OkAndYesDecideNothing) {
    begin();
    ask();
    for (const auto* text : {"ok", "yes", "/yes", "👍"}) type(text);
    expect_only(0);
    type("ok", 77, -100, 42);
    EXPECT_TRUE(last_text().starts_with("A reply alone doesn't decide."));
    expect_only(1);
}

TEST_F(TelegramInbound, I10_ACodeOrIdOfAnotherChatIsRefused) {
    begin();
    const auto id = ask("secret-command");
    type("/approve " + code(id, "77"));
    type("/approve " + id.str(), 77, -200);
    type("/approve " + code(id), 77, -200);
    expect_only(3);
    EXPECT_EQ(last_text().find("secret-command"), std::string::npos) << "another chat learns nothing of it";
    EXPECT_NE(last_text().find("nothing"), std::string::npos);
}

TEST_F(TelegramInbound, AnUnknownCodeListsWhatIsOpenToKnownPeopleOnly) {
    begin();
    const auto id = ask("make all");
    type("/approve 00000000");
    EXPECT_NE(last_text().find(code(id) + " dev, Bash: make all"), std::string::npos);
    type("/approve 00000000", 99);
    EXPECT_EQ(last_text().find("make all"), std::string::npos);
    EXPECT_NE(last_text().find("telegram:99"), std::string::npos);
    type("/pending");
    EXPECT_NE(last_text().find("make all"), std::string::npos);
    type("/pending", 99);
    EXPECT_EQ(last_text().find("make all"), std::string::npos);
    EXPECT_TRUE(forwarded().empty());
}

TEST_F(TelegramInbound, I13_ALongListIsCutAndSaysSo) {
    begin();
    for (std::size_t i = 0; i <= limits::chat_listed_max; ++i) ask("command " + std::to_string(i));
    type("/pending");
    for (int i = 0; i < 5; ++i) world->advance(limits::telegram_group_interval);  // it is a busy group by now
    EXPECT_NE(last_text().find("command 9"), std::string::npos);
    EXPECT_EQ(last_text().find("command 10"), std::string::npos);
    EXPECT_NE(last_text().find("and 1 more"), std::string::npos);
}

TEST_F(TelegramInbound, WhatIsNotClearIsListedAndNothingIsDecided) {
    begin();
    auto request = countersign::fakes::shell_request(world->ids.next());
    std::get<Approval>(request.body).options[1].scope = Scope::once;
    const auto id = ask(std::move(request));
    type("/approve " + code(id));
    EXPECT_NE(last_text().find("Session (allow once)"), std::string::npos) << last_text();
    EXPECT_TRUE(forwarded().empty());
    type("/approve " + code(id) + " session");
    EXPECT_EQ(forwarded().size(), 1U);
}

TEST_F(TelegramInbound, TheOtherCommandsAnswer) {
    begin();
    const auto id = ask();
    type("/help");
    EXPECT_NE(last_text().find("approve CODE"), std::string::npos);
    EXPECT_TRUE(last_text().ends_with("This chat is -100, and you are telegram:77."));
    type("/auto builder");
    EXPECT_EQ(last_text(), "This release has no auto.");
    type("/answer " + code(id) + " 5");
    EXPECT_EQ(last_text(), "This isn't a question: approve or deny it.");
    expect_only(3);
    const auto question = ask(countersign::fakes::question_request(world->ids.next()));
    type("/approve " + code(question));
    EXPECT_EQ(last_text(), "This is a question: answer it, or deny it to cancel.");
    type("/deny " + code(question));
    EXPECT_EQ(forwarded().size(), 1U);
}

TEST_F(TelegramInbound, AHaltFromTheGroupRefusesWhatIsOpenAndAResumeEndsIt) {
    begin();
    ask("one");
    ask("two");
    type("/halt dev", 99);
    EXPECT_TRUE(last_text().starts_with("You may not do this. Your id is telegram:99")) << last_text();
    EXPECT_EQ(world->ledger.text("refused", "action"), "halt");
    EXPECT_TRUE(forwarded().empty());
    type("/halt dev");
    EXPECT_EQ(last_text(), "Halted: dev. Its requests are denied until it is resumed. Open requests denied: "
                           "2. Its turn was ended.");
    EXPECT_EQ(forwarded().size(), 2U);
    EXPECT_EQ(world->ledger.text("halt", "delivery"), std::to_string(last_update)) << "a replay has no effect (I5)";
    EXPECT_NE(last_text("editMessageText").find("reason: halted by alice"), std::string::npos);
    EXPECT_FALSE(world->ask(countersign::fakes::shell_request(world->ids.next(), "three")));
    type("/pending");
    EXPECT_EQ(last_text().find("Halted"), std::string::npos) << "others read there too";
    type("/resume dev", 78);
    EXPECT_EQ(last_text(), "dev may ask again.");
    ask("four");
    EXPECT_EQ(forwarded().size(), 3U) << "the third was refused at once, the fourth waits";
}

TEST_F(TelegramInbound, I10_AfterTooManyWrongCodesOnlyButtonsCount) {
    begin();
    const auto id = ask();
    for (std::size_t i = 0; i < limits::wrong_codes_max; ++i) type("/approve 0000000" + std::to_string(i));
    EXPECT_EQ(last_text(), "Too many wrong codes: your codes are ignored for 15 min. Buttons still work.");
    EXPECT_EQ(world->ledger.text("refused", "principal"), "telegram:77");
    EXPECT_EQ(world->ledger.count("refused"), limits::wrong_codes_max) << "each has its record (I11)";
    const auto replies = http.of("sendMessage").size();
    type("/approve " + code(id));
    EXPECT_TRUE(forwarded().empty());
    EXPECT_EQ(http.of("sendMessage").size(), replies) << "it is told once";
    EXPECT_EQ(world->ledger.count("refused"), limits::wrong_codes_max + 1);
    type("/deny " + code(id), 78);
    EXPECT_EQ(forwarded().size(), 1U) << "bob typed nothing wrong";
}

TEST_F(TelegramInbound, I10_AButtonOfWhoIsLockedStillWorks) {
    begin();
    ask();
    for (std::size_t i = 0; i < limits::wrong_codes_max; ++i) type("/approve 0000000" + std::to_string(i));
    tap("Allow");
    ASSERT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(forwarded()[0].outcome, Outcome::allowed);
}

// What is answered after a click or a text is in the person's language, and in the card's where they have none.
TEST_F(TelegramInbound, AnswersAreInThePersonsLanguageOrTheCards) {
    auto configuration = telegram_configuration();
    configuration.routes.front().language = "zh";
    languages["telegram:77"] = "de";
    begin(configuration);
    ask();
    tap("Allow", 99);
    EXPECT_TRUE(last_answer().starts_with("您无权决定此事")) << last_answer();
    tap("Deny");
    EXPECT_TRUE(last_answer().starts_with("Abgelehnt. Eintrag")) << last_answer();
    type("/pending");
    EXPECT_TRUE(last_text().starts_with("In diesem Chat offen:"));
    type("/help");
    EXPECT_TRUE(last_text().starts_with("/approve CODE: einmal erlauben"));
}

// The answer to a tap did not have the language of the card, when a newer one in the chat had another.
TEST_F(TelegramInbound, ATapIsAnsweredInTheLanguageOfItsCardAlsoWhenThatHasEnded) {
    auto configuration = telegram_configuration();
    configuration.routes.front().language = "de";
    begin(configuration);
    ask("one");
    const auto german = button("Allow");
    configuration.routes.front().language = "zh";
    world->hub.reconfigure(std::make_shared<const Configuration>(configuration));
    ask("two");
    for (const auto* beginning : {"Erlaubt. Eintrag", "Zu spät."}) {
        push(click({.update = ++last_update, .from = 77, .data = german, .chat = -100, .message = 42}));
        EXPECT_TRUE(last_answer().starts_with(beginning)) << last_answer();
    }
    type("/pending");
    EXPECT_TRUE(last_text().starts_with("本聊天中未决的")) << "a text is about no card";
}

// NousResearch/hermes-agent#81026: a second command in the same run was swallowed.
TEST_F(TelegramInbound, HermesAgent81026_ASecondApproveInTheSameMomentCounts) {
    begin();
    const auto first = ask("one");
    const auto second = ask("two");
    world->ledger.hold(true);
    type("/approve " + code(first));
    type("/approve " + code(second));
    world->ledger.hold(false);
    world->settle();
    ASSERT_EQ(forwarded().size(), 2U);
    EXPECT_EQ(forwarded()[0].outcome, Outcome::allowed);
    EXPECT_EQ(forwarded()[1].outcome, Outcome::allowed);
}

// vercel/eve#2471: approving the second card denied the first.
TEST_F(TelegramInbound, Eve2471_ApprovingTheSecondCardDoesNotTouchTheFirst) {
    begin();
    const auto first = ask("one");
    const auto second = ask("two");
    type("/approve " + code(second));
    ASSERT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(forwarded()[0].request_id, second);
    EXPECT_TRUE(world->hub.queries().open_request(first));
    type("/deny " + code(first));
    EXPECT_EQ(forwarded().size(), 2U);
}

TEST_F(TelegramInbound, AnEditedHaltStopsNobody) {
    begin();
    auto update = message({.update = 1, .text = "/halt dev"});
    update["edited_message"] = update["message"];
    update.erase("message");
    push(update);
    EXPECT_TRUE(world->hub.halts().all().empty());
    push(message({.update = 2, .from = 1087968824, .text = "/halt dev"}));
    EXPECT_TRUE(world->hub.halts().all().empty()) << "nobody can tell who it was";
    type("/halt@other_bot dev");
    EXPECT_TRUE(world->hub.halts().all().empty());
}

TEST_F(TelegramInbound, StartIsForPrivateChats) {
    begin();
    type("/start CODE7");
    EXPECT_TRUE(started.empty());
    type("/start CODE7", 80, 80);
    ASSERT_EQ(started.size(), 1U);
    EXPECT_EQ(started[0].code, "CODE7");
    EXPECT_EQ(started[0].principal, "telegram:80");
    EXPECT_EQ(started[0].chat, "80");
    EXPECT_EQ(last_text(), "Welcome.");
    type("hello", 80, 80);
    EXPECT_NE(last_text().find("approve CODE"), std::string::npos);
}

TEST_F(TelegramInbound, I10_AButtonOfThePreviousKeyIsSaidToHaveExpired) {
    begin();
    const auto id = ask();
    const security::ButtonTokens before{security::Secret{std::string_view{"the button key before that one"}}};
    push(click({.update = 1, .data = *before.mint({.request_id = id, .option = 0}, {"chat", "-100"})}));
    EXPECT_EQ(last_answer(), "This button has expired. Use the newest card.");
    EXPECT_TRUE(forwarded().empty());
}

TEST_F(TelegramInbound, AGenuineButtonThatPointsNowhereDoesNothing) {
    begin();
    const auto id = ask();
    const auto press = [&](const security::Button& button, std::int64_t message = 42) {
        push(click({.update = ++last_update, .data = *keys.tokens.mint(button, {"chat", "-100"}), .message = message}));
    };
    press({.request_id = id, .option = 9});
    press({.verb = security::ButtonVerb::answer, .request_id = id});
    press({.verb = security::ButtonVerb::submit, .request_id = id});
    EXPECT_EQ(last_answer(), "This button isn't one of mine.");
    press({.request_id = world->ids.next()}, 7);
    EXPECT_EQ(last_answer(), "This request is no longer open.");
    const auto question = ask(countersign::fakes::question_request(world->ids.next()));
    press({.verb = security::ButtonVerb::answer, .request_id = question, .option = 2}, 43);
    press({.verb = security::ButtonVerb::answer, .request_id = question, .option = 0, .question = 7}, 43);
    EXPECT_EQ(last_answer(), "This button isn't one of mine.");
    EXPECT_TRUE(forwarded().empty());
    EXPECT_EQ(http.of("answerCallbackQuery").size(), 6U);
}

TEST_F(TelegramInbound, I13_AReasonThatIsTooLongIsCutAndStillDenies) {
    begin();
    const auto id = ask();
    type("/deny " + code(id) + " " + std::string(limits::reason_bytes_max + 1, 'r'));
    ASSERT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(forwarded()[0].reason, std::string(limits::reason_bytes_max, 'r'));
}

TEST_F(TelegramInbound, I13_OneReplyTooManyIsNotMadeAndTheEndOfARequestStillIs) {
    begin();
    ask();
    http.will("sendMessage", FakeTelegram::refused(429, "Too Many Requests", {{"retry_after", 60}}));
    for (std::size_t i = 0; i <= limits::chat_replies_max; ++i) type("/help", 99);
    tap("Deny");
    world->advance(60s);
    EXPECT_EQ(http.of("editMessageText").size(), 1U) << "before all of them";
    for (std::size_t i = 0; i <= limits::chat_replies_max; ++i) world->advance(limits::telegram_group_interval);
    EXPECT_EQ(http.of("sendMessage").size(), 1 + 1 + limits::chat_replies_max) << "the card, one again, and the rest";
    type("/help", 99);
    EXPECT_EQ(http.of("sendMessage").size(), 3 + limits::chat_replies_max) << "there is room again";
}

TEST_F(TelegramInbound, WhatSomebodyTypedComesBackOnlyAsCode) {
    begin();
    ask("@everyone https://evil.example /start");
    type("/pending");
    const auto list = http.of("sendMessage").back();
    for (const auto& part : {"@everyone", "https://evil.example"}) {
        const auto at = list["text"].get<std::string>().find(part);
        ASSERT_NE(at, std::string::npos);
        bool inside = false;
        for (const auto& entity : list["entities"]) {
            const auto offset = entity["offset"].get<std::size_t>();
            inside = inside ||
                     (entity["type"] == "code" && offset <= at && at < offset + entity["length"].get<std::size_t>());
        }
        EXPECT_TRUE(inside) << part;
    }
}

}  // namespace
}  // namespace countersign::channels::telegram::fakes
