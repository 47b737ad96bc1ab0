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
    // A log whose process died, with `records` records of kind n after the start, each in a separate batch.
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

TEST_F(RecoveryTest, ACleanlyStoppedLogIsContinuedInItsSegment) {
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

// The number of disk calls per segment is that of one reading.
TEST_F(RecoveryTest, AStartReadsEachSegmentOnce) {
    segment_bytes = 1024;
    std::vector<std::size_t> calls;
    std::vector<std::uint64_t> segments;
    for (int run = 0; run < 3; ++run) {
        const auto before = disk->calls();
        ASSERT_TRUE(open());
        calls.push_back(disk->calls() - before);
        for (int i = 0; i < 20; ++i) ASSERT_TRUE(append(entry("n", {{"i", i}})));
        ASSERT_TRUE(close());
        segments.push_back(*count_segments(*disk, directory));
    }
    const auto before = disk->calls();
    ASSERT_TRUE(read_segment(*disk, directory, 0));
    const auto reading = disk->calls() - before;
    ASSERT_GT(segments[1], segments[0]);
    EXPECT_EQ(calls[2] - calls[1], reading * (segments[1] - segments[0]));
}

// Leftovers of a dead process: a prepared segment, and zeros that were not cut off.
TEST_F(RecoveryTest, LeftoversOfADeadProcessAreCleanedUp) {
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

// Every prefix of the last batch, as a torn write leaves it.
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

TEST_F(RecoveryTest, IntactLinesAfterAHoleAreDroppedAndCounted) {
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

TEST_F(RecoveryTest, AnUnsignedLineIsNotKept) {
    write_and_die(1);
    auto all = lines();
    // An attacker who can write the file can compute roots, so their record fits the chain. It must not get our
    // signature.
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

TEST_F(RecoveryTest, DamageToSyncedRecordsIsRefused) {
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

// Both sides of the rule at every byte: a change is refused, or cut off and recorded, but never kept.
TEST_F(RecoveryTest, NoChangedByteIsEverKept) {
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

TEST_F(RecoveryTest, AGapInTheRecordNumbersIsRefused) {
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

TEST_F(RecoveryTest, AMissingSegmentIsRefused) {
    segment_bytes = 2048;
    write_and_die(20);
    ASSERT_GT(*count_segments(*disk, directory), 2U);
    ASSERT_TRUE(disk->remove(first_segment));
    EXPECT_EQ(refusal(), Errc::damaged);
    EXPECT_FALSE(verified().ok());
}

TEST_F(RecoveryTest, AnOldSegmentTruncatedAtALineIsRefused) {
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

TEST_F(RecoveryTest, ARecordOfALaterFormatIsRefusedAndNotCut) {
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

// The power fails at every call of a run, and then again while the next process recovers.
TEST_F(RecoveryTest, I1_PromisedRecordsSurviveAPowerCutAtAnyCallAndAnotherOneDuringRecovery) {
    std::size_t runs = 0;
    for (std::size_t nth = 0;; ++nth, ++runs) {
        LogWorld world;
        world.segment_bytes = 1024;
        world.linger = std::chrono::hours{1};
        world.disk->fail(nth, true);  // the process ends here
        std::uint64_t promised = 0;
        if (world.open()) {
            for (int i = 0; i < 6; ++i) {
                // Batches of three records: the first two wait for the third, which has a waiter.
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

// A torn batch of two records that starts a segment: its first line is whole, unsigned, and has the number that the
// recovery record gets. The process is killed at every call of the recovery, and the next one must still recover.
TEST_F(RecoveryTest, I1_ATornBatchAtTheStartOfASegmentIsCutEvenIfRecoveryIsKilledAnywhere) {
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
TEST_F(RecoveryTest, IfRandomSectorsOfABatchSurviveOnlyThatBatchIsCut) {
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
