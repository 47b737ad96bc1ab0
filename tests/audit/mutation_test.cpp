// SPDX-License-Identifier: Apache-2.0
// Whole lines that are swapped, repeated or missing: `verify` finds each of them, even without any option.
#include "audit/segment.hpp"
#include "tests/audit/log_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace countersign::audit {
namespace {

using Verdict = Verification::Verdict;

// A line with its LF, and the segment that contains it.
struct Line {
    std::uint64_t segment = 0;
    std::string text;
};
using Lines = std::vector<Line>;

// Several segments, with batches of one record and of three, of which only the last line is signed.
class MutationTest : public testing::Test, public LogWorld {
protected:
    void SetUp() override {
        segment_bytes = 2048;
        ASSERT_TRUE(open());
        ASSERT_TRUE(append(entry("request", {{"requestId", "a"}})));
        disk->hang(true);
        const auto first = start(log->append(entry("heartbeat")));
        disk->wait_for_hanging();
        const auto one = start(log->append(entry("vote", {{"person", "alice"}})));
        const auto two = start(log->append(entry("vote", {{"person", "alice"}})));
        const auto three = start(log->append(entry("decision", {{"requestId", "a"}})));
        disk->hang(false);
        ASSERT_TRUE(await(first) && await(one) && await(two) && await(three));
        for (int i = 0; i < 12; ++i) ASSERT_TRUE(append(entry("heartbeat")));
        ASSERT_TRUE(close());
        for (std::uint64_t number = 0; number < *count_segments(*disk, directory); ++number) {
            const auto bytes = disk->read(path(number));
            SegmentLines split{bytes};
            while (const auto line = split.next()) whole.push_back({number, std::string{*line} + "\n"});
        }
        ASSERT_GT(whole.back().segment, 1U);
        ASSERT_THAT(whole[3].text, testing::Not(testing::HasSubstr("\t"))) << "a record without a signature";
        ASSERT_EQ(verdict_on(whole), Verdict::intact);
    }
    static std::string path(std::uint64_t number) { return directory + "/" + segment_name(number); }
    Verdict verdict_on(const Lines& lines) {
        for (std::uint64_t number = 0; number <= whole.back().segment; ++number) {
            std::string bytes;
            for (const auto& line : lines) bytes += line.segment == number ? line.text : "";
            disk->write(path(number), bytes);
        }
        const auto found = verify(*disk, directory, {.key = std::nullopt});
        EXPECT_TRUE(found);
        return found ? found->verdict : Verdict::intact;
    }
    Lines whole;
};

TEST_F(MutationTest, TwoSwappedRecordsAreFound) {
    for (std::size_t i = 1; i < whole.size(); ++i) {
        auto lines = whole;
        std::swap(lines[i - 1].text, lines[i].text);
        EXPECT_EQ(verdict_on(lines), Verdict::broken) << i - 1 << " and " << i;
    }
}

// The content of the lines is swapped but their numbers are right: only the tree tells them apart.
TEST_F(MutationTest, TwoSwappedRecordsWithRightNumbersAreFound) {
    const auto seq = [](std::size_t number) { return "\"seq\":" + std::to_string(number) + ","; };
    for (std::size_t i = 1; i < whole.size(); ++i) {
        auto lines = whole;
        auto& before = lines[i - 1].text;
        auto& after = lines[i].text;
        before.replace(before.find(seq(i - 1)), seq(i - 1).size(), seq(i));
        after.replace(after.find(seq(i)), seq(i).size(), seq(i - 1));
        std::swap(before, after);
        EXPECT_EQ(verdict_on(lines), Verdict::broken) << i - 1 << " and " << i;
    }
}

TEST_F(MutationTest, ARepeatedRecordIsFound) {
    for (std::size_t i = 0; i < whole.size(); ++i) {
        auto lines = whole;
        lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(i), whole[i]);
        EXPECT_EQ(verdict_on(lines), Verdict::broken) << i;
    }
}

// Even the last one, because the checkpoint file says that it was there.
TEST_F(MutationTest, AMissingRecordIsFound) {
    for (std::size_t i = 0; i < whole.size(); ++i) {
        auto lines = whole;
        lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(i));
        EXPECT_EQ(verdict_on(lines), Verdict::broken) << i;
    }
}

}  // namespace
}  // namespace countersign::audit
