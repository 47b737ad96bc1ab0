// SPDX-License-Identifier: Apache-2.0
#include "core/glob.hpp"

#include <gtest/gtest.h>

#include <string>

namespace countersign {
namespace {

TEST(Glob, OnlyStarAndQuestionMarkAreSpecial) {
    EXPECT_TRUE(glob_fits("prod-*", "prod-7"));
    EXPECT_TRUE(glob_fits("prod-*", "prod-"));
    EXPECT_FALSE(glob_fits("prod-*", "staging-prod-7"));
    EXPECT_TRUE(glob_fits("a?c", "abc"));
    EXPECT_FALSE(glob_fits("a?c", "ac"));
    EXPECT_TRUE(glob_fits("[ab]", "[ab]"));
    EXPECT_FALSE(glob_fits("[ab]", "a"));
}

TEST(Glob, AStarAlsoMatchesSlashesAndNothing) {
    EXPECT_TRUE(glob_fits("/w/*", "/w/a/b"));
    EXPECT_TRUE(glob_fits("*", ""));
    EXPECT_TRUE(glob_fits("**", ""));
    EXPECT_FALSE(glob_fits("", "a"));
    EXPECT_TRUE(glob_fits("", ""));
    EXPECT_TRUE(glob_fits("*a*b*", "xxaxxbxx"));
    EXPECT_FALSE(glob_fits("*a*b", "xxaxxbxx"));
}

TEST(Glob, IsCaseSensitive) { EXPECT_FALSE(glob_fits("bash", "Bash")); }

TEST(Glob, ManyStarsOverALongTextEndQuickly) {
    std::string pattern;
    for (int i = 0; i < 200; ++i) pattern += "*a";
    EXPECT_FALSE(glob_fits(pattern + "b", std::string(20'000, 'a')));
}

}  // namespace
}  // namespace countersign
