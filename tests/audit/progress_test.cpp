// SPDX-License-Identifier: Apache-2.0
#include "audit/progress.hpp"

#include "audit/export.hpp"
#include "audit/prove.hpp"
#include "audit/review/log_reader.hpp"
#include "tests/audit/log_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::audit {
namespace {

using testing::ElementsAre;

// A log of several segments, and the progress that its readers report.
class ProgressTest : public testing::Test, public LogWorld {
protected:
    void SetUp() override {
        segment_bytes = 4096;
        ASSERT_TRUE(open());
        for (int i = 0; i < 40; ++i) ASSERT_TRUE(append(entry("vote", {{"person", std::string(100, 'x')}})));
        ASSERT_TRUE(close());
        for (const auto& path : disk->paths()) {
            if (path.find("/seg-") != std::string::npos) bytes += disk->read(path).size();
        }
    }
    Watch watch() {
        return [this](const Progress& progress) { told.push_back(progress); };
    }
    // The reported progress is complete and never goes back, except for another step.
    std::vector<std::string> steps() {
        std::vector<std::string> found;
        Progress last;
        for (const auto& one : told) {
            if (one.doing != last.doing) {
                EXPECT_EQ(last.bytes, last.of);
                found.emplace_back(one.doing);
                last = {};
            }
            EXPECT_GE(one.bytes, last.bytes);
            EXPECT_GE(one.records, last.records);
            EXPECT_EQ(one.of, bytes);
            last = one;
        }
        EXPECT_EQ(last.bytes, bytes);
        EXPECT_EQ(last.records, 42U);
        return found;
    }
    std::uint64_t bytes = 0;
    std::vector<Progress> told;
};

TEST_F(ProgressTest, EveryReaderOfALogReportsItsProgress) {
    ASSERT_TRUE(verify(*disk, directory, {.progress = watch()}));
    EXPECT_GT(told.size(), 3U);
    EXPECT_THAT(steps(), ElementsAre("checking"));
    told.clear();
    const std::string target = "tiles";
    const auto key = signer().key();
    ASSERT_TRUE(
        export_tiles({.files = *disk, .directory = directory, .key = key, .target = target, .progress = watch()}));
    EXPECT_THAT(steps(), ElementsAre("checking", "exporting"));
    told.clear();
    ASSERT_TRUE(prove(*disk, directory, key, 7, watch()));
    EXPECT_THAT(steps(), ElementsAre("checking", "proving"));
    told.clear();
    review::LogReader reader{*disk, directory};
    review::LogReader::Position from;
    ASSERT_TRUE(reader.walk(from, {.record = [](const BatchRecord&, std::uint64_t) {}, .progress = watch()}));
    EXPECT_THAT(steps(), ElementsAre("reading"));
}

TEST_F(ProgressTest, ALongSegmentReportsProgressMoreThanOnce) {
    const auto told_by = watch();
    Reading slow{told_by, *disk, directory, "reading"};
    for (std::uint64_t i = 1; i <= 1023; ++i) slow.record(i);
    EXPECT_THAT(told, testing::IsEmpty());
    slow.record(1024);
    ASSERT_THAT(told, testing::SizeIs(1));
    EXPECT_EQ(told[0].records, 1024U);
    EXPECT_EQ(told[0].bytes, 1024U);
}

TEST_F(ProgressTest, WithoutAListenerNothingIsOpened) {
    const auto before = disk->calls();
    const Watch nobody;
    Reading reading{nobody, *disk, directory, "reading"};
    reading.record(1);
    reading.segment(2);
    EXPECT_EQ(disk->calls(), before);
}

}  // namespace
}  // namespace countersign::audit
