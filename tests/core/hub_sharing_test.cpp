// SPDX-License-Identifier: Apache-2.0
// Requests without a card of their own: identical requests, and those of a session that was refused repeatedly.
#include "tests/fakes/orphans.hpp"
#include "tests/fakes/world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace countersign {
namespace {

using fakes::shell_request;
using fakes::small_configuration;
using fakes::World;
using testing::ElementsAre;
using testing::IsEmpty;

using namespace std::chrono_literals;

class HubSharingTest : public ::testing::Test {
protected:
    Ulid ask(const std::string& command = "ls") {
        const auto id = world.ids.next();
        EXPECT_TRUE(world.ask(shell_request(id, command)));
        return id;
    }
    // Presses a button of this generation.
    Result<Receipt> tap(const Ulid& id, const std::string& option, std::uint8_t generation) {
        auto attempt = world.click(id, option);
        attempt.generation = generation;
        return world.decide(std::move(attempt));
    }
    void refuse_three() {
        for (const auto* command : {"x", "y", "z"}) ASSERT_TRUE(world.decide(world.click(ask(command), "deny")));
    }
    std::size_t terminal_records(const Ulid& id) {
        std::size_t count = 0;
        for (const auto& entry : world.ledger.written) {
            const auto* of = entry.fields.find("requestId");
            const bool terminal = entry.kind == "decision" || entry.kind == "ended";
            if (terminal && of != nullptr && *of->string() == id.str()) ++count;
        }
        return count;
    }

    World world;
};

TEST_F(HubSharingTest, IdenticalRequestsOfASessionShareOneCardThatShowsTheirNumber) {
    const auto first = ask();
    const auto second = ask();
    ask();
    ASSERT_EQ(world.ops.presented.size(), 1U);
    ASSERT_EQ(world.ops.states.size(), 2U);
    EXPECT_EQ(world.ops.states[0].asked, 2U);
    EXPECT_EQ(world.ops.states[0].generation, 1U);
    EXPECT_EQ(world.ops.states[1].asked, 3U);
    EXPECT_EQ(world.ops.states[1].generation, 2U) << "with buttons of its own";
    EXPECT_EQ(world.ledger.count("request"), 3U);
    EXPECT_EQ(world.ledger.count("shared"), 2U);
    EXPECT_EQ(world.hub.queries().open_request(first)->asked, 3U);
    EXPECT_TRUE(world.hub.queries().open_request(second)) << "it waits like any other";
    ask("pwd");
    EXPECT_EQ(world.ops.presented.size(), 2U) << "another call has its own";
}

TEST_F(HubSharingTest, I1_OneAnswerEndsEachRequestWithItsOwnRecordBeforeItsOwnForward) {
    const std::vector ids{ask(), ask(), ask()};
    std::vector<std::size_t> decisions_before;
    world.agent.on_forward = [&] { decisions_before.push_back(world.ledger.count("decision")); };
    ASSERT_TRUE(tap(ids[0], "allow", 2));
    world.settle();
    ASSERT_EQ(world.agent.forwarded.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(world.agent.forwarded[i].outcome, Outcome::allowed);
        EXPECT_GE(decisions_before[i], i + 1) << "its record was on disk";
        EXPECT_EQ(terminal_records(ids[i]), 1U);
    }
    EXPECT_THAT((std::set{world.agent.forwarded[0].request_id, world.agent.forwarded[1].request_id,
                          world.agent.forwarded[2].request_id}),
                (std::set<Ulid>{ids.begin(), ids.end()}));
    EXPECT_EQ(world.ledger.count("forwarded"), 3U);
    EXPECT_EQ(world.hub.pending(), 0U);
    EXPECT_EQ(world.ops.presented.size(), 1U) << "nobody was shown a second card";
}

TEST_F(HubSharingTest, I9_AnAllowOnACardThatShowedFewerRequestsIsRefused) {
    const auto first = ask();
    ask();
    const auto early = tap(first, "allow", 0);
    ASSERT_FALSE(early);
    EXPECT_EQ(early.error().code, Errc::asked_again);
    EXPECT_THAT(world.agent.forwarded, IsEmpty());
    EXPECT_EQ(world.ledger.text("refused", "why"), "asked_again");
    EXPECT_EQ(world.hub.pending(), 2U);
    ASSERT_TRUE(tap(first, "allow", 1));
    world.settle();
    EXPECT_EQ(world.agent.forwarded.size(), 2U);
}

TEST_F(HubSharingTest, I9_ATypedAllowDoesNotSayWhichCardItMeans) {
    const auto first = ask();
    ASSERT_TRUE(ask() != first);
    EXPECT_EQ(world.decide(world.click(first, "allow")).error().code, Errc::asked_again);
    EXPECT_THAT(world.agent.forwarded, IsEmpty());
    EXPECT_EQ(world.ops.presented.size(), 1U);
}

// The platform may never have applied the change; then the old buttons are the only ones.
TEST_F(HubSharingTest, I11_AnOldButtonBringsANewCardOnceAndThatOneAllowsAll) {
    const auto first = ask();
    ask();
    EXPECT_EQ(tap(first, "allow", 0).error().code, Errc::asked_again);
    world.settle();
    ASSERT_EQ(world.ops.presented.size(), 2U);
    EXPECT_EQ(world.ops.presented[1].generation, 2U) << "newer than any that was shown or sent";
    EXPECT_EQ(world.ops.presented[1].state.asked, 2U);
    ASSERT_TRUE(world.ops.presented[1].replaces);
    EXPECT_EQ(world.ops.presented[1].replaces->generation, 0U);
    EXPECT_EQ(world.ledger.last("renewed")->fields.find("generation")->number()->lexeme, "2");
    EXPECT_EQ(tap(first, "allow", 0).error().code, Errc::asked_again);
    world.settle();
    EXPECT_EQ(world.ops.presented.size(), 2U) << "it is there";
    ask();
    EXPECT_EQ(tap(first, "allow", 2).error().code, Errc::asked_again);
    world.settle();
    ASSERT_EQ(world.ops.presented.size(), 3U);
    EXPECT_EQ(world.ops.presented[2].generation, 4U);
    ASSERT_TRUE(tap(first, "allow", 4));
    world.settle();
    EXPECT_EQ(world.agent.forwarded.size(), 3U);
}

TEST_F(HubSharingTest, I11_TwoTapsOnOldButtonsBringOneCard) {
    const auto first = ask();
    ask();
    world.ledger.hold(true);
    EXPECT_FALSE(tap(first, "allow", 0));
    EXPECT_FALSE(tap(first, "allow", 0));
    world.ledger.hold(false);
    world.settle();
    EXPECT_EQ(world.ops.presented.size(), 2U);
}

TEST_F(HubSharingTest, I13_PastTheLastSetOfButtonsNoneIsMadeAndTheNewestStaysValid) {
    const auto first = ask();
    ask();
    for (std::uint32_t tries = 0; tries <= limits::button_index_max; ++tries) {
        auto late = world.click(first, "allow");
        late.generation = world.hub.queries().open_request(first)->generation;
        late.made = world.clock.wall() - limits::allow_age_max;
        EXPECT_EQ(world.decide(late).error().code, Errc::late);
        world.settle();
    }
    EXPECT_EQ(world.hub.queries().open_request(first)->generation, limits::button_index_max);
    ASSERT_TRUE(tap(first, "allow", limits::button_index_max));
    world.settle();
    EXPECT_EQ(world.agent.forwarded.size(), 2U);
}

// A hub that dies must not leave buttons that the next hub mistakes for its own new ones.
TEST_F(HubSharingTest, I12_NewButtonsAreOnDiskBeforeAnybodySeesThem) {
    const auto first = ask();
    world.ledger.hold(true);
    world.begin_ask(shell_request(world.ids.next()));
    world.ledger.release_one();
    world.settle();
    EXPECT_EQ(world.ledger.count("request"), 2U);
    EXPECT_THAT(world.ops.states, IsEmpty()) << "the shared record is being written";
    EXPECT_EQ(world.decide(world.click(first, "allow")).error().code, Errc::asked_again) << "it counts already";
    world.ledger.hold(false);
    world.settle();
    ASSERT_EQ(world.ops.states.size(), 1U);
    EXPECT_EQ(world.ops.states[0].generation, 1U);

    world.ledger.hold(true);
    auto late = world.click(first, "allow");
    late.generation = 1;
    late.made = world.clock.wall() - limits::allow_age_max;
    EXPECT_EQ(world.decide(late).error().code, Errc::late);
    world.settle();
    EXPECT_EQ(world.ops.presented.size(), 1U) << "nor is a card sent";
    world.ledger.hold(false);
    world.settle();
    ASSERT_EQ(world.ops.presented.size(), 2U);
    EXPECT_EQ(world.ops.presented[1].generation, 2U);
}

TEST_F(HubSharingTest, I12_ButtonsThatTheLogRejectsAreNotShownAndTheNextTapRetries) {
    const auto first = ask();
    world.ledger.refuse_next("shared", Errc::busy);
    ask();
    EXPECT_THAT(world.ops.states, IsEmpty());
    world.ledger.refuse_next("renewed", Errc::busy);
    EXPECT_EQ(tap(first, "allow", 0).error().code, Errc::asked_again);
    world.settle();
    EXPECT_EQ(world.ops.presented.size(), 1U);
    EXPECT_EQ(tap(first, "allow", 0).error().code, Errc::asked_again);
    world.settle();
    ASSERT_EQ(world.ops.presented.size(), 2U);
    ASSERT_TRUE(tap(first, "allow", static_cast<std::uint8_t>(world.ops.presented[1].generation)));
    world.settle();
    EXPECT_EQ(world.agent.forwarded.size(), 2U);
}

TEST_F(HubSharingTest, ARefusalAppliesToAllRequestsOfTheCard) {
    const auto first = ask();
    ask();
    ASSERT_TRUE(world.decide(world.click(first, "deny")));
    world.settle();
    ASSERT_EQ(world.agent.forwarded.size(), 2U);
    EXPECT_EQ(world.agent.forwarded[1].outcome, Outcome::denied);
    EXPECT_EQ(world.hub.pending(), 0U);
}

TEST_F(HubSharingTest, Incident_KiroCrew_6404_ARequestThatArrivesDuringTheWriteIsNotAnsweredByIt) {
    const auto first = ask();
    world.ledger.hold(true);
    const auto second = world.ids.next();
    world.begin_ask(shell_request(second));  // its record is written first, then the decision's
    world.hub.submit(world.click(first, "allow"), {});
    world.settle();
    world.ledger.hold(false);
    world.settle();
    ASSERT_EQ(world.agent.forwarded.size(), 1U);
    EXPECT_EQ(world.agent.forwarded[0].request_id, first);
    EXPECT_EQ(world.ops.presented.size(), 2U) << "it has a card of its own";
    EXPECT_EQ(world.ops.presented[1].request->id, second);
}

TEST_F(HubSharingTest, I2_AHaltDuringTheWriteDeniesTheOtherRequestsOnTheCardToo) {
    const auto first = ask();
    const auto second = ask();
    world.ledger.hold(true);
    auto attempt = world.click(first, "allow");
    attempt.generation = 1;
    world.hub.submit(std::move(attempt), {});
    world.settle();
    world.hub.order(world.halt("dev"), {});
    world.settle();
    world.ledger.hold(false);
    world.settle();
    const auto& forwarded = world.agent.forwarded;
    const auto answer = std::ranges::find(forwarded, second, &Verdict::request_id);
    ASSERT_NE(answer, forwarded.end());
    EXPECT_EQ(answer->outcome, Outcome::denied);
    EXPECT_EQ(terminal_records(second), 1U);
}

TEST_F(HubSharingTest, I8_AnAllowForTheSessionIsOneGrantThatAnswersTheOthers) {
    const auto first = ask();
    ask();
    ASSERT_TRUE(tap(first, "session", 1));
    world.settle();
    EXPECT_EQ(world.agent.forwarded.size(), 2U);
    EXPECT_EQ(world.ledger.count("grant"), 1U);
    EXPECT_EQ(world.ledger.text("decision", "decidedBy").substr(0, 6), "grant:");
}

TEST_F(HubSharingTest, TheEndSaysForHowLongTheSameCallIsAllowed) {
    const auto first = ask();
    ASSERT_TRUE(tap(first, "session", 0));
    EXPECT_EQ(world.ops.concluded.at(0).granted, Scope::session);
    const auto second = ask("rm");
    world.ledger.refuse_next("grant", Errc::busy);
    ASSERT_TRUE(tap(second, "session", 0));
    EXPECT_EQ(world.ops.concluded.at(1).granted, Scope::once) << "a grant that is not recorded is none";
}

TEST_F(HubSharingTest, RequestsOnACardThatEndedUnansweredGetANewCard) {
    const auto first = ask();
    const auto second = ask();
    const auto third = ask();
    world.hub.asking().withdraw(first, world.agent, "interrupted");
    world.settle();
    ASSERT_EQ(world.ops.presented.size(), 2U);
    EXPECT_EQ(world.ops.presented[1].request->id, second);
    EXPECT_EQ(world.hub.queries().open_request(second)->asked, 2U);
    ASSERT_TRUE(tap(second, "allow", 1));
    world.settle();
    EXPECT_EQ(world.agent.forwarded.size(), 2U);
    EXPECT_EQ(terminal_records(third), 1U);
}

TEST_F(HubSharingTest, AWithdrawnRequestIsNoLongerCounted) {
    const auto first = ask();
    const auto second = ask();
    world.hub.asking().withdraw(second, world.agent, "interrupted");
    world.settle();
    EXPECT_EQ(world.ops.states.back().asked, 1U);
    EXPECT_TRUE(world.decide(world.click(first, "allow"))) << "it stands for itself alone again";
    EXPECT_EQ(world.agent.forwarded.size(), 1U);
}

TEST_F(HubSharingTest, I12_AnAgentThatIsGoneLosesAllOfThemAndNoNewCardIsShown) {
    ask();
    ask();
    world.hub.asking().gone(world.agent, {}, "the agent ended");
    world.settle();
    EXPECT_EQ(world.hub.pending(), 0U);
    EXPECT_EQ(world.ops.presented.size(), 1U);
    EXPECT_EQ(world.ledger.count("ended"), 2U);
}

TEST_F(HubSharingTest, I2_ARequestWhoseDecisionTheLogRejectsIsShownToPeople) {
    const auto first = ask();
    const auto second = ask();
    world.agent.on_forward = [&] { world.ledger.refuse_next("decision", Errc::busy); };  // the next request's decision
    ASSERT_TRUE(tap(first, "allow", 1));
    world.settle();
    ASSERT_EQ(world.agent.forwarded.size(), 1U);
    EXPECT_EQ(world.ops.presented.back().request->id, second);
    EXPECT_EQ(world.hub.pending(), 1U);
}

TEST_F(HubSharingTest, NothingIsShownAgainDuringAStop) {
    ask();
    ask();
    refuse_three();
    ask("held");
    world.stop();
    EXPECT_EQ(world.ops.presented.size(), 4U);
    EXPECT_EQ(world.ledger.count("decision") + world.ledger.count("ended"), 6U);
    EXPECT_TRUE(world.stray.empty());
}

// Three on one card and two that wait behind it, all of an agent that outlives the hub.
TEST_F(HubSharingTest, I12_AStopLeavesSharedAndWaitingRequestsToTheNextHub) {
    refuse_three();
    world.agent.sidecar = true;
    const std::vector ids{ask("a"), ask("a"), ask("a"), ask("b"), ask("c")};
    ASSERT_EQ(world.ops.presented.size(), 4U);
    ASSERT_EQ(world.ops.states.back().waiting, 2U);
    const auto forwarded = world.agent.forwarded.size();
    world.stop();
    world.advance(24h);
    EXPECT_EQ(world.agent.forwarded.size(), forwarded) << "nothing is handed out";
    EXPECT_EQ(world.ops.presented.size(), 4U);
    for (const auto& id : ids) EXPECT_EQ(terminal_records(id), 0U);
    EXPECT_TRUE(world.stray.empty());
}

TEST_F(HubSharingTest, I12_AnAnswerThatIsBeingWrittenDuringAStopEndsEachRequestOnceOrLeavesIt) {
    for (const bool sidecar : {false, true}) {
        World other;
        other.agent.sidecar = sidecar;
        std::vector<Ulid> ids;
        for (int i = 0; i < 3; ++i) {
            ids.push_back(other.ids.next());
            ASSERT_TRUE(other.ask(shell_request(ids.back())));
        }
        other.ledger.hold(true);
        auto attempt = other.click(ids[0], "allow");
        attempt.generation = 2;
        other.hub.submit(std::move(attempt), {});
        other.settle();
        bool stopped = false;
        boost::asio::co_spawn(other.io, other.hub.stop(), [&](const std::exception_ptr&) { stopped = true; });
        other.settle();
        other.ledger.hold(false);
        other.settle();
        EXPECT_TRUE(stopped);
        EXPECT_EQ(other.ops.presented.size(), 1U);
        std::map<std::string, int> terminals;
        for (const auto& entry : other.ledger.written) {
            if (entry.kind == "decision" || entry.kind == "ended")
                ++terminals[*entry.fields.find("requestId")->string()];
        }
        for (const auto& [id, count] : terminals) EXPECT_EQ(count, 1) << id;
        EXPECT_EQ(other.agent.forwarded.size(), terminals.size()) << "what is handed out has its record";
        EXPECT_EQ(terminals.count(ids[0].str()), 1U);
        if (!sidecar) EXPECT_EQ(terminals.size(), 3U) << "of its own agents it leaves nothing";
    }
}

TEST_F(HubSharingTest, I13_OneTooManyHasItsOwnCard) {
    for (std::size_t i = 0; i < limits::shared_requests_max; ++i) ask();
    EXPECT_EQ(world.ops.presented.size(), 1U);
    EXPECT_EQ(world.ops.states.back().asked, limits::shared_requests_max);
    ask();
    EXPECT_EQ(world.ops.presented.size(), 2U);
}

TEST(HubSharingQuorumTest, I9_WithAQuorumEachRequestHasItsOwnCard) {
    auto configuration = small_configuration();
    configuration.routes.front().required = 2;
    World world{std::move(configuration)};
    ASSERT_TRUE(world.ask(shell_request(world.ids.next())));
    ASSERT_TRUE(world.ask(shell_request(world.ids.next())));
    EXPECT_EQ(world.ops.presented.size(), 2U);
}

// With the quorum that the route required when it was first asked, although it requires one today (I12).
Orphan needing(std::uint32_t required, const Request& request, BootTime asked) {
    auto orphan = fakes::orphan_of(request, asked);
    orphan.required = required;
    return orphan;
}

TEST(HubSharingQuorumTest, I9_ARequestThatNeedsTwoApproversSharesNoCard) {
    World world;
    world.agent.sidecar = true;
    const auto needs_two = shell_request(world.ids.next());
    const auto needs_two_as_well = shell_request(world.ids.next(), "pwd");
    world.hub.await_orphans(
        {needing(2, needs_two, world.clock.boot()), needing(2, needs_two_as_well, world.clock.boot())});
    ASSERT_TRUE(world.ask(needs_two));
    ASSERT_TRUE(world.ask(shell_request(world.ids.next())));
    EXPECT_EQ(world.ops.presented.size(), 2U) << "nobody joins it";
    ASSERT_TRUE(world.ask(shell_request(world.ids.next(), "pwd")));
    ASSERT_TRUE(world.ask(needs_two_as_well));
    EXPECT_EQ(world.ops.presented.size(), 4U) << "it joins nobody";
    EXPECT_EQ(world.ledger.count("shared"), 0U);
}

TEST(HubSharingQuorumTest, I9_AReloadThatRequiresTwoApproversEndsTheSharing) {
    auto configuration = small_configuration();
    World world{configuration};
    const auto first = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(first)));
    world.ledger.hold(true);
    world.begin_ask(shell_request(world.ids.next()));
    configuration.routes.front().required = 2;
    world.hub.reconfigure(std::make_shared<const Configuration>(configuration));
    world.ledger.hold(false);
    world.settle();
    EXPECT_EQ(world.ops.presented.size(), 2U) << "though one was enough when it was asked";
    ASSERT_TRUE(world.ask(shell_request(world.ids.next())));
    EXPECT_EQ(world.ops.presented.size(), 3U);
    EXPECT_EQ(world.ledger.count("shared"), 0U);
    configuration.routes.front().required = 1;
    world.hub.reconfigure(std::make_shared<const Configuration>(configuration));
    ASSERT_TRUE(world.ask(shell_request(world.ids.next())));
    EXPECT_EQ(world.ops.presented.size(), 3U) << "it joins the first, which needs one";
    EXPECT_EQ(world.ledger.text("shared", "with"), first.str());
}

TEST(HubSharingExpiryTest, EachRequestKeepsItsOwnDeadline) {
    auto configuration = small_configuration();
    configuration.routes.front().timeout = 30min;
    World world{std::move(configuration)};
    const auto first = world.ids.next();
    const auto second = world.ids.next();
    ASSERT_TRUE(world.ask(shell_request(first)));
    world.advance(10min);
    ASSERT_TRUE(world.ask(shell_request(second)));
    world.advance(20min);
    ASSERT_EQ(world.agent.forwarded.size(), 1U);
    EXPECT_EQ(world.agent.forwarded[0].request_id, first);
    EXPECT_EQ(world.ops.presented.back().request->id, second) << "now it has the card";
    world.advance(10min);
    EXPECT_EQ(world.agent.forwarded.size(), 2U);
    EXPECT_EQ(world.clock.sleepers(), 0U);
}

TEST_F(HubSharingTest, AfterThreeRefusalsFurtherRequestsWaitBehindOneCardAndNothingIsDecided) {
    refuse_three();
    const auto shown = ask("a");
    const auto waiting = ask("b");
    ask("c");
    ASSERT_EQ(world.ops.presented.size(), 4U);
    EXPECT_EQ(world.ops.states.back().waiting, 2U);
    EXPECT_EQ(world.hub.queries().open_request(shown)->waiting, 2U);
    EXPECT_EQ(world.hub.queries().open_requests().size(), 3U) << "they are open, and listed";
    world.advance(24h);
    EXPECT_EQ(world.hub.pending(), 3U);
    EXPECT_EQ(world.agent.forwarded.size(), 3U);
    EXPECT_EQ(world.decide(world.click(waiting, "allow")).error().code, Errc::not_shown);
    ASSERT_TRUE(world.decide(world.click(shown, "allow")));
    ASSERT_EQ(world.ops.presented.size(), 5U) << "the next one";
    EXPECT_EQ(world.ops.presented[4].request->id, waiting);
    EXPECT_EQ(world.ops.presented[4].state.waiting, 1U);
    EXPECT_TRUE(world.decide(world.click(waiting, "allow")));
}

TEST_F(HubSharingTest, TheLastCardLeftShowsHowManyRequestsWait) {
    const auto before = ask("before");
    refuse_three();
    const auto waiting = ask("a");
    EXPECT_EQ(world.ops.states.back().waiting, 1U) << "behind the card that is there";
    const auto other = ask("b");
    EXPECT_EQ(world.ops.states.back().waiting, 2U);
    world.hub.asking().withdraw(other, world.agent, "interrupted");
    world.settle();
    EXPECT_EQ(world.ops.states.back().waiting, 1U);
    ASSERT_TRUE(world.decide(world.click(before, "allow")));
    EXPECT_EQ(world.ops.presented.back().request->id, waiting);
    EXPECT_EQ(world.ops.presented.back().state.waiting, 0U);
}

TEST_F(HubSharingTest, ANewSessionForEachRequestDoesNotEvadeTheBrake) {
    const auto ask_in = [&](const std::string& session) {
        auto request = shell_request(world.ids.next(), "in " + session);
        request.session_key = session;
        const auto id = request.id;
        EXPECT_TRUE(world.ask(std::move(request)));
        return id;
    };
    for (std::size_t i = 0; i < fatigue_agent_denials_max; ++i) {
        ASSERT_TRUE(world.decide(world.click(ask_in("s" + std::to_string(i)), "deny")));
    }
    const auto shown = world.ops.presented.size();
    const auto first = ask_in("fresh");
    EXPECT_EQ(world.ops.presented.size(), shown + 1) << "one card";
    const auto second = ask_in("fresher");
    const auto without_session = ask_in("");
    EXPECT_EQ(world.ops.presented.size(), shown + 1) << "and the others wait behind it";
    EXPECT_EQ(world.ops.states.back().waiting, 2U);
    auto other_agent = shell_request(world.ids.next());
    other_agent.agent_id = "other";
    ASSERT_TRUE(world.ask(std::move(other_agent)));
    EXPECT_EQ(world.ops.presented.size(), shown + 2) << "another agent doesn't wait";

    ASSERT_TRUE(world.decide(world.click(first, "allow")));
    EXPECT_EQ(world.ops.presented.back().request->id, second);
    world.hub.asking().withdraw(second, world.agent, "interrupted");
    world.settle();
    EXPECT_EQ(world.ops.presented.back().request->id, without_session);
    ASSERT_TRUE(world.decide(world.click(without_session, "allow")));
    world.advance(limits::fatigue_window);
    const auto before = world.ops.presented.size();
    ask_in("a");
    ask_in("b");
    EXPECT_EQ(world.ops.presented.size(), before + 2) << "the window is over";
}

TEST_F(HubSharingTest, ARefusalOfAllBehindACardReachesEverySessionOfTheLine) {
    std::vector<Ulid> ids;
    for (std::size_t i = 0; i < fatigue_agent_denials_max + 3; ++i) {
        auto request = shell_request(world.ids.next(), std::to_string(i));
        request.session_key = "s" + std::to_string(i);
        ids.push_back(request.id);
        ASSERT_TRUE(world.ask(std::move(request)));
        if (i < fatigue_agent_denials_max) ASSERT_TRUE(world.decide(world.click(ids.back(), "deny")));
    }
    ASSERT_EQ(world.hub.pending(), 3U);
    auto attempt = world.click(ids[fatigue_agent_denials_max], "deny");
    attempt.and_behind = true;
    ASSERT_TRUE(world.decide(std::move(attempt)));
    world.settle();
    EXPECT_EQ(world.hub.pending(), 0U);
    for (const auto& id : ids) EXPECT_EQ(terminal_records(id), 1U);
}

TEST_F(HubSharingTest, AnotherSessionDoesNotWait) {
    refuse_three();
    ask("a");
    auto other = shell_request(world.ids.next());
    other.session_key = "s2";
    ASSERT_TRUE(world.ask(std::move(other)));
    EXPECT_EQ(world.ops.presented.size(), 5U);
}

TEST_F(HubSharingTest, OneRefusalCanApplyToAllWaitingRequests) {
    refuse_three();
    const auto shown = ask("a");
    const std::vector waiting{ask("b"), ask("c")};
    auto attempt = world.click(shown, "deny");
    attempt.and_behind = true;
    ASSERT_TRUE(world.decide(std::move(attempt)));
    world.settle();
    EXPECT_EQ(world.agent.forwarded.size(), 6U);
    for (const auto& id : waiting) EXPECT_EQ(terminal_records(id), 1U);
    EXPECT_EQ(world.ledger.count("ended"), 0U);
    EXPECT_EQ(world.hub.pending(), 0U);
    EXPECT_EQ(world.ops.presented.size(), 4U) << "none of them was shown";
}

TEST_F(HubSharingTest, I4_ARefusalForAllIsAuthorisedForEachRequest) {
    refuse_three();
    const auto shown = ask("a");
    auto narrow = shell_request(world.ids.next(), "b");
    narrow.authorized_senders = {{"test:bob"}};
    const auto theirs = narrow.id;
    ASSERT_TRUE(world.ask(std::move(narrow)));
    auto attempt = world.click(shown, "deny", "alice");
    attempt.and_behind = true;
    ASSERT_TRUE(world.decide(std::move(attempt)));
    world.settle();
    EXPECT_EQ(terminal_records(theirs), 0U);
    EXPECT_EQ(world.ops.presented.back().request->id, theirs) << "it is bob's to decide";
}

TEST_F(HubSharingTest, StepsOfAWaitingRequestAreTimedFromWhenItWasShown) {
    auto configuration = small_configuration();
    configuration.routes.front().steps.push_back({.after = 5min, .channel = "pager", .chat = "phones"});
    world.hub.reconfigure(std::make_shared<const Configuration>(configuration));
    refuse_three();
    const auto shown = ask("a");
    ask("b");
    world.advance(4min);
    ASSERT_TRUE(world.decide(world.click(shown, "deny")));
    world.advance(4min);
    EXPECT_THAT(world.pager.presented, IsEmpty());
    world.advance(1min);
    EXPECT_EQ(world.pager.presented.size(), 1U);
}

}  // namespace
}  // namespace countersign
