// SPDX-License-Identifier: Apache-2.0
// The connection to Discord's Gateway: greeted, kept alive, lost and resumed, over pipes in memory.
#include "channels/discord/socket.hpp"

#include "channels/discord/bounds.hpp"
#include "channels/discord/client.hpp"
#include "core/limits.hpp"
#include "tests/channels/discord_fakes.hpp"
#include "tests/fakes/fake_clock.hpp"
#include "tests/fakes/fake_ids.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace countersign::channels::discord {
namespace {

using namespace fakes;
using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class DiscordSocket : public ::testing::Test {
protected:
    using Pipe = countersign::fakes::MessagePipe;
    struct End {
        std::shared_ptr<FakeLine> ours;
        std::unique_ptr<Pipe> theirs;
    };

    void TearDown() override {
        socket.stop();
        settle();
        tasks.cancel();
        settle();
        EXPECT_EQ(tasks.size(), 0U);
        EXPECT_THAT(stray, IsEmpty());
        for (const auto& line : problems) EXPECT_EQ(line.find(token), std::string::npos) << line;
    }

    void settle() {
        io.restart();
        io.poll();
    }
    void advance(std::chrono::milliseconds by) {
        clock.advance(by);
        settle();
    }
    // In steps, so that a sleep begins when the one before it ends.
    void pass(std::chrono::milliseconds time, std::chrono::milliseconds step = 100ms) {
        for (auto left = time; left > 0ms; left -= step) advance(std::min(left, step));
    }

    boost::asio::awaitable<Result<LinePtr>> connect(std::string url) {
        urls.push_back(std::move(url));
        if (refuse_connections) co_return Error{Errc::away, "no route"};
        auto [ours, theirs] = Pipe::pair(io.get_executor());
        ends.push_back({std::make_shared<FakeLine>(std::move(ours)), std::move(theirs)});
        co_return LinePtr{ends.back().ours};
    }

    void push(const Json& frame) {
        ends.back().theirs->push(frame.dump());
        settle();
    }
    void dispatch(const std::string& name, const Json& data) {
        push({{"op", 0}, {"s", ++seq}, {"t", name}, {"d", data}});
    }
    void hello(int interval = 45'000) { push({{"op", 10}, {"d", {{"heartbeat_interval", interval}}}}); }
    void ready(const std::string& url = "wss://gateway-us-east1-b.discord.gg") {
        dispatch("READY", {{"v", 10}, {"session_id", "session-1"}, {"resume_gateway_url", url}});
    }
    void begin() {
        socket.start();
        settle();
        ASSERT_THAT(ends, SizeIs(1));
        hello();
        ready();
        ASSERT_TRUE(socket.connected());
        sent();
    }
    // What we sent since it was last asked.
    std::vector<Json> sent() {
        std::vector<Json> found;
        for (const auto& text : ends.back().theirs->arrived()) found.push_back(Json::parse(*text));
        ends.back().theirs->arrived().clear();
        return found;
    }
    void closed_with(std::uint16_t code) {
        ends.back().ours->code = code;
        ends.back().theirs->close();
        settle();
    }

    boost::asio::io_context io;
    countersign::fakes::FakeClock clock;
    countersign::fakes::FakeIds ids;
    FakeDiscord http;
    std::vector<std::string> stray;
    std::vector<std::string> problems;
    std::vector<std::string> refused;
    std::vector<std::string> urls;
    std::vector<End> ends;
    std::vector<Payload> taken;
    Reply reply = json_reply(deferred_update());
    bool refuse_connections = false;
    std::int64_t seq = 0;
    TaskGroup tasks{io.get_executor(), [this](const std::string& what) { stray.push_back(what); }};
    DiscordClient client{http, clock, "https://discord.com/api/v10", security::Secret{token}};
    EventSocket socket{client,
                       "https://discord.com/api/v10",
                       [this](std::string url) { return connect(std::move(url)); },
                       clock,
                       ids,
                       tasks,
                       {.take = [this](Payload payload) -> boost::asio::awaitable<Reply> {
                            taken.push_back(std::move(payload));
                            co_return reply;
                        },
                        .on_problem = [this](const std::string& line) { problems.push_back(line); },
                        .on_refused = [this](const std::string& why) { refused.push_back(why); }}};
};

TEST_F(DiscordSocket, ItIdentifiesForDirectMessagesAndNothingElse) {
    socket.start();
    settle();
    EXPECT_THAT(http.of("GET gateway/bot"), SizeIs(1));
    ASSERT_THAT(urls, SizeIs(1));
    EXPECT_EQ(urls[0], "wss://gateway.discord.gg/?v=10&encoding=json") << "no compression is asked for";
    EXPECT_THAT(sent(), IsEmpty()) << "before it is greeted";
    hello();
    const auto first = sent();
    ASSERT_THAT(first, SizeIs(1));
    EXPECT_EQ(first[0]["op"], 2);
    EXPECT_EQ(first[0]["d"]["token"], token);
    EXPECT_EQ(first[0]["d"]["intents"], 4096);
    EXPECT_EQ(first[0]["d"]["compress"], false);
    EXPECT_FALSE(socket.connected());
    ready();
    EXPECT_TRUE(socket.connected());
}

TEST_F(DiscordSocket, APressIsAnsweredByACallWithoutTheBotsToken) {
    begin();
    dispatch("INTERACTION_CREATE", button_press({.id = snowflake(clock.wall()), .data = "token"}));
    ASSERT_THAT(taken, SizeIs(1));
    const auto answers = http.of("POST interactions/:id/:token/callback");
    ASSERT_THAT(answers, SizeIs(1));
    EXPECT_EQ(answers[0].path, "interactions/" + snowflake(clock.wall()) + "/aW50ZXJhY3Rpb24/callback");
    EXPECT_EQ(answers[0].body, (Json{{"type", 6}}));
    for (const auto& header : answers[0].request.headers) EXPECT_NE(header.name, "authorization");
}

TEST_F(DiscordSocket, AnAnswerThatComesTooLateIsToldAndNotTriedAgain) {
    begin();
    http.will("POST interactions/:id/:token/callback", FakeDiscord::refused(404, 10062, "Unknown interaction"));
    dispatch("INTERACTION_CREATE", button_press({.id = snowflake(clock.wall()), .data = "token"}));
    EXPECT_THAT(taken, SizeIs(1)) << "what it decides counts";
    EXPECT_THAT(http.of("POST interactions/:id/:token/callback"), SizeIs(1));
    EXPECT_THAT(problems.back(), HasSubstr("10062"));
    // One that was not reached is tried once more, while Discord still waits.
    http.will("POST interactions/:id/:token/callback", Error{Errc::away, "no connection"});
    dispatch("INTERACTION_CREATE", button_press({.id = snowflake(clock.wall(), 1), .data = "token"}));
    EXPECT_THAT(http.of("POST interactions/:id/:token/callback"), SizeIs(3));
}

TEST_F(DiscordSocket, WhatIsNotForUsIsLeftOut) {
    begin();
    dispatch("GUILD_CREATE", {{"id", "1"}});
    dispatch("INTERACTION_CREATE", interaction(4, {.id = snowflake(clock.wall())}));
    dispatch("INTERACTION_CREATE", Json::object());
    for (const auto* text : {"", "{", "[]", "1", R"({"op":99})", R"({"op":"10"})", R"({"op":0})"}) {
        ends.back().theirs->push(std::string{text});
        settle();
    }
    EXPECT_THAT(taken, IsEmpty());
    EXPECT_TRUE(socket.connected());
    dispatch("MESSAGE_CREATE", direct_message(snowflake(clock.wall()), "pending"));
    EXPECT_THAT(taken, SizeIs(1));
    EXPECT_THAT(http.of("POST interactions/:id/:token/callback"), IsEmpty()) << "a message takes no answer there";
}

TEST_F(DiscordSocket, TheFirstHeartbeatComesWithinTheIntervalAndEachNamesTheLastEvent) {
    begin();
    pass(45s);
    auto beats = sent();
    ASSERT_THAT(beats, SizeIs(1));
    EXPECT_EQ(beats[0], (Json{{"op", 1}, {"d", seq}}));
    push({{"op", 11}});
    dispatch("OTHER", Json::object());
    pass(45s);
    beats = sent();
    ASSERT_THAT(beats, SizeIs(1));
    EXPECT_EQ(beats[0]["d"], seq);
    EXPECT_TRUE(socket.connected());
}

TEST_F(DiscordSocket, AHeartbeatThatIsAskedForIsSentAtOnce) {
    begin();
    push({{"op", 1}, {"d", nullptr}});
    const auto beats = sent();
    ASSERT_THAT(beats, SizeIs(1));
    EXPECT_EQ(beats[0]["op"], 1);
}

TEST_F(DiscordSocket, APeerThatAnswersNoHeartbeatIsLeftAndTheSessionResumed) {
    begin();
    const auto last = seq;
    pass(90s + 1s);
    ASSERT_GE(ends.size(), 2U);
    ASSERT_TRUE(ends[0].ours->left);
    EXPECT_NE(*ends[0].ours->left, 1000) << "that would end the session";
    EXPECT_NE(*ends[0].ours->left, 1001);
    EXPECT_EQ(urls[1], "wss://gateway-us-east1-b.discord.gg/?v=10&encoding=json");
    hello();
    const auto first = sent();
    ASSERT_THAT(first, SizeIs(1));
    EXPECT_EQ(first[0], (Json{{"op", 6}, {"d", {{"token", token}, {"session_id", "session-1"}, {"seq", last}}}}));
    EXPECT_THAT(http.of("GET gateway/bot"), SizeIs(1)) << "no new session";
    // What was missed comes again, and then the word that it was all.
    dispatch("INTERACTION_CREATE", button_press({.id = snowflake(clock.wall()), .data = "token"}));
    dispatch("RESUMED", Json::object());
    EXPECT_TRUE(socket.connected());
    EXPECT_THAT(taken, SizeIs(1));
}

TEST_F(DiscordSocket, AReconnectThatIsAskedForIsMadeAtOnce) {
    begin();
    pass(30s);
    push({{"op", 7}, {"d", nullptr}});
    EXPECT_NE(ends[0].ours->left.value_or(1000), 1000);
    ASSERT_THAT(ends, SizeIs(2)) << "without a pause";
    hello();
    EXPECT_EQ(sent().at(0)["op"], 6);
}

TEST_F(DiscordSocket, AConnectionThatIsTakenAwayAtOnceAgainAndAgainIsNotStormed) {
    begin();
    for (int i = 0; i < 200; ++i) {
        push({{"op", 7}, {"d", nullptr}});
        advance(100ms);
        if (ends.back().theirs->arrived().empty()) hello();
    }
    EXPECT_LT(ends.size(), 12U) << "in 20 s";
}

TEST_F(DiscordSocket, AnInvalidSessionIsResumedOrBegunAnewAfterAFewSeconds) {
    begin();
    push({{"op", 9}, {"d", true}});
    advance(900ms);
    EXPECT_THAT(ends, SizeIs(1)) << "not before a second has passed";
    pass(5s);
    ASSERT_THAT(ends, SizeIs(2));
    hello();
    EXPECT_EQ(sent().at(0)["op"], 6);
    push({{"op", 9}, {"d", false}});
    advance(900ms);
    EXPECT_THAT(ends, SizeIs(2));
    pass(10s);
    ASSERT_THAT(ends, SizeIs(3));
    EXPECT_THAT(http.of("GET gateway/bot"), SizeIs(2));
    hello();
    EXPECT_EQ(sent().at(0)["op"], 2);
}

TEST_F(DiscordSocket, FatalCloseCodesAreExplainedAndNeverTriedAgain) {
    for (const int code : {4004, 4010, 4011, 4012, 4013, 4014}) {
        const auto closing = closing_of(static_cast<std::uint16_t>(code));
        EXPECT_EQ(closing.then, Closing::Then::give_up) << code;
        EXPECT_FALSE(closing.why.empty()) << code;
    }
    for (const int code : {1000, 1001, 1006, 4000, 4001, 4002, 4003, 4005, 4008}) {
        EXPECT_EQ(closing_of(static_cast<std::uint16_t>(code)).then, Closing::Then::resume) << code;
    }
    for (const int code : {4007, 4009}) {
        EXPECT_EQ(closing_of(static_cast<std::uint16_t>(code)).then, Closing::Then::start_over) << code;
    }
    begin();
    closed_with(4004);
    pass(1h, 1min);
    EXPECT_THAT(ends, SizeIs(1));
    ASSERT_THAT(refused, SizeIs(1));
    EXPECT_THAT(refused[0], HasSubstr("token"));
    EXPECT_EQ(socket.refused(), refused[0]);
    EXPECT_FALSE(socket.connected());
}

TEST_F(DiscordSocket, ASessionThatTimedOutIsBegunAnew) {
    begin();
    pass(30s);
    closed_with(4009);
    pass(10s);
    ASSERT_THAT(ends, SizeIs(2));
    hello();
    EXPECT_EQ(sent().at(0)["op"], 2);
}

TEST_F(DiscordSocket, NoSessionIsBegunWhereDiscordAllowsNone) {
    http.gateway["session_start_limit"]["remaining"] = 0;
    http.gateway["session_start_limit"]["reset_after"] = 7'200'000;
    socket.start();
    settle();
    EXPECT_THAT(ends, IsEmpty());
    ASSERT_THAT(problems, SizeIs(1));
    EXPECT_THAT(problems[0], HasSubstr("2 h"));
    pass(2h - 1min, 1min);
    EXPECT_THAT(ends, IsEmpty()) << "a bot that asks for more loses its token";
    EXPECT_THAT(http.of("GET gateway/bot"), SizeIs(1));
    http.gateway["session_start_limit"]["remaining"] = 1000;
    pass(1min + 10s, 1s);
    EXPECT_THAT(ends, SizeIs(1));
}

TEST_F(DiscordSocket, ATokenThatIsRefusedIsNotTriedAgain) {
    for (const auto* call : {"GET gateway/bot", "GET users/@me"}) {
        http.will(call, FakeDiscord::refused(401, 0, "401: Unauthorized"));
    }
    socket.start();
    settle();
    pass(1h, 1min);
    EXPECT_THAT(http.of("GET gateway/bot"), SizeIs(1));
    EXPECT_THAT(refused, SizeIs(1));
}

TEST_F(DiscordSocket, ARefusalThatDiscordDoesNotConfirmIsTriedAgain) {
    http.will("GET gateway/bot", FakeDiscord::refused(401, 0, "401: Unauthorized"));
    socket.start();
    settle();
    pass(2s);
    EXPECT_THAT(refused, IsEmpty());
    EXPECT_THAT(ends, SizeIs(1));
}

TEST_F(DiscordSocket, OurTokenGoesToDiscordAlone) {
    const std::string base = "https://discord.com/api/v10";
    for (const auto* url :
         {"wss://gateway.discord.gg", "wss://gateway-us-east1-b.discord.gg/?v=10", "wss://discord.gg"}) {
        EXPECT_TRUE(may_connect_to(url, base)) << url;
    }
    for (const auto* url :
         {"ws://gateway.discord.gg", "wss://evil.example", "wss://discord.gg.evil.example", "wss://evildiscord.gg",
          "wss://gateway.discord.gg@evil.example", "https://gateway.discord.gg", "wss://evil.example/.discord.gg",
          "wss://evil.example#.discord.gg", "", "wss://"}) {
        EXPECT_FALSE(may_connect_to(url, base)) << url;
    }
    EXPECT_TRUE(may_connect_to("ws://127.0.0.1:4711", "http://127.0.0.1:4700/api/v10"));
    EXPECT_FALSE(may_connect_to("ws://127.0.0.2:4711", "http://127.0.0.1:4700/api/v10"));
    EXPECT_FALSE(may_connect_to("ws://discord.com", base)) << "without TLS";
    begin();
    pass(30s);
    ready("wss://evil.example");
    push({{"op", 7}});
    pass(10s);
    ASSERT_THAT(urls, SizeIs(2));
    EXPECT_THAT(urls[1], HasSubstr("gateway.discord.gg")) << "the session is begun anew instead";
    http.gateway["url"] = "wss://evil.example";
    closed_with(4009);
    pass(1min);
    EXPECT_THAT(urls, SizeIs(2));
}

TEST_F(DiscordSocket, AConnectionThatNeverBecomesASessionIsLeft) {
    socket.start();
    settle();
    pass(limits::discord_ready_max + 1s);
    EXPECT_TRUE(ends[0].ours->left);
    pass(1min);
    EXPECT_GE(ends.size(), 2U);
    EXPECT_FALSE(socket.connected());
    EXPECT_EQ(socket.last_connected(), std::nullopt);
}

TEST_F(DiscordSocket, ABrokenConnectionIsTriedAgainWithPausesAndAtLastAsANewSession) {
    begin();
    refuse_connections = true;
    ends[0].theirs->close();
    settle();
    pass(20min, 1s);
    EXPECT_LT(urls.size(), 60U);
    EXPECT_GT(http.of("GET gateway/bot").size(), 1U) << "the address of the session may be gone";
    refuse_connections = false;
    for (int i = 0; i < 120 && ends.size() < 2; ++i) advance(1s);
    ASSERT_THAT(ends, SizeIs(2));
    hello();
    ready();
    EXPECT_TRUE(socket.connected());
    EXPECT_THAT(problems.back(), HasSubstr("connected again"));
}

TEST_F(DiscordSocket, I13_AHeartbeatThatCannotBeIsRefused) {
    socket.start();
    settle();
    for (const int interval : {0, -1, 999, 300'001}) {
        hello(interval);
        pass(2min, 500ms);
        EXPECT_FALSE(socket.connected()) << interval;
        EXPECT_TRUE(sent().empty()) << interval;
    }
    EXPECT_THAT(problems.back(), HasSubstr("heartbeat"));
}

TEST_F(DiscordSocket, I13_WeSendNoMoreThanDiscordTakes) {
    begin();
    for (int i = 0; i < 200; ++i) push({{"op", 1}});
    // Two were sent to begin with.
    EXPECT_THAT(sent(), SizeIs(limits::discord_sends_burst - 1));
    EXPECT_THAT(problems.back(), HasSubstr("no more"));
}

TEST_F(DiscordSocket, I13_SoManyPressesAreInHandAtOnce) {
    begin();
    http.will("POST interactions/:id/:token/callback", Error{Errc::away, "no connection"});
    for (std::size_t i = 0; i <= limits::discord_in_hand_max; ++i) {
        const auto press = button_press({.id = snowflake(clock.wall(), static_cast<unsigned>(i)), .data = "token"});
        ends.back().theirs->push(Json{{"op", 0}, {"s", ++seq}, {"t", "INTERACTION_CREATE"}, {"d", press}}.dump());
    }
    settle();
    EXPECT_THAT(taken, SizeIs(limits::discord_in_hand_max));
    EXPECT_THAT(problems.front(), HasSubstr("too many"));
}

TEST_F(DiscordSocket, AfterTheEndNothingIsTaken) {
    begin();
    socket.stop();
    settle();
    pass(1min);
    EXPECT_THAT(ends, SizeIs(1));
    EXPECT_FALSE(ends[0].theirs->arrived().size() > 1);
}

}  // namespace
}  // namespace countersign::channels::discord
