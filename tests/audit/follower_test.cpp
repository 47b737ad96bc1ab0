// SPDX-License-Identifier: Apache-2.0
#include "audit/follower.hpp"

#include "audit/segment.hpp"
#include "tests/audit/log_world.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace countersign::audit {
namespace {

class FollowerTest : public testing::Test, public LogWorld {
protected:
    void SetUp() override {
        segment_bytes = 2048;
        ASSERT_TRUE(open());
    }
    void append_some(int from, int to) {
        for (int i = from; i < to; ++i) ASSERT_TRUE(append(entry("n", {{"i", i}})));
    }
    static std::vector<std::uint64_t> seqs(const Result<std::vector<TailRecord>>& records) {
        std::vector<std::uint64_t> found;
        for (const auto& one : *records) found.push_back(one.record.seq);
        return found;
    }
    // The numbers of all records up to now, starting with those in `found`.
    static std::vector<std::uint64_t> rest(Follower& follower, std::vector<std::uint64_t> found = {}) {
        while (true) {
            const auto more = seqs(follower.next());
            if (more.empty()) return found;
            found.insert(found.end(), more.begin(), more.end());
        }
    }
    static std::vector<std::uint64_t> from_to(std::uint64_t first, std::uint64_t last) {
        std::vector<std::uint64_t> numbers(last - first + 1);
        std::iota(numbers.begin(), numbers.end(), first);
        return numbers;
    }
};

TEST_F(FollowerTest, TheLastRecordsComeOldestFirstAcrossSegments) {
    append_some(0, 30);
    ASSERT_GT(*count_segments(*disk, directory), 3U);
    Follower follower{*disk, directory};
    EXPECT_EQ(seqs(follower.last(3)), (std::vector<std::uint64_t>{28, 29, 30}));
    EXPECT_EQ(follower.last(20)->size(), 20U);
    EXPECT_EQ(seqs(follower.last(20)).front(), 11U);
    EXPECT_EQ(follower.last(1000)->size(), 31U);
    EXPECT_TRUE(follower.last(0)->empty());
    const auto last = follower.last(1);
    EXPECT_EQ(parse_record(last->front().json)->seq, 30U);
}

TEST_F(FollowerTest, ASegmentNumberThatCannotExistHidesNoGap) {
    append_some(0, 20);
    ASSERT_GT(*count_segments(*disk, directory), 2U);
    ASSERT_TRUE(disk->remove(directory + "/" + segment_name(1)));
    ASSERT_FALSE(count_segments(*disk, directory));
    disk->write(directory + "/seg-18446744073709551615.log", "");
    EXPECT_EQ(count_segments(*disk, directory).error().code, Errc::damaged);
}

// A reader sees bytes as soon as they are written, but the writer's sync may never return.
TEST_F(FollowerTest, ARecordThatWasShownSurvivesAPowerCut) {
    append_some(0, 3);
    const auto bytes = disk->read(directory + "/" + segment_name(0));
    const auto only_written = [&](fakes::MemoryFileSystem& files) {
        const auto file = files.open(directory + "/" + segment_name(0), FileSystem::Mode::create);
        ASSERT_TRUE(file && write_all(**file, 0, bytes));
    };
    fakes::MemoryFileSystem failing;
    only_written(failing);
    failing.fail_next("sync");
    EXPECT_FALSE(Follower(failing, directory).next()) << "what is not on disk is not shown";

    fakes::MemoryFileSystem unsynced;
    only_written(unsynced);
    Follower follower{unsynced, directory};
    unsynced.fail_next("sync_directory");
    EXPECT_FALSE(follower.next()) << "nor what has no name there";
    EXPECT_EQ(seqs(follower.next()), from_to(0, 3));
    for (std::uint64_t seed = 0; seed < 16; ++seed) {
        EXPECT_EQ(unsynced.after_power_cut(seed)->read(directory + "/" + segment_name(0)), bytes) << seed;
    }
    const auto syncs = unsynced.syncs();
    EXPECT_TRUE(follower.next()->empty());
    EXPECT_EQ(unsynced.syncs(), syncs) << "where nothing came there is nothing to wait for";
}

TEST_F(FollowerTest, LaterRecordsComeOnceAndInOrder) {
    append_some(0, 2);
    Follower follower{*disk, directory};
    EXPECT_EQ(follower.last(10)->size(), 3U);
    EXPECT_TRUE(follower.next()->empty());
    append_some(2, 30);
    EXPECT_EQ(rest(follower), from_to(3, 30));
    EXPECT_TRUE(follower.next()->empty());
}

TEST_F(FollowerTest, ALongLogComesOneSegmentAtATime) {
    append_some(0, 30);
    Follower follower{*disk, directory};
    EXPECT_LT(follower.next()->size(), 10U);
}

TEST_F(FollowerTest, ResumingAfterAnyRecordGivesEachLaterRecordOnce) {
    append_some(0, 30);
    for (std::uint64_t seq = 0; seq < 30; ++seq) {
        Follower follower{*disk, directory};
        EXPECT_EQ(rest(follower, seqs(follower.after(seq))), from_to(seq + 1, 30)) << seq;
    }
}

TEST_F(FollowerTest, AfterTheLastRecordThereIsNothingUntilMoreIsWritten) {
    append_some(0, 2);
    Follower follower{*disk, directory};
    EXPECT_TRUE(follower.after(2)->empty());
    EXPECT_EQ(follower.newest(), 2U);
    Follower ahead{*disk, directory};
    EXPECT_TRUE(ahead.after(4)->empty());
    append_some(2, 5);
    EXPECT_EQ(rest(follower), from_to(3, 5));
    EXPECT_EQ(rest(ahead), from_to(5, 5)) << "it waits for its number";
}

TEST_F(FollowerTest, ARecordIsShownWhenItsBatchIsComplete) {
    Follower follower{*disk, directory};
    ASSERT_EQ(follower.last(10)->size(), 1U);
    const auto path = directory + "/" + segment_name(0);
    const auto before = disk->read(path);
    append_some(0, 1);
    kill();
    auto torn = disk->read(path);
    const auto tab = torn.rfind('\t');
    disk->write(path, torn.substr(0, tab) + "\n");
    Follower again{*disk, directory};
    EXPECT_EQ(again.last(10)->size(), 1U);
}

TEST_F(FollowerTest, I11_AnUnreadableLineIsReported) {
    append_some(0, 3);
    kill();
    const auto path = directory + "/" + segment_name(0);
    const auto bytes = disk->read(path);
    Follower good{*disk, directory};
    ASSERT_EQ(good.last(10)->size(), 4U);
    EXPECT_FALSE(good.damage());

    const auto second = bytes.find('\n') + 1;
    auto changed = bytes;
    changed[second] = 'x';
    disk->write(path, changed);
    Follower no_json{*disk, directory};
    EXPECT_EQ(no_json.last(10)->size(), 3U);
    ASSERT_TRUE(no_json.damage());
    EXPECT_EQ(*no_json.damage(),
              "seg-000000.log: the line before byte " + std::to_string(bytes.find('\n', second) + 1));

    changed[second] = '\0';
    disk->write(path, changed);
    Follower zeros{*disk, directory};
    EXPECT_EQ(zeros.last(10)->size(), 1U);
    ASSERT_TRUE(zeros.damage());
    EXPECT_EQ(*zeros.damage(), "seg-000000.log: the line after byte " + std::to_string(second));
}

TEST_F(FollowerTest, WithoutALogThereIsAnError) {
    disk->fail(0, true);
    Follower follower{*disk, directory};
    EXPECT_FALSE(follower.last(1));
}

}  // namespace
}  // namespace countersign::audit
