// SPDX-License-Identifier: Apache-2.0
// Real threads, a clock moved by hand, and looks that hang until the test releases them.
#include "runtimes/look_threads.hpp"

#include "core/limits.hpp"
#include "tests/fakes/fake_clock.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <stdexcept>

namespace countersign::runtimes {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

class LookThreadsTest : public testing::Test {
protected:
    // Every look must end before the threads are destroyed, because it uses them.
    ~LookThreadsTest() override {
        let_go();
        const auto open = [this] { return std::ranges::any_of(answers, [](const auto& one) { return !one; }); };
        io.restart();
        while (open() && io.run_one_for(10s) > 0) {}
    }

    // Returns the index at which its answer will be in `answers`.
    std::size_t begin(std::function<void()> work) {
        const auto index = answers.size();
        answers.emplace_back();
        asio::co_spawn(io, looks->run(std::move(work)), [this, index](const std::exception_ptr& failed, bool done) {
            EXPECT_EQ(failed, nullptr);
            answers[index] = done;
        });
        settle();
        return index;
    }
    // Starts a look that hangs, and waits until it does.
    std::size_t begin_hanging() {
        auto started = std::make_shared<std::promise<void>>();
        auto began = started->get_future();
        const auto index = begin([started, gate = gate_] {
            started->set_value();
            gate.wait();
        });
        began.wait();
        return index;
    }
    bool look(std::function<void()> work = [] {}) {
        const auto index = begin(std::move(work));
        while (!answers[index] && io.run_one_for(10s) > 0) {}
        return answers[index].value_or(false);
    }
    void settle() {
        io.restart();
        io.poll();
    }
    void advance(std::chrono::milliseconds by) {
        clock.advance(by);
        settle();
    }
    void let_go() {
        if (!std::exchange(gone_, true)) open_.set_value();
    }

    asio::io_context io;
    fakes::FakeClock clock;
    std::unique_ptr<LookThreads> looks = std::make_unique<LookThreads>(io.get_executor(), clock);
    std::vector<std::optional<bool>> answers;

private:
    std::promise<void> open_;
    std::shared_future<void> gate_{open_.get_future()};
    bool gone_ = false;
};

TEST_F(LookThreadsTest, TheResultComesBackFromAnotherThread) {
    auto thread = std::this_thread::get_id();
    EXPECT_TRUE(look([&] { thread = std::this_thread::get_id(); }));
    EXPECT_NE(thread, std::this_thread::get_id());
}

TEST_F(LookThreadsTest, ALookThatThrowsGivesNoResult) {
    EXPECT_FALSE(look([] { throw std::runtime_error{"a bug"}; }));
    EXPECT_TRUE(look()) << "and its thread goes on";
}

TEST_F(LookThreadsTest, I13_ALookIsGivenUpExactlyAtItsDeadline) {
    const auto hanging = begin_hanging();
    advance(limits::file_look_max - 1ms);
    EXPECT_FALSE(answers[hanging]);
    advance(1ms);
    EXPECT_EQ(answers[hanging], false);
}

TEST_F(LookThreadsTest, AnotherLookIsAnsweredWhileOneHangs) {
    const auto hanging = begin_hanging();
    EXPECT_TRUE(look());
    EXPECT_FALSE(answers[hanging]);
}

TEST_F(LookThreadsTest, WhenAllThreadsHangALookEndsAtOnceUntilOneReturns) {
    for (std::size_t i = 0; i < limits::file_look_threads_max; ++i) begin_hanging();
    const auto waits = begin([] {});
    EXPECT_FALSE(answers[waits]) << "they may still come back in time";
    advance(limits::file_look_max);
    EXPECT_EQ(answers, std::vector<std::optional<bool>>(limits::file_look_threads_max + 1, false));
    EXPECT_EQ(answers[begin([] {})], false) << "nothing is waited for";
    let_go();
    bool back = false;
    for (int i = 0; i < 1'000'000 && !back; ++i) {
        back = look();
        std::this_thread::yield();
    }
    EXPECT_TRUE(back);
}

TEST_F(LookThreadsTest, I13_OneWaitingLookTooManyIsAnsweredAtOnce) {
    for (std::size_t i = 0; i < limits::file_look_threads_max; ++i) begin_hanging();
    std::vector<std::size_t> waiting;
    for (std::size_t i = 0; i < limits::file_looks_waiting_max; ++i) waiting.push_back(begin([] {}));
    EXPECT_EQ(answers[begin([] {})], false);
    for (const auto index : waiting) EXPECT_FALSE(answers[index]);
    let_go();
    for (const auto index : waiting) {
        while (!answers[index] && io.run_one_for(10s) > 0) {}
        EXPECT_EQ(answers[index], true);
    }
}

TEST_F(LookThreadsTest, ALookGivenUpBeforeItStartedNeverRuns) {
    for (std::size_t i = 0; i < limits::file_look_threads_max; ++i) begin_hanging();
    const auto kept = std::make_shared<int>(0);
    begin([kept] { ++*kept; });
    EXPECT_GT(kept.use_count(), 1);
    advance(limits::file_look_max);
    EXPECT_EQ(kept.use_count(), 1) << "it is forgotten, with all that it owns";
}

TEST_F(LookThreadsTest, TheDestructorDoesNotWaitForAHangingLook) {
    const auto owned = std::make_shared<std::atomic<int>>(0);
    auto started = std::make_shared<std::promise<void>>();
    auto go = std::make_shared<std::promise<void>>();
    auto began = started->get_future();
    begin([owned, started, gate = std::make_shared<std::future<void>>(go->get_future())] {
        started->set_value();
        gate->wait();
        ++*owned;
    });
    began.wait();
    advance(limits::file_look_max);
    looks.reset();
    EXPECT_TRUE(LookThreads::left_behind());
    go->set_value();
    while (owned.use_count() > 1) std::this_thread::yield();
    EXPECT_EQ(*owned, 1) << "it owned what it used";
}

}  // namespace
}  // namespace countersign::runtimes
