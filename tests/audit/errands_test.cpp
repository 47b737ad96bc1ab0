// SPDX-License-Identifier: Apache-2.0
#include "audit/errands.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace countersign::audit {
namespace {

TEST(Errands, OneOnTheCallersThreadIsDoneWhenTheCallReturns) {
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

TEST(Errands, OneOnAThreadOfItsOwnIsBusyUntilItsOutcomeWasHeard) {
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

TEST(Errands, AFailureOnTheCallersThreadIsHeardLikeAnyOther) {
    Errands errands{Errands::On::callers_thread};
    errands.run([]() -> Result<void> { return Error{Errc::unavailable, "no"}; });
    EXPECT_TRUE(errands.busy());
    EXPECT_EQ(errands.hear().error().detail, "no");
}

}  // namespace
}  // namespace countersign::audit
