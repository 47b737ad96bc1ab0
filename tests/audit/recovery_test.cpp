// SPDX-License-Identifier: Apache-2.0
#include "audit/recovery.hpp"

#include "audit/layout.hpp"
#include "audit/segment.hpp"
#include "security/encoding.hpp"
#include "tests/audit/log_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace countersign::audit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string first_segment = directory + "/seg-000000.log";
const std::string checkpoint_file = directory + "/checkpoint";

class RecoveryTest : public testing::Test, public LogWorld {
protected:
    // A log whose process died: `records` of kind n after the start, each a batch of its own.
    void write_and_die(int records) {
        ASSERT_TRUE(open());
        for (int i = 0; i < records; ++i) ASSERT_TRUE(append(entry("n", {{"i", i}})));
        kill();
    }
    // The lines of the first segment, each with its LF.
    std::vector<std::string> lines() {
        const auto bytes = disk->read(first_segment);
        std::vector<std::string> found;
        SegmentLines reader{bytes};
        while (const auto line = reader.next()) found.push_back(std::string{*line} + "\n");
        return found;
    }
    void set_lines(const std::vector<std::string>& lines, const std::string& behind = std::string(512, '\0')) {
        std::string bytes;
        for (const auto& line : lines) bytes += line;
        disk->write(first_segment, bytes + behind);
    }
    Errc refusal() {
        const auto opened = open();
        return opened ? Errc::internal : opened.error().code;
    }
};

TEST_F(RecoveryTest, ALogThatWasStoppedIsContinuedInItsSegment) {
    ASSERT_TRUE(open());
    ASSERT_TRUE(close());
    kill();
    ASSERT_TRUE(open());
    ASSERT_TRUE(close());
    EXPECT_THAT(kinds(), ElementsAre("start", "stop", "start", "stop"));
    EXPECT_EQ(*count_segments(*disk, directory), 1U);
    EXPECT_TRUE(verified().ok());
}

TEST_F(RecoveryTest, I1_ALogThatWasNotStoppedIsContinuedInANewSegment) {
    write_and_die(3);
    ASSERT_TRUE(open());
    EXPECT_FALSE(log->removed()) << "nothing was torn";
    ASSERT_TRUE(close());
    EXPECT_THAT(kinds(), ElementsAre("start", "n", "n", "n", "start", "stop"));
    EXPECT_EQ(*count_segments(*disk, directory), 2U);
    EXPECT_EQ(disk->read(first_segment).find('\0'), std::string::npos);
    EXPECT_TRUE(verified().ok());
}

// Every prefix of the last batch, as a torn write leaves it.
TEST_F(RecoveryTest, WhatADeadProcessHadMadeReadyOrNotCutOffYetIsClearedAway) {
    segment_bytes = 2048;
    ASSERT_TRUE(open());
    while (*count_segments(*disk, directory) < 2) ASSERT_TRUE(append(entry("n")));
    kill();
    const auto first = directory + "/" + segment_name(0);
    const auto held = disk->read(first);
    disk->write(first, held + std::string(300, '\0'));
    disk->write(directory + "/" + spare_name, std::string(segment_bytes, '\0'));
    ASSERT_TRUE(open());
    EXPECT_EQ(disk->read(first), held);
    EXPECT_FALSE(*disk->exists(directory + "/" + spare_name));
    ASSERT_TRUE(close());
    EXPECT_TRUE(verified().ok());
}

TEST_F(RecoveryTest, ATornLastBatchIsCutAtEveryByteAndTheCutIsRecorded) {
    write_and_die(2);
    const auto all = lines();
    ASSERT_EQ(all.size(), 3U);
    for (std::size_t kept = 0; kept < all[2].size(); ++kept) {
        LogWorld torn;
        torn.disk = disk->copy();
        torn.disk->write(first_segment, all[0] + all[1] + all[2].substr(0, kept) + std::string(600, '\0'));
        ASSERT_TRUE(torn.open()) << kept;
        const auto removed = torn.log->removed();
        ASSERT_EQ(removed.has_value(), kept > 0);
        ASSERT_TRUE(torn.close());
        const auto found = torn.records();
        ASSERT_GE(found.size(), 4U);
        EXPECT_EQ(found[1].kind, "n");
        if (kept == 0) continue;
        EXPECT_EQ(found[2].kind, "recovery");
        EXPECT_EQ(found[2].members.find("removedBytes")->number()->lexeme, std::to_string(kept));
        EXPECT_EQ(found[2].text("removedSha256"), security::hex(security::sha256(all[2].substr(0, kept))));
        if (kept % 50 == 0) EXPECT_TRUE(torn.verified().ok());
    }
}

TEST_F(RecoveryTest, IntactLinesBehindAHoleAreDroppedAndCounted) {
    ASSERT_TRUE(open());
    disk->hang(true);
    std::vector<std::shared_ptr<std::optional<Result<Receipt>>>> waiting{start(log->append(entry("first")))};
    disk->wait_for_hanging();
    for (int i = 0; i < 4; ++i) waiting.push_back(start(log->append(entry("n"))));
    disk->hang(false);
    for (const auto& one : waiting) ASSERT_TRUE(await(one));
    kill();
    auto all = lines();
    ASSERT_EQ(all.size(), 6U);
    std::ranges::fill(all[3], '\0');
    set_lines(all);
    ASSERT_TRUE(open());
    ASSERT_TRUE(log->removed());
    EXPECT_EQ(log->removed()->lines, 3U) << "one before the hole that no signature covers, and two behind it";
    ASSERT_TRUE(close());
    EXPECT_THAT(kinds(), ElementsAre("start", "first", "recovery", "start", "stop"));
    EXPECT_TRUE(verified().ok());
}

TEST_F(RecoveryTest, ALineThatNoSignatureCoversIsNotTakenOver) {
    write_and_die(1);
    auto all = lines();
    // Whoever can write the file can compute roots: a record of theirs fits the chain. It must not get our signature.
    Chain chain{signer().key()};
    for (const auto& line : all)
        ASSERT_TRUE(chain.take(std::string_view{line}.substr(0, line.size() - 1), Chain::Check::each));
    const auto forged = encode_record(entry("decision", {{"decision", "allowed"}}),
                                      {.seq = 2, .prev_root = chain.tree().root, .synced = 2, .boot_id = "boot-1"});
    ASSERT_TRUE(forged);
    all.push_back(*forged + "\n");
    set_lines(all);
    EXPECT_EQ(verified().verdict, Verification::Verdict::unfinished);
    ASSERT_TRUE(open());
    EXPECT_EQ(log->removed()->lines, 1U);
    ASSERT_TRUE(close());
    EXPECT_THAT(kinds(), ElementsAre("start", "n", "recovery", "start", "stop"));
}

TEST_F(RecoveryTest, DamageBelowWhatWasSyncedIsRefused) {
    write_and_die(4);
    const auto all = lines();
    ASSERT_EQ(all.size(), 5U);
    for (std::size_t i = 0; i + 1 < all.size(); ++i) {
        auto changed = all;
        std::ranges::fill(changed[i], '\0');
        set_lines(changed);
        const auto opened = open();
        ASSERT_FALSE(opened) << "line " << i;
        EXPECT_EQ(opened.error().code, Errc::damaged);
        EXPECT_THAT(opened.error().detail, HasSubstr("countersign audit verify"));
    }
    auto changed = all;
    std::ranges::fill(changed[4], '\0');
    set_lines(changed, "garbage");
    EXPECT_TRUE(open()) << "the last one is not known to have been on disk";
}

// Both sides of the rule at every byte: a change is refused, or cut off and recorded; it is never taken over.
TEST_F(RecoveryTest, NoChangedByteIsEverTakenOver) {
    write_and_die(2);
    const auto all = lines();
    const auto bytes = all[0] + all[1] + all[2];
    const auto last = all[0].size() + all[1].size();
    std::size_t refused = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        LogWorld changed;
        changed.disk = disk->copy();
        auto damaged = bytes;
        damaged[i] = static_cast<char>(damaged[i] ^ 0x01);
        changed.disk->write(first_segment, damaged);
        const auto opened = changed.open();
        if (!opened) {
            EXPECT_EQ(opened.error().code, Errc::damaged) << i;
            ++refused;
            continue;
        }
        EXPECT_GE(i, last) << "only the last batch can be cut";
        ASSERT_TRUE(changed.close());
        const auto found = changed.records();
        ASSERT_GE(found.size(), 3U);
        EXPECT_EQ(found[2].kind, "recovery") << i;
    }
    EXPECT_GT(refused, last);
    EXPECT_LT(refused, bytes.size());
}

TEST_F(RecoveryTest, AGapInTheNumbersIsRefused) {
    write_and_die(4);
    auto all = lines();
    all.erase(all.begin() + 4);
    auto swapped = all;
    all.erase(all.begin() + 2);
    set_lines(all);
    EXPECT_EQ(refusal(), Errc::damaged);
    std::swap(swapped[2], swapped[3]);
    set_lines(swapped);
    EXPECT_EQ(refusal(), Errc::damaged);
}

TEST_F(RecoveryTest, ASegmentThatIsMissingIsRefused) {
    segment_bytes = 2048;
    write_and_die(20);
    ASSERT_GT(*count_segments(*disk, directory), 2U);
    ASSERT_TRUE(disk->remove(first_segment));
    EXPECT_EQ(refusal(), Errc::damaged);
    EXPECT_FALSE(verified().ok());
}

TEST_F(RecoveryTest, AnOldSegmentThatWasCutAtALineIsRefused) {
    segment_bytes = 2048;
    write_and_die(20);
    auto cut = lines();
    cut.pop_back();
    set_lines(cut, "");
    EXPECT_EQ(refusal(), Errc::damaged);
    EXPECT_FALSE(verified().ok());
}

TEST_F(RecoveryTest, ALogShorterThanItsCheckpointIsRefused) {
    ASSERT_TRUE(open());
    ASSERT_TRUE(append(entry("decision")));
    ASSERT_TRUE(close());
    kill();
    auto all = lines();
    ASSERT_EQ(all.size(), 3U);
    all.pop_back();
    set_lines(all, "");
    const auto opened = open();
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, Errc::damaged);
    EXPECT_THAT(opened.error().detail, HasSubstr("checkpoint"));
    EXPECT_FALSE(verified().ok());
}

TEST_F(RecoveryTest, ALogWithoutItsCheckpointIsContinuedAndTheStartSaysSo) {
    ASSERT_TRUE(open());
    EXPECT_EQ(records().at(0).text("checkpoint"), "") << "a new log";
    ASSERT_TRUE(close());
    ASSERT_TRUE(open());
    EXPECT_EQ(records().at(2).text("checkpoint"), "");
    ASSERT_TRUE(close());
    kill();
    ASSERT_TRUE(disk->remove(checkpoint_file));
    EXPECT_FALSE(verified().checkpoint);
    ASSERT_TRUE(open());
    EXPECT_EQ(records().at(4).kind, "start");
    EXPECT_EQ(records().at(4).text("checkpoint"), "missing");
}

TEST_F(RecoveryTest, ACheckpointOfAnotherHistoryIsRefused) {
    ASSERT_TRUE(open());
    ASSERT_TRUE(close());
    const Tree other{.size = 1, .root = leaf_hash("other")};
    const auto text = checkpoint_text(origin, other);
    disk->write(checkpoint_file, note(text, origin, signer().sign(text)));
    kill();
    EXPECT_EQ(refusal(), Errc::damaged);
    EXPECT_FALSE(verified().ok());
    disk->write(checkpoint_file, "no note");
    EXPECT_EQ(refusal(), Errc::damaged);
}

TEST_F(RecoveryTest, AnotherKeyOrOriginCannotContinueTheLog) {
    write_and_die(1);
    disk->write(directory + "/log.vkey", signer(32).key().vkey() + "\n");
    EXPECT_EQ(refusal(), Errc::bad_config);
    disk->write(directory + "/log.vkey", NoteSigner::make("other.example", signing_key())->key().vkey() + "\n");
    EXPECT_EQ(refusal(), Errc::bad_config);
}

TEST_F(RecoveryTest, ARecordOfALaterFormatIsRefusedNotCut) {
    write_and_die(1);
    auto all = lines();
    const auto at = all[1].find("\"v\":1");
    ASSERT_NE(at, std::string::npos);
    all[1].replace(at, 5, "\"v\":2");
    set_lines(all);
    EXPECT_EQ(refusal(), Errc::damaged);
}

TEST_F(RecoveryTest, I13_AFileLargerThanAnySegmentIsRefused) {
    write_and_die(1);
    disk->write(first_segment, disk->read(first_segment) + std::string(limits::segment_file_bytes_max, '\0'));
    EXPECT_EQ(refusal(), Errc::damaged);
    EXPECT_FALSE(verified().ok());
}

TEST_F(RecoveryTest, I1_ADecisionThatNobodyKnowsToBeForwardedBecomesIndeterminate) {
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

TEST_F(RecoveryTest, I5_DeliveriesThatChangedSomethingAreKnownAgain) {
    ASSERT_TRUE(open());
    ASSERT_TRUE(append(entry("vote", {{"channel", "phone"}, {"delivery", "7"}})));
    ASSERT_TRUE(append(entry("decision", {{"channel", "ops"}, {"delivery", "8"}})));
    ASSERT_TRUE(append(entry("decision", {{"channel", "terminal"}})));
    ASSERT_TRUE(append(entry("halt", {{"channel", "ops"}, {"delivery", "10"}})));
    ASSERT_TRUE(append(entry("revoke", {{"channel", "ops"}, {"delivery", "11"}})));
    ASSERT_TRUE(append(entry("refused", {{"channel", "phone"}, {"delivery", "9"}})));
    kill();
    ASSERT_TRUE(open());
    EXPECT_EQ(log->handled(),
              (std::vector<HandledDelivery>{{"phone", "7"}, {"ops", "8"}, {"ops", "10"}, {"ops", "11"}}));
}

// An operator who stopped an agent at night does not want a crash to let it go on.
TEST_F(RecoveryTest, I12_WhoWasHaltedIsHaltedAfterACrashAndWhoWasResumedIsNot) {
    const auto halt = [](const std::string& action, const std::string& agent, const std::string& session) {
        return entry("halt", {{"action", action}, {"agentId", agent}, {"sessionKey", session}, {"person", "alice"}});
    };
    ASSERT_TRUE(open());
    EXPECT_TRUE(log->halts().empty());
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
    const auto found = log->halts();
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found[0].who, (Asker{"", "later"})) << "whoever comes with a session of that name";
    EXPECT_EQ(found[1].who, (Asker{"dev", ""}));
    EXPECT_EQ(found[1].by, "alice");
    EXPECT_NE(found[1].at, WallTime{});
    EXPECT_EQ(found[2].who, (Asker{"prod", "s1"})) << "that the agent was resumed does not resume its session";
    ASSERT_TRUE(close());
    ASSERT_TRUE(open());
    EXPECT_EQ(log->halts().size(), 3U) << "also after an orderly stop";
}

TEST(HandledDeliveries, I13_OnePastTheBoundTheOldestIsForgotten) {
    HandledDeliveries handled;
    for (std::size_t i = 0; i <= limits::handled_deliveries_max; ++i) {
        handled.take({.kind = "decision", .members = {{"channel", "phone"}, {"delivery", std::to_string(i)}}});
    }
    EXPECT_EQ(handled.deliveries().size(), limits::handled_deliveries_max);
    EXPECT_EQ(handled.deliveries().front().delivery, "1");
}

TEST_F(RecoveryTest, I12_ARequestWithoutAnEndIsLostWithTheProcess) {
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

// What a hub writes of a request of another process's agent.
Entry sidecars_request(const std::string& id) {
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

TEST_F(RecoveryTest, I12_ARequestWhoseAgentOutlivesTheProcessIsLeftOpenForIt) {
    ASSERT_TRUE(open());
    ASSERT_TRUE(append(sidecars_request(open_id)));
    const auto asked = clock.boot();
    ASSERT_TRUE(append(entry("presented", {{"requestId", open_id}, {"ref", "phone/77//5#0"}, {"whole", true}})));
    ASSERT_TRUE(append(entry("presented", {{"requestId", open_id}, {"ref", "phone/78//6#4"}, {"whole", true}})));
    ASSERT_TRUE(append(entry("concluded", {{"requestId", open_id}, {"ref", "phone/78//6#4"}})));
    clock.advance(std::chrono::minutes{3});
    kill();
    ASSERT_TRUE(open());
    ASSERT_EQ(log->orphans().size(), 1U);
    const auto& orphan = log->orphans()[0];
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
    EXPECT_TRUE(log->left_shown().empty()) << "nobody can say how it ended";
    EXPECT_TRUE(log->ended().empty());
    EXPECT_EQ(std::ranges::count(records(), "ended", &Record::kind), 0);
}

TEST_F(RecoveryTest, I12_ItIsFoundOpenUntilSomethingEndsItHoweverOftenTheProcessDies) {
    ASSERT_TRUE(open());
    ASSERT_TRUE(append(sidecars_request(open_id)));
    for (std::uint64_t generation = 1; generation <= 3; ++generation) {
        kill();
        ASSERT_TRUE(open());
        ASSERT_EQ(log->orphans().size(), 1U);
        EXPECT_EQ(log->orphans()[0].generation, generation - 1) << "also where nobody knows what was shown";
        ASSERT_TRUE(append(entry("resumed", {{"requestId", open_id}, {"generation", generation}})));
    }
    ASSERT_TRUE(append(entry("renewed", {{"requestId", open_id}, {"generation", 7}})));
    kill();
    ASSERT_TRUE(open());
    EXPECT_EQ(log->orphans().at(0).generation, 7U) << "it may have been shown, though nothing says so";
    ASSERT_TRUE(append(entry("ended", {{"requestId", open_id}, {"outcome", "lost"}})));
    kill();
    ASSERT_TRUE(open());
    EXPECT_TRUE(log->orphans().empty());
    EXPECT_EQ(std::ranges::count(records(), "ended", &Record::kind), 1);
    ASSERT_EQ(log->ended().size(), 1U);
    EXPECT_EQ(log->ended()[0].winner.outcome, Outcome::lost);
}

TEST_F(RecoveryTest, I4_TheLargestQuorumOfARequestIsKeptOverEveryRestart) {
    ASSERT_TRUE(open());
    ASSERT_TRUE(append(sidecars_request(open_id)));
    kill();
    ASSERT_TRUE(open());
    EXPECT_EQ(log->orphans().at(0).required, 2U);
    ASSERT_TRUE(append(entry("resumed", {{"requestId", open_id}, {"generation", 1}, {"required", 3}})));
    kill();
    ASSERT_TRUE(open());
    EXPECT_EQ(log->orphans().at(0).required, 3U);
    ASSERT_TRUE(append(entry("resumed", {{"requestId", open_id}, {"generation", 2}, {"required", 1}})));
    kill();
    ASSERT_TRUE(open());
    EXPECT_EQ(log->orphans().at(0).required, 3U) << "nothing makes it smaller";
}

TEST_F(RecoveryTest, I12_AfterARebootItsTimeIsCountedByTheWallClock) {
    ASSERT_TRUE(open());
    ASSERT_TRUE(append(sidecars_request(open_id)));
    OpenEnds open_ends;
    for (const auto& record : records()) open_ends.take(record);
    const Stamp now{.ts = clock.wall() + std::chrono::minutes{3},
                    .mono = BootTime{std::chrono::minutes{5}},
                    .boot_id = "another boot"};
    EXPECT_EQ(open_ends.orphans(now).at(0).asked, BootTime{std::chrono::minutes{2}});
    const Stamp before{.ts = clock.wall() - std::chrono::hours{1}, .mono = BootTime{}, .boot_id = "another boot"};
    EXPECT_EQ(open_ends.orphans(before).at(0).asked, BootTime{}) << "a clock that was set back makes nothing longer";
}

TEST_F(RecoveryTest, I3_HowTheLatestRequestsEndedIsKnownAgain) {
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
    ASSERT_EQ(log->ended().size(), 2U);
    const auto& [id, agent, hash, winner] = log->ended()[0];
    EXPECT_EQ(id.str(), denied);
    EXPECT_EQ(agent, "dev");
    EXPECT_EQ(hash, "h");
    EXPECT_EQ(winner.outcome, Outcome::denied);
    EXPECT_EQ(winner.decided_by, "alice");
    EXPECT_EQ(winner.channel, "phone");
    EXPECT_EQ(winner.at, decided);
    EXPECT_EQ(log->ended()[1].winner.outcome, Outcome::lost) << "ended by this start";
    EXPECT_EQ(log->ended()[1].winner.at, clock.wall());
}

TEST(UsedIds, I13_OnePastTheBoundTheOldestIsForgotten) {
    UsedIds used;
    for (std::size_t i = 0; i <= limits::concluded_kept_max; ++i) {
        const Ulid id{WallTime{std::chrono::milliseconds{i}}, {}};
        used.take({.kind = "request", .members = {{"requestId", id.str()}}});
        used.take({.kind = "ended", .members = {{"requestId", id.str()}, {"outcome", "lost"}}});
    }
    EXPECT_EQ(used.ids().size(), limits::concluded_kept_max);
    EXPECT_EQ(used.ended().size(), limits::concluded_kept_max);
    EXPECT_EQ(used.ids().front(), (Ulid{WallTime{std::chrono::milliseconds{1}}, {}}));
}

// The power fails at every call of a run, and then again while the next process recovers.
TEST_F(RecoveryTest, I1_WhatWasPromisedSurvivesAPowerCutAtAnyCallAndAnotherOneDuringRecovery) {
    std::size_t runs = 0;
    for (std::size_t nth = 0;; ++nth, ++runs) {
        LogWorld world;
        world.segment_bytes = 1024;
        world.linger = std::chrono::hours{1};
        world.disk->fail(nth, true);  // the process ends here
        std::uint64_t promised = 0;
        if (world.open()) {
            for (int i = 0; i < 6; ++i) {
                // Batches of three records: the first two wait for the one that somebody waits for.
                const std::string text(static_cast<std::size_t>(i) * 60, 'x');
                const auto soon = [&] {
                    return world.start(world.log->append(entry("n"), Log::Room::ordinary, Haste::soon));
                };
                const auto waiting = {soon(), soon()};
                if (const auto receipt = world.append(entry("n", {{"text", text}}))) promised = receipt->seq + 1;
                for (const auto& one : waiting) (void)world.await(one);
            }
        }
        const bool done = !world.disk->has_failed();
        world.log.reset();
        bool recovered = false;
        for (std::size_t call = 0; !recovered; ++call) {
            const auto seed = nth + call % 4;  // four ways in which the sectors of the same cut survive
            LogWorld second;
            second.segment_bytes = 1024;
            second.disk = world.disk->after_power_cut(seed);
            second.disk->fail(call, true);
            recovered = second.open().has_value();
            second.log.reset();
            LogWorld third;
            third.segment_bytes = 1024;
            third.disk = second.disk->after_power_cut(nth + call);
            const auto opened = third.open();
            ASSERT_TRUE(opened) << "calls " << nth << ", " << call << ": " << describe(opened.error());
            const auto found = third.records();
            ASSERT_GE(found.size(), promised) << "calls " << nth << ", " << call;
            for (std::uint64_t i = 1; i < promised; ++i) EXPECT_EQ(found[i].kind, "n");
            ASSERT_TRUE(third.close());
            ASSERT_TRUE(third.verified().ok());
        }
        if (done) break;
    }
    EXPECT_GT(runs, 50U);
}

// A torn batch of two records that begins a segment: its first line is whole, unsigned, and has the number that the
// recovery record gets. The process is killed at every call of the recovery, and the next one must find its way.
TEST_F(RecoveryTest, I1_ATailThatBeginsASegmentIsCutWhereverTheRecoveryIsKilled) {
    ASSERT_TRUE(open());
    ASSERT_TRUE(append(entry("request", {{"requestId", "a"}})));
    kill();
    const auto before = disk->read(directory + "/checkpoint");
    ASSERT_TRUE(open()) << "the second segment begins with one batch: ended, start";
    kill();
    disk->write(directory + "/checkpoint", before);
    const auto second_segment = directory + "/seg-000001.log";
    const auto bytes = disk->read(second_segment);
    const auto line = bytes.find('\n');
    ASSERT_NE(line, std::string::npos);
    disk->write(second_segment, bytes.substr(0, line + 30));
    for (std::size_t nth = 0;; ++nth) {
        LogWorld killed;
        killed.disk = disk->copy();
        killed.disk->fail(nth, true);
        const bool done = killed.open().has_value();
        killed.log.reset();
        LogWorld next;
        next.disk = killed.disk->copy();
        const auto opened = next.open();
        ASSERT_TRUE(opened) << "call " << nth << ": " << describe(opened.error());
        ASSERT_TRUE(next.close());
        EXPECT_EQ(std::ranges::count(next.records(), "recovery", &Record::kind), 1) << nth;
        EXPECT_EQ(std::ranges::count(next.records(), "ended", &Record::kind), 1) << nth;
        ASSERT_TRUE(next.verified().ok()) << nth;
        if (done) break;
    }
}

// Random sectors of an unsynced batch of several pages survive.
TEST_F(RecoveryTest, ABatchOfWhichRandomSectorsSurviveIsCutAndNothingElse) {
    segment_bytes = 64 * 1024;
    ASSERT_TRUE(open());
    ASSERT_TRUE(append(entry("kept")));
    disk->hang(true);
    const auto first = start(log->append(entry("torn", {{"text", std::string(3000, 'x')}})));
    disk->wait_for_hanging();
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        LogWorld later;
        later.disk = disk->after_power_cut(seed);
        ASSERT_TRUE(later.open()) << seed;
        ASSERT_TRUE(later.close());
        const auto found = later.kinds();
        ASSERT_GE(found.size(), 4U);
        EXPECT_EQ(found[1], "kept");
        EXPECT_THAT(found[2], testing::AnyOf("recovery", "start", "torn"));
        ASSERT_TRUE(later.verified().ok());
    }
    disk->hang(false);
    EXPECT_TRUE(await(first));
}

}  // namespace
}  // namespace countersign::audit
