// SPDX-License-Identifier: Apache-2.0
#include "audit/errands.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <pthread.h>
#include <stdexcept>
#include <system_error>
#include <thread>

namespace countersign::audit {
namespace {

TEST(Errands, OnTheCallersThreadAnErrandIsDoneWhenTheCallReturns) {
    Errands errands{Errands::On::callers_thread};
    EXPECT_FALSE(errands.busy());
    std::thread::id ran_on;
    errands.run([&]() -> Result<void> {
        ran_on = std::this_thread::get_id();
        return {};
    });
    EXPECT_EQ(ran_on, std::this_thread::get_id());
    EXPECT_TRUE(errands.hear());
    EXPECT_FALSE(errands.busy());
}

TEST(Errands, ADeferredErrandRunsOnlyWhenItsOutcomeIsRead) {
    for (const auto wait : {false, true}) {
        Errands errands{Errands::On::when_heard};
        bool done = false;
        errands.run([&]() -> Result<void> {
            done = true;
            return Error{Errc::unavailable, "the disk is full"};
        });
        EXPECT_FALSE(done);
        EXPECT_TRUE(errands.busy());
        EXPECT_EQ((wait ? errands.wait() : errands.hear()).error().detail, "the disk is full");
        EXPECT_TRUE(done);
        EXPECT_FALSE(errands.busy());
        EXPECT_TRUE(errands.hear()) << "it is said once";
    }
}

TEST(Errands, AnErrandOnItsOwnThreadIsBusyUntilItsOutcomeIsRead) {
    Errands errands{Errands::On::own_thread};
    std::promise<void> let_go;
    errands.run([going = let_go.get_future().share()]() -> Result<void> {
        going.wait();
        return Error{Errc::unavailable, "the disk is full"};
    });
    EXPECT_TRUE(errands.hear()) << "nothing is known yet";
    EXPECT_TRUE(errands.busy());
    let_go.set_value();
    EXPECT_EQ(errands.wait().error().detail, "the disk is full");
    EXPECT_FALSE(errands.busy());
    EXPECT_TRUE(errands.wait()) << "it is said once";
}

TEST(Errands, AnErrandThatThrowsFails) {
    for (const auto on : {Errands::On::callers_thread, Errands::On::own_thread}) {
        Errands errands{on};
        errands.run([]() -> Result<void> { throw std::runtime_error{"no memory"}; });
        const auto outcome = errands.wait();
        ASSERT_FALSE(outcome);
        EXPECT_EQ(outcome.error().code, Errc::internal);
        EXPECT_NE(outcome.error().detail.find("no memory"), std::string::npos);
        EXPECT_FALSE(errands.busy()) << "the next one can run";
    }
}

TEST(Errands, ErrandsShareOneThread) {
    Errands errands{Errands::On::own_thread};
    std::thread::id first;
    std::thread::id second;
    for (auto* ran_on : {&first, &second}) {
        errands.run([ran_on]() -> Result<void> {
            *ran_on = std::this_thread::get_id();
            return {};
        });
        EXPECT_TRUE(errands.wait());
    }
    EXPECT_EQ(first, second);
    EXPECT_NE(first, std::this_thread::get_id());
}

TEST(Errands, TheDestructorWaitsForARunningErrand) {
    std::atomic<bool> done = false;
    {
        Errands errands{Errands::On::own_thread};
        errands.run([&]() -> Result<void> {
            std::this_thread::sleep_for(std::chrono::milliseconds{20});
            done = true;
            return {};
        });
    }
    EXPECT_TRUE(done);
}

// While it exists no thread can be started, because none fits into the address space.
class NoThreads {
public:
    NoThreads() {
        pthread_getattr_default_np(&before_);
        auto huge = before_;
        pthread_attr_setstacksize(&huge, std::size_t{1} << 47);
        pthread_setattr_default_np(&huge);
    }
    NoThreads(const NoThreads&) = delete;
    NoThreads& operator=(const NoThreads&) = delete;
    ~NoThreads() {
        pthread_setattr_default_np(&before_);
        pthread_attr_destroy(&before_);
    }

private:
    pthread_attr_t before_{};
};

TEST(Errands, WithoutAThreadAnErrandRunsOnTheCallersThread) {
    const NoThreads none;
    EXPECT_THROW(std::thread{[] {}}.join(), std::system_error);
    Errands errands{Errands::On::own_thread};
    std::thread::id ran_on;
    errands.run([&]() -> Result<void> {
        ran_on = std::this_thread::get_id();
        return Error{Errc::unavailable, "no"};
    });
    EXPECT_EQ(ran_on, std::this_thread::get_id());
    EXPECT_EQ(errands.hear().error().detail, "no");
    EXPECT_FALSE(errands.busy());
}

TEST(Errands, AFailureOnTheCallersThreadIsReportedLater) {
    Errands errands{Errands::On::callers_thread};
    errands.run([]() -> Result<void> { return Error{Errc::unavailable, "no"}; });
    EXPECT_TRUE(errands.busy());
    EXPECT_EQ(errands.hear().error().detail, "no");
}

}  // namespace
}  // namespace countersign::audit
