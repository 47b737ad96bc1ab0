// SPDX-License-Identifier: Apache-2.0
#include "core/outcome.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

namespace countersign {
namespace {

TEST(Outcome, EveryNameIsUniqueAndReadBack) {
    std::set<std::string_view> names;
    for (int i = 0; i <= static_cast<int>(Outcome::indeterminate); ++i) {
        const auto outcome = static_cast<Outcome>(i);
        EXPECT_EQ(outcome_named(name(outcome)), outcome);
        names.insert(name(outcome));
    }
    EXPECT_EQ(names.size(), 10U);
}

TEST(Outcome, AnUnknownNameIsNotAnOutcome) {
    EXPECT_FALSE(outcome_named("allow"));
    EXPECT_FALSE(outcome_named(""));
    EXPECT_FALSE(outcome_named("Allowed"));
}

}  // namespace
}  // namespace countersign
