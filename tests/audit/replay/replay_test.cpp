// SPDX-License-Identifier: Apache-2.0
#include "audit/replay/replay.hpp"

#include "core/limits.hpp"
#include "tests/audit/log_world.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace countersign::audit {
namespace {

class ReplayTest : public testing::Test, public LogWorld {};

TEST_F(ReplayTest, I1_ADecisionThatMayNotHaveBeenForwardedBecomesIndeterminate) {
    ASSERT_TRUE(open());
    for (const auto* id : {"a", "b", "c"}) {
        ASSERT_TRUE(append(entry("request", {{"requestId", id}})));
        ASSERT_TRUE(append(entry("decision", {{"requestId", id}, {"decision", "allowed"}})));
    }
    ASSERT_TRUE(append(entry("forwarded", {{"requestId", "a"}, {"decisionSeq", 2}})));
    ASSERT_TRUE(append(entry("forward_failed", {{"requestId", "b"}, {"decisionSeq", 4}})));
    kill();
    ASSERT_TRUE(open());
    auto found = records();
    ASSERT_EQ(found.size(), 11U);
    EXPECT_EQ(found[9].kind, "indeterminate");
    EXPECT_EQ(found[9].text("requestId"), "c");
    EXPECT_EQ(found[9].members.find("decisionSeq")->number()->lexeme, "6");
    EXPECT_EQ(found[10].kind, "start");
    kill();
    ASSERT_TRUE(open());
    EXPECT_EQ(std::ranges::count(records(), "indeterminate", &Record::kind), 1) << "once is enough";
}

TEST_F(ReplayTest, I5_DeliveriesThatHadAnEffectAreRecognised) {
    ASSERT_TRUE(open());
    ASSERT_TRUE(append(entry("vote", {{"channel", "phone"}, {"delivery", "7"}})));
    ASSERT_TRUE(append(entry("decision", {{"channel", "ops"}, {"delivery", "8"}})));
    ASSERT_TRUE(append(entry("decision", {{"channel", "terminal"}})));
    ASSERT_TRUE(append(entry("halt", {{"channel", "ops"}, {"delivery", "10"}})));
    ASSERT_TRUE(append(entry("revoke", {{"channel", "ops"}, {"delivery", "11"}})));
    ASSERT_TRUE(append(entry("refused", {{"channel", "phone"}, {"delivery", "9"}})));
    kill();
    ASSERT_TRUE(open());
    EXPECT_EQ(log->earlier().handled,
              (std::vector<HandledDelivery>{{"phone", "7"}, {"ops", "8"}, {"ops", "10"}, {"ops", "11"}}));
}

// If an operator stopped an agent at night, a crash must not resume it.
TEST_F(ReplayTest, I12_HaltsSurviveACrashAndResumedAgentsStayResumed) {
    const auto halt = [](const std::string& action, const std::string& agent, const std::string& session) {
        return entry("halt", {{"action", action}, {"agentId", agent}, {"sessionKey", session}, {"person", "alice"}});
    };
    ASSERT_TRUE(open());
    EXPECT_TRUE(log->earlier().halts.empty());
    ASSERT_TRUE(append(halt("halt", "dev", "")));
    ASSERT_TRUE(append(halt("halt", "prod", "s1")));
    ASSERT_TRUE(append(halt("halt", "", "later")));
    ASSERT_TRUE(append(halt("halt", "", "gone")));
    ASSERT_TRUE(append(halt("resume", "", "gone")));
    ASSERT_TRUE(append(halt("halt", "other", "")));
    ASSERT_TRUE(append(halt("resume", "other", "")));
    ASSERT_TRUE(append(halt("resume", "prod", "")));
    ASSERT_TRUE(append(halt("later", "dev", "")));
    kill();
    ASSERT_TRUE(open());
    const auto found = log->earlier().halts;
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found[0].who, (Asker{"", "later"})) << "whoever comes with a session of that name";
    EXPECT_EQ(found[1].who, (Asker{"dev", ""}));
    EXPECT_EQ(found[1].by, "alice");
    EXPECT_NE(found[1].at, WallTime{});
    EXPECT_EQ(found[2].who, (Asker{"prod", "s1"})) << "that the agent was resumed does not resume its session";
    ASSERT_TRUE(close());
    ASSERT_TRUE(open());
    EXPECT_EQ(log->earlier().halts.size(), 3U) << "also after an orderly stop";
}

TEST(HandledDeliveries, I13_OnePastTheBoundForgetsTheOldest) {
    HandledDeliveries handled;
    for (std::size_t i = 0; i <= limits::handled_deliveries_max; ++i) {
        handled.take({.kind = "decision", .members = {{"channel", "phone"}, {"delivery", std::to_string(i)}}});
    }
    EXPECT_EQ(handled.deliveries().size(), limits::handled_deliveries_max);
    EXPECT_EQ(handled.deliveries().front().delivery, "1");
}

TEST_F(ReplayTest, I12_AnOpenRequestIsLostWithTheProcess) {
    ASSERT_TRUE(open());
    for (const auto* id : {"a", "b", "c"}) ASSERT_TRUE(append(entry("request", {{"requestId", id}})));
    ASSERT_TRUE(append(entry("ended", {{"requestId", "a"}, {"outcome", "expired"}})));
    ASSERT_TRUE(append(entry("decision", {{"requestId", "b"}, {"decision", "denied"}})));
    ASSERT_TRUE(append(entry("forwarded", {{"requestId", "b"}, {"decisionSeq", 5}})));
    kill();
    ASSERT_TRUE(open());
    const auto found = records();
    ASSERT_EQ(found.size(), 9U);
    EXPECT_EQ(found[7].kind, "ended");
    EXPECT_EQ(found[7].text("requestId"), "c");
    EXPECT_EQ(found[7].text("outcome"), "lost");
    EXPECT_EQ(found[7].text("reason"), "hub restarted");
    kill();
    ASSERT_TRUE(open());
    EXPECT_EQ(records().size(), 10U) << "only another start";
}

// The record that a hub writes for a request of another process's agent.
LogEntry sidecars_request(const std::string& id) {
    return entry("request", {{"requestId", id},
                             {"agentId", "dev"},
                             {"sessionKey", "s1"},
                             {"toolName", "Bash"},
                             {"argsHash", "hash-of-ls"},
                             {"nativeKey", "native-of-ls"},
                             {"route", "all"},
                             {"required", 2},
                             {"sidecar", true}});
}
constexpr const char* open_id = "01JCABCDEFGHJKMNPQRSTVWXYZ";

TEST_F(ReplayTest, I12_ARequestWhoseAgentOutlivesTheProcessStaysOpen) {
    ASSERT_TRUE(open());
    ASSERT_TRUE(append(sidecars_request(open_id)));
    const auto asked = clock.boot();
    ASSERT_TRUE(append(entry("presented", {{"requestId", open_id}, {"ref", "phone/77//5#0"}, {"whole", true}})));
    ASSERT_TRUE(append(entry("presented", {{"requestId", open_id}, {"ref", "phone/78//6#4"}, {"whole", true}})));
    ASSERT_TRUE(append(entry("concluded", {{"requestId", open_id}, {"ref", "phone/78//6#4"}})));
    clock.advance(std::chrono::minutes{3});
    kill();
    ASSERT_TRUE(open());
    ASSERT_EQ(log->earlier().orphans.size(), 1U);
    const auto& orphan = log->earlier().orphans[0];
    EXPECT_EQ(orphan.id.str(), open_id);
    EXPECT_EQ(orphan.agent_id, "dev");
    EXPECT_EQ(orphan.args_hash, "hash-of-ls");
    EXPECT_EQ(orphan.native_key, "native-of-ls");
    EXPECT_EQ(orphan.session_key, "s1");
    EXPECT_EQ(orphan.tool_name, "Bash");
    EXPECT_EQ(orphan.route, "all");
    EXPECT_EQ(orphan.required, 2U);
    EXPECT_EQ(orphan.asked, asked);
    EXPECT_EQ(orphan.generation, 4U) << "also of a message that is concluded";
    ASSERT_EQ(orphan.shown.size(), 1U);
    EXPECT_EQ(str(orphan.shown[0]), "phone/77//5#0");
    EXPECT_TRUE(log->earlier().stale_messages.empty()) << "nobody can say how it ended";
    EXPECT_TRUE(log->earlier().ended.empty());
    EXPECT_EQ(std::ranges::count(records(), "ended", &Record::kind), 0);
}

TEST_F(ReplayTest, I12_ARequestStaysOpenOverAnyNumberOfCrashesUntilItEnds) {
    ASSERT_TRUE(open());
    ASSERT_TRUE(append(sidecars_request(open_id)));
    for (std::uint64_t generation = 1; generation <= 3; ++generation) {
        kill();
        ASSERT_TRUE(open());
        ASSERT_EQ(log->earlier().orphans.size(), 1U);
        EXPECT_EQ(log->earlier().orphans[0].generation, generation - 1) << "also where nobody knows what was shown";
        ASSERT_TRUE(append(entry("resumed", {{"requestId", open_id}, {"generation", generation}})));
    }
    ASSERT_TRUE(append(entry("renewed", {{"requestId", open_id}, {"generation", 7}})));
    kill();
    ASSERT_TRUE(open());
    EXPECT_EQ(log->earlier().orphans.at(0).generation, 7U) << "it may have been shown, though nothing says so";
    ASSERT_TRUE(append(entry("ended", {{"requestId", open_id}, {"outcome", "lost"}})));
    kill();
    ASSERT_TRUE(open());
    EXPECT_TRUE(log->earlier().orphans.empty());
    EXPECT_EQ(std::ranges::count(records(), "ended", &Record::kind), 1);
    ASSERT_EQ(log->earlier().ended.size(), 1U);
    EXPECT_EQ(log->earlier().ended[0].winner.outcome, Outcome::lost);
}

TEST_F(ReplayTest, I4_TheLargestQuorumOfARequestIsKeptOverEveryRestart) {
    ASSERT_TRUE(open());
    ASSERT_TRUE(append(sidecars_request(open_id)));
    kill();
    ASSERT_TRUE(open());
    EXPECT_EQ(log->earlier().orphans.at(0).required, 2U);
    ASSERT_TRUE(append(entry("resumed", {{"requestId", open_id}, {"generation", 1}, {"required", 3}})));
    kill();
    ASSERT_TRUE(open());
    EXPECT_EQ(log->earlier().orphans.at(0).required, 3U);
    ASSERT_TRUE(append(entry("resumed", {{"requestId", open_id}, {"generation", 2}, {"required", 1}})));
    kill();
    ASSERT_TRUE(open());
    EXPECT_EQ(log->earlier().orphans.at(0).required, 3U) << "nothing makes it smaller";
}

TEST_F(ReplayTest, I12_AfterARebootItsAgeIsComputedFromTheWallClock) {
    ASSERT_TRUE(open());
    ASSERT_TRUE(append(sidecars_request(open_id)));
    UnfinishedRequests unfinished;
    for (const auto& record : records()) unfinished.take(record);
    const Stamp now{.ts = clock.wall() + std::chrono::minutes{3},
                    .mono = BootTime{std::chrono::minutes{5}},
                    .boot_id = "another boot"};
    EXPECT_EQ(unfinished.orphans(now).at(0).asked, BootTime{std::chrono::minutes{2}});
    const Stamp before{.ts = clock.wall() - std::chrono::hours{1}, .mono = BootTime{}, .boot_id = "another boot"};
    EXPECT_EQ(unfinished.orphans(before).at(0).asked, BootTime{}) << "a clock that was set back makes nothing longer";
}

TEST_F(ReplayTest, I3_TheOutcomesOfTheLatestRequestsAreRestored) {
    ASSERT_TRUE(open());
    const std::string denied = "01JCABCDEFGHJKMNPQRSTVWXY1";
    const std::string dead = "01JCABCDEFGHJKMNPQRSTVWXY2";
    for (const auto& id : {denied, dead}) {
        ASSERT_TRUE(append(entry("request", {{"requestId", id}, {"agentId", "dev"}, {"argsHash", "h"}})));
    }
    ASSERT_TRUE(append(entry(
        "decision", {{"requestId", denied}, {"decision", "denied"}, {"decidedBy", "alice"}, {"channel", "phone"}})));
    const auto decided = clock.wall();
    clock.advance(std::chrono::minutes{1});
    kill();
    ASSERT_TRUE(open());
    ASSERT_EQ(log->earlier().ended.size(), 2U);
    const auto& [id, agent, hash, winner] = log->earlier().ended[0];
    EXPECT_EQ(id.str(), denied);
    EXPECT_EQ(agent, "dev");
    EXPECT_EQ(hash, "h");
    EXPECT_EQ(winner.outcome, Outcome::denied);
    EXPECT_EQ(winner.decided_by, "alice");
    EXPECT_EQ(winner.channel, "phone");
    EXPECT_EQ(winner.at, decided);
    EXPECT_EQ(log->earlier().ended[1].winner.outcome, Outcome::lost) << "ended by this start";
    EXPECT_EQ(log->earlier().ended[1].winner.at, clock.wall());
}

TEST(RecentRequests, I13_OnePastTheBoundForgetsTheOldest) {
    RecentRequests used;
    for (std::size_t i = 0; i <= limits::concluded_kept_max; ++i) {
        const Ulid id{WallTime{std::chrono::milliseconds{i}}, {}};
        used.take({.kind = "request", .members = {{"requestId", id.str()}}});
        used.take({.kind = "ended", .members = {{"requestId", id.str()}, {"outcome", "lost"}}});
    }
    EXPECT_EQ(used.ids().size(), limits::concluded_kept_max);
    EXPECT_EQ(used.ended().size(), limits::concluded_kept_max);
    EXPECT_EQ(used.ids().front(), (Ulid{WallTime{std::chrono::milliseconds{1}}, {}}));
}

// All parts of the state come from one reading, which also covers the records that close() writes.
TEST(Replay, EachRecordReachesEveryPartOfTheState) {
    Replay replay;
    replay.take({.kind = "request", .members = {{"requestId", open_id}}});
    replay.take({.kind = "presented", .members = {{"requestId", open_id}, {"ref", "phone/77//5#0"}}});
    replay.take(
        {.kind = "halt", .members = {{"action", "halt"}, {"agentId", "dev"}, {"channel", "phone"}, {"delivery", "7"}}});
    const WallTime now{std::chrono::minutes{5}};
    ASSERT_EQ(replay.close({}, now).size(), 1U);
    EXPECT_TRUE(replay.close({}, now).empty()) << "nothing is left to end";
    const auto state = replay.finish({.ts = now, .boot_id = "b"});
    EXPECT_EQ(state.used_ids.size(), 1U);
    ASSERT_EQ(state.ended.size(), 1U);
    EXPECT_EQ(state.ended[0].winner.at, now);
    EXPECT_TRUE(state.orphans.empty());
    EXPECT_EQ(state.stale_messages.size(), 1U);
    EXPECT_EQ(state.handled, (std::vector<HandledDelivery>{{"phone", "7"}}));
    EXPECT_EQ(state.halts.size(), 1U);
}

}  // namespace
}  // namespace countersign::audit
