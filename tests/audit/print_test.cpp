// SPDX-License-Identifier: Apache-2.0
#include "audit/print.hpp"

#include "tests/audit/log_world.hpp"

#include <gtest/gtest.h>

namespace countersign::audit {
namespace {

std::string printed(Entry given) {
    const WallTime when{std::chrono::milliseconds{1'763'262'847'120}};
    return print(*parse_record(*encode_record(given, {.seq = 12, .ts = when, .boot_id = "b"})));
}

TEST(Print, ADecisionIsOneLine) {
    EXPECT_EQ(printed(entry("decision", {{"requestId", "01JCABCDEFGHJKMNPQRSTVWXYZ"},
                                         {"toolName", "Bash"},
                                         {"decision", "allowed"},
                                         {"decidedBy", "alice"},
                                         {"channel", "ops"},
                                         {"decisionLatencyMs", 1234}})),
              "12  03:14:07  decision  allowed  Bash  by alice via ops  1.2 s  01JCABCDEFGHJKMNPQRSTVWXYZ");
}

TEST(Print, OtherKindsSayWhatTheyHave) {
    EXPECT_EQ(
        printed(entry("request", {{"requestId", "r"}, {"toolName", "Bash"}, {"agentId", "claude"}, {"risk", "high"}})),
        "12  03:14:07  request  Bash  from claude  high  r");
    EXPECT_EQ(printed(entry("ended", {{"requestId", "r"}, {"outcome", "lost"}, {"reason", "bridge restarted"}})),
              "12  03:14:07  ended  lost  bridge restarted  r");
    EXPECT_EQ(printed(entry("recovery", {{"removedBytes", 77}, {"why", "no signature covers it"}})),
              "12  03:14:07  recovery  no signature covers it  removed bytes: 77");
    EXPECT_EQ(printed(entry("indeterminate", {{"requestId", "r"}, {"decisionSeq", 3}})),
              "12  03:14:07  indeterminate  decision 3  r");
    EXPECT_EQ(printed(entry("something new")), "12  03:14:07  something new");
}

TEST(Print, NoRecordCanMoveTheCursorOrBreakTheLine) {
    const auto line =
        printed(entry("decision", {{"toolName", "a\nb\r\x1b[2J"}, {"decidedBy", "x\u202Ey"}, {"channel", "\t"}}));
    for (const char character : line) EXPECT_GE(static_cast<unsigned char>(character), 0x20) << line;
    EXPECT_EQ(line.find("\u202E"), std::string::npos);
}

}  // namespace
}  // namespace countersign::audit
