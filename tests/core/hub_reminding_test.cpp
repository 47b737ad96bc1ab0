// SPDX-License-Identifier: Apache-2.0
// Topics, threads and reminders: where a request is shown, who is mentioned, and which messages people get while it
// waits.
#include "tests/fakes/world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign {
namespace {

using fakes::FakeChannel;
using fakes::shell_request;
using fakes::small_configuration;
using fakes::World;
using testing::ElementsAre;
using testing::IsEmpty;

using namespace std::chrono_literals;

// The channels know the people of this test by ids of kind "test".
std::vector<std::string> called(const std::vector<Mention>& mentions) {
    std::vector<std::string> names;
    for (const auto& mention : mentions) names.push_back(mention.person);
    return names;
}

TEST(HubTopicTest, I12_ATopicIsPassedToTheChannelAndRecorded) {
    auto configuration = small_configuration();
    configuration.routes.front().steps.front().thread = "12";
    World world{std::move(configuration)};
    const auto id = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(id)));
    EXPECT_EQ(world.ops.presented.at(0).to, (Recipient{.chat = "room", .principal = {}, .thread = "12"}));
    EXPECT_EQ(world.ledger.text("presented", "ref"), "ops/room/12/m1#0");
    ASSERT_TRUE(world.decide(world.click(id, "allow"))) << "the whole text is in this chat, whatever the topic (I7)";
    EXPECT_EQ(world.ledger.text("concluded", "ref"), "ops/room/12/m1#0");
}

TEST(HubMentionTest, ARouteCanTurnMentionsOff) {
    auto configuration = small_configuration();
    World calling{configuration};
    ASSERT_TRUE(calling.ask(shell_request(calling.ids.next())));
    EXPECT_THAT(called(calling.ops.presented.at(0).audience.mentions), ElementsAre("alice", "bob", "carol"));
    configuration.routes.front().mention = false;
    World quiet{configuration};
    ASSERT_TRUE(quiet.ask(shell_request(quiet.ids.next())));
    EXPECT_THAT(quiet.ops.presented.at(0).audience.mentions, IsEmpty());
}

TEST(HubMentionTest, APersonWhoHasVotedIsNotMentionedAgain) {
    auto configuration = small_configuration();
    configuration.routes.front().required = 2;
    configuration.routes.front().steps.push_back({.after = 5min, .channel = "ops", .chat = "second room"});
    World world{std::move(configuration)};
    const auto id = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(id)));
    ASSERT_TRUE(world.decide(world.click(id, "allow", "bob")));
    world.advance(5min);
    EXPECT_THAT(called(world.ops.presented.at(1).audience.mentions), ElementsAre("alice", "carol"));
}

TEST(HubThreadTest, CardsOfASessionGoBelowItsFirstCardInTheSamePlace) {
    World world;
    ASSERT_TRUE(world.ask(shell_request(world.ids.next(), "a")));
    ASSERT_TRUE(world.ask(shell_request(world.ids.next(), "b")));
    ASSERT_TRUE(world.ask(shell_request(world.ids.next(), "c")));
    auto other = shell_request(world.ids.next(), "d");
    other.session_key = "s2";
    ASSERT_TRUE(world.ask(std::move(other)));
    const MessageRef first{{"ops", "room", "", "m1"}, 0};
    EXPECT_EQ(world.ops.presented.at(0).audience.in_thread_of, std::nullopt);
    EXPECT_EQ(world.ops.presented.at(1).audience.in_thread_of, first);
    EXPECT_EQ(world.ops.presented.at(2).audience.in_thread_of, first);
    EXPECT_EQ(world.ops.presented.at(3).audience.in_thread_of, std::nullopt);
}

TEST(HubThreadTest, AnUndeliveredMessageDoesNotStartAThread) {
    World world;
    world.ops.mood = FakeChannel::Mood::silent;
    ASSERT_TRUE(world.ask(shell_request(world.ids.next(), "a")));
    world.ops.mood = FakeChannel::Mood::delivers;
    ASSERT_TRUE(world.ask(shell_request(world.ids.next(), "b")));
    EXPECT_EQ(world.ops.presented.at(1).audience.in_thread_of, std::nullopt);
}

TEST(HubReminderTest, WithoutATimeoutPeopleAreRemindedAtGrowingIntervals) {
    World world;
    const auto id = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(id)));
    world.advance(limits::reminder_first - 1ms);
    EXPECT_THAT(world.ops.reminded, IsEmpty());
    world.advance(1ms);
    ASSERT_EQ(world.ops.reminded.size(), 1U);
    EXPECT_EQ(world.ops.reminded[0].first, world.ops.presented.at(0).id);
    EXPECT_EQ(world.ops.reminded[0].second.waited, 10min);
    EXPECT_THAT(called(world.ops.reminded[0].second.mentions), ElementsAre("alice", "bob", "carol"));
    world.advance(20min - 1ms);
    EXPECT_EQ(world.ops.reminded.size(), 1U);
    world.advance(1ms);
    ASSERT_EQ(world.ops.reminded.size(), 2U);
    EXPECT_EQ(world.ops.reminded[1].second.waited, 30min);
    ASSERT_TRUE(world.decide(world.click(id, "deny")));
    world.advance(24h);
    EXPECT_EQ(world.ops.reminded.size(), 2U) << "it has ended";
    EXPECT_EQ(world.clock.sleepers(), 0U);
}

TEST(HubReminderTest, I13_PastTheBoundThereAreNoMoreReminders) {
    World world;
    ASSERT_TRUE(world.ask(shell_request(world.ids.next())));
    for (int i = 0; i < 40; ++i) world.advance(limits::reminder_interval_max);
    EXPECT_EQ(world.ops.reminded.size(), limits::reminders_max);
    EXPECT_EQ(world.hub.pending(), 1U) << "it waits on";
}

TEST(HubReminderTest, AfterASuspendThereIsOneReminderInsteadOfAllThatWereMissed) {
    World world;
    ASSERT_TRUE(world.ask(shell_request(world.ids.next())));
    world.advance(9h);
    EXPECT_EQ(world.ops.reminded.size(), 1U);
    EXPECT_EQ(world.ops.reminded[0].second.waited, 9h);
    world.advance(20min - 1ms);
    EXPECT_EQ(world.ops.reminded.size(), 1U);
    world.advance(1ms);
    EXPECT_EQ(world.ops.reminded.size(), 2U);
}

TEST(HubReminderTest, TheCurrentDelaysApplyToPendingRequestsToo) {
    auto configuration = small_configuration();
    auto& route = configuration.routes.front();
    route.remind = 0ms;
    World world{configuration};
    const auto reload = [&] {
        world.hub.reconfigure(std::make_shared<const Configuration>(configuration));
        world.settle();
    };
    ASSERT_TRUE(world.ask(shell_request(world.ids.next())));
    world.advance(10min);
    route.remind = 15min;
    reload();
    world.advance(5min - 1ms);
    EXPECT_THAT(world.ops.reminded, IsEmpty());
    world.advance(1ms);
    EXPECT_EQ(world.ops.reminded.size(), 1U) << "it had none before";
    world.advance(15min);
    route.remind = 2min;
    reload();
    EXPECT_EQ(world.ops.reminded.size(), 2U) << "it would have come by now";
    route.remind = 0ms;
    route.steps.push_back({.after = 1h, .channel = "ops", .chat = "second room"});
    reload();
    world.advance(5min);
    EXPECT_EQ(world.ops.reminded.size(), 2U);
    EXPECT_EQ(world.ops.presented.size(), 1U);
    route.steps.back().after = 40min;
    reload();
    world.advance(5min);
    EXPECT_EQ(world.ops.presented.size(), 2U) << "a step";
}

TEST(HubReminderTest, ANewDelayDoesNotShowARequestThatARuleAnswers) {
    World world;
    auto request = shell_request(world.ids.next());
    request.judgement.policy = {.effect = PolicyEffect::allow, .rule = "reads"};
    world.ledger.hold(true);
    world.begin_ask(std::move(request));
    world.settle();
    world.ledger.release_one();
    world.settle();
    ASSERT_THAT(world.ledger.kinds(), ElementsAre("request"));
    ASSERT_EQ(world.ledger.waiting(), 1U) << "the decision is being written";
    world.hub.reconfigure(std::make_shared<const Configuration>(small_configuration()));
    world.settle();
    world.advance(1h);
    world.ledger.hold(false);
    world.settle();
    EXPECT_THAT(world.ops.presented, IsEmpty());
}

TEST(HubReminderTest, ARouteSetsTheDelayOrTurnsRemindersOff) {
    auto configuration = small_configuration();
    auto& route = configuration.routes.front();
    route.timeout = 2h;
    World with_timeout{configuration};
    ASSERT_TRUE(with_timeout.ask(shell_request(with_timeout.ids.next())));
    with_timeout.advance(2h - 1ms);
    EXPECT_THAT(with_timeout.ops.reminded, IsEmpty()) << "a timeout ends it anyway";
    route.remind = 15min;
    World wished{configuration};
    ASSERT_TRUE(wished.ask(shell_request(wished.ids.next())));
    wished.advance(15min);
    EXPECT_EQ(wished.ops.reminded.size(), 1U);
    wished.advance(2h);
    EXPECT_EQ(wished.ops.reminded.size(), 1U) << "it expired first";
    EXPECT_EQ(wished.agent.forwarded.at(0).outcome, Outcome::expired);
    route.timeout.reset();
    route.remind = 0ms;
    World never{configuration};
    ASSERT_TRUE(never.ask(shell_request(never.ids.next())));
    never.advance(48h);
    EXPECT_THAT(never.ops.reminded, IsEmpty());
}

TEST(HubReminderTest, EscalationContinuesAlongsideReminders) {
    auto configuration = small_configuration();
    configuration.routes.front().steps.push_back({.after = 25min, .channel = "pager", .chat = "phones"});
    World world{std::move(configuration)};
    ASSERT_TRUE(world.ask(shell_request(world.ids.next())));
    world.advance(10min);
    EXPECT_EQ(world.ops.reminded.size(), 1U);
    EXPECT_THAT(world.pager.presented, IsEmpty());
    world.advance(15min);
    EXPECT_EQ(world.pager.presented.size(), 1U);
    world.advance(5min);
    EXPECT_EQ(world.ops.reminded.size(), 2U);
    EXPECT_EQ(world.pager.reminded.size(), 1U) << "everywhere it stands";
}

TEST(HubReminderTest, OnlyPeopleWhoCanStillDecideAreReminded) {
    auto configuration = small_configuration();
    auto& route = configuration.routes.front();
    route.required = 2;
    route.deciders = {"alice", "bob"};
    route.steps = {{.channel = "ops", .chat = "room"},
                   {.channel = "ops", .chat = {}, .people = {"alice", "bob", "carol"}}};
    World world{std::move(configuration)};
    const auto id = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(id)));
    ASSERT_EQ(world.ops.presented.size(), 4U);
    ASSERT_TRUE(world.decide(world.click(id, "allow", "alice")));
    world.advance(10min);
    ASSERT_EQ(world.ops.reminded.size(), 2U);
    EXPECT_EQ(world.ops.reminded[0].first, world.ops.presented[0].id);
    EXPECT_THAT(called(world.ops.reminded[0].second.mentions), ElementsAre("bob"));
    EXPECT_EQ(world.ops.reminded[1].first, world.ops.presented[2].id);
    EXPECT_EQ(world.ops.presented[2].to.principal, "test:bob");
    EXPECT_THAT(world.ops.reminded[1].second.mentions, IsEmpty()) << "who is written to alone is not called";
}

TEST(HubReminderTest, AnUndeliveredRequestIsNotReminded) {
    World world;
    world.ops.mood = FakeChannel::Mood::silent;
    ASSERT_TRUE(world.ask(shell_request(world.ids.next())));
    world.advance(10min);
    EXPECT_THAT(world.ops.reminded, IsEmpty());
}

TEST(HubSessionEndTest, TheEndOfASessionIsReportedOnceWhereItWasShown) {
    World world;
    fakes::FakeRuntime other;
    ASSERT_TRUE(world.ask(shell_request(world.ids.next(), "a")));
    ASSERT_TRUE(world.ask(shell_request(world.ids.next(), "b")));
    auto elsewhere = shell_request(world.ids.next());
    elsewhere.session_key = "s2";
    ASSERT_TRUE(world.ask(std::move(elsewhere), other));
    world.hub.asking().gone(world.agent, {}, "the agent ended");
    world.settle();
    EXPECT_THAT(world.ops.sessions_ended, IsEmpty()) << "how it ended is not known yet";
    world.hub.asking().session_ended(world.agent, {}, "exit 1, hunter2");
    world.hub.asking().session_ended(world.agent, {}, "");
    ASSERT_EQ(world.ops.sessions_ended.size(), 1U);
    const auto& end = world.ops.sessions_ended[0];
    EXPECT_EQ(end.session_key, "s1");
    EXPECT_EQ(end.below.place.message, "m1");
    EXPECT_EQ(end.failure, "exit 1, «redacted»");
    EXPECT_EQ(end.to.chat, "room");
}

TEST(HubSessionEndTest, OnlyTheSessionThatEndedIsReportedAndTheOthersOfItsRuntimeLater) {
    World world;
    for (const auto* session : {"s1", "s2"}) {
        auto request = shell_request(world.ids.next());
        request.session_key = session;
        ASSERT_TRUE(world.ask(std::move(request)));
    }
    world.hub.asking().session_ended(world.agent, {"dev", "s2"}, "");
    ASSERT_EQ(world.ops.sessions_ended.size(), 1U);
    EXPECT_EQ(world.ops.sessions_ended[0].session_key, "s2");
    world.hub.asking().session_ended(world.agent, {}, "");
    ASSERT_EQ(world.ops.sessions_ended.size(), 2U);
    EXPECT_EQ(world.ops.sessions_ended[1].session_key, "s1");
}

TEST(HubSessionEndTest, TheEndOfAHaltedSessionNamesThePersonWhoHaltedIt) {
    World world;
    ASSERT_TRUE(world.ask(shell_request(world.ids.next())));
    ASSERT_TRUE(world.order(world.halt("dev")));
    world.hub.asking().gone(world.agent, {}, "the agent ended");
    world.hub.asking().session_ended(world.agent, {}, "exited with 1");
    ASSERT_EQ(world.ops.sessions_ended.size(), 1U);
    EXPECT_EQ(world.ops.sessions_ended[0].halted_by, "alice");
}

TEST(HubSessionEndTest, ASessionThatShowedNothingEndsSilently) {
    World world;
    world.hub.asking().gone(world.agent, {}, "the agent ended");
    world.hub.asking().session_ended(world.agent, {}, "exit 1");
    EXPECT_THAT(world.ops.sessions_ended, IsEmpty());
}

}  // namespace
}  // namespace countersign
