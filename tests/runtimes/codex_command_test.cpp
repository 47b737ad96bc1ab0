// SPDX-License-Identifier: Apache-2.0
#include "runtimes/codex/command.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::runtimes::codex {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(CodexCommand, SettingsArePassedOn) {
    const auto start = start_command("codex", {"-c", "model=\"o3\"", "--enable", "x", "--strict-config"}, {});
    ASSERT_TRUE(start);
    EXPECT_THAT(start->argv,
                ElementsAre("codex", "app-server", "-c", "model=\"o3\"", "--enable", "x", "--strict-config"));
    EXPECT_THAT(start->warnings, IsEmpty());
}

TEST(CodexCommand, WhatWouldTurnTheAskingOffIsRefused) {
    for (const auto& arguments : std::vector<std::vector<std::string>>{{"-c", "approval_policy=never"},
                                                                       {"--config=approval_policy=\"never\""},
                                                                       {"-c", "\"approval_policy\" = 'never'"},
                                                                       {"-c", "approvals_reviewer=guardian"},
                                                                       {"-c", "sandbox_mode=danger-full-access"},
                                                                       {"--listen", "ws://127.0.0.1:1"},
                                                                       {"--stdio"},
                                                                       {"daemon"},
                                                                       {"--code-mode-host", "http://x"},
                                                                       {"-c"},
                                                                       {"--enable"}}) {
        const auto start = start_command("codex", arguments, {});
        ASSERT_FALSE(start) << arguments.front();
        EXPECT_EQ(start.error().code, Errc::unsupported);
        EXPECT_THAT(start.error().detail, HasSubstr("leave it out"));
    }
    EXPECT_FALSE(start_command("codex", {}, {.approval_policy = "never"}));
    EXPECT_FALSE(start_command("codex", {}, {.sandbox = "none"}));
}

TEST(CodexCommand, WhatLetsCallsRunUnaskedIsSaid) {
    const auto start = start_command("codex", {"-c", "mcp_servers.demo.command=x", "--enable", "hooks"},
                                     {.approval_policy = "on-request", .sandbox = "danger-full-access"});
    ASSERT_TRUE(start);
    EXPECT_THAT(start->warnings,
                ElementsAre(HasSubstr("--sandbox"), HasSubstr("on-request"), HasSubstr("mcp_servers")));
    EXPECT_THAT(start_command("codex", {"-c", "hooks.PermissionRequest=[]"}, {})->warnings,
                ElementsAre(HasSubstr("a hook may answer")));
}

TEST(CodexCommand, NothingOfCountersignIsInherited) {
    EXPECT_THAT(inherited({"PATH", "CODEX_HOME", "OPENAI_API_KEY", "COUNTERSIGN_STATE", "AWS_SECRET_ACCESS_KEY",
                           "LC_ALL", "ANTHROPIC_API_KEY", "CREDENTIALS_DIRECTORY"}),
                ElementsAre("PATH", "CODEX_HOME", "OPENAI_API_KEY", "LC_ALL"));
}

}  // namespace
}  // namespace countersign::runtimes::codex
