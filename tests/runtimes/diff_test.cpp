// SPDX-License-Identifier: Apache-2.0
#include "runtimes/diff.hpp"

#include "core/limits.hpp"

#include <gtest/gtest.h>

namespace countersign::runtimes {
namespace {

TEST(Diff, ChangedLinesAreMarkedAndUnchangedOnesKept) {
    EXPECT_EQ(line_diff("a\nb\nc\n", "a\nx\nc\n"), " a\n-b\n+x\n c\n");
    EXPECT_EQ(line_diff("", "a\nb\n"), "+a\n+b\n");
    EXPECT_EQ(line_diff("a\n", ""), "-a\n");
    EXPECT_EQ(line_diff("a\nb\nc\nd\n", "b\nx\nd\ne\n"), "-a\n b\n-c\n+x\n d\n+e\n");
    EXPECT_EQ(line_diff("", ""), "");
}

TEST(Diff, AMissingLastNewlineIsAChange) {
    EXPECT_EQ(line_diff("a", "a\n"), "-a\n\\ no newline at the end\n+a\n");
    EXPECT_EQ(line_diff("one", "two"), "-one\n\\ no newline at the end\n+two\n\\ no newline at the end\n");
}

// Both texts can be reconstructed from any diff: nothing is hidden.
std::string side(const std::string& diff, char mark) {
    std::string out;
    std::size_t at = 0;
    while (at < diff.size()) {
        const auto end = diff.find('\n', at);
        if (diff[at] == ' ' || diff[at] == mark) out += diff.substr(at + 1, end - at);
        at = end + 1;
    }
    return out;
}

TEST(Diff, I7_BothTextsAreCompleteEvenPastTheBound) {
    for (const std::size_t lines : {std::size_t{10}, std::size_t{998}, std::size_t{1001}}) {
        std::string before = "same\n";
        std::string after = "same\n";
        for (std::size_t i = 0; i < lines; ++i) {
            before += "b" + std::to_string(i % 7) + "\n";
            after += "a" + std::to_string(i % 5) + "\nb3\n";
        }
        const auto diff = line_diff(before + "end\n", after + "end\n");
        EXPECT_EQ(side(diff, '-'), before + "end\n");
        EXPECT_EQ(side(diff, '+'), after + "end\n");
    }
}

TEST(Diff, I13_OnePastTheBoundAllOldLinesComeBeforeAllNewOnes) {
    // (n + 1) * (m + 1) cells: 999 * 999 is within the bound, 1000 lines against 1000 is past it.
    const auto text = [](std::size_t lines, const char* first) {
        std::string out = first;
        for (std::size_t i = 0; i < lines - 2; ++i) out += "x" + std::to_string(i) + "\n";
        return out + first;
    };
    static_assert(limits::diff_cells_max == 1000 * 1000);
    EXPECT_NE(line_diff(text(999, "a\n"), text(999, "b\n")).find("\n x0\n"), std::string::npos);
    EXPECT_EQ(line_diff(text(1000, "a\n"), text(1000, "b\n")).find("\n x0\n"), std::string::npos);
}

}  // namespace
}  // namespace countersign::runtimes
