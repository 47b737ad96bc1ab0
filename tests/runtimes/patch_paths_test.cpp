// SPDX-License-Identifier: Apache-2.0
#include "runtimes/patch_paths.hpp"

#include <gtest/gtest.h>

namespace countersign::runtimes {
namespace {

using Texts = std::vector<std::string>;

Texts paths(std::string_view patch, bool known = true) {
    Texts found;
    EXPECT_EQ(add_patch_paths(patch, found), known) << patch;
    return found;
}

TEST(PatchPaths, EveryWayToNameAFileIsFound) {
    EXPECT_EQ(paths("*** Begin Patch\n*** Add File: a b\n+x\n*** Move to: c\r\n*** End Patch\n"), (Texts{"a b", "c"}));
    EXPECT_EQ(paths("--- a/one\t2024\n+++ b/two\n"), (Texts{"one", "two"}));
    EXPECT_EQ(paths("--- /dev/null\n+++ new\n"), Texts{"new"});
    EXPECT_EQ(paths("diff --git a/one b/two\nrename from one\nrename to two\n"), (Texts{"one", "two", "one", "two"}));
    EXPECT_EQ(paths("copy from one\ncopy to /etc/two\n"), (Texts{"one", "/etc/two"}));
    EXPECT_EQ(paths("Index: one\n"), Texts{"one"});
}

TEST(PatchPaths, QuotedNamesAreReadAsGitReadsThem) {
    EXPECT_EQ(paths(R"(+++ "b/.claude/s\145ttings.json")"), Texts{".claude/settings.json"});
    EXPECT_EQ(paths(R"(diff --git "a/\303\266" "b/x\ty")"), (Texts{"\303\266", "x\ty"}));
    EXPECT_EQ(paths(R"(diff --git a/one "b/t\"wo")"), (Texts{"one", "t\"wo"}));
    EXPECT_EQ(paths(R"(+++ "b/never ends)", false), Texts{});
    EXPECT_EQ(paths("+++ \"b/never ends\\", false), Texts{});
}

TEST(PatchPaths, AmbiguousNamesAreReturnedUnsplit) {
    EXPECT_EQ(paths("diff --git a/one b/two b/three", false), Texts{"one b/two b/three"});
    EXPECT_EQ(paths("diff --git one two", false), Texts{"one two"});
    EXPECT_EQ(paths("*** Run: rm\n", false), Texts{});
}

TEST(PatchPaths, BlanksBeforeAMarkerHideNothing) { EXPECT_EQ(paths("\t *** Delete File: x"), Texts{"x"}); }

}  // namespace
}  // namespace countersign::runtimes
