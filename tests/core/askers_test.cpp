// SPDX-License-Identifier: Apache-2.0
#include "core/hub/askers.hpp"

#include "core/limits.hpp"
#include "tests/fakes/world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <new>

namespace countersign {
namespace {

using testing::ElementsAre;

TEST(AskersTest, EachAskerIsListedOnceAndTheLatestIsLast) {
    fakes::FakeRuntime runtime;
    Askers askers;
    EXPECT_EQ(askers.of(runtime.id()), nullptr);
    askers.asked(runtime, {"dev", "s1"});
    askers.asked(runtime, {"dev", "s2"});
    askers.asked(runtime, {"dev", "s1"});
    ASSERT_NE(askers.of(runtime.id()), nullptr);
    EXPECT_THAT(*askers.of(runtime.id()), ElementsAre(Asker{"dev", "s2"}, Asker{"dev", "s1"}));
    askers.gone(runtime, {});
    EXPECT_EQ(askers.of(runtime.id()), nullptr);
}

TEST(AskersTest, ANewRuntimeAtTheSameAddressIsAnotherRuntime) {
    Askers askers;
    alignas(fakes::FakeRuntime) std::byte place[sizeof(fakes::FakeRuntime)];
    auto* first = new (place) fakes::FakeRuntime;
    const auto id = first->id();
    askers.asked(*first, {"dev", "s1"});
    first->~FakeRuntime();
    auto* second = new (place) fakes::FakeRuntime;
    EXPECT_NE(second->id(), id);
    EXPECT_EQ(askers.of(second->id()), nullptr);
    second->~FakeRuntime();
}

TEST(AskersTest, I13_OneSessionTooManyForgetsTheOneThatAskedLongestAgo) {
    fakes::FakeRuntime runtime;
    fakes::FakeRuntime other;
    Askers askers;
    askers.asked(other, {"dev", "theirs"});
    for (std::size_t i = 0; i < limits::sessions_per_runtime_max; ++i) {
        askers.asked(runtime, {"dev", "s" + std::to_string(i)});
    }
    askers.asked(runtime, {"dev", "s0"});
    EXPECT_EQ(askers.of(runtime.id())->size(), limits::sessions_per_runtime_max);
    askers.asked(runtime, {"dev", "one more"});
    const auto& kept = *askers.of(runtime.id());
    EXPECT_EQ(kept.size(), limits::sessions_per_runtime_max);
    EXPECT_EQ(kept.front(), (Asker{"dev", "s2"})) << "s1 is forgotten";
    EXPECT_EQ(kept.at(kept.size() - 2), (Asker{"dev", "s0"}));
    EXPECT_EQ(askers.of(other.id())->size(), 1U);
}

}  // namespace
}  // namespace countersign
