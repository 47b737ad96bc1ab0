// SPDX-License-Identifier: Apache-2.0
#include "core/hub/alarm.hpp"
#include "tests/fakes/fake_clock.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace countersign {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

class AlarmTest : public testing::Test {
protected:
    void poll() {
        io.restart();
        io.poll();
    }
    void advance(std::chrono::milliseconds by) {
        clock.advance(by);
        poll();
    }
    void set(const Ulid& id, std::chrono::milliseconds in) { alarm.move(id, std::nullopt, clock.boot() + in); }
    asio::awaitable<void> comes(Ulid id) {
        if (id == failing) throw std::runtime_error{"a bug"};
        came.push_back(id);
        co_return;
    }
    static Ulid made_at(int moment) { return {WallTime{std::chrono::milliseconds{moment}}, {}}; }
    asio::io_context io;
    fakes::FakeClock clock;
    std::vector<Ulid> came;
    Ulid failing;
    std::vector<std::string> stray;
    TaskGroup tasks{io.get_executor(), [this](const std::string& what) { stray.push_back(what); }};
    Alarm alarm{tasks, clock, [this](Ulid id) { return comes(id); }};
    const Ulid a = made_at(1);
    const Ulid b = made_at(2);
    const Ulid c = made_at(3);
};

TEST_F(AlarmTest, EachMomentComesOnTimeAndNotEarly) {
    set(b, 2s);
    set(a, 1s);
    poll();
    advance(1s - 1ms);
    EXPECT_THAT(came, IsEmpty());
    advance(1ms);
    EXPECT_THAT(came, ElementsAre(a));
    advance(1s);
    EXPECT_THAT(came, ElementsAre(a, b));
    EXPECT_EQ(tasks.size(), 0U) << "without a moment there is no task";
    EXPECT_EQ(clock.sleepers(), 0U);
}

TEST_F(AlarmTest, EqualMomentsComeOldestIdFirst) {
    set(b, 1s);
    set(a, 1s);
    poll();
    advance(1s);
    EXPECT_THAT(came, ElementsAre(a, b));
}

TEST_F(AlarmTest, MissedMomentsComeInTheirOrder) {
    set(a, 3s);
    set(b, 2s);
    set(c, 1s);
    poll();
    advance(1h);
    EXPECT_THAT(came, ElementsAre(c, b, a));
}

TEST_F(AlarmTest, AMomentCanBeMovedEarlierAndLater) {
    const auto now = clock.boot();
    alarm.move(a, std::nullopt, now + 10s);
    alarm.move(b, std::nullopt, now + 20s);
    poll();
    alarm.move(b, now + 20s, now + 5s);
    poll();
    alarm.move(a, now + 10s, now + 30s);
    poll();
    EXPECT_EQ(clock.sleepers(), 1U);
    advance(5s);
    EXPECT_THAT(came, ElementsAre(b));
    advance(24s);
    EXPECT_THAT(came, ElementsAre(b));
    advance(1s);
    EXPECT_THAT(came, ElementsAre(b, a));
}

TEST_F(AlarmTest, AMomentInThePastComesAtOnce) {
    set(a, 1h);
    poll();
    set(b, -1s);
    EXPECT_THAT(came, IsEmpty()) << "never inside the call";
    poll();
    EXPECT_THAT(came, ElementsAre(b));
    EXPECT_EQ(clock.sleepers(), 1U);
}

TEST_F(AlarmTest, ACancelledMomentDoesNotComeAndTheOthersDo) {
    const auto now = clock.boot();
    set(a, 1s);
    set(b, 2s);
    poll();
    alarm.move(a, now + 1s, std::nullopt);
    advance(1s);
    EXPECT_THAT(came, IsEmpty());
    advance(1s);
    EXPECT_THAT(came, ElementsAre(b));
    set(c, 1s);
    poll();
    alarm.move(c, clock.boot() + 1s, std::nullopt);
    poll();
    EXPECT_EQ(clock.sleepers(), 0U) << "nobody sleeps for nothing";
    EXPECT_EQ(tasks.size(), 0U);
}

TEST_F(AlarmTest, ASleeperThatIsReplacedAsItWakesLosesNothing) {
    set(a, 1s);
    poll();
    asio::post(io, [this] {
        clock.advance(1s);  // it is about to wake
        set(b, -1s);
    });
    poll();
    EXPECT_THAT(came, ElementsAre(b, a));
    set(c, 1s);
    poll();
    advance(1s);
    EXPECT_THAT(came, ElementsAre(b, a, c));
    EXPECT_EQ(tasks.size(), 0U);
}

TEST_F(AlarmTest, AFailureForOneDoesNotAffectTheOthers) {
    failing = a;
    set(a, 1s);
    set(b, 1s);
    set(c, 2s);
    poll();
    advance(1s);
    advance(1s);
    EXPECT_THAT(came, ElementsAre(b, c));
    EXPECT_THAT(stray, ElementsAre("a bug"));
}

TEST_F(AlarmTest, AfterClearingItIsSilentUntilANewMomentIsSet) {
    set(a, 1s);
    poll();
    alarm.clear();
    advance(1s);
    EXPECT_THAT(came, IsEmpty());
    EXPECT_EQ(tasks.size(), 0U);
    set(b, 1s);
    poll();
    advance(1s);
    EXPECT_THAT(came, ElementsAre(b));
}

TEST_F(AlarmTest, OneTimerIsEnoughForTenThousandMoments) {
    std::vector<Ulid> all;
    for (int i = 1; i <= 10'000; ++i) all.push_back(made_at(i));
    for (auto id = all.rbegin(); id != all.rend(); ++id) set(*id, 1s);
    poll();
    EXPECT_EQ(clock.sleepers(), 1U);
    EXPECT_EQ(tasks.size(), 1U);
    advance(1s);
    EXPECT_EQ(came, all);
    EXPECT_EQ(tasks.size(), 0U);
}

}  // namespace
}  // namespace countersign
