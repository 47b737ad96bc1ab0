// SPDX-License-Identifier: Apache-2.0
// From the settings of a channel, and from what the last run left, to the options of a bot.
#include "channels/telegram/open.hpp"

#include "core/limits.hpp"
#include "tests/channels/platform_fakes.hpp"
#include "tests/net/scratch_directory.hpp"

#include <gtest/gtest.h>

#include <map>
#include <sys/stat.h>

namespace countersign::channels::telegram {
namespace {

using namespace std::chrono_literals;

using channels::fakes::FakeMemory;

TEST(TelegramSettings, I13_APreviousSecretCountsForThirtyDaysAtMost) {
    const testing_tools::ScratchDirectory scratch;
    const auto file = [&](const std::string& name, const std::string& text) {
        const auto path = scratch.file(name, text);
        ::chmod(path.c_str(), 0600);
        return path;
    };
    const Settings settings{{{"token_file", file("token", "123456:0123456789abcdefghij")},
                             {"webhook_secret_file", file("new", "new-secret-0123456789")},
                             {"previous_webhook_secret_file", file("old", "old-secret-0123456789")},
                             {"previous_until", "2026-12-01T12:00:00Z"}}};
    const WallTime until{std::chrono::sys_days{std::chrono::year{2026} / 12 / 1} + 12h};
    EXPECT_TRUE(options_of(settings, until - limits::secret_overlap_max));
    const auto longer = options_of(settings, until - limits::secret_overlap_max - 1ms);
    ASSERT_FALSE(longer);
    EXPECT_EQ(longer.error().code, Errc::bad_config);
    EXPECT_TRUE(options_of(settings, until + 24h)) << "one that has ended is no reason not to start";
}

TEST(TelegramMemory, I12_APollerContinuesWhereItWasAndMovedGroupsAreFollowed) {
    const WallTime then{std::chrono::seconds{1'763'258'400}};
    FakeMemory memory;
    TelegramOptions first;
    ASSERT_TRUE(remember(first, memory));
    EXPECT_FALSE(first.offset);
    first.on_confirmed(12);
    first.on_moved("-5", "-1005");
    first.on_caught_up(then);
    TelegramOptions second;
    ASSERT_TRUE(remember(second, memory));
    EXPECT_EQ(second.offset, 12);
    EXPECT_EQ(second.caught_up, then);
    EXPECT_EQ(second.moved, (std::vector<std::pair<std::string, std::string>>{{"-5", "-1005"}}));
}

TEST(TelegramMemory, I16_WhenPollingHadCaughtUpIsKeptAboutEveryTenSeconds) {
    const WallTime then{std::chrono::seconds{1'763'258'400}};
    FakeMemory memory;
    TelegramOptions options;
    ASSERT_TRUE(remember(options, memory));
    options.on_caught_up(then);
    options.on_caught_up(then + limits::caught_up_kept_every - 1ms);
    EXPECT_EQ(memory.kept.at("caughtUp"), rfc3339(then));
    EXPECT_EQ(memory.writes, 1);
    TelegramOptions next;
    ASSERT_TRUE(remember(next, memory));
    next.on_caught_up(then + limits::caught_up_kept_every);
    EXPECT_EQ(memory.kept.at("caughtUp"), rfc3339(then + limits::caught_up_kept_every));
    next.on_caught_up(then);
    EXPECT_EQ(memory.kept.at("caughtUp"), rfc3339(then)) << "a clock that was set back is believed";
}

TEST(TelegramMemory, I2_WhatCannotBeReadIsAnErrorThatNamesIt) {
    for (const auto* name : {"offset", "caughtUp"}) {
        FakeMemory memory;
        memory.kept[name] = "x";
        TelegramOptions options;
        const auto read = remember(options, memory);
        ASSERT_FALSE(read);
        EXPECT_EQ(read.error().code, Errc::damaged);
        EXPECT_NE(read.error().detail.find(name), std::string::npos);
    }
}

}  // namespace
}  // namespace countersign::channels::telegram
