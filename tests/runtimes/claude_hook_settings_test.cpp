// SPDX-License-Identifier: Apache-2.0
#include "core/json/members.hpp"
#include "core/json/read.hpp"
#include "runtimes/claude/hook_settings.hpp"

#include <gmock/gmock.h>

namespace countersign::runtimes::claude {
namespace {

using testing::HasSubstr;
using testing::Not;

const HookInstallation plain{.command = "countersign hook claude"};

std::string with(const std::string& text, const HookInstallation& wanted = plain) {
    const auto edited = with_hook(text, wanted);
    return edited ? *edited : describe(edited.error());
}
std::string without(const std::string& text, const std::string& before = {}) {
    const auto edited = without_hook(text, before);
    return edited ? *edited : describe(edited.error());
}

const std::string settings_of_a_person = R"json({
    "model": "opus",
    "permissions": { "allow": ["Bash(ls:*)"], "defaultMode": "acceptEdits" },
    "hooks": {
        "Stop": [
            { "hooks": [ { "type": "command", "command": "say done" } ] }
        ],
        "PreToolUse": []
    },
    "statusLine": {"type":"command",   "command":"~/line.sh"}
}
)json";

TEST(ClaudeHookSettings, ANewFileHasTheHookForEachEvent) {
    EXPECT_THAT(with(""), testing::StartsWith(R"({
  "hooks": {
    "PermissionRequest": [
      {
        "matcher": "",
        "hooks": [
          {
            "type": "command",
            "command": "countersign hook claude",
            "timeout": 86400
          }
        ]
      }
    ],
    "PostToolUse": [
      {
        "hooks": [
)"));
    for (const auto* event : {"PostToolUseFailure", "PostToolBatch", "Stop", "SubagentStop", "SessionEnd"}) {
        EXPECT_THAT(with(""), HasSubstr("\"" + std::string{event} + "\": [\n"));
    }
    EXPECT_TRUE(json::read(with("")));
    EXPECT_THAT(with(""), Not(HasSubstr("onFailure")));
    EXPECT_THAT(with(""), Not(HasSubstr("permissions")));
}

TEST(ClaudeHookSettings, EverythingElseKeepsItsBytes) {
    const auto text = with(settings_of_a_person);
    EXPECT_THAT(text, HasSubstr("    \"model\": \"opus\",\n    \"permissions\": { \"allow\": [\"Bash(ls:*)\"], "
                                "\"defaultMode\": \"acceptEdits\" },\n"));
    EXPECT_THAT(text, HasSubstr(R"("statusLine": {"type":"command",   "command":"~/line.sh"})"));
    EXPECT_THAT(text, HasSubstr(R"({ "hooks": [ { "type": "command", "command": "say done" } ] },
            {
                "hooks": [
)"));
    EXPECT_TRUE(json::read(text)) << text;
}

TEST(ClaudeHookSettings, RemovingItGivesTheFileBackByteForByte) {
    for (const auto& before : {settings_of_a_person, std::string{"{}\n"}, std::string{"{}"},
                               std::string{R"({"model":"opus"})"}, std::string{"{\r\n\t\"model\": \"opus\"\r\n}\r\n"},
                               std::string{R"({"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x"}]}]}})"}}) {
        for (const bool more : {false, true}) {
            const HookInstallation wanted{.command = more ? "countersign hook claude --default-mode --ask-everything"
                                                          : "countersign hook claude",
                                          .default_mode = more,
                                          .ask_everything = more};
            const auto installed = with(before, wanted);
            EXPECT_TRUE(json::read(installed)) << installed;
            EXPECT_NE(installed, before);
            EXPECT_EQ(without(installed, before), before) << installed;
        }
    }
}

TEST(ClaudeHookSettings, ASecondInstallationChangesNothing) {
    for (const auto& before : {settings_of_a_person, std::string{"{}"}}) {
        EXPECT_EQ(with(with(before)), with(before));
        const HookInstallation more{
            .command = "countersign hook claude --default-mode", .unattended = true, .default_mode = true};
        EXPECT_EQ(with(with(before, more), more), with(before, more));
    }
}

TEST(ClaudeHookSettings, OtherOptionsReplaceTheHookAndTheirSettings) {
    const HookInstallation first{.command = "countersign hook claude --ask-everything", .ask_everything = true};
    const HookInstallation second{.command = "/opt/countersign hook claude --agent dev"};
    const auto text = with(with(settings_of_a_person, first), second);
    EXPECT_EQ(text, with(settings_of_a_person, second));
    EXPECT_THAT(text, Not(HasSubstr("\"*\"")));
}

TEST(ClaudeHookSettings, AHookThatSharesItsGroupIsRemovedAlone) {
    const auto text = without(R"({"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x"},)"
                              R"({"type":"command","command":"countersign hook claude"}]}]}})");
    EXPECT_EQ(text, R"({"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x"}]}]}})");
}

TEST(ClaudeHookSettings, UnattendedAFailingHookDenies) {
    const auto text = with("{}", {.command = "countersign hook claude --unattended", .unattended = true});
    EXPECT_THAT(text, HasSubstr(R"("timeout": 86400,
            "onFailure": "block")"));
    EXPECT_EQ(text.find("onFailure"), text.rfind("onFailure")) << "only where the CLI waits for a decision";
}

TEST(ClaudeHookSettings, AnEarlierModeIsPutBack) {
    const HookInstallation wanted{.command = "countersign hook claude --default-mode", .default_mode = true};
    const auto installed = with(settings_of_a_person, wanted);
    EXPECT_THAT(installed, HasSubstr(R"("defaultMode": "default")"));
    EXPECT_THAT(without(installed, settings_of_a_person), HasSubstr(R"("defaultMode": "acceptEdits")"));
    EXPECT_THAT(without(installed), Not(HasSubstr("defaultMode")));
}

TEST(ClaudeHookSettings, AnAskRuleOfTheUsersOwnStays) {
    const std::string before = R"({"permissions":{"ask":["*","Bash"]}})";
    const auto installed =
        with(before, {.command = "countersign hook claude --ask-everything", .ask_everything = true});
    EXPECT_EQ(without(installed, before), before);
}

TEST(ClaudeHookSettings, AFileThatWeDontUnderstandIsRefused) {
    for (const auto* text : {"{", "[]", "{\"hooks\":[]}", R"({"hooks":{"Stop":{}}})", R"({"permissions":3})",
                             R"({"permissions":{"ask":"*"}})", R"({"a":1,"a":2})", "{} // mine"}) {
        EXPECT_FALSE(with_hook(text, plain)) << text;
        EXPECT_FALSE(without_hook(text, {})) << text;
    }
}

TEST(ClaudeHookSettings, OnlyOurCommandIsOurs) {
    for (const auto* ours : {"countersign hook claude", "/usr/bin/countersign hook claude --agent x",
                             "'/opt/my tools/countersign' hook claude", "\"/a b/countersign\" hook claude"}) {
        EXPECT_TRUE(is_our_hook(ours)) << ours;
    }
    for (const auto* other : {"", "countersign", "notcountersign hook claude", "countersign-test hook claude",
                              "hook claude", "say countersign hooks claude"}) {
        EXPECT_FALSE(is_our_hook(other)) << other;
    }
}

}  // namespace
}  // namespace countersign::runtimes::claude
