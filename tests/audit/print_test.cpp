// SPDX-License-Identifier: Apache-2.0
#include "audit/print.hpp"

#include "tests/audit/log_world.hpp"

#include <gtest/gtest.h>

namespace countersign::audit {
namespace {

std::string printed(LogEntry given) {
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
              "12  2025-11-16T03:14:07Z  decision  allowed  Bash  by alice via ops  1.2 s  01JCABCDEFGHJKMNPQRSTVWXYZ");
}

TEST(Print, RecordsOfOtherKindsPrintTheirFields) {
    EXPECT_EQ(printed(entry("request", {{"requestId", "r"},
                                        {"toolName", "Bash"},
                                        {"agentId", "claude"},
                                        {"risk", "high"},
                                        {"summary", "rm -rf build"}})),
              "12  2025-11-16T03:14:07Z  request  Bash  from claude  high  rm -rf build  r");
    EXPECT_EQ(printed(entry("presented", {{"requestId", "r"}, {"ref", "ops/-100/7/44#0"}, {"whole", true}})),
              "12  2025-11-16T03:14:07Z  presented  on ops  r");
    EXPECT_EQ(printed(entry("ended", {{"requestId", "r"}, {"outcome", "lost"}, {"reason", "bridge restarted"}})),
              "12  2025-11-16T03:14:07Z  ended  lost  bridge restarted  r");
    EXPECT_EQ(printed(entry("recovery", {{"removedBytes", 77}, {"why", "no signature covers it"}})),
              "12  2025-11-16T03:14:07Z  recovery  no signature covers it  removed bytes: 77");
    EXPECT_EQ(printed(entry("indeterminate", {{"requestId", "r"}, {"decisionSeq", 3}})),
              "12  2025-11-16T03:14:07Z  indeterminate  decision 3  r");
    EXPECT_EQ(printed(entry("anchor", {{"witness", "w.example"}, {"size", 9}, {"refused", "no"}})),
              "12  2025-11-16T03:14:07Z  anchor  witness w.example  at size 9  refused: no");
    EXPECT_EQ(
        printed(entry(
            "halt",
            {{"action", "halt"}, {"agentId", "dev"}, {"sessionKey", "s1"}, {"person", "alice"}, {"channel", "ops"}})),
        "12  2025-11-16T03:14:07Z  halt  halt  dev session s1  by alice via ops");
    EXPECT_EQ(printed(entry("revoke", {{"grantId", "g"}, {"toolName", "Bash"}, {"person", "bob"}})),
              "12  2025-11-16T03:14:07Z  revoke  grant g  Bash  by bob");
    EXPECT_EQ(printed(entry("refused", {{"action", "halt"}, {"target", "dev"}, {"principal", "x:1"}, {"why", "no"}})),
              "12  2025-11-16T03:14:07Z  refused  halt  of dev  by x:1  no");
    EXPECT_EQ(printed(entry("unasked", {{"agentId", "dev"}, {"toolName", "Read"}, {"summary", "/w/.env"}})),
              "12  2025-11-16T03:14:07Z  unasked  Read  from dev  /w/.env");
    EXPECT_EQ(printed(entry("unasked", {{"toolName", "Bash"}, {"summary", "ls zzz"}, {"failed", true}})),
              "12  2025-11-16T03:14:07Z  unasked  Bash  ls zzz  failed");
    EXPECT_EQ(printed(entry("something new")), "12  2025-11-16T03:14:07Z  something new");
}

TEST(Print, NoRecordCanMoveTheCursorOrBreakTheLine) {
    const auto line =
        printed(entry("decision", {{"toolName", "a\nb\r\x1b[2J"}, {"decidedBy", "x\u202Ey"}, {"channel", "\t"}}));
    for (const char character : line) EXPECT_GE(static_cast<unsigned char>(character), 0x20) << line;
    EXPECT_EQ(line.find("\u202E"), std::string::npos);
}

TEST(Print, JsonForATerminalIsTheSameValueWithDirectionCharactersEscaped) {
    const auto json = *encode_record(entry("n", {{"text", "é x\u202Ey \U000E0041 \u200B"}}), {.boot_id = "b"});
    const auto shown = print_json(json);
    EXPECT_NE(shown.find("é x\\u202ey \\udb40\\udc41 \\u200b"), std::string::npos) << shown;
    EXPECT_EQ(parse_record(shown)->text("text"), parse_record(json)->text("text"));
    const auto plain = *encode_record(entry("n", {{"text", "plain"}}), {.boot_id = "b"});
    EXPECT_EQ(print_json(plain), plain);
}

}  // namespace
}  // namespace countersign::audit
