// SPDX-License-Identifier: Apache-2.0
// How updates come in: by polling, and by a webhook.
#include "channels/telegram/bounds.hpp"
#include "channels/telegram/poller.hpp"

#include "channels/telegram/webhook.hpp"
#include "core/hub/task_group.hpp"
#include "tests/channels/telegram_fakes.hpp"
#include "tests/fakes/fake_clock.hpp"
#include "tests/fakes/fake_ids.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <gtest/gtest.h>

namespace countersign::channels::telegram {
namespace {

using namespace std::chrono_literals;
using fakes::click;
using fakes::FakeTelegram;
using fakes::Json;

struct Seen {
    std::int64_t id;
    bool after_gap;
    friend bool operator==(const Seen&, const Seen&) = default;
};

class TelegramPoller : public ::testing::Test {
protected:
    void start(std::optional<std::int64_t> offset = std::nullopt, std::optional<BootTime> caught_up = std::nullopt) {
        poller.emplace(client, clock, ids, handler(),
                       Poller::Options{.offset = offset,
                                       .on_confirmed = [this](std::int64_t to) { confirmed.push_back(to); },
                                       .caught_up = caught_up,
                                       .on_caught_up = [this] { caught_up_at.push_back(seen.size()); },
                                       .on_problem = [this](const std::string& line) { problems.push_back(line); }});
        tasks.spawn(poller->run());
        settle();
    }
    UpdateHandler handler() {
        return {.handle =
                    [this](const Update& update, bool after_gap, const Handled& handled) {
                        seen.push_back({update.id, after_gap});
                        held ? waiting.push_back(handled) : handled();
                    },
                .expect = [this] { ++expected; },
                .pass_over = [this](const Error& why) { passed_over.push_back(why.code); }};
    }
    void too_large(int times) {
        for (int i = 0; i < times; ++i) http.will("getUpdates", Error{Errc::too_large, "the answer is longer"});
    }
    // Long enough for each pause between two tries.
    void wait(int tries) {
        for (int i = 0; i < tries; ++i) advance(limits::outbox_backoff_max);
    }
    [[nodiscard]] const Json& asked() const { return http.polls().back().body; }
    void settle() {
        io.restart();
        io.poll();
    }
    void advance(std::chrono::milliseconds by) {
        clock.advance(by);
        settle();
    }
    void push(std::int64_t id) {
        http.push(click({.update = id, .data = "x"}));
        settle();
    }
    // The next question is answered with these updates, whatever its offset is.
    void answers_with(std::int64_t first, std::int64_t last) {
        auto batch = Json::array();
        for (auto id = first; id <= last; ++id) batch.push_back(click({.update = id, .data = "x"}));
        http.will("getUpdates", FakeTelegram::ok(batch));
    }
    // The long poll that runs ends in this way.
    void ends_with(Result<HttpResponse> answer) {
        http.will("getUpdates", std::move(answer));
        http.release();
        settle();
    }
    void TearDown() override {
        tasks.cancel();
        settle();
        EXPECT_EQ(tasks.size(), 0U);
        EXPECT_TRUE(stray.empty());
    }

    boost::asio::io_context io;
    countersign::fakes::FakeClock clock;
    countersign::fakes::FakeIds ids;
    FakeTelegram http;
    TelegramClient client{http, "https://api.telegram.org", security::Secret{fakes::token}};
    std::vector<std::string> stray;
    TaskGroup tasks{io.get_executor(), [this](const std::string& what) { stray.push_back(what); }};
    std::optional<Poller> poller;
    std::vector<Seen> seen;
    std::vector<Handled> waiting;
    std::vector<std::int64_t> confirmed;
    std::vector<std::size_t> caught_up_at;  // how many updates it had seen then
    std::vector<std::string> problems;
    std::vector<Errc> passed_over;
    int expected = 0;
    bool held = false;
};

TEST_F(TelegramPoller, ItAsksForMessagesAndClicksAndWaits) {
    start(5);
    ASSERT_EQ(http.polls().size(), 2U);
    EXPECT_EQ(http.polls()[0].body["timeout"], 0) << "first what waited";
    EXPECT_EQ(http.polls()[0].body["offset"], 5);
    EXPECT_EQ(http.polls()[1].body["timeout"], 50);
    EXPECT_EQ(http.polls()[1].body["limit"], limits::telegram_updates_max);
    EXPECT_EQ(http.polls()[1].body["allowed_updates"], (Json{"message", "edited_message", "callback_query"}));
}

TEST_F(TelegramPoller, I16_WhatWaitedBeforeTheStartIsAfterAGapAndWhatComesIsNot) {
    http.updates.push_back(click({.update = 1, .data = "x"}));
    start();
    push(2);
    EXPECT_EQ(seen, (std::vector<Seen>{{1, true}, {2, false}}));
}

TEST_F(TelegramPoller, I16_WhatComesAfterAQuickRestartCounts) {
    clock.advance(1h);
    http.updates.push_back(click({.update = 1, .data = "x"}));
    start(1, clock.boot() - limits::polling_gap_max);
    EXPECT_EQ(seen, (std::vector<Seen>{{1, false}}));
}

TEST_F(TelegramPoller, I16_ARestartThatTookLongerThanTheBoundIsAGap) {
    clock.advance(1h);
    http.updates.push_back(click({.update = 1, .data = "x"}));
    start(1, clock.boot() - limits::polling_gap_max - 1ms);
    EXPECT_EQ(seen, (std::vector<Seen>{{1, true}}));
}

TEST_F(TelegramPoller, I16_OneUpdateThatCameAloneDoesNotMeanThatNothingWaitsBehindIt) {
    // As Telegram answers who asks again within half a second.
    for (std::int64_t id = 1; id <= 2; ++id) {
        http.will("getUpdates", FakeTelegram::ok(Json::array({click({.update = id, .data = "x"})})));
    }
    start();
    EXPECT_EQ(seen, (std::vector<Seen>{{1, true}, {2, true}}));
    EXPECT_EQ(caught_up_at, std::vector<std::size_t>{2}) << "a restart before that would still be after a gap";
}

TEST_F(TelegramPoller, AStrangerWhoWritesOncePerPollDoesNotKeepTheGapOpen) {
    for (std::int64_t id = 1; id <= 20; ++id) answers_with(id, id);
    start();
    ASSERT_EQ(seen.size(), 20U);
    for (const auto& one : seen) EXPECT_EQ(one.after_gap, one.id <= 3) << one.id;
    EXPECT_EQ(caught_up_at.front(), 3U);
}

TEST_F(TelegramPoller, I16_OneShortAnswerDoesNotEndAGapBecauseTelegramMayHaveCutIt) {
    answers_with(1, 1);
    answers_with(2, 2);  // cut: the HTTP client sent the call twice
    answers_with(3, 12);
    answers_with(13, 21);
    answers_with(22, 30);
    start();
    push(31);
    ASSERT_EQ(seen.size(), 31U);
    for (const auto& one : seen) EXPECT_EQ(one.after_gap, one.id <= 30) << one.id;
}

TEST_F(TelegramPoller, I16_AShortAnswerToARepeatedOffsetDoesNotEndAGap) {
    answers_with(1, 1);
    http.will("getUpdates", Error{Errc::unavailable, "network is down"});
    answers_with(2, 2);  // Telegram cuts it if the offset came twice within half a second
    answers_with(3, 3);
    answers_with(4, 13);
    start();
    advance(2s);
    ASSERT_EQ(seen.size(), 13U);
    EXPECT_TRUE(std::ranges::all_of(seen, &Seen::after_gap));
}

TEST_F(TelegramPoller, I16_AGapOfMoreThanTheBoundMarksAllThatWaited) {
    start();
    ends_with(Error{Errc::unavailable, "network is down"});
    clock.advance(limits::polling_gap_max + 1ms);
    for (std::int64_t id = 1; id <= 12; ++id) http.updates.push_back(click({.update = id, .data = "x"}));
    settle();
    ASSERT_EQ(seen.size(), 12U);
    EXPECT_TRUE(std::ranges::all_of(seen, &Seen::after_gap)) << "also the second batch";
    push(13);
    EXPECT_EQ(seen.back(), (Seen{13, false}));
}

TEST_F(TelegramPoller, I16_AShortPauseIsNoGap) {
    start();
    ends_with(Error{Errc::unavailable, "network is down"});
    clock.advance(limits::polling_gap_max);
    http.updates.push_back(click({.update = 1, .data = "x"}));
    settle();
    EXPECT_EQ(seen, (std::vector<Seen>{{1, false}}));
}

TEST_F(TelegramPoller, I16_ASleepingMachineHasAGapThoughNoPollFailed) {
    start();
    clock.advance(8h);
    push(1);
    EXPECT_EQ(seen, (std::vector<Seen>{{1, true}}));
}

TEST_F(TelegramPoller, AnUpdateIsConfirmedOnlyAfterItWasHandled) {
    start();
    held = true;
    push(7);
    const auto asked = http.polls().size();
    EXPECT_TRUE(confirmed.empty());
    waiting[0]();
    settle();
    EXPECT_EQ(confirmed, std::vector<std::int64_t>{8});
    ASSERT_EQ(http.polls().size(), asked + 1);
    EXPECT_EQ(http.polls().back().body["offset"], 8);
}

TEST_F(TelegramPoller, I13_AHandlerThatHangsDoesNotStopPolling) {
    start();
    held = true;
    push(7);
    advance(limits::telegram_handle_max - 1ms);
    EXPECT_TRUE(confirmed.empty());
    advance(1ms);
    EXPECT_EQ(confirmed, std::vector<std::int64_t>{8});
    waiting[0]();  // harmless, later
}

TEST_F(TelegramPoller, AWebhookInTheWayIsExplainedOnceAndNotRemoved) {
    start();
    const auto conflict = FakeTelegram::refused(
        409,
        "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first");
    ends_with(conflict);
    http.will("getUpdates", conflict);
    advance(2s);
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_TRUE(problems[0].starts_with("a webhook is set for this bot")) << problems[0];
    EXPECT_TRUE(http.calls.empty());
    advance(1min);
    push(1);
    EXPECT_EQ(seen.size(), 1U) << "it goes on by itself";
    EXPECT_EQ(problems.back(), "updates of Telegram come in again");
    EXPECT_EQ(problems.size(), 2U);
}

TEST_F(TelegramPoller, AnotherPollerIsExplainedAsSuch) {
    start();
    ends_with(FakeTelegram::refused(409,
                                    "Conflict: terminated by other getUpdates request; make sure that only one bot "
                                    "instance is running"));
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_TRUE(problems[0].starts_with("another process polls this bot")) << problems[0];
    EXPECT_EQ(problems[0].find("webhook"), std::string::npos);
    EXPECT_TRUE(explain_conflict("Conflict: terminated by setWebhook request").starts_with("a webhook is set"));
}

TEST_F(TelegramPoller, FailuresAreTriedAgainEverMoreSlowly) {
    start();
    for (int i = 0; i < 50; ++i) http.will("getUpdates", Error{Errc::unavailable, "network is down"});
    http.release();
    settle();
    const auto before = http.polls().size();
    for (int i = 0; i < 300; ++i) advance(1s);
    const auto tries = http.polls().size() - before;
    EXPECT_GE(tries, 8U);
    EXPECT_LE(tries, 16U);
    EXPECT_EQ(problems.size(), 1U);
}

TEST_F(TelegramPoller, TelegramsWishToWaitIsHonoured) {
    start();
    ends_with(FakeTelegram::refused(429, "Too Many Requests: retry after 30", {{"retry_after", 30}}));
    const auto asked = http.polls().size();
    advance(29s);
    EXPECT_EQ(http.polls().size(), asked);
    advance(1s);
    EXPECT_GT(http.polls().size(), asked);
}

TEST_F(TelegramPoller, AForeignAnswerInThePlaceOfTelegramsDoesNotEndIt) {
    start();
    for (const int status : {401, 404}) {
        ends_with(HttpResponse{.status = status, .body = "<html>the proxy's own page</html>"});
        advance(2min);
    }
    ends_with(FakeTelegram::refused(401, "Unauthorized"));
    ASSERT_EQ(http.of("getMe").size(), 1U) << "asked, and it knows the bot";
    advance(2min);
    push(1);
    EXPECT_EQ(seen.size(), 1U);
}

TEST_F(TelegramPoller, ATokenThatIsNoneEndsIt) {
    start();
    http.will("getMe", FakeTelegram::refused(401, "Unauthorized"));
    ends_with(FakeTelegram::refused(401, "Unauthorized"));
    EXPECT_EQ(tasks.size(), 0U);
    EXPECT_EQ(problems.size(), 1U);
}

TEST_F(TelegramPoller, AnAnswerThatCannotBeReadConfirmsNothing) {
    start(5);
    ends_with(HttpResponse{.status = 200, .body = "<html>captive portal</html>"});
    ends_with(FakeTelegram::ok("no list"));
    advance(2s);
    EXPECT_TRUE(confirmed.empty());
    EXPECT_EQ(http.polls().back().body["offset"], 5);
}

TEST_F(TelegramPoller, NumbersThatBeginAnewAreFollowed) {
    start(1'000'000);
    push(7);
    EXPECT_EQ(confirmed, std::vector<std::int64_t>{8});
    EXPECT_EQ(http.polls().back().body["offset"], 8);
}

TEST_F(TelegramPoller, AServerThatDoesNotWaitIsNotAskedWithoutPause) {
    start();
    ends_with(FakeTelegram::ok(Json::array()));
    const auto asked = http.polls().size();
    settle();
    EXPECT_EQ(http.polls().size(), asked);
    advance(1s);
    EXPECT_EQ(http.polls().size(), asked + 1);
}

TEST_F(TelegramPoller, AServerThatBringsTheSameAgainAndAgainIsNotAskedWithoutPause) {
    for (const auto* id : {"7", "9223372036854775807", "-3"}) {
        start();
        const auto same = FakeTelegram::ok(Json::parse("[{\"update_id\":" + std::string{id} + "}]"));
        ends_with(same);
        ends_with(same);
        const auto asked = http.polls().size();
        settle();
        EXPECT_EQ(http.polls().size(), asked) << id;
        advance(1s);
        EXPECT_EQ(http.polls().size(), asked + 1) << id;
        tasks.cancel();
        settle();
    }
}

TEST_F(TelegramPoller, I13_UpdatesThatAreTooLargeTogetherAreAskedForOneByOne) {
    too_large(1);
    answers_with(5, 5);
    answers_with(6, 7);
    answers_with(8, 11);
    start(5);
    wait(1);
    std::vector<std::size_t> wanted;
    for (const auto& poll : http.polls()) wanted.push_back(poll.body["limit"]);
    ASSERT_GE(wanted.size(), 6U);
    wanted.resize(6);
    EXPECT_EQ(wanted, (std::vector<std::size_t>{limits::telegram_updates_max, 1, 2, 4, 8, 10}));
    EXPECT_EQ(seen.size(), 7U);
    EXPECT_TRUE(passed_over.empty()) << "nothing is lost";
}

TEST_F(TelegramPoller, I13_AnUpdateThatIsTooLargeAloneIsPassedOverAndRecorded) {
    too_large(2);
    answers_with(6, 6);
    start(5);
    wait(2);
    EXPECT_EQ(passed_over, std::vector{Errc::too_large});
    EXPECT_EQ(seen, (std::vector<Seen>{{6, true}}));
    EXPECT_EQ(confirmed, (std::vector<std::int64_t>{6, 7}));
    EXPECT_EQ(problems.back(), "updates of Telegram come in again");
    push(7);
    EXPECT_EQ(seen.back().id, 7) << "it goes on";
}

TEST_F(TelegramPoller, I13_WhatNestsTooDeeplyIsPassedOverToo) {
    const auto deep = std::string(limits::json_depth_max + 1, '[') + std::string(limits::json_depth_max + 1, ']');
    for (int i = 0; i < 2; ++i) http.will("getUpdates", HttpResponse{.status = 200, .body = deep});
    answers_with(6, 6);
    start(5);
    wait(2);
    EXPECT_EQ(passed_over.size(), 1U);
    EXPECT_EQ(seen.size(), 1U);
}

TEST_F(TelegramPoller, I13_AfterTooManyNumbersOnlyTheLastUpdateIsAskedFor) {
    const int most = limits::telegram_passed_over_max;
    too_large(1 + most + 1);
    answers_with(900, 900);
    start(5);
    wait(most + 1);
    EXPECT_EQ(asked()["offset"], 5 + most) << "exactly the bound";
    wait(1);
    const auto& polls = http.polls();
    EXPECT_EQ(std::ranges::count_if(polls, [](const auto& poll) { return poll.body["offset"] == -1; }), 1);
    EXPECT_EQ(seen.back().id, 900);
    push(901);
    EXPECT_EQ(seen.back().id, 901);
    EXPECT_EQ(asked()["offset"], 902);
}

TEST_F(TelegramPoller, I13_WithoutAKnownNumberOnlyTheLastUpdateIsAskedFor) {
    too_large(3);  // the last one, too
    start();
    wait(2);
    EXPECT_EQ(asked()["offset"], -1);
    answers_with(40, 40);
    wait(1);
    EXPECT_EQ(seen.back().id, 40);
    EXPECT_EQ(asked()["offset"], 41);
}

constexpr std::string_view secret = "a-webhook-secret_0123456789";
constexpr std::string_view earlier = "the-secret-before_0123456789";

security::SecretRing one(std::string_view text) {
    std::vector<security::SecretRing::Kept> entries;
    entries.push_back({.name = "present", .secret = security::Secret{text}});
    return std::move(*security::SecretRing::make(std::move(entries)));
}

security::SecretRing rotating(std::string_view present, std::string_view previous, WallTime until) {
    std::vector<security::SecretRing::Kept> entries;
    entries.push_back({.name = "present", .secret = security::Secret{present}});
    entries.push_back({.name = "previous", .secret = security::Secret{previous}, .until = until});
    return std::move(*security::SecretRing::make(std::move(entries)));
}

class TelegramWebhook : public TelegramPoller {
protected:
    // The status, or 0 while it is not answered.
    unsigned deliver(std::vector<HttpHeader> headers, std::string body) {
        reply.reset();
        boost::asio::co_spawn(
            io, webhook.handle({.headers = std::move(headers), .body = std::move(body), .arrived = clock.boot()}),
            [this](const std::exception_ptr&, countersign::Reply got) { reply = std::move(got); });
        settle();
        if (reply) EXPECT_EQ(reply->body, "") << "no detail for anybody";
        return reply ? reply->status : 0;
    }
    static HttpHeader with(std::string_view value) { return {"X-Telegram-Bot-Api-Secret-Token", std::string{value}}; }

    WebhookInbound webhook{one(secret), clock, handler(), [this](const std::string& line) { problems.push_back(line); },
                           [this](const Error& why) { refusals.push_back(why.code); }};
    std::vector<Errc> refusals;
    std::optional<countersign::Reply> reply;
    std::string update = click({.update = 7, .data = "x"}).dump();
};

TEST_F(TelegramWebhook, I5_OnlyTheRightSecretGetsIn) {
    EXPECT_EQ(deliver({with(secret)}, update), 200U);
    EXPECT_EQ(seen, (std::vector<Seen>{{7, false}}));
    EXPECT_EQ(deliver({}, update), 401U);
    EXPECT_EQ(deliver({with("")}, update), 401U);
    EXPECT_EQ(deliver({with("a-webhook-secret_0123456788")}, update), 401U);
    EXPECT_EQ(deliver({with(std::string{secret} + "0")}, update), 401U);
    EXPECT_EQ(deliver({{"X-Other", std::string{secret}}}, update), 401U);
    EXPECT_EQ(seen.size(), 1U);
    EXPECT_EQ(refusals, std::vector<Errc>(5, Errc::bad_signature)) << "each is told (I11)";
}

TEST_F(TelegramWebhook, I5_TwoSecretsAreNone) {
    EXPECT_EQ(deliver({with(secret), with(secret)}, update), 401U);
    EXPECT_EQ(deliver({with(secret), {"x-telegram-bot-api-secret-token", "other"}}, update), 401U);
    EXPECT_TRUE(seen.empty());
}

TEST_F(TelegramWebhook, I5_NothingIsReadBeforeTheSecretFits) {
    EXPECT_EQ(deliver({with("wrong")}, "{"), 401U);
    EXPECT_TRUE(problems.empty());
    EXPECT_EQ(expected, 0) << "nobody else wakes the log";
    EXPECT_EQ(deliver({with(secret)}, "{"), 200U) << "it would only come again";
    EXPECT_EQ(problems.size(), 1U);
    EXPECT_EQ(expected, 1);
}

// Telegram repeats what isn't accepted, and holds back later updates of the chat.
TEST_F(TelegramWebhook, I13_ABodyThatIsTooLargeIsAcceptedUnreadAndRecorded) {
    const auto padded = [&](std::size_t bytes) { return update + std::string(bytes - update.size(), ' '); };
    EXPECT_EQ(deliver({with(secret)}, padded(limits::webhook_body_bytes_max)), 200U);
    EXPECT_EQ(seen.size(), 1U);
    EXPECT_EQ(deliver({with(secret)}, padded(limits::webhook_body_bytes_max + 1)), 200U);
    EXPECT_EQ(seen.size(), 1U);
    EXPECT_EQ(refusals, std::vector{Errc::too_large});
}

TEST_F(TelegramWebhook, I5_WithoutItsBodyADeliveryIsAcceptedOnlyWithTheRightSecret) {
    const auto status = [&](std::vector<HttpHeader> headers) {
        const auto got = webhook.handle_without_body({.headers = std::move(headers), .arrived = clock.boot()});
        return got ? got->status : 0;
    };
    EXPECT_EQ(status({with(secret)}), 200U);
    EXPECT_EQ(refusals, std::vector{Errc::too_large}) << "recorded (I11)";
    EXPECT_EQ(status({}), 401U);
    EXPECT_EQ(status({with("wrong")}), 401U);
    EXPECT_EQ(status({with(secret), with(secret)}), 401U);
    EXPECT_EQ(refusals, (std::vector{Errc::too_large, Errc::bad_signature, Errc::bad_signature, Errc::bad_signature}));
    EXPECT_TRUE(seen.empty());
}

TEST_F(TelegramWebhook, TheAcknowledgementWaitsForTheHandlingAndNotForEver) {
    held = true;
    EXPECT_EQ(deliver({with(secret)}, update), 0U);
    advance(limits::telegram_handle_max - 1ms);
    EXPECT_FALSE(reply);
    advance(1ms);
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->status, 200U);
}

TEST_F(TelegramWebhook, WhileASecretIsReplacedBothCountUntilTheWrittenMoment) {
    webhook.trust(rotating(secret, earlier, clock.wall() + 1h));
    EXPECT_EQ(deliver({with(secret)}, update), 200U);
    EXPECT_TRUE(problems.empty());
    EXPECT_EQ(deliver({with(earlier)}, update), 200U);
    EXPECT_EQ(deliver({with(earlier)}, update), 200U);
    ASSERT_EQ(problems.size(), 1U) << "said once";
    EXPECT_NE(problems[0].find("with the previous secret"), std::string::npos);
    EXPECT_EQ(problems[0].find(earlier), std::string::npos);
    clock.advance(1h - 1ms);
    EXPECT_EQ(deliver({with(earlier)}, update), 200U);
    clock.advance(1ms);
    EXPECT_EQ(deliver({with(earlier)}, update), 401U);
    EXPECT_EQ(deliver({with(secret)}, update), 200U);
}

TEST_F(TelegramWebhook, GHSA_xmxx_7p24_h892_ASecretThatWasTakenAwayFailsFromTheNextDeliveryOn) {
    EXPECT_EQ(deliver({with(secret)}, update), 200U);
    webhook.trust(one(earlier));
    EXPECT_EQ(deliver({with(secret)}, update), 401U);
    EXPECT_EQ(deliver({with(earlier)}, update), 200U);
}

}  // namespace
}  // namespace countersign::channels::telegram
