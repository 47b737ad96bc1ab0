// SPDX-License-Identifier: Apache-2.0
// Requests left by a restart: they wait for their agent, then continue under their id or are lost. Also stopping the
// hub, which leaves requests to the next one.
#include "tests/fakes/orphans.hpp"
#include "tests/fakes/world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign {
namespace {

using fakes::FakeChannel;
using fakes::FakeRuntime;
using fakes::shell_request;
using fakes::small_configuration;
using fakes::World;
using testing::ElementsAre;
using testing::HasSubstr;

using namespace std::chrono_literals;
using State = EarlierNews::State;

const MessageRef old_message{{"ops", "room", "", "m7"}, 2};

Request asked_by_sidecar(Ulid id, const std::string& command = "ls") {
    auto request = shell_request(id, command);
    request.native_key = "native-of-" + command;
    return request;
}

// It was shown once, and its buttons may still be visible.
Orphan shown_orphan_of(const Request& request, BootTime asked) {
    auto orphan = fakes::orphan_of(request, asked);
    orphan.generation = old_message.generation;
    orphan.shown = {old_message};
    return orphan;
}

// One request was open when the previous hub ended.
struct Restarted : World {
    explicit Restarted(Configuration configuration = small_configuration(), std::chrono::milliseconds ago = 1min,
                       std::uint32_t required = 1, std::optional<std::chrono::milliseconds> timeout = std::nullopt)
        : World{std::move(configuration)} {
        agent.sidecar = true;
        auto orphan = shown_orphan_of(request, clock.boot() - ago);
        orphan.required = required;
        orphan.timeout = timeout;
        hub.remember_earlier({request.id});
        hub.await_orphans({orphan});
        settle();
    }
    // For example "m7 waits".
    [[nodiscard]] std::vector<std::string> told() const {
        std::vector<std::string> lines;
        for (const auto& [ref, news] : ops.news) {
            lines.push_back(ref.place.message + (news.state == State::waits ? " waits" : " goes on"));
        }
        return lines;
    }
    [[nodiscard]] std::size_t terminals() const { return ledger.count("ended") + ledger.count("decision"); }

    Request request = asked_by_sidecar(ids.next());
};

TEST(HubResumingTest, I13_ARequestThatUsedItsLastSetOfButtonsIsLost) {
    for (const std::uint32_t past : {0U, 1U}) {
        World world;
        world.agent.sidecar = true;
        const auto request = asked_by_sidecar(world.ids.next());
        auto orphan = fakes::orphan_of(request, world.clock.boot());
        orphan.generation = limits::button_index_max - 1 + past;
        world.hub.remember_earlier({request.id});
        world.hub.await_orphans({orphan});
        EXPECT_EQ(world.ask(request).has_value(), past == 0);
        EXPECT_EQ(world.hub.pending(), past == 0 ? 1U : 0U);
        EXPECT_EQ(world.ledger.count("ended"), past) << "it has its end";
    }
}

TEST(HubResumingTest, I12_Incident_openclaw_64664_AnOpenRequestWaitsForItsAgentAfterARestart) {
    const Restarted world;
    EXPECT_THAT(world.told(), ElementsAre("m7 waits"));
    EXPECT_EQ(world.ops.news.at(0).second.request_id, world.request.id);
    EXPECT_EQ(world.ops.news.at(0).second.language, "en");
    EXPECT_EQ(world.terminals(), 0U);
    EXPECT_EQ(world.hub.orphans(), 1U);
}

TEST(HubResumingTest, I12_ItsMessagesAreInTheLanguageOfItsRoute) {
    auto configuration = small_configuration();
    configuration.routes.front().language = "de";
    const Restarted world{configuration};
    EXPECT_EQ(world.ops.news.at(0).second.language, "de");
}

TEST(HubResumingTest, I12_Incident_hermes_100408_AClickOnAnOldButtonIsAnsweredAndDecidesNothing) {
    Restarted world;
    EXPECT_EQ(world.decide(world.click(world.request.id, "allow")).error().code, Errc::away);
    EXPECT_EQ(world.decide(world.click(world.request.id, "")).error().code, Errc::away);
    EXPECT_EQ(world.hub.counts().refused, 2U);
    EXPECT_EQ(world.terminals(), 0U);
}

TEST(HubResumingTest, I12_ARequestThatItsAgentShowsAgainContinuesUnderItsIdWithNewButtons) {
    Restarted world;
    ASSERT_TRUE(world.ask(world.request));
    EXPECT_EQ(world.ledger.count("request"), 0U) << "it is in the log already";
    ASSERT_EQ(world.ledger.count("resumed"), 1U);
    EXPECT_EQ(world.ledger.text("resumed", "requestId"), world.request.id.str());
    EXPECT_EQ(world.ledger.last("resumed")->fields.find("generation")->number()->lexeme, "3");
    ASSERT_EQ(world.ops.presented.size(), 1U);
    EXPECT_EQ(world.ops.presented[0].generation, 3U);
    EXPECT_TRUE(world.ops.presented[0].resumed);
    EXPECT_THAT(world.told(), ElementsAre("m7 waits", "m7 goes on"));
    EXPECT_EQ(world.ledger.text("concluded", "ref"), str(old_message)) << "its buttons are gone for good";
    EXPECT_EQ(world.hub.orphans(), 0U);
    ASSERT_TRUE(world.decide(world.click(world.request.id, "allow")));
    ASSERT_EQ(world.agent.forwarded.size(), 1U);
    EXPECT_EQ(world.agent.forwarded[0].outcome, Outcome::allowed);
    world.advance(2 * limits::orphan_wait_max);
    EXPECT_EQ(world.terminals(), 1U);
    EXPECT_TRUE(world.ops.earlier.empty());
}

// A restarted adapter has forgotten its ids. Only the agent's own name for the call stays the same.
struct AskedAgain : Restarted {
    AskedAgain() { again.id = ids.next(); }
    Request again = request;
};

TEST(HubResumingTest, I12_ACallShownAgainUnderAnotherIdIsRecognisedByItsNativeKey) {
    AskedAgain world;
    const auto asked = world.ask(world.again);
    ASSERT_TRUE(asked);
    EXPECT_EQ(*asked, world.request.id) << "it continues under the id that people were shown";
    EXPECT_EQ(world.ledger.count("request"), 0U);
    EXPECT_EQ(world.ledger.text("resumed", "requestId"), world.request.id.str());
    ASSERT_EQ(world.ops.presented.size(), 1U);
    EXPECT_EQ(world.ops.presented[0].request->id, world.request.id);
    EXPECT_EQ(world.ops.presented[0].generation, 3U);
    EXPECT_EQ(world.hub.orphans(), 0U);

    EXPECT_EQ(*world.ask(world.again), world.request.id) << "asked twice is still one";
    EXPECT_EQ(world.ops.presented.size(), 1U);
    ASSERT_TRUE(world.decide(world.click(world.request.id, "allow")));
    ASSERT_EQ(world.agent.forwarded.size(), 1U);
    EXPECT_EQ(world.agent.forwarded[0].request_id, world.again.id) << "its runtime knows it by the id that it gave";
    EXPECT_EQ(world.ask(world.again).error().code, Errc::already_decided);
    EXPECT_EQ(world.ask(world.request).error().code, Errc::already_decided);
    EXPECT_EQ(world.terminals(), 1U);
}

TEST(HubResumingTest, I12_ACallShownAgainUnderAnotherIdIsWithdrawnByThatId) {
    AskedAgain world;
    ASSERT_TRUE(world.ask(world.again));
    world.hub.asking().withdraw(world.again.id, world.agent, "answered at the keyboard");
    world.settle();
    EXPECT_EQ(world.ledger.text("ended", "outcome"), "withdrawn");
    EXPECT_EQ(world.ledger.text("ended", "requestId"), world.request.id.str());
    EXPECT_EQ(world.hub.pending(), 0U);
    EXPECT_EQ(world.ask(world.again).error().code, Errc::already_decided);
}

TEST(HubResumingTest, I12_ARefusalNamesTheIdThatTheRuntimeGave) {
    AskedAgain full;
    full.ledger.refuse_next("resumed", Errc::busy);
    EXPECT_FALSE(full.ask(full.again));
    ASSERT_EQ(full.agent.forwarded.size(), 1U);
    EXPECT_EQ(full.agent.forwarded[0].request_id, full.again.id);

    AskedAgain failing;
    ASSERT_TRUE(failing.ask(failing.again));
    failing.ledger.fail_next();
    EXPECT_FALSE(failing.decide(failing.click(failing.request.id, "allow")));
    ASSERT_EQ(failing.agent.forwarded.size(), 1U);
    EXPECT_EQ(failing.agent.forwarded[0].request_id, failing.again.id);
    EXPECT_EQ(failing.agent.forwarded[0].outcome, Outcome::unlogged);
}

TEST(HubResumingTest, I15_AnotherCallAgentOrKeyUnderANewIdIsANewRequest) {
    AskedAgain world;
    auto other_call = asked_by_sidecar(world.ids.next(), "rm -rf /");
    other_call.native_key = world.request.native_key;
    auto other_agent = world.again;
    other_agent.id = world.ids.next();
    other_agent.agent_id = "other";
    auto other_native = world.again;
    other_native.id = world.ids.next();
    other_native.native_key = "native-of-another";
    for (const auto& other : {other_call, other_agent, other_native}) EXPECT_EQ(*world.ask(other), other.id);
    EXPECT_EQ(world.ledger.count("request"), 3U);
    EXPECT_EQ(world.hub.orphans(), 1U) << "it still waits for its own agent";
}

TEST(HubResumingTest, I12_WithoutANativeKeyOnlyTheIdIdentifiesTheCall) {
    World world;
    world.agent.sidecar = true;
    const auto request = shell_request(world.ids.next());
    ASSERT_EQ(request.native_key, "");
    world.hub.await_orphans({fakes::orphan_of(request, world.clock.boot())});
    const auto other = shell_request(world.ids.next());
    EXPECT_EQ(*world.ask(other), other.id);
    EXPECT_EQ(world.hub.orphans(), 1U);
}

TEST(HubResumingTest, I15_ARequestCannotContinueUnderAnIdThatWasUsedBefore) {
    AskedAgain world;
    world.hub.remember_earlier({world.again.id});
    EXPECT_EQ(world.ask(world.again).error().code, Errc::conflict);
    EXPECT_EQ(world.hub.orphans(), 1U);
}

TEST(HubResumingTest, I12_AnOldMessageLinksToANewOneOnlyIfThereIsOne) {
    Restarted world;
    world.ops.mood = FakeChannel::Mood::silent;
    ASSERT_TRUE(world.ask(world.request));
    EXPECT_THAT(world.told(), ElementsAre("m7 waits"));
    world.hub.deliveries().delivered(world.ops.presented.at(0).id, {{"ops", "room", "", "m8"}, 3}, true);
    EXPECT_THAT(world.told(), ElementsAre("m7 waits", "m7 goes on"));
}

TEST(HubResumingTest, I12_AnOldMessageShowsTheOutcomeIfTheRequestCouldNotBeShownAgain) {
    Restarted world;
    world.ops.mood = FakeChannel::Mood::fails;
    ASSERT_TRUE(world.ask(world.request));
    world.settle();
    EXPECT_EQ(world.agent.forwarded.at(0).outcome, Outcome::undeliverable);
    ASSERT_EQ(world.ops.earlier.size(), 1U);
    EXPECT_EQ(world.ops.earlier[0].conclusion.outcome, Outcome::undeliverable);
    EXPECT_THAT(world.told(), ElementsAre("m7 waits"));
}

TEST(HubResumingTest, I12_Incident_AgentDeck_308_ARequestNotShownAgainIsLostAfterAMinuteWithOneTerminalRecord) {
    Restarted world;
    world.advance(limits::orphan_wait_max - 1ms);
    EXPECT_EQ(world.terminals(), 0U);
    world.advance(1ms);
    ASSERT_EQ(world.ledger.count("ended"), 1U);
    EXPECT_EQ(world.ledger.text("ended", "outcome"), "lost");
    EXPECT_EQ(world.ledger.text("ended", "agentId"), "dev");
    EXPECT_EQ(world.ledger.text("ended", "argsHash"), "hash-of-ls");
    ASSERT_EQ(world.ops.earlier.size(), 1U);
    EXPECT_EQ(world.ops.earlier[0].ref, old_message);
    EXPECT_EQ(world.ops.earlier[0].conclusion.outcome, Outcome::lost);
    EXPECT_EQ(world.ledger.count("concluded"), 1U);
    EXPECT_EQ(world.decide(world.click(world.request.id, "allow")).error().code, Errc::already_decided);
    EXPECT_EQ(world.ask(world.request).error().code, Errc::already_decided) << "too late";
    world.advance(1h);
    EXPECT_EQ(world.terminals(), 1U);
}

TEST(HubResumingTest, I15_TheSameIdForAnotherCallIsAConflictAndChangesNothing) {
    Restarted world;
    auto other_call = asked_by_sidecar(world.request.id, "rm -rf /");
    auto other_agent = world.request;
    other_agent.agent_id = "other";
    auto other_native = world.request;
    other_native.native_key = "native-of-another";
    for (const auto& other : {other_call, other_agent, other_native}) {
        EXPECT_EQ(world.ask(other).error().code, Errc::conflict);
    }
    EXPECT_TRUE(world.ops.presented.empty());
    EXPECT_TRUE(world.agent.forwarded.empty());
    EXPECT_TRUE(world.ask(world.request)) << "it still waits for its own agent";
}

TEST(HubResumingTest, I12_ItsTimeoutRunsFromWhenItWasFirstAsked) {
    auto configuration = small_configuration();
    configuration.routes.front().timeout = 30min;
    Restarted world{configuration, 29min + 30s};
    ASSERT_TRUE(world.ask(world.request));
    EXPECT_EQ(world.ops.presented.at(0).expires, world.clock.wall() + 30s);
    world.advance(30s);
    ASSERT_EQ(world.agent.forwarded.size(), 1U);
    EXPECT_EQ(world.agent.forwarded[0].outcome, Outcome::expired);
}

TEST(HubResumingTest, I12_ARequestWhoseDeadlinePassedWhileNoHubRanExpiresAtTheStart) {
    auto by_route = small_configuration();
    by_route.routes.front().timeout = 30min;
    for (const bool own : {false, true}) {
        Restarted world{own ? small_configuration() : by_route, 30min, 1,
                        own ? std::optional{std::chrono::milliseconds{30min}} : std::nullopt};
        EXPECT_TRUE(world.told().empty()) << "nothing waits for its agent";
        EXPECT_EQ(world.ledger.text("ended", "outcome"), "expired");
        EXPECT_EQ(world.ops.earlier.at(0).conclusion.outcome, Outcome::expired);
        EXPECT_EQ(world.ask(world.request).error().code, Errc::already_decided);
        EXPECT_TRUE(world.ops.presented.empty());
        world.advance(2 * limits::orphan_wait_max);
        EXPECT_EQ(world.terminals(), 1U);
    }
}

TEST(HubResumingTest, I12_ARequestWhoseDeadlinePassesWhileItWaitsForItsAgentExpiresThen) {
    Restarted world{small_configuration(), 30min, 1, 30min + 20s};
    EXPECT_THAT(world.told(), ElementsAre("m7 waits"));
    world.advance(20s - 1ms);
    EXPECT_EQ(world.terminals(), 0U);
    world.advance(1ms);
    EXPECT_EQ(world.ledger.text("ended", "outcome"), "expired");
    world.advance(limits::orphan_wait_max);
    EXPECT_EQ(world.terminals(), 1U);
}

TEST(HubResumingTest, I12_StepsThatWereDueBeforeTheRestartAreShownAtOnce) {
    auto configuration = small_configuration();
    configuration.routes.front().steps.push_back({.after = 5min, .channel = "pager", .chat = "phones"});
    Restarted world{configuration, 6min};
    ASSERT_TRUE(world.ask(world.request));
    EXPECT_EQ(world.ops.presented.size(), 1U);
    EXPECT_EQ(world.pager.presented.size(), 1U);
}

TEST(HubResumingTest, I4_VotesFromBeforeTheRestartAreNotCountedAndTheLargerQuorumApplies) {
    Restarted world{small_configuration(), 1min, 2};
    ASSERT_TRUE(world.ask(world.request));
    EXPECT_EQ(world.ops.presented.at(0).state.required, 2U) << "as when it was asked, though the route wants one today";
    EXPECT_TRUE(world.ops.presented.at(0).state.votes.empty());
    ASSERT_TRUE(world.decide(world.click(world.request.id, "allow")));
    EXPECT_TRUE(world.agent.forwarded.empty()) << "one of two";
    ASSERT_TRUE(world.decide(world.click(world.request.id, "allow", "bob")));
    EXPECT_EQ(world.agent.forwarded.at(0).outcome, Outcome::allowed);
}

TEST(HubResumingTest, I4_TheQuorumInForceIsRecordedForTheNextRestart) {
    Restarted world{small_configuration(), 1min, 2};
    ASSERT_TRUE(world.ask(world.request));
    EXPECT_EQ(world.ledger.last("resumed")->fields.find("required")->number()->lexeme, "2")
        << "not what the route asks for today";
}

TEST(HubResumingTest, I12_AnEndThatTheLogHadNoRoomForIsRetried) {
    Restarted world;
    world.ledger.refuse_next("ended", Errc::busy);
    world.advance(limits::orphan_wait_max);
    EXPECT_EQ(world.terminals(), 0U);
    world.advance(limits::log_retry);
    EXPECT_EQ(world.ledger.text("ended", "outcome"), "lost");
    EXPECT_EQ(world.terminals(), 1U);
}

TEST(HubResumingTest, I12_AskingAgainWhileTheEndIsBeingWrittenGetsThatEnd) {
    Restarted world;
    world.ledger.hold(true);
    world.advance(limits::orphan_wait_max);
    EXPECT_EQ(world.ask(world.request).error().code, Errc::already_decided);
    world.ledger.hold(false);
    world.settle();
    EXPECT_EQ(world.terminals(), 1U);
    EXPECT_TRUE(world.ops.presented.empty());
}

TEST(HubResumingTest, I12_ARequestThatTheLogRefusesToResumeIsRefusedAndEnds) {
    Restarted world;
    world.ledger.refuse_next("resumed", Errc::busy);
    EXPECT_EQ(world.ask(world.request).error().code, Errc::busy);
    ASSERT_EQ(world.agent.forwarded.size(), 1U);
    EXPECT_EQ(world.agent.forwarded[0].outcome, Outcome::undeliverable);
    EXPECT_TRUE(world.ops.presented.empty());
    EXPECT_EQ(world.ledger.text("ended", "outcome"), "undeliverable") << "as the agent heard";
    world.advance(limits::orphan_wait_max);
    EXPECT_EQ(world.terminals(), 1U);
}

TEST(HubResumingTest, I1_ALogFailureDuringResumptionAnswersTheAgentAndAllowsNothing) {
    Restarted world;
    world.ledger.fail_kind("resumed");
    EXPECT_FALSE(world.ask(world.request));
    ASSERT_EQ(world.agent.forwarded.size(), 1U);
    EXPECT_EQ(world.agent.forwarded[0].outcome, Outcome::unlogged);
    world.advance(limits::orphan_wait_max);
    EXPECT_EQ(world.terminals(), 0U) << "the next process finds it open";
}

TEST(HubResumingTest, I2_IfTooFewPeopleAreLeftItEndsAtOnce) {
    auto configuration = small_configuration();
    configuration.routes.front().required = 4;
    Restarted world{configuration};
    EXPECT_EQ(world.ask(world.request).error().code, Errc::undeliverable);
    EXPECT_EQ(world.agent.forwarded.at(0).outcome, Outcome::undeliverable);
    EXPECT_EQ(world.ledger.text("ended", "outcome"), "undeliverable");
    EXPECT_EQ(world.ops.earlier.at(0).conclusion.outcome, Outcome::undeliverable);
    world.advance(limits::orphan_wait_max);
    EXPECT_EQ(world.terminals(), 1U);
}

TEST(HubResumingTest, I12_AHaltByAgentOrSessionEndsARequestThatWaitsForItsAgent) {
    for (const auto* name : {"dev", "s1"}) {
        Restarted world;
        const auto carried = world.order(world.halt(name));
        ASSERT_TRUE(carried);
        EXPECT_TRUE(carried->known) << name;
        EXPECT_EQ(carried->denied, 1U);
        EXPECT_EQ(world.ledger.text("halt", "agentId"), "dev");
        EXPECT_EQ(world.ledger.text("halt", "sessionKey"), *name == 's' ? "s1" : "");
        ASSERT_EQ(world.ledger.count("ended"), 1U);
        EXPECT_EQ(world.ledger.text("ended", "outcome"), "denied");
        EXPECT_EQ(world.ledger.text("ended", "decidedBy"), "alice");
        EXPECT_EQ(world.ledger.text("ended", "reason"), "halted by alice");
        ASSERT_EQ(world.ops.earlier.size(), 1U);
        EXPECT_EQ(world.ops.earlier[0].conclusion.outcome, Outcome::denied);
        EXPECT_EQ(world.ops.earlier[0].conclusion.decided_by, "alice");
        const auto late = world.ask(world.request);
        EXPECT_EQ(late.error().code, Errc::already_decided);
        EXPECT_THAT(late.error().detail, HasSubstr("already denied by alice"));
        world.advance(limits::orphan_wait_max);
        EXPECT_EQ(world.terminals(), 1U);
    }
}

TEST(HubResumingTest, I12_AHaltOfAnotherSessionLeavesAWaitingRequest) {
    Restarted world;
    ASSERT_TRUE(world.order(world.halt("s2")));
    EXPECT_EQ(world.terminals(), 0U);
    EXPECT_EQ(world.hub.orphans(), 1U);
}

TEST(HubResumingTest, I2_AHaltedAgentThatAsksAgainIsDeniedAndTheRequestEnds) {
    Restarted world;
    world.hub.remember_halts({{.who = {"dev", ""}, .by = "bob", .at = {}}});
    EXPECT_EQ(world.ask(world.request).error().code, Errc::not_authorised);
    ASSERT_EQ(world.agent.forwarded.size(), 1U);
    EXPECT_EQ(world.agent.forwarded[0].outcome, Outcome::denied);
    EXPECT_EQ(world.ledger.text("ended", "outcome"), "denied");
    EXPECT_EQ(world.ledger.text("ended", "decidedBy"), "bob");
    world.advance(limits::orphan_wait_max);
    EXPECT_EQ(world.terminals(), 1U);
}

TEST(HubResumingTest, I2_AHaltEndsAWaitingRequestEvenIfTheLogHasNoRoom) {
    Restarted world;
    world.ledger.refuse_next("ended", Errc::busy);
    world.hub.order(world.halt("dev"), {});
    world.settle();
    EXPECT_EQ(world.terminals(), 0U);
    EXPECT_THAT(world.ask(world.request).error().detail, HasSubstr("already denied by alice"));
    world.advance(limits::log_retry);
    EXPECT_EQ(world.ledger.text("ended", "outcome"), "denied");
    EXPECT_EQ(world.terminals(), 1U);
}

TEST(HubResumingTest, I13_OnePastTheBoundIsLostAtOnce) {
    World world;
    std::vector<Orphan> orphans;
    for (std::size_t i = 0; i <= limits::orphans_max; ++i) {
        orphans.push_back(shown_orphan_of(asked_by_sidecar(world.ids.next()), world.clock.boot()));
        orphans.back().shown.clear();
    }
    const auto last = orphans.back().id;
    world.hub.await_orphans(std::move(orphans));
    world.settle();
    EXPECT_EQ(world.hub.orphans(), limits::orphans_max);
    EXPECT_EQ(world.ledger.count("ended"), 1U);
    EXPECT_EQ(world.ledger.text("ended", "requestId"), last.str());
}

TEST(HubResumingTest, I3_TheOutcomeOfARequestIsKnownAfterTheRestart) {
    World world;
    const auto request = shell_request(world.ids.next());
    const Winner winner{Outcome::denied, "alice", "ops", world.clock.wall() - 12s};
    world.hub.remember_earlier({request.id});
    world.hub.remember_ended({{request.id, request.agent_id, request.args_hash.hex, winner}});
    const auto late = world.decide(world.click(request.id, "allow"));
    EXPECT_EQ(late.error().code, Errc::already_decided);
    EXPECT_EQ(late.error().detail, "already denied by alice on ops 12 s ago");
    EXPECT_EQ(world.ask(request).error().code, Errc::already_decided) << "never a second decision under its id";
    EXPECT_EQ(world.ask(shell_request(request.id, "rm -rf /")).error().code, Errc::conflict);
    EXPECT_TRUE(world.agent.forwarded.empty());
}

TEST(HubResumingTest, I12_TheRecordSaysWhetherTheAgentOutlivesTheHub) {
    World world;
    ASSERT_TRUE(world.ask(shell_request(world.ids.next())));
    EXPECT_EQ(world.ledger.last("request")->fields.find("sidecar"), nullptr);
    world.agent.sidecar = true;
    ASSERT_TRUE(world.ask(shell_request(world.ids.next())));
    EXPECT_TRUE(*world.ledger.last("request")->fields.find("sidecar")->boolean());
}

TEST(HubStopTest, I12_AStopLosesRequestsOfItsOwnAgentsAndLeavesTheOthersToTheNextHub) {
    World world;
    FakeRuntime sidecar;
    sidecar.sidecar = true;
    const auto own = world.ids.next();
    const auto other = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(own)));
    ASSERT_TRUE(world.ask(shell_request(other), sidecar));
    world.stop();
    EXPECT_EQ(world.ledger.count("ended"), 1U);
    EXPECT_EQ(world.ledger.text("ended", "requestId"), own.str());
    EXPECT_TRUE(sidecar.forwarded.empty());
    EXPECT_EQ(world.ask(shell_request(world.ids.next()), sidecar).error().code, Errc::away);
    EXPECT_TRUE(sidecar.forwarded.empty()) << "it asks the next hub";
    world.hub.asking().gone(sidecar, {}, "the connection was closed");
    world.stop();
    world.advance(1h);
    EXPECT_EQ(world.ledger.count("ended"), 1U);
    EXPECT_EQ(world.ledger.count("decision"), 0U);
}

TEST(HubStopTest, I12_ARequestThatIsBeingRecordedWhenTheHubStopsIsLeftToTheNextHub) {
    World world;
    world.agent.sidecar = true;
    world.ledger.hold(true);
    world.begin_ask(shell_request(world.ids.next()));
    bool stopped = false;
    boost::asio::co_spawn(world.io, world.hub.stop(), [&](const std::exception_ptr&) { stopped = true; });
    world.settle();
    world.ledger.hold(false);
    world.settle();
    EXPECT_TRUE(stopped);
    EXPECT_EQ(world.ledger.count("request"), 1U);
    EXPECT_TRUE(world.ops.presented.empty());
    EXPECT_EQ(world.ledger.count("ended"), 0U);
}

TEST(HubStopTest, I12_AStopLeavesRequestsThatWaitForTheirAgent) {
    Restarted world;
    world.stop();
    world.advance(limits::orphan_wait_max);
    EXPECT_EQ(world.terminals(), 0U);
}

TEST(HubResumingTest, AskingAgainForARequestThatIsBeingLostGetsThatOutcome) {
    World world;
    FakeRuntime first;
    FakeRuntime second;
    first.sidecar = second.sidecar = true;
    const auto request = asked_by_sidecar(world.ids.next());
    ASSERT_TRUE(world.ask(request, first));
    world.ledger.hold(true);
    world.hub.asking().gone(first, {}, "the sidecar is gone");
    world.settle();
    EXPECT_TRUE(world.ask(request, second));
    world.ledger.hold(false);
    world.settle();
    EXPECT_TRUE(first.forwarded.empty());
    ASSERT_EQ(second.forwarded.size(), 1U);
    EXPECT_EQ(second.forwarded[0].outcome, Outcome::lost);
    EXPECT_EQ(world.ledger.count("ended"), 1U);
}

}  // namespace
}  // namespace countersign
