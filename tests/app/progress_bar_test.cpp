// SPDX-License-Identifier: Apache-2.0
#include "app/commands/audit/progress_bar.hpp"

#include "app/commands/audit/screen.hpp"
#include "channels/terminal/width.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

namespace countersign::app {
namespace {

using namespace std::chrono_literals;
using channels::terminal::width_of;

const audit::Progress third{.doing = "checking", .records = 400'000, .bytes = 1, .of = 3};

TEST(ProgressBar, ShowsProgressSpeedAndRemainingTime) {
    EXPECT_EQ(progress_line(third, 4s, 80, true),
              "checking [██████            ]  33 %  400,000 records  100,000/s  8 s left");
    EXPECT_EQ(progress_line(third, 4s, 80, false),
              "checking [######            ]  33 %  400,000 records  100,000/s  8 s left");
    EXPECT_EQ(progress_line({.doing = "reading", .records = 0, .bytes = 0, .of = 5}, 0ms, 80, true),
              "reading [                  ]   0 %  0 records  0/s");
    EXPECT_EQ(progress_line({.doing = "reading", .records = 7, .bytes = 6, .of = 5}, 7s, 80, true),
              "reading [██████████████████] 100 %  7 records  1/s  0 s left")
        << "a log that grew meanwhile";
}

TEST(ProgressBar, OnANarrowTerminalItShowsLessAndNeverUsesTheLastColumn) {
    EXPECT_EQ(progress_line(third, 4s, 60, true), "checking [███▍      ]  33 %  100,000/s  8 s left");
    EXPECT_EQ(progress_line(third, 4s, 40, true), "checking [███▍      ]  33 %  8 s left");
    EXPECT_EQ(progress_line(third, 4s, 30, true), "checking [███▍      ]  33 %");
    EXPECT_EQ(progress_line(third, 4s, 20, true), "checking  33 %");
    EXPECT_EQ(progress_line(third, 4s, 8, true), "  33 %");
    EXPECT_EQ(progress_line(third, 4s, 3, true), "");
    for (const std::uint64_t records : {1ULL, 1'000'000ULL, 18'000'000'000'000'000'000ULL}) {
        for (std::size_t columns = 1; columns < 250; ++columns) {
            for (const auto since : {0ms, 1ms, 100'000'000ms}) {
                const audit::Progress progress{.doing = "exporting", .records = records, .bytes = 1, .of = 1000};
                EXPECT_LT(width_of(progress_line(progress, since, columns, true)), columns);
            }
        }
    }
}

TEST(ProgressBar, IsNotShownWithoutATerminal) {
    ProgressBar bar;  // tests have none on standard error
    EXPECT_EQ(bar.watch() == nullptr, ::isatty(STDERR_FILENO) != 1);
}

TEST(AuditScreen, ALongLineIsContinuedBelowItsStart) {
    const Screen narrow{.style = {.plain = false, .colour = false, .columns = 34}};
    EXPECT_EQ(hanging(narrow, "not proved: ", "that a key you trust signed it"),
              "not proved: that a key you trust \n            signed it\n");
    const Screen pipe{.style = {.plain = true, .colour = false, .columns = static_cast<std::size_t>(-1)}};
    EXPECT_EQ(hanging(pipe, "a: ", std::string(300, 'x')), "a: " + std::string(300, 'x') + "\n");
}

}  // namespace
}  // namespace countersign::app
