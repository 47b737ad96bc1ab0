// SPDX-License-Identifier: Apache-2.0
#include "net/line_framing.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace countersign::net {
namespace {

std::vector<Line> drained(LineFraming& framing) {
    std::vector<Line> lines;
    while (auto line = framing.pop()) lines.push_back(std::move(*line));
    return lines;
}
Line text(std::string line) { return {.text = std::move(line)}; }
Line dropped(std::size_t bytes) { return {.text = {}, .bytes_dropped = bytes}; }
using Lines = std::vector<Line>;

TEST(Framing, LinesComeOutHoweverTheBytesAreSplit) {
    const std::string stream = "one\ntwo\n\n\r\nthree\n";
    for (std::size_t size = 1; size <= stream.size(); ++size) {
        LineFraming framing;
        for (std::size_t at = 0; at < stream.size(); at += size)
            framing.push(std::string_view{stream}.substr(at, size));
        EXPECT_EQ(drained(framing), (Lines{text("one"), text("two"), text("three")})) << size;
    }
}

TEST(Framing, AnUnfinishedLineWaits) {
    LineFraming framing;
    framing.push("half");
    EXPECT_FALSE(framing.pop());
    framing.push(" and half\n");
    EXPECT_EQ(framing.pop(), text("half and half"));
}

TEST(Framing, TheEndOfTheStreamEndsTheLastLine) {
    LineFraming framing;
    framing.push("a\nlast");
    framing.finish();
    EXPECT_EQ(drained(framing), (Lines{text("a"), text("last")}));
    framing.finish();
    EXPECT_FALSE(framing.pop());
}

TEST(Framing, I13_ALineOnePastTheBoundIsReportedOnceAndTheNextOneIsRead) {
    LineFraming framing{8};
    framing.push("12345678\n123456789\nok\n");
    EXPECT_EQ(drained(framing), (Lines{text("12345678"), dropped(9), text("ok")}));
}

TEST(Framing, I13_AnOverLongLineInPiecesIsReportedOnceWithItsWholeLength) {
    LineFraming framing{4};
    for (int i = 0; i < 100; ++i) framing.push("xyz");
    EXPECT_FALSE(framing.pop());
    framing.push("\nok\n");
    EXPECT_EQ(drained(framing), (Lines{dropped(300), text("ok")}));
}

TEST(Framing, I13_TheBoundOfAnAgentsLineIsTheDefault) {
    LineFraming framing;
    framing.push(std::string(limits::agent_line_bytes_max, 'x') + "\n");
    framing.push(std::string(limits::agent_line_bytes_max + 1, 'x') + "\n");
    EXPECT_EQ(framing.pop()->text.size(), limits::agent_line_bytes_max);
    EXPECT_EQ(framing.pop(), dropped(limits::agent_line_bytes_max + 1));
}

TEST(Framing, I13_TheHeadOfADroppedLineIsKeptHoweverTheBytesAreSplit) {
    const std::string stream = "123456789abc\nok\n";
    for (std::size_t size = 1; size <= stream.size(); ++size) {
        LineFraming framing{8, 4};
        for (std::size_t at = 0; at < stream.size(); at += size)
            framing.push(std::string_view{stream}.substr(at, size));
        auto cut = dropped(12);
        cut.head = "1234";
        EXPECT_EQ(drained(framing), (Lines{cut, text("ok")})) << size;
    }
}

TEST(Framing, AnOverLongLastLineIsReportedToo) {
    LineFraming framing{2};
    framing.push("abc");
    framing.finish();
    EXPECT_EQ(drained(framing), Lines{dropped(3)});
}

}  // namespace
}  // namespace countersign::net
