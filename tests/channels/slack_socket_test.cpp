// SPDX-License-Identifier: Apache-2.0
// Socket Mode: connections that Slack opens, replaces and closes, over pipes in memory.
#include "tests/channels/slack_world.hpp"

namespace countersign::channels::slack::fakes {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class SlackSocket : public SlackWorld {
protected:
    void begin_connected() {
        begin(slack_configuration(), Mode::socket);
        ASSERT_EQ(sockets.size(), limits::slack_sockets);
        for (std::size_t i = 0; i < sockets.size(); ++i) hello(i);
    }
};

TEST_F(SlackSocket, AClickIsAcknowledgedAndDecides) {
    begin_connected();
    EXPECT_TRUE(slack->unready().empty());
    EXPECT_TRUE(slack->inbound().empty());
    ask();
    envelope(1, "interactive", block_actions(pressing("Allow")), "e-1");
    ASSERT_EQ(acknowledged(1).size(), 1U);
    EXPECT_EQ(acknowledged(1)[0], (Json{{"envelope_id", "e-1"}}));
    EXPECT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(http.of("apps.connections.open").size(), 2U);
    for (const auto& call : http.calls) {
        const bool opens = call.method == "apps.connections.open";
        EXPECT_EQ(call.request.headers.front().value, "Bearer " + std::string{opens ? app_token : token})
            << call.method;
    }
}

TEST_F(SlackSocket, ASlashCommandIsAnsweredInItsAcknowledgement) {
    begin_connected();
    ask();
    const Json fields{{"team_id", "T0"}, {"channel_id", "C0OPS"}, {"user_id", "U77"}, {"command", "/pending"},
                      {"text", ""},      {"trigger_id", "1.2"}};
    envelope(0, "slash_commands", fields, "e-1", true);
    ASSERT_EQ(acknowledged(0).size(), 1U);
    EXPECT_EQ(acknowledged(0)[0]["payload"]["response_type"], "ephemeral");
}

TEST_F(SlackSocket, TheAcknowledgementDoesNotWaitForTheLog) {
    begin_connected();
    const auto id = ask();
    world->ledger.hold(true);
    const Json fields{{"team_id", "T0"},       {"channel_id", "C0OPS"}, {"user_id", "U77"},
                      {"command", "/approve"}, {"text", code(id)},      {"trigger_id", "1.2"}};
    envelope(0, "slash_commands", fields, "e-1", true);
    EXPECT_TRUE(acknowledged(0).empty());
    world->advance(limits::slack_reply_max);
    ASSERT_EQ(acknowledged(0).size(), 1U);
    EXPECT_FALSE(acknowledged(0)[0].contains("payload"));
    world->ledger.hold(false);
    world->settle();
    EXPECT_EQ(forwarded().size(), 1U);
    EXPECT_THAT(last_text("chat.postEphemeral"), HasSubstr("Allowed"));
}

TEST_F(SlackSocket, AnEnvelopeThatComesTwiceCountsOnceAndIsAcknowledgedTwice) {
    begin_connected();
    const auto id = ask();
    const auto said = event({.text = "!deny " + code(id), .message = moment()});
    envelope(0, "events_api", said, "e-1");
    envelope(1, "events_api", said, "e-2");
    EXPECT_EQ(acknowledged(0).size(), 1U);
    EXPECT_EQ(acknowledged(1).size(), 1U);
    EXPECT_EQ(forwarded().size(), 1U);
}

TEST_F(SlackSocket, ANewConnectionIsThereBeforeTheOldOneIsLeft) {
    begin_connected();
    ask();
    world->advance(1h);
    sockets[0]->push(std::string{R"({"type":"disconnect","reason":"refresh_requested"})"});
    world->settle();
    ASSERT_EQ(sockets.size(), 3U);
    hello(2);
    EXPECT_TRUE(slack->unready().empty());
    // The old one may still bring what was on its way.
    envelope(0, "interactive", block_actions(pressing("Allow")), "e-1");
    EXPECT_EQ(acknowledged(0).size(), 1U);
    EXPECT_EQ(forwarded().size(), 1U);
    world->advance(limits::slack_drain_max);
    EXPECT_TRUE(slack->unready().empty());
}

TEST_F(SlackSocket, ABrokenConnectionIsOpenedAgainAfterAPause) {
    begin_connected();
    refuse_connections = true;
    const auto before = urls.size();
    for (auto& socket : sockets) socket->close();
    world->settle();
    world->advance(5s);
    EXPECT_GT(urls.size(), before);
    world->advance(5min);
    EXPECT_FALSE(slack->unready().empty()) << "readiness tells it";
    refuse_connections = false;
    world->advance(5min);
    ASSERT_GE(sockets.size(), 3U);
    hello(sockets.size() - 1);
    EXPECT_TRUE(slack->unready().empty());
}

TEST_F(SlackSocket, I6_AnAddressThatIsNotOneOfSlacksIsNotConnectedTo) {
    for (std::size_t i = 0; i < limits::slack_sockets; ++i) {
        http.will("apps.connections.open", FakeSlack::ok({{"url", "wss://evil.example?.slack.com/link"}}));
    }
    begin(slack_configuration(), Mode::socket);
    EXPECT_TRUE(urls.empty());
    ASSERT_FALSE(problems.empty());
    EXPECT_THAT(problems.back(), HasSubstr("not one of Slack's"));
    world->advance(1min);
    EXPECT_EQ(urls.size(), limits::slack_sockets) << "the next address is Slack's";
}

TEST_F(SlackSocket, AConnectionThatNeverGreetsIsReplaced) {
    begin(slack_configuration(), Mode::socket);
    ASSERT_EQ(sockets.size(), 2U);
    world->advance(limits::slack_hello_max);
    world->advance(1min);
    EXPECT_GE(sockets.size(), 4U);
    EXPECT_FALSE(slack->unready().empty());
}

TEST_F(SlackSocket, AnAppWithoutSocketModeIsNotAskedWithoutEnd) {
    begin_connected();
    sockets[0]->push(std::string{R"({"type":"disconnect","reason":"link_disabled"})"});
    world->settle();
    world->advance(1h);
    EXPECT_EQ(sockets.size(), 2U);
    EXPECT_THAT(problems.back(), HasSubstr("Socket Mode is switched off"));
}

TEST_F(SlackSocket, I13_SoManyEnvelopesAreInHandAtOnce) {
    begin_connected();
    std::vector<Ulid> ids;
    for (std::size_t i = 0; i <= limits::slack_envelopes_max; ++i) ids.push_back(ask("ls " + std::to_string(i)));
    world->ledger.hold(true);
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const Json fields{{"team_id", "T0"},    {"channel_id", "C0OPS"}, {"user_id", "U77"},
                          {"command", "/deny"}, {"text", ids[i].str()},  {"trigger_id", std::to_string(i)}};
        envelope(0, "slash_commands", fields, "e-" + std::to_string(i), true);
    }
    EXPECT_THAT(problems.back(), HasSubstr("too many envelopes"));
    world->advance(limits::slack_reply_max);
    EXPECT_EQ(acknowledged(0).size(), limits::slack_envelopes_max);
    world->ledger.hold(false);
    world->settle();
}

TEST_F(SlackSocket, WhatCannotBeReadIsLeftOut) {
    begin_connected();
    for (const auto* text : {"", "{", "[]", R"({"type":"interactive"})", R"({"type":"new","envelope_id":"e-1"})"}) {
        sockets[0]->push(std::string{text});
        world->settle();
    }
    EXPECT_EQ(acknowledged(0).size(), 1U) << "one had a name to be acknowledged by";
    EXPECT_TRUE(slack->unready().empty());
}

}  // namespace
}  // namespace countersign::channels::slack::fakes
