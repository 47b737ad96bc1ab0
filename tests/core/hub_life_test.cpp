// SPDX-License-Identifier: Apache-2.0
// How a request arrives, waits and ends: idempotence, steps, expiry, withdrawal, listeners, and stopping the hub.
#include "core/hub/bounds.hpp"
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

using namespace std::chrono_literals;

Configuration escalating() {
    auto configuration = small_configuration();
    configuration.routes.front().steps.push_back({.after = 5min, .channel = "pager", .chat = "phones"});
    configuration.routes.front().timeout = 30min;
    return configuration;
}

TEST(HubAskTest, I15_TheSameRequestAskedTwiceIsOne) {
    World world;
    const auto id = world.ids.next();
    EXPECT_TRUE(world.ask(shell_request(id)));
    EXPECT_TRUE(world.ask(shell_request(id)));
    EXPECT_EQ(world.ops.presented.size(), 1U);
    EXPECT_EQ(world.ledger.count("request"), 1U);
    ASSERT_TRUE(world.decide(world.click(id, "allow")));
    EXPECT_EQ(world.ask(shell_request(id)).error().code, Errc::already_decided) << "after it ended, without an effect";
    EXPECT_EQ(world.ledger.count("request"), 1U);
    EXPECT_EQ(world.agent.forwarded.size(), 1U);
}

TEST(HubAskTest, I15_TheSameIdWithOtherArgumentsOrFromAnotherAgentIsAConflict) {
    World world;
    const auto id = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(id)));
    EXPECT_EQ(world.ask(shell_request(id, "rm -rf /")).error().code, Errc::conflict);
    auto other = shell_request(id);
    other.agent_id = "other";
    EXPECT_EQ(world.ask(other).error().code, Errc::conflict);
    ASSERT_TRUE(world.decide(world.click(id, "allow")));
    EXPECT_EQ(world.agent.forwarded.at(0).args_hash, "hash-of-ls");
    EXPECT_EQ(world.ask(shell_request(id, "rm -rf /")).error().code, Errc::conflict);
    EXPECT_EQ(world.agent.forwarded.size(), 1U) << "a conflict is no answer to the first one";
}

TEST(HubAskTest, I13_OnePastThePendingBoundOfAnAgentIsTurnedAwayWithAnAnswer) {
    World world;
    for (std::size_t i = 0; i < limits::pending_per_agent_max; ++i) {
        ASSERT_TRUE(world.ask(shell_request(world.ids.next(), std::to_string(i))));
    }
    EXPECT_EQ(world.ask(shell_request(world.ids.next(), "one more")).error().code, Errc::busy);
    ASSERT_EQ(world.agent.forwarded.size(), 1U);
    EXPECT_EQ(world.agent.forwarded[0].outcome, Outcome::undeliverable);
    EXPECT_EQ(world.agent.forwarded[0].option_id, "deny");
    EXPECT_EQ(world.ledger.count("turned_away"), 1U);
}

TEST(HubAskTest, I13_OnePastThePendingBoundOfAllAgentsIsTurnedAway) {
    World world;
    for (std::size_t i = 0; i < limits::pending_requests_max; ++i) {
        auto request = shell_request(world.ids.next());
        request.agent_id = "a" + std::to_string(i / limits::pending_per_agent_max);
        ASSERT_TRUE(world.ask(std::move(request)));
    }
    auto last = shell_request(world.ids.next());
    last.agent_id = "fresh";
    EXPECT_EQ(world.ask(std::move(last)).error().code, Errc::busy);
}

TEST(HubAskTest, I2_ARequestWithTooFewDecidersEndsAtOnceAsUndeliverable) {
    World world;
    auto request = shell_request(world.ids.next());
    request.authorized_senders = {"test:nobody"};
    EXPECT_EQ(world.ask(std::move(request)).error().code, Errc::undeliverable);
    EXPECT_EQ(world.agent.forwarded.at(0).outcome, Outcome::undeliverable);
    EXPECT_TRUE(world.ops.presented.empty());
}

TEST(HubAskTest, APolicyDenyAnswersBeforeAnyPersonIsAsked) {
    World world;
    auto request = shell_request(world.ids.next());
    request.judgement.policy = {PolicyEffect::deny, "no-shell"};
    ASSERT_TRUE(world.ask(std::move(request)));
    EXPECT_EQ(world.agent.forwarded.at(0).outcome, Outcome::denied);
    EXPECT_EQ(world.ledger.text("decision", "decidedBy"), "policy:no-shell");
    EXPECT_TRUE(world.ops.presented.empty());
}

TEST(HubAskTest, APolicyDenyIsInForceEvenIfTheRequestOffersNoRefusal) {
    World world;
    auto request = shell_request(world.ids.next());
    std::erase_if(std::get<Approval>(request.body).options, [](const Option& o) { return o.effect != Effect::allow; });
    request.judgement.policy = {PolicyEffect::deny, "no-shell"};
    ASSERT_TRUE(world.ask(std::move(request)));
    EXPECT_TRUE(world.ops.presented.empty()) << "nobody may override it";
    ASSERT_EQ(world.agent.forwarded.size(), 1U);
    EXPECT_EQ(world.agent.forwarded[0].outcome, Outcome::denied);
    EXPECT_EQ(world.agent.forwarded[0].option_id, "");
    EXPECT_EQ(world.ledger.text("decision", "decision"), "denied");
    EXPECT_EQ(world.ledger.text("decision", "decidedBy"), "policy:no-shell");
}

TEST(HubAskTest, I2_APolicyDenyThatTheLogRejectsIsNeverLeftToPeople) {
    World world;
    auto request = shell_request(world.ids.next());
    request.judgement.policy = {PolicyEffect::deny, "no-shell"};
    world.ledger.refuse_next("decision", Errc::busy);
    ASSERT_TRUE(world.ask(std::move(request)));
    EXPECT_TRUE(world.ops.presented.empty());
    ASSERT_EQ(world.agent.forwarded.size(), 1U);
    EXPECT_EQ(world.agent.forwarded[0].outcome, Outcome::undeliverable);
}

TEST(HubAskTest, APolicyAllowThatTheLogRejectsIsLeftToPeople) {
    World world;
    auto request = shell_request(world.ids.next());
    request.judgement.policy = {PolicyEffect::allow, "reads"};
    world.ledger.refuse_next("decision", Errc::busy);
    ASSERT_TRUE(world.ask(std::move(request)));
    EXPECT_TRUE(world.agent.forwarded.empty());
    EXPECT_EQ(world.ops.presented.size(), 1U);
}

TEST(HubAskTest, APolicyAllowIsRecordedLikeADecision) {
    World world;
    auto request = shell_request(world.ids.next());
    request.judgement.policy = {PolicyEffect::allow, "reads"};
    ASSERT_TRUE(world.ask(std::move(request)));
    EXPECT_EQ(world.agent.forwarded.at(0).option_id, "allow");
    EXPECT_THAT(world.ledger.kinds(), ElementsAre("request", "decision", "forwarded"));
}

TEST(HubAskTest, APolicyDenyBeatsAGrant) {
    World world;
    const auto id = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(id)));
    ASSERT_TRUE(world.decide(world.click(id, "session")));
    auto again = shell_request(world.ids.next());
    again.judgement.policy = {PolicyEffect::deny, "no-shell"};
    ASSERT_TRUE(world.ask(std::move(again)));
    EXPECT_EQ(world.agent.forwarded.at(1).outcome, Outcome::denied);
}

TEST(HubAskTest, APolicyAllowWithoutAnAllowOnceOptionAsksPeople) {
    World world;
    auto request = shell_request(world.ids.next());
    std::get<Approval>(request.body).options.erase(std::get<Approval>(request.body).options.begin());
    request.judgement.policy = {PolicyEffect::allow, "reads"};
    ASSERT_TRUE(world.ask(std::move(request)));
    EXPECT_TRUE(world.agent.forwarded.empty());
    EXPECT_EQ(world.ops.presented.size(), 1U);
}

TEST(HubStepsTest, ALaterStepIsShownWhenItsTimeComes) {
    World world{escalating()};
    ASSERT_TRUE(world.ask(shell_request(world.ids.next())));
    EXPECT_EQ(world.ops.presented.size(), 1U);
    EXPECT_TRUE(world.pager.presented.empty());
    world.advance(5min - 1ms);
    EXPECT_TRUE(world.pager.presented.empty());
    world.advance(1ms);
    ASSERT_EQ(world.pager.presented.size(), 1U);
    EXPECT_EQ(world.pager.presented[0].to.chat, "phones");
}

TEST(HubStepsTest, AStepThatIsShownLaterStartsWithTheVotes) {
    auto configuration = escalating();
    configuration.routes.front().required = 2;
    World world{configuration};
    const auto id = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(id)));
    ASSERT_TRUE(world.decide(world.click(id, "allow")));
    world.advance(5min);
    ASSERT_EQ(world.pager.presented.size(), 1U);
    const auto& state = world.pager.presented[0].state;
    EXPECT_EQ(state.required, 2U);
    ASSERT_EQ(state.votes.size(), 1U);
    EXPECT_EQ(state.votes[0].person, "alice");
}

TEST(HubStepsTest, AllCardsOfARequestShareOneListOfOptions) {
    World world{escalating()};
    const auto id = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(id)));
    world.advance(5min);
    EXPECT_TRUE(world.ops.presented[0].offered.shares(world.pager.presented[0].offered));
    EXPECT_TRUE(world.ops.presented[0].offered.shares(world.hub.queries().open_request(id)->offered));
}

TEST(HubStepsTest, RequestsThatOfferTheSameShareTheListAndOthersDoNot) {
    World world;
    ASSERT_TRUE(world.ask(shell_request(world.ids.next(), "a")));
    ASSERT_TRUE(world.ask(shell_request(world.ids.next(), "b")));
    auto other = shell_request(world.ids.next(), "c");
    std::get<Approval>(other.body).options[0].detail = "only here";
    ASSERT_TRUE(world.ask(std::move(other)));
    ASSERT_TRUE(world.ask(shell_request(world.ids.next(), "d")));
    const auto& shown = world.ops.presented;
    EXPECT_TRUE(shown.at(0).offered.shares(shown.at(1).offered));
    EXPECT_FALSE(shown.at(1).offered.shares(shown.at(2).offered));
    EXPECT_EQ(shown.at(2).offered.begin()->detail, "only here");
    EXPECT_EQ(shown.at(3).offered.begin()->detail, "");
    EXPECT_EQ(shown.at(1).offered.begin()->detail, "") << "what others offer later changes nothing";
}

TEST(HubStepsTest, UnchangedOptionsAreNotCopiedFromTheRequest) {
    World world;
    auto request = shell_request(world.ids.next());
    std::erase_if(std::get<Approval>(request.body).options,
                  [](const Option& option) { return option.scope == Scope::session; });
    ASSERT_TRUE(world.ask(std::move(request)));
    const auto& shown = world.ops.presented.at(0);
    ASSERT_EQ(shown.offered.size(), 2U);
    EXPECT_EQ(&*shown.offered.begin(), shown.request->approval()->options.data());
}

TEST(HubStepsTest, ADirectMessageIsInItsReadersLanguageAndAChatMentionsItsDeciders) {
    auto configuration = small_configuration();
    configuration.people.at("alice").language = "de";
    configuration.channels.at("pager").kind = "pager";
    configuration.routes.front().steps.push_back({.channel = "pager", .people = {"alice"}});
    World world{configuration};
    ASSERT_TRUE(world.ask(shell_request(world.ids.next())));
    EXPECT_EQ(world.pager.presented.at(0).audience, (Audience{.language = "de"}));
    EXPECT_EQ(world.ops.presented.at(0).audience.mentions.size(), 3U);
}

TEST(HubStepsTest, I11_AnUndeliverableMessageFailsOverToTheNextStepAtOnce) {
    World world{escalating()};
    world.ops.mood = FakeChannel::Mood::fails;
    ASSERT_TRUE(world.ask(shell_request(world.ids.next())));
    EXPECT_EQ(world.pager.presented.size(), 1U);
    EXPECT_EQ(world.ledger.count("dead_letter"), 1U);
    EXPECT_EQ(world.hub.pending(), 1U);
}

TEST(HubStepsTest, I11_ALateMessageFailsOverTooAndMayStillArrive) {
    World world{escalating()};
    world.ops.mood = FakeChannel::Mood::delays;
    const auto id = world.ask(shell_request(world.ids.next()));
    EXPECT_EQ(world.pager.presented.size(), 1U) << "at once";
    EXPECT_EQ(world.ledger.count("dead_letter"), 0U) << "nothing was given up";
    EXPECT_EQ(world.hub.counts().delayed, 1U);
    world.hub.deliveries().delivered(1, {{"ops", "room", "", "m1"}, 0}, true);
    world.settle();
    EXPECT_EQ(world.ledger.count("presented"), 2U);
    ASSERT_TRUE(world.decide(world.click(*id, "allow")));
    EXPECT_EQ(world.ops.concluded.size(), 1U);
}

TEST(HubStepsTest, I2_WhileAMessageIsOnlyLateTheRequestIsNotUndeliverable) {
    World world{escalating()};
    world.ops.mood = FakeChannel::Mood::delays;
    world.pager.mood = FakeChannel::Mood::fails;
    ASSERT_TRUE(world.ask(shell_request(world.ids.next())));
    EXPECT_EQ(world.hub.pending(), 1U) << "the first is still tried";
    world.hub.deliveries().undeliverable(1, "the time for it is over");
    world.settle();
    EXPECT_EQ(world.hub.pending(), 0U);
    ASSERT_EQ(world.agent.forwarded.size(), 1U);
    EXPECT_EQ(world.agent.forwarded[0].outcome, Outcome::undeliverable);
}

TEST(HubStepsTest, I11_AMessageThatBouncesLaterSendsTheRouteToItsNextStep) {
    World world{escalating()};
    ASSERT_TRUE(world.ask(shell_request(world.ids.next())));
    EXPECT_TRUE(world.pager.presented.empty());
    world.hub.deliveries().bounced(1, "the number is switched off");
    world.settle();
    EXPECT_EQ(world.pager.presented.size(), 1U);
    ASSERT_EQ(world.hub.pending(), 1U);
    world.hub.deliveries().bounced(2, "blocked");
    world.settle();
    ASSERT_EQ(world.agent.forwarded.size(), 1U);
    EXPECT_EQ(world.agent.forwarded[0].outcome, Outcome::undeliverable);
}

TEST(HubStepsTest, ADelayForOnePersonCausesNoFailoverWhileAnotherSeesTheRequest) {
    auto configuration = escalating();
    configuration.routes.front().steps.front() = {.channel = "ops", .people = {"alice", "bob"}};
    World world{configuration};
    world.ops.moods["test:alice"] = FakeChannel::Mood::delays;
    ASSERT_TRUE(world.ask(shell_request(world.ids.next())));
    EXPECT_TRUE(world.pager.presented.empty());
}

TEST(HubStepsTest, ADelayReportedAfterDeliveryOrForAnUnknownMessageChangesNothing) {
    World world{escalating()};
    ASSERT_TRUE(world.ask(shell_request(world.ids.next())));
    world.hub.deliveries().delayed(1, "late");
    world.hub.deliveries().delayed(99, "late");
    world.settle();
    EXPECT_TRUE(world.pager.presented.empty());
    EXPECT_EQ(world.hub.counts().delayed, 0U);
}

TEST(HubStepsTest, I13_DeadLettersAreBoundedAndAllAreCounted) {
    World world;
    for (std::size_t i = 0; i <= limits::dead_letters_kept_max; ++i) {
        world.hub.deliveries().given_up(
            {.channel = "ops", .chat = "room", .what = "reply", .why = "hunter2 " + std::to_string(i)});
    }
    world.settle();
    ASSERT_EQ(world.hub.dead_letters().kept().size(), limits::dead_letters_kept_max);
    EXPECT_EQ(world.hub.dead_letters().kept().front().why, "«redacted» 1") << "the oldest went";
    EXPECT_EQ(world.hub.dead_letters().counts().at("ops"), limits::dead_letters_kept_max + 1);
    EXPECT_EQ(world.ledger.count("dead_letter"), limits::refused_records_per_minute_max) << "the log is not filled";
}

Configuration to_two_people() {
    auto configuration = escalating();
    configuration.routes.front().steps.front() = {.channel = "ops", .people = {"alice", "bob"}};
    return configuration;
}

TEST(HubStepsTest, I12_EachPersonOfAStepHasASeparateMessage) {
    World world{to_two_people()};
    ASSERT_TRUE(world.ask(shell_request(world.ids.next())));
    ASSERT_EQ(world.ops.presented.size(), 2U);
    EXPECT_EQ(world.ops.presented[0].to, (Recipient{.chat = "", .principal = "test:alice"}));
    EXPECT_EQ(world.ops.presented[1].to, (Recipient{.chat = "", .principal = "test:bob"}));
    EXPECT_NE(world.ops.presented[0].id, world.ops.presented[1].id);
    EXPECT_EQ(world.ledger.count("presented"), 2U) << "each ref is on record, so each is edited after a restart";
}

TEST(HubStepsTest, AChatIsShownInTheRoutesLanguageAndAPersonInTheirOwn) {
    auto configuration = to_two_people();
    auto& route = configuration.routes.front();
    route.language = "de";
    route.steps.front().chat = "room";
    configuration.people["alice"].language = "zh-CN";
    World world{configuration};
    const auto id = world.ask(shell_request(world.ids.next()));
    ASSERT_EQ(world.ops.presented.size(), 3U);
    EXPECT_EQ(world.ops.presented[0].audience.language, "de");
    EXPECT_EQ(world.ops.presented[1].audience.language, "zh-CN");
    EXPECT_EQ(world.ops.presented[2].audience.language, "de") << "bob has none of his own";
    auto tap = world.click(*id, "allow");
    tap.made = world.clock.wall() - limits::allow_age_max;
    EXPECT_EQ(world.decide(tap).error().code, Errc::late);
    ASSERT_GT(world.ops.presented.size(), 3U) << "shown again";
    EXPECT_EQ(world.ops.presented.back().audience.language, "de");
}

TEST(HubStepsTest, I11_AnUnreachablePersonIsADeadLetterAndIfAllAreItFailsOver) {
    World world{to_two_people()};
    world.ops.moods["test:alice"] = FakeChannel::Mood::fails;
    ASSERT_TRUE(world.ask(shell_request(world.ids.next())));
    EXPECT_EQ(world.ledger.count("dead_letter"), 1U);
    EXPECT_EQ(world.ledger.count("presented"), 1U);
    EXPECT_TRUE(world.pager.presented.empty()) << "bob was reached";
    world.ops.moods["test:bob"] = FakeChannel::Mood::fails;
    ASSERT_TRUE(world.ask(shell_request(world.ids.next(), "pwd")));
    EXPECT_EQ(world.ledger.count("dead_letter"), 3U);
    EXPECT_EQ(world.pager.presented.size(), 1U);
}

TEST(HubStepsTest, I11_APersonWithoutAnIdAndAMissingChannelAreDeadLettersAndFailOver) {
    auto configuration = to_two_people();
    configuration.people["alice"].principals = {"sms:+1"};
    configuration.people["bob"].principals = {"sms:+2"};
    World world{configuration};
    ASSERT_TRUE(world.ask(shell_request(world.ids.next())));
    EXPECT_EQ(world.ledger.count("dead_letter"), 2U);
    EXPECT_EQ(world.pager.presented.size(), 1U) << "at once";

    configuration.routes.front().steps.front() = {.channel = "gone", .chat = "room"};
    World other{configuration};
    ASSERT_TRUE(other.ask(shell_request(other.ids.next())));
    EXPECT_EQ(other.ledger.count("dead_letter"), 1U);
    EXPECT_EQ(other.pager.presented.size(), 1U);
}

TEST(HubStepsTest, I13_OneMessageTooManyIsADeadLetter) {
    for (const std::size_t past : {0U, 1U}) {
        auto configuration = small_configuration();
        auto& steps = configuration.routes.front().steps;
        steps.assign(limits::deliveries_per_request_max + past, {.channel = "ops", .chat = "room"});
        World world{configuration};
        ASSERT_TRUE(world.ask(shell_request(world.ids.next())));
        EXPECT_EQ(world.ops.presented.size(), limits::deliveries_per_request_max);
        EXPECT_EQ(world.ledger.count("dead_letter"), past);
    }
}

TEST(HubStepsTest, ACardThatIsShownAgainNamesTheOneItReplaces) {
    World world;
    const auto id = world.ask(shell_request(world.ids.next()));
    EXPECT_FALSE(world.ops.presented.at(0).replaces);
    auto tap = world.click(*id, "allow");
    tap.made = world.clock.wall() - limits::allow_age_max;
    EXPECT_EQ(world.decide(tap).error().code, Errc::late);
    ASSERT_EQ(world.ops.presented.size(), 2U);
    ASSERT_TRUE(world.ops.presented[1].replaces);
    EXPECT_EQ(world.ops.presented[1].replaces->place.message, "m1");
    EXPECT_EQ(world.ops.presented[1].replaces->generation, 0U);
}

TEST(HubStepsTest, I12_AMessageThatWasDeliveredTwiceIsRecordedTwice) {
    World world;
    const auto id = world.ask(shell_request(world.ids.next()));
    world.hub.deliveries().also_delivered(1, {{"ops", "room", "", "m9"}, 0});
    world.hub.deliveries().also_delivered(99, {{"ops", "room", "", "m10"}, 0});  // of no request
    world.settle();
    EXPECT_EQ(world.ledger.count("presented"), 2U);
    EXPECT_EQ(world.ledger.text("presented", "ref"), "ops/room//m9#0");
    ASSERT_TRUE(world.decide(world.click(*id, "deny")));
    EXPECT_EQ(world.ledger.count("concluded"), 2U) << "so that a restart looks for neither";
}

TEST(HubStepsTest, I2_ARequestThatCouldNotBeShownAnywhereEndsAsUndeliverable) {
    World world{escalating()};
    world.ops.mood = FakeChannel::Mood::fails;
    world.pager.mood = FakeChannel::Mood::fails;
    ASSERT_TRUE(world.ask(shell_request(world.ids.next())));
    EXPECT_EQ(world.hub.pending(), 0U);
    ASSERT_EQ(world.agent.forwarded.size(), 1U);
    EXPECT_EQ(world.agent.forwarded[0].outcome, Outcome::undeliverable);
    EXPECT_EQ(world.ledger.text("ended", "outcome"), "undeliverable");
}

TEST(HubExpiryTest, AnUnansweredRequestExpiresWithTheAgentsOwnDenyOption) {
    World world{escalating()};
    ASSERT_TRUE(world.ask(shell_request(world.ids.next())));
    world.advance(30min - 1ms);
    EXPECT_EQ(world.hub.pending(), 1U);
    world.advance(1ms);
    EXPECT_EQ(world.hub.pending(), 0U);
    EXPECT_EQ(world.agent.forwarded.at(0).outcome, Outcome::expired);
    EXPECT_EQ(world.agent.forwarded.at(0).option_id, "deny");
    EXPECT_EQ(world.ops.concluded.at(0).outcome, Outcome::expired);
    EXPECT_EQ(world.clock.sleepers(), 0U) << "nothing keeps watching an ended request";
}

TEST(HubExpiryTest, TwoRequestsWithTheSameDeadlineBothExpire) {
    World world{escalating()};
    const auto first = world.ids.next();
    const auto second = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(first)));
    ASSERT_TRUE(world.ask(shell_request(second, "ls -a")));
    world.advance(5min);
    EXPECT_EQ(world.pager.presented.size(), 2U) << "each has the next step";
    world.advance(25min);
    ASSERT_EQ(world.agent.forwarded.size(), 2U);
    EXPECT_EQ(world.agent.forwarded[0].outcome, Outcome::expired);
    EXPECT_EQ(world.agent.forwarded[1].outcome, Outcome::expired);
}

TEST(HubExpiryTest, ALaterRequestMayHaveAnEarlierDeadline) {
    World world{escalating()};
    const auto patient = world.ids.next();
    const auto hasty = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(patient)));
    world.advance(1min);
    auto request = shell_request(hasty, "ls -a");
    request.timeout = 2min;
    ASSERT_TRUE(world.ask(std::move(request)));
    world.advance(2min);
    ASSERT_EQ(world.agent.forwarded.size(), 1U);
    EXPECT_EQ(world.agent.forwarded[0].request_id, hasty);
    world.advance(2min);
    EXPECT_EQ(world.pager.presented.size(), 1U) << "the other goes on with its steps";
    world.advance(25min);
    ASSERT_EQ(world.agent.forwarded.size(), 2U);
    EXPECT_EQ(world.agent.forwarded[1].request_id, patient);
    EXPECT_EQ(world.clock.sleepers(), 0U);
}

TEST(HubExpiryTest, ARequestThatEndsEarlyDoesNotMoveTheDeadlinesOfOthers) {
    World world{escalating()};
    const auto first = world.ids.next();
    const auto second = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(first)));
    world.advance(1min);
    ASSERT_TRUE(world.ask(shell_request(second, "ls -a")));
    ASSERT_TRUE(world.decide(world.click(first, "deny")));
    world.advance(5min - 1ms);
    EXPECT_TRUE(world.pager.presented.empty());
    world.advance(1ms);
    ASSERT_EQ(world.pager.presented.size(), 1U);
    EXPECT_EQ(world.pager.presented[0].request->id, second);
    world.advance(25min);
    EXPECT_EQ(world.agent.forwarded.back().outcome, Outcome::expired);
    EXPECT_EQ(world.clock.sleepers(), 0U);
}

TEST(HubExpiryTest, TenThousandRequestsShareOneTimerAndEachGetsItsSteps) {
    World world{escalating()};
    for (std::size_t i = 0; i < limits::pending_requests_max; ++i) {
        auto request = shell_request(world.ids.next(), std::to_string(i));
        request.agent_id = "a" + std::to_string(i / limits::pending_per_agent_max);
        ASSERT_TRUE(world.ask(std::move(request)));
    }
    EXPECT_EQ(world.clock.sleepers(), 1U);
    world.advance(5min);
    EXPECT_EQ(world.pager.presented.size(), limits::pending_requests_max);
    world.advance(25min);
    EXPECT_EQ(world.hub.pending(), 0U);
    EXPECT_EQ(world.agent.forwarded.size(), limits::pending_requests_max);
    EXPECT_EQ(world.clock.sleepers(), 0U);
}

TEST(HubExpiryTest, TheShorterTimeoutOfEventAndRouteApplies) {
    World world{escalating()};
    auto request = shell_request(world.ids.next());
    request.timeout = 2min;
    ASSERT_TRUE(world.ask(std::move(request)));
    world.advance(2min);
    EXPECT_EQ(world.agent.forwarded.at(0).outcome, Outcome::expired);

    auto patient = shell_request(world.ids.next(), "ls -a");
    patient.timeout = 24h;
    ASSERT_TRUE(world.ask(std::move(patient)));
    world.advance(30min);
    EXPECT_EQ(world.agent.forwarded.size(), 2U);
}

TEST(HubExpiryTest, WithoutATimeoutARequestWaitsIndefinitely) {
    World world;
    const auto id = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(id)));
    world.advance(24h * 365);
    EXPECT_EQ(world.hub.pending(), 1U);
    EXPECT_TRUE(world.decide(world.click(id, "allow")));
}

TEST(HubExpiryTest, AnAttemptThatIsBeingWrittenAtTheDeadlineWins) {
    World world{escalating()};
    const auto id = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(id)));
    world.ledger.hold(true);
    world.hub.submit(world.click(id, "allow"), {});
    world.settle();
    world.advance(30min);
    world.ledger.hold(false);
    world.settle();
    ASSERT_EQ(world.agent.forwarded.size(), 1U);
    EXPECT_EQ(world.agent.forwarded[0].outcome, Outcome::allowed);
    EXPECT_EQ(world.ledger.count("ended"), 0U);
    EXPECT_EQ(world.ledger.count("decision"), 1U);
}

// Short enough that a tap isn't late because of its own age.
Configuration expiring() {
    auto configuration = small_configuration();
    configuration.routes.front().timeout = 2min;
    return configuration;
}

TEST(HubExpiryTest, I11_AnEndThatAHealthyLogRejectsIsRetried) {
    World world{expiring()};
    ASSERT_TRUE(world.ask(shell_request(world.ids.next())));
    world.ledger.refuse_next("ended", Errc::busy);
    world.advance(2min);
    EXPECT_TRUE(world.agent.forwarded.empty());
    world.advance(limits::log_retry);
    ASSERT_EQ(world.agent.forwarded.size(), 1U);
    EXPECT_EQ(world.agent.forwarded[0].outcome, Outcome::expired);
    EXPECT_EQ(world.hub.pending(), 0U);
}

// A click that arrived while the process was stopped or suspended: time has passed, and no timer has fired yet.
Result<Receipt> decide_after(World& world, std::chrono::milliseconds suspended, Attempt attempt) {
    Result<Receipt> answer;
    world.hub.submit(std::move(attempt), [&](const Result<Receipt>& decided) { answer = decided; });
    world.clock.advance(suspended);
    world.settle();
    return answer;
}

TEST(HubExpiryTest, I2_AnAllowAfterTheDeadlineIsRefusedEvenBeforeTheTimerFires) {
    World world{expiring()};
    const auto id = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(id)));
    const auto late = decide_after(world, 2min + 3s, world.click(id, "allow"));
    ASSERT_FALSE(late);
    EXPECT_EQ(late.error().code, Errc::already_decided);
    EXPECT_EQ(late.error().detail, "already expired 3 s ago");
    ASSERT_EQ(world.agent.forwarded.size(), 1U);
    EXPECT_EQ(world.agent.forwarded[0].outcome, Outcome::expired);
    EXPECT_EQ(world.ledger.text("ended", "outcome"), "expired");
    EXPECT_EQ(world.ledger.count("decision"), 0U);
}

TEST(HubExpiryTest, I2_AnAnswerAfterTheDeadlineIsRefusedToo) {
    World world{expiring()};
    const auto id = world.ids.next();
    ASSERT_TRUE(world.ask(fakes::question_request(id)));
    const auto late = decide_after(world, 2min, world.submit(id, {{"q1", {"A"}, ""}}));
    EXPECT_EQ(late.error().code, Errc::already_decided);
    EXPECT_EQ(world.agent.forwarded.at(0).outcome, Outcome::expired);
}

TEST(HubExpiryTest, AnAllowOneMillisecondBeforeTheDeadlineIsAccepted) {
    World world{expiring()};
    const auto id = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(id)));
    world.advance(1min);
    EXPECT_TRUE(decide_after(world, 1min - 1ms, world.click(id, "allow")));
}

TEST(HubExpiryTest, ADenyAfterTheDeadlineIsAcceptedIfTheTimerHasNotFired) {
    World world{expiring()};
    const auto id = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(id)));
    ASSERT_TRUE(decide_after(world, 2min, world.click(id, "deny")));
    ASSERT_EQ(world.agent.forwarded.size(), 1U);
    EXPECT_EQ(world.agent.forwarded[0].outcome, Outcome::denied);
}

TEST(HubExpiryTest, AnExpiryThatIsBeingWrittenBeatsALaterAttempt) {
    World world{escalating()};
    const auto id = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(id)));
    world.advance(30min - 1ms);
    world.ledger.hold(true);
    world.advance(1ms);
    EXPECT_EQ(world.decide(world.click(id, "allow")).error().code, Errc::already_decided);
    world.ledger.hold(false);
    world.settle();
    ASSERT_EQ(world.agent.forwarded.size(), 1U);
    EXPECT_EQ(world.agent.forwarded[0].outcome, Outcome::expired);
}

TEST(HubWithdrawTest, AWithdrawnRequestEndsAndTheAgentGetsNoAnswer) {
    World world;
    const auto id = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(id)));
    world.hub.asking().withdraw(id, world.agent, "interrupted");
    world.settle();
    EXPECT_EQ(world.ledger.text("ended", "outcome"), "withdrawn");
    EXPECT_TRUE(world.agent.forwarded.empty());
    EXPECT_EQ(world.ops.concluded.at(0).outcome, Outcome::withdrawn);
}

TEST(HubWithdrawTest, I15_AnotherAgentCannotWithdrawIt) {
    World world;
    const auto id = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(id)));
    const fakes::FakeRuntime other;
    world.hub.asking().withdraw(id, other, "mine");
    world.settle();
    EXPECT_EQ(world.hub.pending(), 1U);
}

TEST(HubWithdrawTest, AWithdrawalDuringTheLogWriteKeepsTheRecordAndForwardsNothing) {
    World world;
    const auto id = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(id)));
    world.ledger.hold(true);
    world.hub.submit(world.click(id, "allow"), {});
    world.settle();
    world.hub.asking().withdraw(id, world.agent, "interrupted");
    world.settle();
    world.ledger.hold(false);
    world.settle();
    EXPECT_TRUE(world.agent.forwarded.empty());
    EXPECT_EQ(world.ledger.count("decision"), 1U);
    EXPECT_EQ(world.ledger.count("ended"), 0U);
    EXPECT_EQ(world.ledger.count("forward_failed"), 1U);
    EXPECT_FALSE(world.ops.concluded.at(0).forwarded);
    EXPECT_EQ(world.hub.pending(), 0U);
}

TEST(HubWithdrawTest, I11_AWithdrawalDuringADecisionThatTheLogRejectsIsNotForgotten) {
    World world;
    const auto id = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(id)));
    world.ledger.refuse_next("decision", Errc::busy);
    world.ledger.hold(true);
    world.hub.submit(world.click(id, "allow"), {});
    world.settle();
    world.hub.asking().withdraw(id, world.agent, "interrupted");
    world.settle();
    world.ledger.hold(false);
    world.settle();
    EXPECT_EQ(world.ledger.text("ended", "outcome"), "withdrawn");
    EXPECT_TRUE(world.agent.forwarded.empty());
    EXPECT_EQ(world.hub.pending(), 0U);
}

TEST(HubWithdrawTest, AWithdrawalWhileTheRequestIsBeingRecordedIsNotForgotten) {
    World world;
    const auto id = world.ids.next();
    world.ledger.hold(true);
    world.begin_ask(shell_request(id));
    EXPECT_EQ(world.decide(world.click(id, "allow")).error().code, Errc::unknown_request)
        << "not recorded, not decidable";
    world.hub.asking().withdraw(id, world.agent, "interrupted");
    world.settle();
    world.ledger.hold(false);
    world.settle();
    EXPECT_EQ(world.ledger.text("ended", "outcome"), "withdrawn");
    EXPECT_TRUE(world.ops.presented.empty());
    EXPECT_EQ(world.hub.pending(), 0U);
}

TEST(HubWithdrawTest, I12_AnAgentThatIsGoneLosesOnlyItsOwnRequests) {
    World world;
    fakes::FakeRuntime other;
    const auto mine = world.ids.next();
    const auto theirs = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(mine)));
    ASSERT_TRUE(world.ask(shell_request(theirs), other));
    world.hub.asking().gone(other, {}, "agent exited with 1");
    world.settle();
    EXPECT_EQ(world.ledger.text("ended", "outcome"), "lost");
    EXPECT_TRUE(other.forwarded.empty());
    EXPECT_EQ(world.hub.pending(), 1U);
    EXPECT_TRUE(world.decide(world.click(mine, "allow")));
}

TEST(HubEarlierTest, I12_MessagesOfAnEarlierProcessAreConcludedOnceIfTheirChannelStillExists) {
    World world;
    const auto id = world.ids.next();
    const Conclusion lost{.request_id = id, .outcome = Outcome::lost, .reason = "bridge restarted"};
    const MessageRef here{{"ops", "room", "", "m7"}, 0};
    const MessageRef nowhere{{"gone", "room", "", "m8"}, 0};
    world.hub.conclude_earlier({{here, lost}, {nowhere, lost}});
    world.settle();
    ASSERT_EQ(world.ops.earlier.size(), 1U);
    EXPECT_EQ(world.ops.earlier[0].ref.place.message, "m7");
    EXPECT_EQ(world.ops.earlier[0].conclusion.reason, "bridge restarted");
    EXPECT_EQ(world.ledger.count("concluded"), 1U);
    EXPECT_EQ(world.ledger.text("concluded", "requestId"), id.str());
    EXPECT_EQ(world.ledger.text("concluded", "ref"), str(here));
}

TEST(HubEarlierTest, I13_OnePastTheBoundForgetsTheOldestEndedRequest) {
    World world;
    const auto first = world.ids.next();
    const auto second = world.ids.next();
    for (const auto& id : {first, second}) {
        ASSERT_TRUE(world.ask(shell_request(id)));
        ASSERT_TRUE(world.decide(world.click(id, "deny")));
    }
    for (std::size_t i = 2; i <= limits::concluded_kept_max; ++i) {
        const auto id = world.ids.next();
        ASSERT_TRUE(world.ask(shell_request(id)));
        ASSERT_TRUE(world.decide(world.click(id, "deny")));
    }
    EXPECT_EQ(world.decide(world.click(first, "allow")).error().code, Errc::unknown_request);
    EXPECT_EQ(world.decide(world.click(second, "allow")).error().code, Errc::already_decided);
}

TEST(HubReconfigureTest, ARequestWhoseRouteWasRemovedEndsAsUndeliverable) {
    World world;
    ASSERT_TRUE(world.ask(shell_request(world.ids.next())));
    auto other = small_configuration();
    other.routes.front().name = "renamed";
    world.hub.reconfigure(std::make_shared<const Configuration>(other));
    world.settle();
    EXPECT_EQ(world.agent.forwarded.at(0).outcome, Outcome::undeliverable);
}

TEST(HubLookupTest, FindsOnlyRequestsThatCanBeDecided) {
    World world;
    const auto first = world.ids.next();
    const auto second = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(first)));
    ASSERT_TRUE(world.ask(shell_request(second, "pwd")));
    EXPECT_EQ(world.hub.queries().open_requests().size(), 2U);
    EXPECT_EQ(world.hub.queries().open_request(second)->offered.size(), 3U);
    ASSERT_TRUE(world.decide(world.click(first, "allow")));
    EXPECT_FALSE(world.hub.queries().open_request(first));
    world.ledger.hold(true);
    const auto recording = world.ids.next();
    world.begin_ask(shell_request(recording));
    EXPECT_FALSE(world.hub.queries().open_request(recording)) << "its own record is not on disk yet";
    world.ledger.hold(false);
    world.settle();
    EXPECT_TRUE(world.hub.queries().open_request(recording));
}

TEST(HubListenerTest, SnapshotAndSubscriptionMissNothingAndRepeatNothing) {
    World world;
    const auto before = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(before)));
    std::vector<std::string> heard;
    auto subscribed = world.hub.subscribe([&](const Hub::Event& event) {
        const auto kind = event.kind == Hub::Event::Kind::requested ? "requested" : "ended";
        heard.push_back(kind + std::string{" "} + event.request->id.str());
    });
    ASSERT_TRUE(subscribed);
    ASSERT_EQ(subscribed->pending.size(), 1U);
    EXPECT_EQ(subscribed->pending[0]->id, before);
    const auto after = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(after, "pwd")));
    ASSERT_TRUE(world.decide(world.click(before, "allow")));
    EXPECT_THAT(heard, ElementsAre("requested " + after.str(), "ended " + before.str()));
    subscribed->subscription = {};
    ASSERT_TRUE(world.decide(world.click(after, "allow")));
    EXPECT_EQ(heard.size(), 2U) << "an ended subscription hears nothing";
}

TEST(HubListenerTest, I13_OnePastTheListenersBoundIsRefused) {
    World world;
    std::vector<Hub::Subscribed> kept;
    for (std::size_t i = 0; i < limits::listeners_max; ++i) {
        auto subscribed = world.hub.subscribe([](const Hub::Event&) {});
        ASSERT_TRUE(subscribed);
        kept.push_back(std::move(*subscribed));
    }
    EXPECT_EQ(world.hub.subscribe([](const Hub::Event&) {}).error().code, Errc::busy);
}

TEST(HubStopTest, StoppingEndsOpenRequestsAndRefusesNewOnes) {
    World world;
    ASSERT_TRUE(world.ask(shell_request(world.ids.next())));
    world.stop();
    EXPECT_EQ(world.agent.forwarded.at(0).outcome, Outcome::lost);
    EXPECT_EQ(world.ledger.text("ended", "reason"), "hub stopped");
    EXPECT_FALSE(world.ask(shell_request(world.ids.next())));
    EXPECT_EQ(world.agent.forwarded.size(), 2U);
}

TEST(HubStopTest, I12_ARequestLeftToTheNextHubNoLongerHasATimer) {
    World world{escalating()};
    world.agent.sidecar = true;
    ASSERT_TRUE(world.ask(shell_request(world.ids.next())));
    world.clock.advance(5min);  // its next step is due and hasn't been shown
    world.stop();
    EXPECT_TRUE(world.pager.presented.empty());
    EXPECT_EQ(world.clock.sleepers(), 0U);
    world.advance(1h);
    EXPECT_EQ(world.hub.pending(), 1U) << "it is not this hub's to end";
    EXPECT_TRUE(world.agent.forwarded.empty());
}

TEST(HubStopTest, StopWaitsForADecisionThatIsBeingWritten) {
    World world;
    const auto id = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(id)));
    world.ledger.hold(true);
    world.hub.submit(world.click(id, "allow"), {});
    world.settle();
    bool stopped = false;
    boost::asio::co_spawn(world.io, world.hub.stop(), [&](const std::exception_ptr&) { stopped = true; });
    world.settle();
    EXPECT_FALSE(stopped);
    world.ledger.hold(false);
    world.settle();
    EXPECT_TRUE(stopped);
    ASSERT_EQ(world.agent.forwarded.size(), 1U);
    EXPECT_EQ(world.agent.forwarded[0].outcome, Outcome::allowed) << "what was decided is given, not lost";
    EXPECT_EQ(world.ledger.count("forwarded"), 1U);
}

TEST(HubStopTest, AnAgentThatDoesNotListenHoldsUpTheEndForABoundedTime) {
    World world;
    world.agent.hangs = true;
    const auto id = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(id)));
    ASSERT_TRUE(world.ask(shell_request(world.ids.next(), "open")));
    ASSERT_TRUE(world.decide(world.click(id, "deny")));
    ASSERT_TRUE(world.decide(world.click(id, "deny")).error().code == Errc::already_decided);
    bool stopped = false;
    boost::asio::co_spawn(world.io, world.hub.stop(), [&](const std::exception_ptr&) { stopped = true; });
    world.settle();
    world.advance(limits::agents_at_stop_max - 1ms);
    EXPECT_FALSE(stopped) << "one that is only slow has a moment";
    world.advance(1ms);
    EXPECT_TRUE(stopped);
    EXPECT_TRUE(world.agent.forwarded.empty());
    EXPECT_EQ(world.ledger.count("forward_failed"), 2U);
    EXPECT_EQ(world.ledger.text("forward_failed", "why"),
              "unavailable: the hub stopped before the agent took the answer");
    EXPECT_EQ(world.hub.pending(), 0U);
    EXPECT_EQ(world.clock.sleepers(), 0U);
    EXPECT_TRUE(world.stray.empty());
}

TEST(HubStopTest, AnAgentThatListensWhileTheHubStopsIsNotWaitedForLonger) {
    World world;
    world.agent.hangs = true;
    const auto id = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(id)));
    ASSERT_TRUE(world.decide(world.click(id, "allow")));
    bool stopped = false;
    boost::asio::co_spawn(world.io, world.hub.stop(), [&](const std::exception_ptr&) { stopped = true; });
    world.settle();
    EXPECT_FALSE(stopped);
    world.agent.listen();
    world.settle();
    EXPECT_TRUE(stopped);
    EXPECT_EQ(world.ledger.count("forwarded"), 1U);
    EXPECT_EQ(world.clock.sleepers(), 0U);
}

TEST(HubStopTest, EveryRequestEndsInExactlyOneTerminalRecord) {
    World world{escalating()};
    for (int i = 0; i < 5; ++i) {
        const auto id = world.ids.next();
        ASSERT_TRUE(world.ask(shell_request(id, "c" + std::to_string(i))));
        if (i == 0) ASSERT_TRUE(world.decide(world.click(id, "allow")));
        if (i == 1) ASSERT_TRUE(world.decide(world.click(id, "deny")));
        if (i == 2) world.hub.asking().withdraw(id, world.agent, "interrupted");
        if (i == 3) world.advance(30min);
    }
    world.stop();
    EXPECT_EQ(world.ledger.count("request"), 5U);
    EXPECT_EQ(world.ledger.count("decision") + world.ledger.count("ended"), 5U);
    EXPECT_TRUE(world.stray.empty());
}

TEST(HubAnnounceTest, AnAnnouncementIsReportedOnceWithItsMessage) {
    World world;
    std::vector<Result<MessageRef>> heard;
    const auto announce = [&](const std::string& channel, std::string exact = "5 abc\n") {
        world.hub.announce(channel,
                           {.to = {.chat = "C1", .principal = {}}, .heading = "# h", .exact = std::move(exact)},
                           [&](const Result<MessageRef>& result) { heard.push_back(result); });
        world.settle();
    };
    announce("ops");
    ASSERT_EQ(heard.size(), 1U);
    ASSERT_TRUE(heard[0]);
    EXPECT_EQ(heard[0]->place.chat, "C1");
    EXPECT_EQ(world.ops.announced.at(0).exact, "5 abc\n");
    EXPECT_EQ(world.ledger.count("presented"), 0U) << "it is about no request";

    world.ops.mood = FakeChannel::Mood::fails;
    announce("ops");
    EXPECT_EQ(heard.at(1).error().code, Errc::undeliverable);
    EXPECT_EQ(world.ledger.count("dead_letter"), 1U);
    EXPECT_EQ(world.ledger.text("dead_letter", "what"), "announcement");
    EXPECT_EQ(world.ledger.text("dead_letter", "chat"), "C1");
    announce("nowhere");
    EXPECT_EQ(heard.at(2).error().code, Errc::undeliverable);
    announce("ops", std::string(limits::announcement_bytes_max - 3, 'x'));
    EXPECT_EQ(heard.at(3).error().code, Errc::undeliverable) << "that long may it be";
    announce("ops", std::string(limits::announcement_bytes_max - 2, 'x'));
    EXPECT_EQ(heard.at(4).error().code, Errc::too_large);
}

TEST(HubAnnounceTest, I13_OnePastTheBoundOfAnnouncementsIsTurnedAway) {
    World world;
    world.ops.mood = FakeChannel::Mood::silent;
    std::vector<Result<MessageRef>> heard;
    const auto announce = [&] {
        world.hub.announce("ops", {.to = {.chat = "C1", .principal = {}}, .heading = "# h", .exact = "5 abc\n"},
                           [&](const Result<MessageRef>& result) { heard.push_back(result); });
    };
    for (std::size_t i = 0; i < limits::announcements_max; ++i) announce();
    EXPECT_TRUE(heard.empty());
    announce();
    ASSERT_EQ(heard.size(), 1U);
    EXPECT_EQ(heard[0].error().code, Errc::busy);
    const auto id = world.ops.announced.front().id;
    world.hub.deliveries().delivered(id, {{"ops", "C1", "", "m1"}, 0}, true);
    world.hub.deliveries().delivered(id, {{"ops", "C1", "", "m1"}, 0}, true);
    EXPECT_EQ(heard.size(), 2U) << "each is told once";
    announce();
    EXPECT_EQ(heard.size(), 2U) << "there is room again";
}

}  // namespace
}  // namespace countersign
