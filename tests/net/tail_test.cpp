// SPDX-License-Identifier: Apache-2.0
#include "net/tail.hpp"

#include <gtest/gtest.h>

namespace countersign::net {
namespace {

TEST(Tail, KeepsEverythingUpToItsBound) {
    Tail tail{8};
    tail.push("one");
    tail.push("\ntwo\n");
    EXPECT_EQ(tail.text(), "one\ntwo\n");
}

TEST(Tail, I13_OneBytePastTheBoundDropsTheCutLine) {
    Tail tail{8};
    tail.push("one\ntwo\n!");
    EXPECT_EQ(tail.text(), "two\n!");
}

TEST(Tail, ACompleteLineIsKept) {
    Tail tail{4};
    tail.push("one\ntwo\n");
    EXPECT_EQ(tail.text(), "two\n");
    tail.push("x\ry\r");
    EXPECT_EQ(tail.text(), "x\ry\r") << "a progress bar ends its lines so";
}

TEST(Tail, TheEndOfALineLongerThanTheBoundIsNotShown) {
    Tail tail{8};
    for (int i = 0; i < 5; ++i) tail.push("SECRET");
    EXPECT_EQ(tail.text(), "");
    tail.push("\nend");
    EXPECT_EQ(tail.text(), "end");
}

}  // namespace
}  // namespace countersign::net
