// SPDX-License-Identifier: Apache-2.0
#include "app/commands/audit/request_table.hpp"
#include "app/commands/audit/screen.hpp"
#include "channels/terminal/width.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace countersign::app {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

TEST(AuditScreen, ACellHasItsWidth) {
    EXPECT_EQ(cell("ab", 4), "ab  ");
    EXPECT_EQ(cell("ab", 4, Align::right), "  ab");
    EXPECT_EQ(cell("abcdef", 4), "abc…");
    EXPECT_EQ(cell("日本", 6), "日本  ");
}

TEST(AuditScreen, ADurationIsShort) {
    EXPECT_EQ(short_span(-1), "-");
    EXPECT_EQ(short_span(0), "0 ms");
    EXPECT_EQ(short_span(999), "999 ms");
    EXPECT_EQ(short_span(1234), "1.2 s");
    EXPECT_EQ(short_span(59'940), "59.9 s");
    EXPECT_EQ(short_span(59'960), "1 min");
    EXPECT_EQ(short_span(12 * 60'000), "12 min");
    EXPECT_EQ(short_span(5 * 3'600'000), "5 h");
    EXPECT_EQ(short_span(72 * 3'600'000LL), "3 d");
}

TEST(AuditScreen, NumbersAreGrouped) {
    EXPECT_EQ(grouped(0), "0");
    EXPECT_EQ(grouped(999), "999");
    EXPECT_EQ(grouped(1000), "1,000");
    EXPECT_EQ(grouped(1234567), "1,234,567");
}

TEST(AuditScreen, ABarIsAsLongAsItsShareAndNeverEmpty) {
    EXPECT_EQ(bar(10, 10, 4, true), "████");
    EXPECT_EQ(bar(5, 10, 4, true), "██");
    EXPECT_EQ(bar(1, 1000, 4, true), "▏");
    EXPECT_EQ(bar(0, 10, 4, true), "");
    EXPECT_EQ(bar(0, 0, 4, true), "");
    EXPECT_EQ(bar(5, 10, 4, false), "##");
    EXPECT_EQ(bar(1, 1000, 4, false), "#");
}

audit::review::Row row(std::string summary, std::int64_t asked = 1'763'262'847'120) {
    return {.id = "01JCABCDEFGHJKMNPQRSTVWXYZ",
            .asked = asked,
            .took = 1200,
            .outcome = "denied",
            .decided_by = "alice",
            .decider = audit::review::Decider::person,
            .voters = {"alice", "bob"},
            .agent = "prod-1",
            .tool = "Bash",
            .summary = std::move(summary)};
}

std::vector<std::string> printed(const Screen& screen, const std::vector<audit::review::Row>& rows) {
    testing::internal::CaptureStdout();
    RequestTable table{screen, Zone::utc};
    for (const auto& one : rows) EXPECT_TRUE(table.add(one));
    EXPECT_TRUE(table.finish());
    (void)std::fflush(stdout);
    std::istringstream text{testing::internal::GetCapturedStdout()};
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
}

Screen terminal(std::size_t columns) { return {.style = {.plain = false, .colour = false, .columns = columns}}; }

std::string without_escapes(std::string text) {
    for (auto at = text.find('\x1b'); at != std::string::npos; at = text.find('\x1b')) {
        text.erase(at, text.find('m', at) + 1 - at);
    }
    return text;
}

TEST(RequestTable, OnATerminalALineFitsTheWidthAndADayHasAHeading) {
    const auto day = 24 * 3'600'000LL;
    for (const std::size_t columns : {80, 120}) {
        const auto lines = printed(terminal(columns), {row(std::string(200, 'x')), row("ls", 1'763'262'847'120 + day)});
        ASSERT_THAT(lines, SizeIs(5));
        EXPECT_THAT(lines[0], HasSubstr("OUTCOME"));
        EXPECT_THAT(lines[1], HasSubstr("2025-11-16 UTC"));
        EXPECT_THAT(lines[2], HasSubstr(columns == 80 ? "03:14  " : "03:14:07  "));
        EXPECT_THAT(lines[2], HasSubstr("alice +1"));
        EXPECT_THAT(lines[3], HasSubstr("2025-11-17 UTC"));
        EXPECT_THAT(lines[4], HasSubstr("VWXYZ"));
        // The cut removes one column and three bytes.
        EXPECT_EQ(without_escapes(lines[2]).size(), columns + 2) << lines[2];
        EXPECT_EQ(without_escapes(lines[4]).size(), columns) << lines[4];
    }
}

TEST(RequestTable, OnANarrowTerminalAgentAndToolAreLeftToShow) {
    for (const std::size_t columns : {50, 60, 72}) {
        for (const auto& line : printed(terminal(columns), {row("make release")})) {
            EXPECT_LE(channels::terminal::width_of(without_escapes(line)), columns) << line;
        }
    }
    const auto lines = printed(terminal(62), {row("make")});
    EXPECT_THAT(lines[0], testing::AllOf(HasSubstr("TOOL"), testing::Not(HasSubstr("AGENT"))));
    EXPECT_THAT(lines[2], testing::AllOf(HasSubstr("Bash"), testing::Not(HasSubstr("prod-1"))));
}

TEST(RequestTable, OfALongPathTheEndIsShown) {
    const auto lines = printed(terminal(80), {row("/srv/a/very/long/way/to/price.py")});
    EXPECT_THAT(lines[2], HasSubstr("…"));
    EXPECT_THAT(lines[2], HasSubstr("/price.py"));
}

TEST(RequestTable, OnAPipeALineIsComplete) {
    const Screen pipe{.style = {.plain = true, .colour = false, .columns = static_cast<std::size_t>(-1)}};
    const auto lines = printed(pipe, {row(std::string(200, 'x'))});
    ASSERT_THAT(lines, SizeIs(1));
    EXPECT_EQ(lines[0], "2025-11-16T03:14:07Z  denied   alice +1  prod-1  Bash  1.2 s  01JCABCDEFGHJKMNPQRSTVWXYZ  " +
                            std::string(200, 'x'));
}

TEST(RequestTable, NoCallCanMoveTheCursorOrBreakTheLine) {
    for (const auto& screen : {terminal(80), Screen{.style = {.plain = true, .columns = 1000}}}) {
        auto evil = row("a\nb\r\x1b[2J\u202E");
        evil.agent = evil.tool = evil.decided_by = "x\x1b[31m\n";
        for (const auto& line : printed(screen, {evil})) {
            for (const char character : without_escapes(line)) EXPECT_GE(static_cast<unsigned char>(character), 0x20);
            EXPECT_EQ(line.find("\x1b[31m"), std::string::npos);
            EXPECT_EQ(line.find("\u202E"), std::string::npos);
        }
    }
}

}  // namespace
}  // namespace countersign::app
