// SPDX-License-Identifier: Apache-2.0
#include "runtimes/claude/command.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::runtimes::claude {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Words = std::vector<std::string>;

TEST(ClaudeCommand, StartsTheModeInWhichEveryCallIsAsked) {
    const auto start = start_command("/opt/claude", {"--model", "opus"});
    ASSERT_TRUE(start);
    EXPECT_THAT(start->argv, ElementsAre("/opt/claude", "-p", "--input-format", "stream-json", "--output-format",
                                         "stream-json", "--verbose", "--permission-prompt-tool", "stdio",
                                         "--permission-mode", "default", "--model", "opus"));
    EXPECT_THAT(start->warnings, IsEmpty());
}

class RefusedArguments : public testing::TestWithParam<Words> {};
TEST_P(RefusedArguments, I2_ArgumentsThatDisableAskingAreRefusedByName) {
    const auto start = start_command("claude", GetParam());
    ASSERT_FALSE(start) << GetParam().front();
    EXPECT_EQ(start.error().code, Errc::unsupported);
    const auto flag = GetParam()[GetParam().size() > 2 ? 2 : 0];
    EXPECT_THAT(start.error().detail, HasSubstr(flag.substr(0, flag.find('='))));
}
INSTANTIATE_TEST_SUITE_P(
    Arguments, RefusedArguments,
    testing::Values(Words{"--dangerously-skip-permissions"}, Words{"--allow-dangerously-skip-permissions"},
                    Words{"--model", "opus", "--dangerously-skip-permissions"}, Words{"--enable-auto-mode"},
                    Words{"--permission-mode", "bypassPermissions"}, Words{"--permission-mode=bypassPermissions"},
                    Words{"--permission-mode=bypassPermissions", "plan"}, Words{"--permission-mode", "dontAsk"},
                    Words{"--permission-mode", "auto"}, Words{"--permission-mode", "later"},
                    Words{"--permission-mode="}, Words{"--permission-mode"},
                    Words{"--permission-mode=plan", "--permission-mode=plan", "--permission-mode=auto"},
                    Words{"--permission-prompt-tool", "mcp__x__y"}, Words{"--permission-prompt-tool=mcp__x__y"},
                    Words{"--output-format", "text"}, Words{"--input-format=text"}, Words{"--bg"},
                    Words{"--background"}, Words{"--tmux=classic"}, Words{"--sdk-url", "ws://x"}, Words{"--remote"},
                    Words{"--remote-control"}, Words{"--rc"}, Words{"--cloud"}, Words{"--teleport"}));

TEST(ClaudeCommand, ArgumentsThatLetSomeCallsRunAreAcceptedAndReported) {
    for (const auto& arguments :
         {Words{"--allowedTools", "Read"}, Words{"--allowed-tools=Read"}, Words{"--add-dir", "/x"},
          Words{"--settings", "f.json"}, Words{"--plugin-dir", "p"}, Words{"--permission-mode", "acceptEdits"}}) {
        const auto start = start_command("claude", arguments);
        ASSERT_TRUE(start) << arguments.front();
        ASSERT_EQ(start->warnings.size(), 1U);
        EXPECT_THAT(start->warnings.front(), HasSubstr(arguments.front().substr(0, arguments.front().find('='))));
        EXPECT_THAT(start->argv, testing::Contains(arguments.front()));
    }
}

TEST(ClaudeCommand, AModeThatAsksReplacesTheDefault) {
    const auto start = start_command("claude", {"--permission-mode", "plan"});
    ASSERT_TRUE(start);
    EXPECT_THAT(start->argv, testing::Not(testing::Contains("default")));
    EXPECT_THAT(start->warnings, IsEmpty());
    EXPECT_TRUE(start_command("claude", {"--permission-mode=plan"}));
}

TEST(ClaudeCommand, WhenEverythingIsAskedOurSettingsComeLast) {
    const auto start = start_command("claude", {"--model", "opus"}, Asks::everything);
    ASSERT_TRUE(start);
    ASSERT_GE(start->argv.size(), 2U);
    EXPECT_THAT(Words(start->argv.end() - 4, start->argv.end()),
                ElementsAre("--model", "opus", "--settings", R"({"permissions":{"ask":["*"]}})"));
    EXPECT_THAT(start->warnings, IsEmpty());
}

TEST(ClaudeCommand, I2_WhenEverythingIsAskedTheOperatorsSettingsAreRefused) {
    for (const auto& arguments : {Words{"--settings", "f.json"}, Words{"--settings={}"}}) {
        const auto start = start_command("claude", arguments, Asks::everything);
        ASSERT_FALSE(start);
        EXPECT_EQ(start.error().code, Errc::unsupported);
        EXPECT_THAT(start.error().detail, HasSubstr("--ask-everything"));
    }
}

TEST(ClaudeCommand, OnlyTheEnvironmentThatTheCliNeedsIsInherited) {
    EXPECT_THAT(inherited({"PATH", "COUNTERSIGN_TOKEN", "LC_ALL", "CREDENTIALS_DIRECTORY", "ANTHROPIC_API_KEY",
                           "CLAUDE_CONFIG_DIR", "NODE_OPTIONS", "LD_PRELOAD", "XDG_CONFIG_HOME", "HTTPS_PROXY",
                           "TELEGRAM_BOT_TOKEN", "SSH_AUTH_SOCK", "HOME", "NOTIFY_SOCKET", "CLAUDECODE", "MYPATH"}),
                ElementsAre("PATH", "LC_ALL", "ANTHROPIC_API_KEY", "CLAUDE_CONFIG_DIR", "XDG_CONFIG_HOME",
                            "HTTPS_PROXY", "HOME"));
}

}  // namespace
}  // namespace countersign::runtimes::claude
