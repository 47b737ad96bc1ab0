// SPDX-License-Identifier: Apache-2.0
#include "audit/review/csv.hpp"

#include <gtest/gtest.h>

namespace countersign::audit::review {
namespace {

TEST(Csv, PlainTextIsItself) {
    EXPECT_EQ(csv_cell("ls -la"), "ls -la");
    EXPECT_EQ(csv_cell(""), "");
    EXPECT_EQ(csv_cell("größer"), "größer");
}

TEST(Csv, WhatSeparatesIsQuoted) {
    EXPECT_EQ(csv_cell("a,b"), "\"a,b\"");
    EXPECT_EQ(csv_cell("say \"no\""), "\"say \"\"no\"\"\"");
}

TEST(Csv, NoCellIsAFormula) {
    EXPECT_EQ(csv_cell("=1+1"), "'=1+1");
    EXPECT_EQ(csv_cell("+1"), "'+1");
    EXPECT_EQ(csv_cell("-rf"), "'-rf");
    EXPECT_EQ(csv_cell("@SUM(A1)"), "'@SUM(A1)");
    EXPECT_EQ(csv_cell("\tx"), "'→x");
    EXPECT_EQ(csv_cell("=HYPERLINK(\"http://x\",\"y\")"), "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\"");
    EXPECT_EQ(csv_cell("a=b"), "a=b") << "only a beginning counts";
}

TEST(Csv, NothingInACellIsHiddenOrBreaksTheLine) {
    EXPECT_EQ(csv_cell("a\nb"), "a⏎b");
    EXPECT_EQ(csv_cell("x\u202Ey\x1b[2J"), "x\\u{202E}y\\u{1B}[2J");
}

TEST(Csv, ALineEndsWithCrLf) {
    EXPECT_EQ(csv_line({"a", "b,c", ""}), "a,\"b,c\",\r\n");
    EXPECT_EQ(csv_line({"", "b"}), ",b\r\n");
}

}  // namespace
}  // namespace countersign::audit::review
