// SPDX-License-Identifier: Apache-2.0
#include "core/hub/task_group.hpp"
#include "tests/fakes/fake_clock.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace countersign {
namespace {

namespace asio = boost::asio;

class TaskGroupTest : public testing::Test {
protected:
    void poll() {
        io.restart();
        io.poll();
    }
    asio::awaitable<void> sleeps(std::chrono::milliseconds time, int& woken) {
        co_await clock.sleep_until(clock.boot() + time);
        ++woken;
    }
    static asio::awaitable<void> throws() {
        throw std::runtime_error{"a bug"};
        co_return;
    }
    static asio::awaitable<void> counts(int& ran) {
        ++ran;
        co_return;
    }
    asio::io_context io;
    fakes::FakeClock clock;
    std::vector<std::string> stray;
    TaskGroup group{io.get_executor(), [this](const std::string& what) { stray.push_back(what); }};
};

TEST_F(TaskGroupTest, ATaskStartsOnTheNextTurnAndNotInsideSpawn) {
    int ran = 0;
    asio::post(io, [&] {
        group.spawn(counts(ran));
        EXPECT_EQ(ran, 0);
    });
    poll();
    EXPECT_EQ(ran, 1);
    EXPECT_EQ(group.size(), 0U);
}

TEST_F(TaskGroupTest, JoinResolvesWhenTheLastTaskHasEnded) {
    int woken = 0;
    group.spawn(sleeps(std::chrono::seconds{1}, woken));
    group.spawn(sleeps(std::chrono::seconds{2}, woken));
    bool joined = false;
    asio::co_spawn(io, group.join(), [&](const std::exception_ptr&) { joined = true; });
    poll();
    clock.advance(std::chrono::seconds{1});
    poll();
    EXPECT_EQ(woken, 1);
    EXPECT_FALSE(joined);
    clock.advance(std::chrono::seconds{1});
    poll();
    EXPECT_TRUE(joined);
}

TEST_F(TaskGroupTest, CancelEndsEveryTaskWithoutAnError) {
    int woken = 0;
    group.spawn(sleeps(std::chrono::seconds{1}, woken));
    group.spawn(sleeps(std::chrono::seconds{1}, woken));
    poll();
    EXPECT_EQ(group.size(), 2U);
    group.cancel();
    poll();
    EXPECT_EQ(group.size(), 0U);
    EXPECT_EQ(woken, 0);
    EXPECT_THAT(stray, testing::IsEmpty());
}

TEST_F(TaskGroupTest, AHandleEndsOnlyItsOwnTaskEvenBeforeItStarts) {
    int woken = 0;
    const auto first = group.spawn(sleeps(std::chrono::seconds{1}, woken));
    group.spawn(sleeps(std::chrono::seconds{1}, woken));
    first.cancel();
    poll();
    EXPECT_EQ(group.size(), 1U);
    clock.advance(std::chrono::seconds{1});
    poll();
    EXPECT_EQ(woken, 1);
    first.cancel();  // it ended long ago: nothing happens
}

// Requested outside a handler, the cancellation runs on a later turn, when another task may occupy the memory of one
// that ended.
TEST_F(TaskGroupTest, ALateCancelDoesNotEndAnotherTask) {
    for (int turns = 0; turns < 6; ++turns) {
        for (const bool all : {false, true}) {
            int ran = 0;
            int woken = 0;
            const auto first = group.spawn(counts(ran));
            io.restart();
            for (int turn = 0; turn < turns; ++turn) io.poll_one();
            asio::post(io, [&] { group.spawn(sleeps(std::chrono::seconds{1}, woken)); });
            if (all) {
                group.cancel();
            } else {
                first.cancel();
            }
            poll();
            EXPECT_EQ(group.size(), 1U) << turns;
            clock.advance(std::chrono::seconds{1});
            poll();
            EXPECT_EQ(woken, 1) << turns;
            EXPECT_EQ(group.size(), 0U) << turns;
        }
    }
}

TEST_F(TaskGroupTest, AnExceptionIsReportedAndTheOtherTasksContinue) {
    int woken = 0;
    group.spawn(throws());
    group.spawn(sleeps(std::chrono::seconds{1}, woken));
    poll();
    EXPECT_THAT(stray, testing::ElementsAre("a bug"));
    clock.advance(std::chrono::seconds{1});
    poll();
    EXPECT_EQ(woken, 1);
}

}  // namespace
}  // namespace countersign
