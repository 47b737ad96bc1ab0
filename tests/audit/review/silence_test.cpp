// SPDX-License-Identifier: Apache-2.0
#include "audit/review/silence.hpp"

#include "audit/log.hpp"
#include "core/json/write.hpp"
#include "core/limits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::audit::review {
namespace {

using testing::IsEmpty;
using testing::SizeIs;
using namespace std::chrono_literals;

constexpr auto explained_max = 2 * Log::heartbeat_interval + limits::review_late_max;

// Records that contain only when and where they were made.
class SilenceTest : public testing::Test {
protected:
    void pass(std::chrono::milliseconds time) {
        wall += time;
        mono += time;
    }
    void write(const std::string& kind, std::chrono::milliseconds later = 0ms) {
        pass(later);
        Record record{.seq = catalogue.records().size(), .kind = kind};
        record.members.add("ts", rfc3339(wall));
        record.members.add("mono", mono.count());
        record.members.add("bootId", boot);
        EXPECT_TRUE(catalogue.take(record, {}));
    }
    [[nodiscard]] Silence found(const Filter& filter = {}) const { return silence(catalogue, filter, wall); }

    Catalogue catalogue;
    const WallTime begin{std::chrono::milliseconds{1'763'258'400'000}};  // 2025-11-16T02:00:00Z
    WallTime wall = begin;
    std::chrono::milliseconds mono = 1000s;
    std::string boot = "boot-1";
};

TEST_F(SilenceTest, TheLongestSilenceIsReportedWithItsEnds) {
    write("start");
    write("request", 5min);
    write("heartbeat", 29min);
    write("decision", 14min);
    const auto silence = found();
    ASSERT_TRUE(silence.longest);
    EXPECT_EQ(silence.longest->from, begin + 5min);
    EXPECT_EQ(silence.longest->to, begin + 34min);
    EXPECT_EQ(silence.longest->lasted, 29min);
    EXPECT_FALSE(silence.longest->stopped);
    EXPECT_THAT(silence.unexplained, IsEmpty());
    EXPECT_EQ(silence.last->at, begin + 48min);
}

TEST_F(SilenceTest, TwoIntervalsAreExplainedAndAMillisecondMoreIsNot) {
    write("start");
    write("heartbeat", explained_max);
    EXPECT_THAT(found().unexplained, IsEmpty());
    write("heartbeat", explained_max + 1ms);
    ASSERT_THAT(found().unexplained, SizeIs(1));
    EXPECT_EQ(found().unexplained.front().from, begin + explained_max);
    EXPECT_EQ(found().unexplained.front().lasted, explained_max + 1ms);
}

TEST_F(SilenceTest, AStoppedLogMayBeSilent) {
    write("start");
    write("stop", 1s);
    write("start", 24h);
    EXPECT_THAT(found().unexplained, IsEmpty());
    EXPECT_TRUE(found().longest->stopped);
    EXPECT_EQ(found().longest->lasted, 24h);
    write("recovery", 3h);
    write("start");
    ASSERT_THAT(found().unexplained, SizeIs(1)) << "killed";
    EXPECT_EQ(found().unexplained.front().lasted, 3h);
    EXPECT_EQ(found().longest->lasted, 24h);
}

TEST_F(SilenceTest, ASilenceThatIsNotOverYetIsMeasuredUntilNow) {
    write("start");
    pass(20min);
    EXPECT_THAT(found().unexplained, IsEmpty());
    EXPECT_EQ(found().last->age, 20min);
    EXPECT_EQ(found().longest->lasted, 20min);
    pass(20min);
    ASSERT_THAT(found().unexplained, SizeIs(1));
    EXPECT_FALSE(found().unexplained.front().to);
    EXPECT_THAT(found({.until = begin}).unexplained, IsEmpty()) << "later than what was asked for";
    write("stop");
    pass(24h);
    EXPECT_THAT(found().unexplained, SizeIs(1)) << "only the one before the stop";
    EXPECT_TRUE(found().last->stopped);
    EXPECT_EQ(found().last->age, 24h);
}

TEST_F(SilenceTest, ATimeFilterIncludesSilencesThatOverlapIt) {
    write("start");
    write("request", 2h);
    write("request", 10min);
    write("request", 3h);
    EXPECT_THAT(found({.since = begin + 1h, .until = begin + 90min}).unexplained, SizeIs(1)) << "in the middle of one";
    EXPECT_EQ(found({.until = begin + 2h}).longest->lasted, 2h);
    EXPECT_EQ(found({.since = begin + 2h + 1ms, .until = begin + 130min}).longest->lasted, 10min);
    EXPECT_EQ(found({.since = begin + 3h}).longest->lasted, 3h);
    const auto all = found().unexplained;
    ASSERT_THAT(all, SizeIs(2));
    EXPECT_EQ(all.front().lasted, 3h) << "the longest first";
}

TEST_F(SilenceTest, AChangedWallClockIsNotASilence) {
    write("start");
    wall += 24h;
    write("heartbeat", 10min);
    EXPECT_EQ(found().longest->lasted, 10min);
    wall -= 48h;
    write("heartbeat", 12min);
    EXPECT_EQ(found().longest->lasted, 12min);
    EXPECT_THAT(found().unexplained, IsEmpty());
    boot = "boot-2";
    mono = 1s;
    write("start", 1h);
    EXPECT_EQ(found().longest->lasted, 1h) << "another boot's clock says nothing";
    wall -= 72h;
    EXPECT_EQ(found().last->age, 0ms);
}

TEST_F(SilenceTest, AShortSilenceIsNotListed) {
    EXPECT_FALSE(found().last);
    write("start");
    write("request", limits::review_pause_min - 1ms);
    EXPECT_FALSE(found().longest);
    EXPECT_THAT(catalogue.pauses(), IsEmpty());
    write("request", limits::review_pause_min);
    EXPECT_THAT(catalogue.pauses(), SizeIs(1));
}

TEST_F(SilenceTest, TheJsonHasTheLastTheLongestAndTheUnexplainedSilences) {
    write("start");
    write("stop", 1h);
    wall += 1h;
    EXPECT_EQ(json::canonical(json_of(found())),
              R"({"last":{"ageMs":3600000,"at":"2025-11-16T03:00:00.000Z","stopped":true},)"
              R"("longest":{"from":"2025-11-16T02:00:00.000Z","lastedMs":3600000,"stopped":false,)"
              R"("to":"2025-11-16T03:00:00.000Z"},)"
              R"("unexplained":[{"from":"2025-11-16T02:00:00.000Z","lastedMs":3600000,"stopped":false,)"
              R"("to":"2025-11-16T03:00:00.000Z"}]})");
}

}  // namespace
}  // namespace countersign::audit::review
