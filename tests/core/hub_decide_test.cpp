// SPDX-License-Identifier: Apache-2.0
// The flow of Hub::decide: the authorisation check, the log before the agent, first decision wins, votes, late taps.
#include "tests/fakes/world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign {
namespace {

using fakes::question_request;
using fakes::shell_request;
using fakes::small_configuration;
using fakes::World;
using testing::ElementsAre;
using testing::HasSubstr;

using namespace std::chrono_literals;

Configuration with_quorum(std::uint32_t required) {
    auto configuration = small_configuration();
    configuration.routes.front().required = required;
    return configuration;
}

class HubDecideTest : public testing::Test {
protected:
    Ulid asked(World& in) {
        const auto id = in.ids.next();
        EXPECT_TRUE(in.ask(shell_request(id)));
        return id;
    }
    World world;
};

TEST_F(HubDecideTest, AnAllowIsRecordedThenForwardedThenConcluded) {
    const auto id = asked(world);
    std::size_t records_at_forward = 0;
    world.agent.on_forward = [&] { records_at_forward = world.ledger.count("decision"); };
    world.clock.advance(1200ms);
    const auto decided = world.decide(world.click(id, "allow"));
    ASSERT_TRUE(decided);
    EXPECT_EQ(records_at_forward, 1U) << "I1: the record comes first";
    EXPECT_THAT(world.ledger.kinds(), ElementsAre("request", "presented", "decision", "forwarded", "concluded"));
    ASSERT_EQ(world.agent.forwarded.size(), 1U);
    EXPECT_EQ(world.agent.forwarded[0].outcome, Outcome::allowed);
    EXPECT_EQ(world.agent.forwarded[0].option_id, "allow");
    EXPECT_EQ(world.agent.forwarded[0].args_hash, "hash-of-ls");
    ASSERT_EQ(world.ops.concluded.size(), 1U);
    EXPECT_EQ(world.ops.concluded[0].decided_by, "alice");
    EXPECT_EQ(world.ops.concluded[0].took, 1200ms);
    EXPECT_TRUE(world.ops.concluded[0].forwarded);
    EXPECT_EQ(world.hub.pending(), 0U);
}

TEST_F(HubDecideTest, AnAgentThatDoesNotListenHoldsUpNeitherThePersonNorAnotherAgent) {
    fakes::FakeRuntime hung;
    hung.hangs = true;
    const auto stuck = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(stuck, "rm"), hung));
    const auto fine = asked(world);
    const auto decided = world.decide(world.click(stuck, "deny"));
    ASSERT_TRUE(decided) << "the person hears it when it is on disk";
    EXPECT_EQ(world.ledger.count("forwarded"), 0U);
    EXPECT_TRUE(world.ops.concluded.empty()) << "the card says how it ended when that is known";
    EXPECT_EQ(world.decide(world.click(stuck, "allow", "bob")).error().code, Errc::already_decided);
    ASSERT_TRUE(world.hub.queries().ended(stuck));
    EXPECT_EQ(world.hub.queries().ended(stuck)->outcome, Outcome::denied);

    ASSERT_TRUE(world.decide(world.click(fine, "allow")));
    EXPECT_EQ(world.agent.forwarded.size(), 1U);
    EXPECT_EQ(world.ledger.count("forwarded"), 1U);
    EXPECT_EQ(world.ops.concluded.size(), 1U);

    hung.listen();
    world.settle();
    ASSERT_EQ(hung.forwarded.size(), 1U);
    EXPECT_EQ(hung.forwarded[0].outcome, Outcome::denied);
    EXPECT_EQ(world.ledger.count("forwarded"), 2U);
    EXPECT_EQ(world.ops.concluded.size(), 2U);
    EXPECT_EQ(world.hub.pending(), 0U);
}

TEST_F(HubDecideTest, I1_AFailedLogReachesAnAgentThatListensLate) {
    const auto id = asked(world);
    world.agent.hangs = true;
    world.ledger.fail_next();
    EXPECT_EQ(world.decide(world.click(id, "allow")).error().code, Errc::unavailable);
    world.agent.listen();
    world.settle();
    ASSERT_EQ(world.agent.forwarded.size(), 1U);
    EXPECT_EQ(world.agent.forwarded[0].outcome, Outcome::unlogged);
    EXPECT_EQ(world.hub.pending(), 0U);
}

TEST_F(HubDecideTest, AnAgentGetsItsAnswersInTheOrderOfTheirRecords) {
    const auto first = asked(world);
    const auto second = asked(world);
    world.agent.hangs = true;
    ASSERT_TRUE(world.decide(world.click(second, "deny")));
    ASSERT_TRUE(world.decide(world.click(first, "deny")));
    world.agent.listen();
    world.settle();
    ASSERT_EQ(world.agent.forwarded.size(), 2U);
    EXPECT_EQ(world.agent.forwarded[0].request_id, second);
    EXPECT_EQ(world.agent.forwarded[1].request_id, first);
}

TEST_F(HubDecideTest, TheDecisionRecordHasItsTenRequiredFields) {
    const auto id = asked(world);
    world.clock.advance(1500ms);
    auto attempt = world.click(id, "deny");
    attempt.reason = "not with hunter2";
    ASSERT_TRUE(world.decide(attempt));
    const auto* record = world.ledger.last("decision");
    ASSERT_NE(record, nullptr);
    EXPECT_EQ(world.ledger.text("decision", "requestId"), id.str());
    EXPECT_EQ(world.ledger.text("decision", "agentId"), "dev");
    EXPECT_EQ(world.ledger.text("decision", "sessionKey"), "s1");
    EXPECT_EQ(world.ledger.text("decision", "toolName"), "Bash");
    EXPECT_EQ(world.ledger.text("decision", "argsHash"), "hash-of-ls");
    EXPECT_EQ(world.ledger.text("decision", "decision"), "denied");
    EXPECT_EQ(world.ledger.text("decision", "decidedBy"), "alice");
    EXPECT_EQ(world.ledger.text("decision", "decidedAt"), "2025-11-16T02:00:01.500Z");
    EXPECT_EQ(world.ledger.text("decision", "channel"), "ops");
    EXPECT_EQ(record->fields.find("decisionLatencyMs")->number()->lexeme, "1500");
    EXPECT_EQ(world.ledger.text("decision", "reason"), "not with «redacted»");
    EXPECT_EQ(world.agent.forwarded[0].reason, "not with hunter2") << "the agent gets the words as typed";
}

TEST_F(HubDecideTest, I1_NothingIsForwardedWhenTheLogCannotBeWritten) {
    const auto id = asked(world);
    world.ledger.fail_next();
    EXPECT_EQ(world.decide(world.click(id, "allow")).error().code, Errc::unavailable);
    ASSERT_EQ(world.agent.forwarded.size(), 1U);
    EXPECT_EQ(world.agent.forwarded[0].outcome, Outcome::unlogged);
    EXPECT_EQ(world.agent.forwarded[0].option_id, "deny");
    EXPECT_EQ(world.agent.forwarded[0].reason, "audit log unavailable");
    EXPECT_EQ(world.ops.concluded.at(0).outcome, Outcome::unlogged);
}

TEST_F(HubDecideTest, I1_APoisonedLogAnswersEveryPendingAndEveryNewRequestOnce) {
    const auto first = asked(world);
    const auto second = asked(world);
    world.ledger.fail_next();
    EXPECT_FALSE(world.decide(world.click(first, "allow")));
    EXPECT_EQ(world.agent.forwarded.size(), 2U);
    const auto third = world.ids.next();
    EXPECT_EQ(world.ask(shell_request(third)).error().code, Errc::unavailable);
    ASSERT_EQ(world.agent.forwarded.size(), 3U);
    for (const auto& verdict : world.agent.forwarded) EXPECT_EQ(verdict.outcome, Outcome::unlogged);
    EXPECT_EQ(world.decide(world.click(second, "allow")).error().code, Errc::already_decided);
    EXPECT_EQ(world.agent.forwarded.size(), 3U);
    EXPECT_EQ(world.hub.pending(), 0U);
}

TEST_F(HubDecideTest, I1_ADecisionOnDiskIsNotTakenBackWhenALaterWriteFails) {
    const auto id = asked(world);
    // Makes the forwarded record of this decision fail.
    world.agent.on_forward = [&] { world.ledger.fail_next(); };
    ASSERT_TRUE(world.decide(world.click(id, "allow")));
    ASSERT_EQ(world.agent.forwarded.size(), 1U);
    EXPECT_EQ(world.agent.forwarded[0].outcome, Outcome::allowed);
}

TEST_F(HubDecideTest, I2_ARequestThatAHealthyLogRejectsIsTurnedAwayForThatReason) {
    for (const auto code : {Errc::busy, Errc::too_large}) {
        world.ledger.refuse_next("request", code);
        EXPECT_EQ(world.ask(shell_request(world.ids.next())).error().code, code);
        EXPECT_EQ(world.agent.forwarded.back().outcome, Outcome::undeliverable) << "the log is available";
        EXPECT_EQ(world.agent.forwarded.back().reason, "the ledger does not take this one");
        EXPECT_EQ(world.ledger.text("turned_away", "why"), name(code));
    }
    EXPECT_TRUE(world.ops.presented.empty());
    EXPECT_EQ(world.hub.pending(), 0U);
}

TEST_F(HubDecideTest, I2_ADecisionThatAHealthyLogRejectsLeavesTheRequestOpen) {
    const auto id = asked(world);
    world.ledger.refuse_next("decision", Errc::busy);
    EXPECT_EQ(world.decide(world.click(id, "allow")).error().code, Errc::busy);
    EXPECT_TRUE(world.agent.forwarded.empty());
    EXPECT_TRUE(world.decide(world.click(id, "deny", "bob"))) << "it is nobody's yet";
    EXPECT_EQ(world.agent.forwarded.at(0).outcome, Outcome::denied);
}

TEST(HubQuorumTest, I2_AVoteThatAHealthyLogRejectsIsNotCounted) {
    World world{with_quorum(2)};
    const auto id = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(id)));
    world.ledger.refuse_next("vote", Errc::busy);
    EXPECT_EQ(world.decide(world.click(id, "allow")).error().code, Errc::busy);
    EXPECT_TRUE(world.ops.progress_lines.empty());
    EXPECT_TRUE(world.decide(world.click(id, "allow")));
    EXPECT_THAT(world.ops.progress_lines, ElementsAre("1 of 2: alice"));
}

TEST(HubQuorumTest, EveryVoterIsNamed) {
    World world{with_quorum(2)};
    const auto id = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(id)));
    ASSERT_TRUE(world.decide(world.click(id, "allow")));
    ASSERT_TRUE(world.decide(world.click(id, "allow", "bob")));
    ASSERT_EQ(world.ops.concluded.size(), 1U);
    EXPECT_EQ(world.ops.concluded[0].decided_by, "alice, bob");
    EXPECT_EQ(world.ledger.text("decision", "decidedBy"), "bob") << "the votes have records of their own";
}

TEST_F(HubDecideTest, I2_ARequestWhoseOwnRecordFailsIsRefusedAndNeverShown) {
    world.ledger.fail_next();
    EXPECT_EQ(world.ask(shell_request(world.ids.next())).error().code, Errc::unavailable);
    EXPECT_TRUE(world.ops.presented.empty());
    ASSERT_EQ(world.agent.forwarded.size(), 1U);
    EXPECT_EQ(world.agent.forwarded[0].outcome, Outcome::unlogged);
}

TEST_F(HubDecideTest, I3_ASecondClickDuringTheWriteIsToldWhoDecidedFirst) {
    const auto id = asked(world);
    world.ledger.hold(true);
    std::optional<Result<Receipt>> first;
    world.hub.submit(world.click(id, "deny"), [&](const Result<Receipt>& decided) { first = decided; });
    world.settle();
    ASSERT_FALSE(first) << "the write is held back";
    const auto second = world.decide(world.click(id, "allow", "bob"));
    EXPECT_EQ(second.error().code, Errc::already_decided);
    EXPECT_THAT(second.error().detail, HasSubstr("already denied by alice on ops"));
    EXPECT_TRUE(world.agent.forwarded.empty());
    world.ledger.hold(false);
    world.settle();
    ASSERT_TRUE(first && first->has_value());
    ASSERT_EQ(world.agent.forwarded.size(), 1U);
    EXPECT_EQ(world.agent.forwarded[0].outcome, Outcome::denied);
    EXPECT_EQ(world.ledger.count("decision"), 1U);
}

TEST_F(HubDecideTest, I3_AClickAfterTheEndGetsAnHonestAnswer) {
    const auto id = asked(world);
    ASSERT_TRUE(world.decide(world.click(id, "deny")));
    world.advance(12s);
    const auto late = world.decide(world.click(id, "allow", "bob"));
    EXPECT_EQ(late.error().detail, "already denied by alice on ops 12 s ago");
    EXPECT_EQ(world.hub.counts().refused, 1U);
    EXPECT_EQ(world.agent.forwarded.size(), 1U);
}

TEST_F(HubDecideTest, I4_AStrangerDecidesNothingAndIsRecorded) {
    const auto id = asked(world);
    EXPECT_EQ(world.decide(world.click(id, "allow", "mallory")).error().code, Errc::not_authorised);
    EXPECT_TRUE(world.agent.forwarded.empty());
    EXPECT_EQ(world.ledger.text("refused", "why"), "not_authorised");
    EXPECT_EQ(world.ledger.text("refused", "principal"), "test:mallory");
    EXPECT_EQ(world.hub.counts().refused, 1U);
    EXPECT_EQ(world.hub.pending(), 1U);
}

TEST_F(HubDecideTest, I4_TheCurrentConfigurationSaysWhoMayDecide) {
    const auto id = asked(world);
    auto without_alice = small_configuration();
    without_alice.routes.front().deciders = {"bob"};
    world.hub.reconfigure(std::make_shared<const Configuration>(without_alice));
    EXPECT_EQ(world.decide(world.click(id, "allow")).error().code, Errc::not_authorised);
    EXPECT_TRUE(world.decide(world.click(id, "allow", "bob")));
}

TEST_F(HubDecideTest, AnUnknownRequestIsRefusedAndRecorded) {
    EXPECT_EQ(world.decide(world.click(world.ids.next(), "allow")).error().code, Errc::unknown_request);
    EXPECT_EQ(world.ledger.text("refused", "why"), "unknown_request");
}

TEST_F(HubDecideTest, I13_RefusalsPastTheRateAreCountedNotWritten) {
    for (std::size_t i = 0; i < limits::refused_records_per_minute_max + 5; ++i) {
        EXPECT_FALSE(world.decide(world.click(world.ids.next(), "allow")));
    }
    EXPECT_EQ(world.ledger.count("refused"), limits::refused_records_per_minute_max);
    world.advance(60s);
    EXPECT_EQ(world.ledger.count("refused"), limits::refused_records_per_minute_max + 1);
    EXPECT_EQ(world.ledger.last("refused")->fields.find("suppressed")->number()->lexeme, "5");
}

TEST_F(HubDecideTest, I11_ARefusalByAChannelIsCountedRecordedAndReportedToTheOperator) {
    std::vector<std::string> lines;
    world.hub.on_refused([&](const std::string& line) { lines.push_back(line); });
    const auto id = world.ids.next();
    world.hub.refused({id, "test:mallory", "ops"}, {Errc::bad_signature, "made\nfor another chat"});
    world.hub.refused({std::nullopt, "test:alice", "ops"}, {Errc::malformed, "no button"});
    world.settle();
    EXPECT_EQ(world.hub.counts().refused, 2U);
    ASSERT_EQ(world.ledger.count("refused"), 2U);
    EXPECT_EQ(world.ledger.written.front().fields.find("requestId")->string()[0], id.str());
    EXPECT_EQ(world.ledger.last("refused")->fields.find("requestId"), nullptr) << "it names none";
    EXPECT_THAT(lines, testing::ElementsAre("refused: test:mallory on ops, request " + id.str() +
                                                ": bad_signature: made for another chat",
                                            "refused: test:alice on ops: malformed: no button"));
}

TEST_F(HubDecideTest, I11_AFloodOfForgedButtonsHidesNoRefusalOfAPerson) {
    std::size_t lines = 0;
    world.hub.on_refused([&](const std::string&) { ++lines; });
    constexpr auto most = limits::refused_records_per_minute_max;
    const auto flood = [&](const std::string& principal, std::size_t times) {
        for (std::size_t i = 0; i < times; ++i) {
            world.hub.refused({std::nullopt, principal, "ops"}, {Errc::bad_signature, "forged"});
        }
        world.settle();
    };
    flood("test:mallory", most + 1);
    EXPECT_EQ(world.ledger.count("refused"), most);
    flood("", limits::unverified_records_per_minute_max + 1);
    EXPECT_EQ(world.ledger.count("refused"), most + limits::unverified_records_per_minute_max);
    flood("test:alice", 1);
    EXPECT_EQ(world.ledger.text("refused", "principal"), "test:alice");
    EXPECT_EQ(lines, world.ledger.count("refused")) << "the operator's log is bounded as the records are";
    EXPECT_EQ(world.hub.counts().refused, most + limits::unverified_records_per_minute_max + 3);
    world.advance(limits::left_out_told_max);
    EXPECT_EQ(world.ledger.count("refused"), most + limits::unverified_records_per_minute_max + 3)
        << "each rate told what it left out";
}

TEST_F(HubDecideTest, I7_AnAllowIsRefusedWhereTheWholeTextWasNotShown) {
    world.ops.mood = fakes::FakeChannel::Mood::delivers_part;
    const auto id = asked(world);
    EXPECT_EQ(world.decide(world.click(id, "allow")).error().code, Errc::not_shown);
    EXPECT_TRUE(world.decide(world.click(id, "deny"))) << "a deny needs no text";
}

TEST_F(HubDecideTest, I7_AnAllowFromAChannelWhereItWasNotShownIsRefused) {
    const auto id = asked(world);
    auto elsewhere = world.click(id, "allow");
    elsewhere.where.channel = "pager";
    EXPECT_EQ(world.decide(elsewhere).error().code, Errc::not_shown);
}

TEST(HubDecidePeopleTest, I7_DeliveryToOnePersonIsIndependentOfDeliveryToAnother) {
    auto configuration = fakes::small_configuration();
    configuration.routes.front().steps = {{.channel = "ops", .people = {"alice", "bob"}}};
    fakes::World world{configuration};
    world.ops.moods["test:alice"] = fakes::FakeChannel::Mood::delivers_part;
    const auto id = *world.ask(fakes::shell_request(world.ids.next()));
    auto of_alice = world.click(id, "allow", "alice");
    of_alice.where.chat = "test:alice";
    EXPECT_EQ(world.decide(of_alice).error().code, Errc::not_shown);
    auto of_bob = world.click(id, "allow", "bob");
    of_bob.where.chat = "test:bob";
    EXPECT_TRUE(world.decide(of_bob));
}

TEST(HubDecidePeopleTest, I16_ALateTapIsShownAgainOnlyWhereItWasMade) {
    auto configuration = fakes::small_configuration();
    configuration.routes.front().steps = {{.channel = "ops", .people = {"alice", "bob"}}};
    fakes::World world{configuration};
    const auto id = *world.ask(fakes::shell_request(world.ids.next()));
    auto tap = world.click(id, "allow", "bob");
    tap.where.chat = "test:bob";
    world.advance(limits::allow_age_max);
    EXPECT_EQ(world.decide(tap).error().code, Errc::late);
    ASSERT_EQ(world.ops.presented.size(), 3U);
    EXPECT_EQ(world.ops.presented[2].to.principal, "test:bob");
}

TEST_F(HubDecideTest, I16_AnAllowMadeFiveMinutesAgoIsLateAndShownAgain) {
    const auto id = asked(world);
    auto tap = world.click(id, "allow");
    world.advance(limits::allow_age_max);
    EXPECT_EQ(world.decide(tap).error().code, Errc::late);
    ASSERT_EQ(world.ops.presented.size(), 2U);
    EXPECT_EQ(world.ops.presented[1].generation, 1U);
    EXPECT_TRUE(world.agent.forwarded.empty());
    EXPECT_TRUE(world.decide(world.click(id, "allow")));
}

TEST_F(HubDecideTest, I16_AnAllowDatedInTheFutureIsLateToo) {
    const auto id = asked(world);
    auto tap = world.click(id, "allow");
    tap.made = *tap.made + limits::allow_age_max;
    EXPECT_EQ(world.decide(tap).error().code, Errc::late);
    EXPECT_TRUE(world.agent.forwarded.empty());
}

TEST_F(HubDecideTest, I16_AnAllowJustUnderFiveMinutesOldAndAnyDenyAreAccepted) {
    const auto id = asked(world);
    auto tap = world.click(id, "allow");
    world.advance(limits::allow_age_max - 1ms);
    EXPECT_TRUE(world.decide(tap));

    const auto other = asked(world);
    auto deny = world.click(other, "deny");
    world.advance(1h);
    EXPECT_TRUE(world.decide(deny));
}

TEST_F(HubDecideTest, I16_TheFirstBatchAfterAPollingGapAllowsNothing) {
    const auto id = asked(world);
    auto tap = world.click(id, "allow");
    tap.made.reset();
    tap.after_gap = true;
    EXPECT_EQ(world.decide(tap).error().code, Errc::late);
    tap.what = Choose{"deny"};
    EXPECT_TRUE(world.decide(tap));
}

TEST_F(HubDecideTest, AnUnknownOptionDecidesNothing) {
    const auto id = asked(world);
    EXPECT_FALSE(world.decide(world.click(id, "sudo")));
    EXPECT_TRUE(world.agent.forwarded.empty());
    EXPECT_EQ(world.hub.pending(), 1U);
}

TEST_F(HubDecideTest, CancelOfAnApprovalSendsItsRefusal) {
    const auto id = asked(world);
    auto cancel = world.click(id, "");
    cancel.what = Cancel{};
    ASSERT_TRUE(world.decide(cancel));
    EXPECT_EQ(world.agent.forwarded.at(0).outcome, Outcome::cancelled);
    EXPECT_EQ(world.agent.forwarded.at(0).option_id, "deny");
}

TEST_F(HubDecideTest, I8_ASessionDecisionSendsTheOnceSiblingAndCreatesAGrantForExactlyThisCall) {
    const auto id = asked(world);
    ASSERT_TRUE(world.decide(world.click(id, "session")));
    EXPECT_EQ(world.agent.forwarded.at(0).option_id, "allow");
    EXPECT_EQ(world.ledger.text("decision", "chosenOption"), "session");
    EXPECT_EQ(world.ledger.text("decision", "sentOption"), "allow");
    EXPECT_EQ(world.ledger.count("grant"), 1U);

    const auto again = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(again)));
    ASSERT_EQ(world.agent.forwarded.size(), 2U) << "the grant answers";
    EXPECT_EQ(world.ledger.text("decision", "decidedBy").rfind("grant:", 0), 0U);
    EXPECT_EQ(world.ops.presented.size(), 1U);

    ASSERT_TRUE(world.ask(shell_request(world.ids.next(), "ls -l")));
    EXPECT_EQ(world.agent.forwarded.size(), 2U) << "another call asks";
    EXPECT_EQ(world.ops.presented.size(), 2U);
}

TEST_F(HubDecideTest, I8_AGrantThatWasNotRecordedIsNotInForce) {
    const auto id = asked(world);
    world.ledger.fail_kind("grant");
    world.hub.submit(world.click(id, "session"), {});
    world.settle();
    EXPECT_TRUE(world.hub.grants().all().empty());
    ASSERT_EQ(world.agent.forwarded.size(), 1U) << "the decision is on disk, and is given once";
    EXPECT_EQ(world.agent.forwarded[0].outcome, Outcome::allowed);
}

TEST_F(HubDecideTest, I8_AFullGrantBookLeavesNoRecordOfAGrantThatIsNotInForce) {
    for (std::size_t i = 0; i < limits::grants_max; ++i) {
        const auto id = world.ids.next();
        ASSERT_TRUE(world.ask(shell_request(id, "c" + std::to_string(i))));
        ASSERT_TRUE(world.decide(world.click(id, "session")));
    }
    ASSERT_EQ(world.hub.grants().all().size(), limits::grants_max);
    const auto id = asked(world);
    ASSERT_TRUE(world.decide(world.click(id, "session")));
    EXPECT_EQ(world.agent.forwarded.back().outcome, Outcome::allowed) << "this call runs, the next asks again";
    EXPECT_EQ(world.ledger.count("grant"), limits::grants_max);
}

// The next session may have the same name, for example two runs of `run event` in the same directory.
TEST_F(HubDecideTest, I8_AnAllowForASessionEndsWithIt) {
    ASSERT_TRUE(world.decide(world.click(asked(world), "session")));
    ASSERT_EQ(world.hub.grants().all().size(), 1U);
    world.hub.asking().gone(world.agent, {}, "the agent ended");
    world.settle();
    EXPECT_TRUE(world.hub.grants().all().empty());
    EXPECT_EQ(world.ledger.text("revoke", "principal"), "session:ended");

    ASSERT_TRUE(world.ask(shell_request(world.ids.next())));
    EXPECT_EQ(world.agent.forwarded.size(), 1U) << "the second one's call is asked";
}

TEST_F(HubDecideTest, I8_ASessionPastTheMemoryBoundEndsAsWell) {
    ASSERT_TRUE(world.decide(world.click(asked(world), "session")));
    for (std::size_t i = 0; i < limits::sessions_per_runtime_max; ++i) {
        auto request = shell_request(world.ids.next(), "c" + std::to_string(i));
        request.session_key = "another " + std::to_string(i);
        ASSERT_TRUE(world.ask(std::move(request)));
    }
    world.hub.asking().gone(world.agent, {}, "the agent ended");
    world.settle();
    EXPECT_TRUE(world.hub.grants().all().empty());
}

TEST_F(HubDecideTest, I8_ASessionThatContinuesInAnotherRuntimeKeepsItsGrants) {
    fakes::FakeRuntime other;
    ASSERT_TRUE(world.decide(world.click(asked(world), "session")));
    ASSERT_TRUE(world.ask(shell_request(world.ids.next(), "ls -l"), other));
    world.hub.asking().gone(world.agent, {}, "the agent ended");
    world.settle();
    EXPECT_EQ(world.hub.grants().all().size(), 1U);
    world.hub.asking().gone(other, {}, "the agent ended");
    world.settle();
    EXPECT_TRUE(world.hub.grants().all().empty());
}

// A server runtime: one process with many sessions, one of which ends.
TEST_F(HubDecideTest, WhenOneSessionEndsItsRequestsEndAndTheOthersOfItsRuntimeStay) {
    const auto in_session = [&](const std::string& command, const std::string& session) {
        auto request = shell_request(world.ids.next(), command);
        request.session_key = session;
        const auto id = world.ask(std::move(request));
        EXPECT_TRUE(id);
        return *id;
    };
    ASSERT_TRUE(world.decide(world.click(in_session("make", "s1"), "session")));
    ASSERT_TRUE(world.decide(world.click(in_session("make", "s2"), "session")));
    const auto lost = in_session("ls", "s1");
    const auto kept = in_session("ls", "s2");
    world.hub.asking().gone(world.agent, {"dev", "s1"}, "the session was deleted");
    world.settle();
    EXPECT_EQ(world.ledger.ids_of({"ended"}), std::multiset<std::string>{lost.str()});
    EXPECT_EQ(world.ledger.text("ended", "outcome"), "lost");
    ASSERT_EQ(world.hub.grants().all().size(), 1U);
    EXPECT_EQ(world.hub.grants().all()[0].session_key, "s2");
    EXPECT_TRUE(world.decide(world.click(kept, "allow")));
    EXPECT_EQ(world.agent.forwarded.back().request_id, kept);
    EXPECT_EQ(world.order(world.halt("s1"))->interrupted, 0U) << "it has no turn any more";
    EXPECT_EQ(world.order(world.halt("s2"))->interrupted, 1U);
}

TEST_F(HubDecideTest, I8_ASessionThatEndsWhileItsGrantIsWrittenLeavesNone) {
    const auto id = asked(world);
    world.ledger.hold(true);
    world.hub.submit(world.click(id, "session"), {});
    world.settle();
    world.ledger.release_one();  // writes the decision
    world.settle();
    world.hub.asking().gone(world.agent, {}, "the agent ended");
    world.ledger.hold(false);
    world.settle();
    ASSERT_EQ(world.ledger.count("grant"), 1U);
    EXPECT_TRUE(world.hub.grants().all().empty());
    EXPECT_EQ(world.ledger.text("revoke", "principal"), "session:ended");
}

TEST_F(HubDecideTest, I8_AGrantIsInForceBeforeTheAgentCanAskAgain) {
    const auto id = asked(world);
    std::size_t grants = 0;
    world.agent.on_forward = [&] { grants = world.hub.grants().all().size(); };
    ASSERT_TRUE(world.decide(world.click(id, "session")));
    EXPECT_EQ(grants, 1U);
}

TEST_F(HubDecideTest, AQuestionIsAnsweredAndASecretAnswerLeavesNoTrace) {
    const auto id = world.ids.next();
    ASSERT_TRUE(world.ask(question_request(id)));
    ASSERT_TRUE(world.decide(world.submit(id, {{"q1", {"A"}, ""}, {"q2", {}, "hunter2"}})));
    ASSERT_EQ(world.agent.forwarded.size(), 1U);
    EXPECT_EQ(world.agent.forwarded[0].outcome, Outcome::answered);
    EXPECT_EQ(world.agent.forwarded[0].answers.at(1).text, "hunter2");
    const auto& answers = *world.ledger.last("decision")->fields.find("answers")->array();
    ASSERT_EQ(answers.size(), 2U);
    EXPECT_EQ(*answers[1].object()->find("answer")->string(), "given");
    EXPECT_EQ(answers[1].object()->members().size(), 2U);
}

TEST_F(HubDecideTest, AFailedForwardIsRecordedAndReportedToPeople) {
    const auto id = asked(world);
    world.agent.broken = true;
    ASSERT_TRUE(world.decide(world.click(id, "allow")));
    EXPECT_EQ(world.ledger.count("forward_failed"), 1U);
    EXPECT_EQ(world.ledger.count("forwarded"), 0U);
    EXPECT_FALSE(world.ops.concluded.at(0).forwarded);
}

TEST(HubQuorumTest, BelowTheQuorumAnAllowIsAVoteOnDiskBeforeItIsShown) {
    World world{with_quorum(2)};
    const auto id = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(id)));
    ASSERT_TRUE(world.decide(world.click(id, "allow")));
    EXPECT_TRUE(world.agent.forwarded.empty());
    EXPECT_EQ(world.ledger.count("vote"), 1U);
    EXPECT_THAT(world.ops.progress_lines, ElementsAre("1 of 2: alice"));
    EXPECT_EQ(world.decide(world.click(id, "allow")).error().code, Errc::already_voted);

    ASSERT_TRUE(world.decide(world.click(id, "session", "bob")));
    ASSERT_EQ(world.agent.forwarded.size(), 1U);
    EXPECT_EQ(world.ledger.text("decision", "decidedBy"), "bob");
    EXPECT_EQ(world.ledger.text("decision", "chosenOption"), "allow") << "the narrowest counts";
    const auto& votes = *world.ledger.last("decision")->fields.find("votes")->array();
    ASSERT_EQ(votes.size(), 1U);
    EXPECT_EQ(votes[0].number()->lexeme, "2") << "the seq of alice's vote";
    EXPECT_EQ(world.ledger.count("grant"), 0U);
}

TEST(HubQuorumTest, OneDenyEndsTheRequest) {
    World world{with_quorum(3)};
    const auto id = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(id)));
    ASSERT_TRUE(world.decide(world.click(id, "allow")));
    ASSERT_TRUE(world.decide(world.click(id, "deny", "bob")));
    EXPECT_EQ(world.agent.forwarded.at(0).outcome, Outcome::denied);
}

TEST(HubQuorumTest, ConcurrentVotesWaitForEachOther) {
    World world{with_quorum(2)};
    const auto id = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(id)));
    world.ledger.hold(true);
    world.hub.submit(world.click(id, "allow"), {});
    world.hub.submit(world.click(id, "allow", "bob"), {});
    world.settle();
    EXPECT_EQ(world.ledger.waiting(), 1U) << "bob's completes the quorum only when alice's is on disk";
    world.ledger.hold(false);
    world.settle();
    EXPECT_EQ(world.ledger.count("vote"), 1U);
    EXPECT_EQ(world.ledger.count("decision"), 1U);
    EXPECT_EQ(world.agent.forwarded.size(), 1U);
}

TEST(HubQuorumTest, I3_AVoteWhileADenyIsBeingWrittenIsToldWhoDecidedFirst) {
    World world{with_quorum(2)};
    const auto id = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(id)));
    world.ledger.hold(true);
    world.hub.submit(world.click(id, "deny"), {});
    world.settle();
    const auto vote = world.decide(world.click(id, "allow", "bob"));
    EXPECT_EQ(vote.error().code, Errc::already_decided);
    EXPECT_THAT(vote.error().detail, HasSubstr("already denied by alice on ops"));
    world.ledger.hold(false);
    world.settle();
    EXPECT_EQ(world.ledger.count("vote"), 0U) << "nothing follows the terminal record";
    EXPECT_EQ(world.agent.forwarded.at(0).outcome, Outcome::denied);
}

TEST(HubQuorumTest, I3_AVoteWhileAnExpiryIsBeingWrittenIsToldThatItExpired) {
    auto configuration = with_quorum(2);
    configuration.routes.front().timeout = 2min;
    World world{configuration};
    const auto id = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(id)));
    world.ledger.hold(true);
    world.advance(2min);
    const auto vote = world.decide(world.click(id, "allow", "bob"));
    EXPECT_EQ(vote.error().detail, "already expired 0 s ago");
    world.ledger.hold(false);
    world.settle();
    EXPECT_EQ(world.ledger.count("vote"), 0U);
}

TEST(HubQuorumTest, I3_AVoteBeingWrittenWhenTheRequestExpiresIsNotShownAsProgress) {
    auto configuration = with_quorum(2);
    configuration.routes.front().timeout = 2min;
    World world{configuration};
    const auto id = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(id)));
    world.ledger.hold(true);
    world.hub.submit(world.click(id, "allow"), {});
    world.settle();
    world.advance(2min);
    ASSERT_EQ(world.ledger.waiting(), 2U) << "the vote and the end";
    world.ledger.hold(false);
    world.settle();
    EXPECT_TRUE(world.ops.progress_lines.empty());
    EXPECT_EQ(world.agent.forwarded.at(0).outcome, Outcome::expired);
    EXPECT_EQ(world.hub.pending(), 0U);
}

TEST(HubQuorumTest, I4_TheVoteOfAFormerDeciderIsNotCounted) {
    World world{with_quorum(2)};
    const auto id = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(id)));
    ASSERT_TRUE(world.decide(world.click(id, "allow")));
    auto without_alice = with_quorum(2);
    without_alice.routes.front().deciders = {"bob", "carol"};
    world.hub.reconfigure(std::make_shared<const Configuration>(without_alice));
    ASSERT_TRUE(world.decide(world.click(id, "allow", "bob")));
    EXPECT_TRUE(world.agent.forwarded.empty()) << "bob is the first of two";
    ASSERT_TRUE(world.decide(world.click(id, "allow", "carol")));
    EXPECT_EQ(world.agent.forwarded.size(), 1U);
    EXPECT_EQ(world.ledger.last("decision")->fields.find("votes")->array()->size(), 1U);
    EXPECT_EQ(world.ops.progress_lines.back(), "1 of 2: bob");
}

TEST(HubQuorumTest, AChangedVoteCountsOnce) {
    World world{with_quorum(3)};
    const auto id = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(id)));
    auto without_pager = with_quorum(3);
    without_pager.people.at("alice").principals = {"test:alice"};
    auto vote = world.click(id, "allow");
    vote.principal = "pager:1";
    ASSERT_TRUE(world.decide(vote));
    world.hub.reconfigure(std::make_shared<const Configuration>(without_pager));
    ASSERT_TRUE(world.decide(world.click(id, "allow"))) << "the first vote is nobody's any more";
    world.hub.reconfigure(std::make_shared<const Configuration>(with_quorum(3)));
    ASSERT_TRUE(world.decide(world.click(id, "allow", "bob")));
    EXPECT_TRUE(world.agent.forwarded.empty()) << "two people voted";
    EXPECT_THAT(world.ops.progress_lines.back(), HasSubstr("2 of 3"));
}

TEST(HubQuorumTest, OnePersonWithTwoPrincipalsVotesOnce) {
    World world{with_quorum(2)};
    const auto id = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(id)));
    ASSERT_TRUE(world.decide(world.click(id, "allow")));
    auto other_phone = world.click(id, "allow");
    other_phone.principal = "pager:1";
    EXPECT_EQ(world.decide(other_phone).error().code, Errc::already_voted);
}

TEST(HubQuorumTest, ARaisedQuorumAppliesToPendingRequestsALoweredOneDoesNot) {
    World world;
    const auto id = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(id)));
    world.hub.reconfigure(std::make_shared<const Configuration>(with_quorum(2)));
    ASSERT_TRUE(world.decide(world.click(id, "allow")));
    EXPECT_TRUE(world.agent.forwarded.empty());
    const auto second = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(second)));
    world.hub.reconfigure(std::make_shared<const Configuration>(with_quorum(1)));
    ASSERT_TRUE(world.decide(world.click(second, "allow")));
    EXPECT_TRUE(world.agent.forwarded.empty());
}

// A person sends a different input instead of the agent's.
class HubEditTest : public HubDecideTest {
protected:
    Attempt edit(const Ulid& id, const std::string& option = "allow", std::string input = "ls hunter2") {
        auto attempt = world.click(id, option);
        attempt.edited_input = std::move(input);
        return attempt;
    }
    Ulid asked_with_edits(World& in) {
        auto request = shell_request(in.ids.next());
        request.takes_edits = true;
        const auto id = in.ask(std::move(request));
        EXPECT_TRUE(id);
        return *id;
    }
};

TEST_F(HubEditTest, AnEditedInputIsRecordedRedactedAndForwarded) {
    ASSERT_TRUE(world.decide(edit(asked_with_edits(world))));
    EXPECT_EQ(world.agent.forwarded.at(0).edited_input, "ls hunter2");
    EXPECT_EQ(world.agent.forwarded.at(0).args_hash, "hash-of-ls") << "it still answers the call that was shown (I9)";
    EXPECT_EQ(world.ledger.text("decision", "editedText"), "ls «redacted»");
    EXPECT_EQ(world.ledger.text("decision", "editedHash"), world.guard.digest("ls hunter2"));
}

TEST_F(HubEditTest, ADecisionWithoutAnEditedInputHasNoSuchFields) {
    ASSERT_TRUE(world.decide(world.click(asked_with_edits(world), "allow")));
    EXPECT_EQ(world.agent.forwarded.at(0).edited_input, std::nullopt);
    EXPECT_EQ(world.ledger.last("decision")->fields.find("editedText"), nullptr);
    EXPECT_EQ(world.ledger.last("decision")->fields.find("editedHash"), nullptr);
}

TEST_F(HubEditTest, OnlyAnAllowForThisCallCanBeEditedAndOnlyIfTheAgentAcceptsIt) {
    EXPECT_EQ(world.decide(edit(asked(world))).error().code, Errc::unsupported);
    const auto id = asked_with_edits(world);
    EXPECT_EQ(world.decide(edit(id, "session")).error().code, Errc::conflict)
        << "the grant would be for the other call";
    EXPECT_EQ(world.decide(edit(id, "deny")).error().code, Errc::conflict);
    auto cancel = edit(id);
    cancel.what = Cancel{};
    EXPECT_EQ(world.decide(cancel).error().code, Errc::conflict);
    EXPECT_TRUE(world.agent.forwarded.empty());
    EXPECT_EQ(world.ledger.count("decision"), 0U);
    EXPECT_EQ(world.hub.pending(), 2U);
}

TEST_F(HubEditTest, ACallWithAQuorumOrASharedCardCannotBeEdited) {
    auto configuration = small_configuration();
    configuration.routes.front().required = 2;
    World two{configuration};
    EXPECT_EQ(two.decide(edit(asked_with_edits(two))).error().code, Errc::unsupported);
    EXPECT_EQ(two.ledger.count("vote"), 0U);

    const auto id = asked_with_edits(world);
    asked_with_edits(world);
    auto attempt = edit(id);
    attempt.generation = 31;
    EXPECT_EQ(world.decide(attempt).error().code, Errc::unsupported);
}

TEST_F(HubEditTest, I13_AnEditedInputIsBoundedAndALongOneIsStoredSeparately) {
    const auto id = asked_with_edits(world);
    EXPECT_EQ(world.decide(edit(id, "allow", std::string(limits::edited_input_bytes_max + 1, 'x'))).error().code,
              Errc::too_large);
    const std::string longest(limits::edited_input_bytes_max, 'x');
    ASSERT_TRUE(world.decide(edit(id, "allow", longest)));
    EXPECT_EQ(world.agent.forwarded.at(0).edited_input, longest);
    const auto* decision = world.ledger.last("decision");
    EXPECT_EQ(decision->fields.find("editedText"), nullptr);
    ASSERT_TRUE(decision->long_text);
    EXPECT_EQ(decision->long_text->text, longest);
    EXPECT_EQ(world.ledger.text("decision", "editedTextHash"), decision->long_text->hash);
}

// The agent's own client answers, for example at its keyboard.
class HubOwnAnswerTest : public testing::Test {
protected:
    static Configuration with_client(bool decides) {
        auto configuration = small_configuration();
        configuration.people["desk"] = {
            .name = "desk", .principals = {"client:dev"}, .permissions = {}, .language = {}};
        if (decides) configuration.routes.front().deciders.push_back("desk");
        return configuration;
    }
    Result<Receipt> answered(World& in, const Ulid& id, OwnAnswer answer, const Runtime& from) {
        std::optional<Result<Receipt>> heard;
        in.hub.asking().answered(id, from, std::move(answer), [&](const Result<Receipt>& got) { heard = got; });
        in.settle();
        return heard.value_or(Error{Errc::timeout, "nothing was heard"});
    }
};

TEST_F(HubOwnAnswerTest, I1_AnAnswerOfTheAgentsClientIsLoggedBeforeItPasses) {
    World world{with_client(true)};
    world.ops.mood = fakes::FakeChannel::Mood::silent;  // no other person was shown it yet
    const auto id = world.ask(shell_request(world.ids.next()));
    std::size_t records_at_forward = 0;
    world.agent.on_forward = [&] { records_at_forward = world.ledger.count("decision"); };
    ASSERT_TRUE(answered(world, *id, {.what = Choose{"allow"}, .reason = "at the desk"}, world.agent));
    EXPECT_EQ(records_at_forward, 1U);
    EXPECT_EQ(world.agent.forwarded.at(0).outcome, Outcome::allowed);
    EXPECT_EQ(world.agent.forwarded.at(0).reason, "at the desk");
    EXPECT_EQ(world.ledger.text("decision", "principal"), "client:dev");
    EXPECT_EQ(world.ledger.text("decision", "decidedBy"), "desk");
}

TEST_F(HubOwnAnswerTest, I4_AClientThatIsNotADeciderDecidesNothing) {
    for (const bool known : {false, true}) {
        World world{known ? with_client(false) : small_configuration()};
        const auto id = world.ask(shell_request(world.ids.next()));
        EXPECT_EQ(answered(world, *id, {.what = Choose{"allow"}}, world.agent).error().code, Errc::not_authorised);
        EXPECT_TRUE(world.agent.forwarded.empty());
        EXPECT_EQ(world.ledger.count("refused"), 1U);
        EXPECT_TRUE(world.decide(world.click(*id, "deny"))) << "it stays open";
    }
}

TEST_F(HubOwnAnswerTest, I15_OnlyTheRuntimeThatAskedMayAnswerForItsClient) {
    World world{with_client(true)};
    fakes::FakeRuntime other;
    const auto id = world.ask(shell_request(world.ids.next()));
    EXPECT_EQ(answered(world, *id, {.what = Choose{"allow"}}, other).error().code, Errc::unknown_request);
    EXPECT_EQ(answered(world, world.ids.next(), {.what = Choose{"allow"}}, world.agent).error().code,
              Errc::unknown_request);
    EXPECT_EQ(world.hub.pending(), 1U);
}

TEST_F(HubOwnAnswerTest, I3_AnAnswerOfTheClientThatComesSecondIsRefused) {
    World world{with_client(true)};
    const auto id = world.ask(shell_request(world.ids.next()));
    world.ledger.hold(true);
    world.hub.submit(world.click(*id, "deny"), {});
    world.settle();
    EXPECT_EQ(answered(world, *id, {.what = Choose{"allow"}}, world.agent).error().code, Errc::already_decided);
    world.ledger.hold(false);
    world.settle();
    EXPECT_EQ(world.agent.forwarded.at(0).outcome, Outcome::denied);
}

}  // namespace
}  // namespace countersign
