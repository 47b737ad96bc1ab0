// SPDX-License-Identifier: Apache-2.0
// A platform that wants us to wait, or is away, and what becomes of the cards meanwhile.
#include "channels/telegram/bounds.hpp"
#include "tests/channels/telegram_world.hpp"

namespace countersign::channels::telegram::fakes {
namespace {

using namespace std::chrono_literals;
using countersign::fakes::shell_request;

HttpResponse flood(int seconds) {
    return FakeTelegram::refused(429, "Too Many Requests: retry after " + std::to_string(seconds),
                                 {{"retry_after", seconds}});
}

class TelegramFlood : public TelegramWorld {
protected:
    // Telegram answers the long poll meanwhile, as it does.
    void wait(std::chrono::milliseconds time) {
        while (time.count() > 0) {
            const auto step = std::min<std::chrono::milliseconds>(time, 30s);
            world->advance(step);
            http.release();
            world->settle();
            time -= step;
        }
    }
    Request with_timeout(std::chrono::milliseconds timeout) {
        auto request = shell_request(world->ids.next());
        request.timeout = timeout;
        return request;
    }
};

// "chat", then the pager if that fails.
Configuration with_pager() {
    auto configuration = telegram_configuration();
    configuration.routes.front().steps.push_back({.after = 24h, .channel = "pager", .chat = "room"});
    return configuration;
}

TEST_F(TelegramFlood, HermesAgent94291_ThePromptsOfAFloodedChatAreShownWhenItMayBeSpokenTo) {
    begin();
    http.will("sendMessage", flood(265));
    for (const auto* command : {"a", "b", "c", "d"}) ask(command);
    wait(4min);
    EXPECT_EQ(http.of("sendMessage").size(), 1U) << "nothing is sent that is known to be refused";
    EXPECT_TRUE(forwarded().empty()) << "nothing is lost";
    wait(25s);
    EXPECT_EQ(world->ledger.count("presented"), 4U);
    EXPECT_EQ(world->ledger.count("dead_letter"), 0U);
    tap("Allow", 77, -100, 45);
    EXPECT_EQ(forwarded().size(), 1U);
}

TEST_F(TelegramFlood, ARequestWithoutATimeoutGetsItsCardAfter200Seconds) {
    begin();
    http.will("sendMessage", flood(200));
    ask();
    wait(200s - 1ms);
    EXPECT_EQ(world->ledger.count("presented"), 0U);
    world->advance(1ms);
    EXPECT_EQ(world->ledger.count("presented"), 1U);
    tap("Allow");
    ASSERT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(forwarded()[0].outcome, Outcome::allowed);
}

TEST_F(TelegramFlood, I11_WhileAChatMustWaitTheNextStepIsAskedAtOnceAndTheFirstIsStillTried) {
    begin(with_pager());
    http.will("sendMessage", flood(200));
    ask();
    EXPECT_EQ(world->pager.presented.size(), 1U) << "known to be late, so nobody waits for the two minutes";
    EXPECT_EQ(world->ledger.count("dead_letter"), 0U);
    wait(200s);
    EXPECT_EQ(world->ledger.count("presented"), 2U);
    tap("Allow");
    EXPECT_EQ(forwarded().size(), 1U);
}

TEST_F(TelegramFlood, I11_AShortWaitIsNoReasonToAskElsewhere) {
    begin(with_pager());
    http.will("sendMessage", flood(119));
    ask();
    wait(119s);
    EXPECT_TRUE(world->pager.presented.empty());
    EXPECT_EQ(world->ledger.count("presented"), 1U);
}

TEST_F(TelegramFlood, ACardThatIsLateAndDecidedElsewhereIsNeverSent) {
    begin(with_pager());
    http.will("sendMessage", flood(200));
    const auto id = ask();
    auto elsewhere = world->click(id, "deny");
    elsewhere.where = {.channel = "pager", .chat = "room"};
    ASSERT_TRUE(world->decide(elsewhere));
    wait(10min);
    EXPECT_EQ(http.of("sendMessage").size(), 1U);
    EXPECT_TRUE(http.of("editMessageText").empty());
}

TEST_F(TelegramFlood, I2_AWaitBeyondTheRequestsOwnTimeIsUndeliverableAtOnceAndTheAgentHearsExactlyThat) {
    begin();
    http.will("sendMessage", flood(265));
    ask(with_timeout(3min));
    ASSERT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(forwarded()[0].outcome, Outcome::undeliverable);
    EXPECT_EQ(forwarded()[0].option_id, "deny");
    EXPECT_EQ(world->ledger.count("dead_letter"), 1U);
}

TEST_F(TelegramFlood, AWaitWithinTheRequestsOwnTimeIsHonoured) {
    begin();
    http.will("sendMessage", flood(265));
    ask(with_timeout(5min));
    wait(265s);
    EXPECT_EQ(world->ledger.count("presented"), 1U);
    world->advance(35s);
    ASSERT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(forwarded()[0].outcome, Outcome::expired) << "somebody saw it, and did not decide";
}

TEST_F(TelegramFlood, I11_ANetworkThatIsDownForHoursCostsACardNothingButTime) {
    begin();
    for (int i = 0; i < 10'000; ++i) http.will("sendMessage", Error{Errc::unavailable, "network is down"});
    ask();
    wait(8h);
    EXPECT_TRUE(forwarded().empty());
    EXPECT_LT(http.of("sendMessage").size(), 8U * 60U * 2U + 10U) << "it is not asked all the time";
    http.answers["sendMessage"].clear();  // the network is back
    wait(limits::outbox_backoff_max);
    EXPECT_EQ(world->ledger.count("presented"), 1U);
    tap("Allow");
    ASSERT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(forwarded()[0].outcome, Outcome::allowed);
}

TEST_F(TelegramFlood, I13_AfterTheLongestTimeThatARequestMayWaitItIsUndeliverable) {
    begin();
    for (int i = 0; i < 30'000; ++i) http.will("sendMessage", Error{Errc::unavailable, "network is down"});
    ask();
    for (auto passed = 0min; passed < limits::request_timeout_max - 5min; passed += 5min) world->advance(5min);
    EXPECT_TRUE(forwarded().empty());
    world->advance(5min);
    ASSERT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(forwarded()[0].outcome, Outcome::undeliverable);
    EXPECT_NE(world->ledger.text("dead_letter", "why").find("network is down"), std::string::npos);
}

TEST_F(TelegramFlood, I2_WhatNobodyWasShownInTimeIsUndeliverableAndNotSaidToBeIgnored) {
    begin();
    for (int i = 0; i < 100; ++i) http.will("sendMessage", Error{Errc::unavailable, "network is down"});
    ask(with_timeout(5min));
    wait(5min);
    ASSERT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(forwarded()[0].outcome, Outcome::undeliverable);
    EXPECT_EQ(world->ledger.text("ended", "reason"), "nobody could be shown the request in time");
}

TEST_F(TelegramFlood, I13_AGroupGetsItsBurstAndThenOneIn3Seconds) {
    begin();
    for (std::size_t i = 0; i < limits::telegram_group_burst + 2; ++i) ask("c" + std::to_string(i));
    EXPECT_EQ(http.of("sendMessage").size(), limits::telegram_group_burst);
    world->advance(limits::telegram_group_interval - 1ms);
    EXPECT_EQ(http.of("sendMessage").size(), limits::telegram_group_burst);
    world->advance(1ms);
    EXPECT_EQ(http.of("sendMessage").size(), limits::telegram_group_burst + 1);
}

TEST_F(TelegramFlood, I13_AnEditCountsAsAMessageDoes) {
    begin();
    constexpr auto cards = limits::telegram_group_burst - limits::telegram_group_reserve - 1;
    for (std::size_t i = 0; i < cards; ++i) ask("c" + std::to_string(i));
    tap("Allow", 77, -100, static_cast<std::int64_t>(42 + cards - 1));
    ASSERT_EQ(http.of("editMessageText").size(), 1U);
    EXPECT_EQ(http.of("answerCallbackQuery").size(), 1U);
    for (std::size_t i = 0; i <= limits::telegram_group_reserve; ++i) ask("d" + std::to_string(i));
    EXPECT_EQ(http.of("sendMessage").size(), limits::telegram_group_burst - 1);
    world->advance(limits::telegram_group_interval);
    EXPECT_EQ(http.of("sendMessage").size(), limits::telegram_group_burst);
}

TEST_F(TelegramFlood, QuickApprovalsInAGroupDelayNoCardByTheirEdits) {
    begin();
    constexpr auto approvals = 8;
    for (std::size_t i = 0; i < approvals; ++i) {
        ask("c" + std::to_string(i));
        ASSERT_EQ(http.of("sendMessage").size(), i + 1) << "at once";
        tap("Allow", 77, -100, static_cast<std::int64_t>(42 + i));
        world->advance(500ms);
    }
    EXPECT_EQ(forwarded().size(), std::size_t{approvals});
    EXPECT_LT(http.of("editMessageText").size(), std::size_t{approvals}) << "edits come last";
    for (int i = 0; i < 15; ++i) world->advance(limits::telegram_group_interval);
    EXPECT_EQ(http.of("editMessageText").size(), std::size_t{approvals}) << "and they all come";
}

TEST_F(TelegramFlood, I13_APersonsChatGetsOneASecondAndTheWholeBotOneIn40Milliseconds) {
    auto configuration = telegram_configuration();
    configuration.routes.front().steps = {{.channel = "chat", .chat = "77"}};
    begin(configuration);
    for (std::size_t i = 0; i <= limits::telegram_chat_burst; ++i) ask("c" + std::to_string(i));
    EXPECT_EQ(http.of("sendMessage").size(), limits::telegram_chat_burst);
    world->advance(limits::telegram_chat_interval);
    EXPECT_EQ(http.of("sendMessage").size(), limits::telegram_chat_burst + 1);
}

TEST_F(TelegramFlood, I13_TheWholeBotGetsItsBurstAndThenOneIn40Milliseconds) {
    auto configuration = telegram_configuration();
    auto& steps = configuration.routes.front().steps;
    steps.clear();
    for (std::size_t i = 0; i <= limits::telegram_bot_burst; ++i) {
        steps.push_back({.channel = "chat", .chat = std::to_string(1'000 + i)});
    }
    begin(configuration);
    ask();
    EXPECT_EQ(http.of("sendMessage").size(), limits::telegram_bot_burst);
    world->advance(limits::telegram_bot_interval - 1ms);
    EXPECT_EQ(http.of("sendMessage").size(), limits::telegram_bot_burst);
    world->advance(1ms);
    EXPECT_EQ(http.of("sendMessage").size(), limits::telegram_bot_burst + 1);
}

TEST_F(TelegramFlood, I11_WhatIsGivenUpIsOnRecordWhateverItWas) {
    begin();
    const auto id = ask();
    http.will("editMessageText", FakeTelegram::refused(403, "Forbidden: bot was kicked from the group chat"));
    tap("Allow");
    EXPECT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(world->ledger.text("dead_letter", "what"), "conclusion");
    EXPECT_EQ(world->ledger.text("dead_letter", "requestId"), id.str());
    EXPECT_EQ(world->ledger.text("dead_letter", "channel"), "chat");
    EXPECT_EQ(world->ledger.text("dead_letter", "chat"), "-100");
    ASSERT_EQ(world->hub.dead_letters().kept().size(), 1U);
    EXPECT_EQ(world->hub.dead_letters().kept()[0].at, world->clock.wall());
}

TEST_F(TelegramFlood, I13_RepliesThatNobodyTakesDoNotFillTheLog) {
    begin();
    for (std::size_t i = 0; i < limits::refused_records_per_minute_max + 5; ++i) {
        http.will("sendMessage", FakeTelegram::refused(403, "Forbidden: bot was blocked by the user"));
        const auto stranger = static_cast<std::int64_t>(1'000 + i);
        type("/help", stranger, stranger);
        world->advance(limits::telegram_bot_interval);
    }
    EXPECT_EQ(world->ledger.count("dead_letter"), limits::refused_records_per_minute_max);
    wait(2min);
    EXPECT_EQ(world->ledger.count("dead_letter"), limits::refused_records_per_minute_max + 1) << "and their count";
    EXPECT_EQ(world->hub.dead_letters().counts().at("chat"), limits::refused_records_per_minute_max + 5);
}

}  // namespace
}  // namespace countersign::channels::telegram::fakes
