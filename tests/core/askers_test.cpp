// SPDX-License-Identifier: Apache-2.0
#include "core/hub/askers.hpp"

#include "core/limits.hpp"
#include "tests/fakes/world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign {
namespace {

using testing::ElementsAre;

TEST(AskersTest, WhoAskedLastIsAtTheEndAndNobodyIsThereTwice) {
    fakes::FakeRuntime runtime;
    Askers askers;
    EXPECT_FALSE(askers.is_there(&runtime));
    EXPECT_FALSE(askers.asked(runtime, {"dev", "s1"}));
    EXPECT_TRUE(askers.asked(runtime, {"dev", "s2"}));
    EXPECT_TRUE(askers.asked(runtime, {"dev", "s1"}));
    EXPECT_THAT(askers.all().at(&runtime), ElementsAre(Asker{"dev", "s2"}, Asker{"dev", "s1"}));
    askers.gone(runtime);
    EXPECT_FALSE(askers.is_there(&runtime));
    EXPECT_FALSE(askers.asked(runtime, {"dev", "s1"})) << "it is another one";
}

TEST(AskersTest, I13_OneSessionTooManyAndTheOneThatAskedLeastLatelyIsForgotten) {
    fakes::FakeRuntime runtime;
    fakes::FakeRuntime other;
    Askers askers;
    askers.asked(other, {"dev", "theirs"});
    for (std::size_t i = 0; i < limits::sessions_per_runtime_max; ++i) {
        askers.asked(runtime, {"dev", "s" + std::to_string(i)});
    }
    askers.asked(runtime, {"dev", "s0"});
    EXPECT_EQ(askers.all().at(&runtime).size(), limits::sessions_per_runtime_max);
    askers.asked(runtime, {"dev", "one more"});
    const auto& kept = askers.all().at(&runtime);
    EXPECT_EQ(kept.size(), limits::sessions_per_runtime_max);
    EXPECT_EQ(kept.front(), (Asker{"dev", "s2"})) << "s1 is forgotten";
    EXPECT_EQ(kept.at(kept.size() - 2), (Asker{"dev", "s0"}));
    EXPECT_EQ(askers.all().at(&other).size(), 1U);
}

}  // namespace
}  // namespace countersign
