// SPDX-License-Identifier: Apache-2.0
#include "tests/app/config_sample.hpp"

namespace countersign::app {
namespace {

const std::string rest = people + channels + routes;

std::string problem(const std::string& section) {
    const auto found = problems_of("[limits]\n" + section + rest);
    return found.size() == 1 ? found[0].key : all_of(found);
}

TEST(ConfigLimits, AnAgentsRequestsAndBytesPerMinuteCanBeSet) {
    const auto limits = configuration_of("[limits]\nasks_per_minute = 60\nask_kilobytes_per_minute = 2048\n" + rest);
    EXPECT_EQ(limits.ask_limits, (AskLimits{.requests = 60, .bytes = 2 * 1024 * 1024}));
    EXPECT_EQ(configuration_of(rest).ask_limits, (AskLimits{.requests = 1'200, .bytes = 8 * 1024 * 1024}));
}

TEST(ConfigLimits, I13_OnePastEachBoundIsRefused) {
    EXPECT_EQ(problem("asks_per_minute = 1\n"), "");
    EXPECT_EQ(problem("asks_per_minute = 0\n"), "limits.asks_per_minute");
    EXPECT_EQ(problem("asks_per_minute = 1000000\n"), "");
    EXPECT_EQ(problem("asks_per_minute = 1000001\n"), "limits.asks_per_minute");
    EXPECT_EQ(problem("ask_kilobytes_per_minute = 1024\n"), "");
    EXPECT_EQ(problem("ask_kilobytes_per_minute = 1023\n"), "limits.ask_kilobytes_per_minute");
    EXPECT_EQ(problem("ask_kilobytes_per_minute = 1048576\n"), "");
    EXPECT_EQ(problem("ask_kilobytes_per_minute = 1048577\n"), "limits.ask_kilobytes_per_minute");
    EXPECT_EQ(problem("asks = 5\n"), "limits.asks");
}

}  // namespace
}  // namespace countersign::app
