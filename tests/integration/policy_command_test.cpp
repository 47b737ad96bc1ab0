// SPDX-License-Identifier: Apache-2.0
// `policy test` as an operator types it, with the shipped policy; and real git in a hostile repository.
#include "core/risk.hpp"
#include "tests/integration/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace countersign {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using testing_tools::countersign;
using testing_tools::TemporaryDirectory;

const std::string starter = std::string{COUNTERSIGN_SOURCE_DIR} + "/deploy/policy-starter.toml";

std::string event(const std::string& tool, const std::string& input) {
    return R"({"type":"approval_request","approvalId":"01HZXAAAAAAAAAAAAAAAAAAAA1","approvalSource":"runtime_tool",)"
           R"("subject":{"kind":"tool_use","toolName":")" +
           tool + R"(","toolId":"t1","rawInput":)" + input +
           R"(,"displayArgs":{}},"options":[{"optionId":"a","label":"Allow","nativeDecision":"allow_once"},)"
           R"({"optionId":"d","label":"Deny","nativeDecision":"reject_once"}]})";
}
testing_tools::Ran tested(const std::string& line, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{"policy", "test", "--config", starter, "--cwd", "/w"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    arguments.emplace_back("-");
    return countersign(arguments, line);
}

TEST(PolicyCommand, TheFirstWordIsTheAnswerThenComeRuleRiskAndRoute) {
    const auto allowed = tested(event("Bash", R"({"command":"ls -l | head"})"));
    EXPECT_EQ(allowed.exit_code, 0) << allowed.err;
    EXPECT_EQ(allowed.out, "allow\n  rule   read-only-commands\n  risk   low: read-only command\n"
                           "  route  everything-else (1 of operator), not asked\n");
    const auto denied = tested(event("Read", R"({"file_path":".env"})"));
    EXPECT_EQ(denied.exit_code, 0) << denied.err;
    EXPECT_THAT(denied.out, StartsWith("deny\n  rule   credentials\n  risk   high: secret path\n"));
    const auto asked = tested(event("Bash", R"({"command":"make"})"));
    EXPECT_EQ(asked.exit_code, 0) << asked.err;
    EXPECT_EQ(asked.out, "ask\n  rule   none matched\n  risk   high: unknown command\n"
                         "  route  everything-else (1 of operator)\n");
}

TEST(PolicyCommand, ADirectoryChosenByTheAgentMakesGitHighRisk) {
    EXPECT_THAT(tested(event("Bash", R"({"command":"git status"})")).out, HasSubstr("medium: may run programs"));
    EXPECT_THAT(tested(event("Bash", R"({"command":"git status","cwd":"/w/sub"})")).out,
                HasSubstr("high: repository chosen by the agent"));
}

TEST(PolicyCommand, JsonIsOneLine) {
    const auto ran = tested(event("Bash", R"({"command":"ls"})"), {"--json"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.out, R"({"deciders":["operator"],"effect":"allow","required":1,"risk":"low",)"
                       R"("riskRule":"read-only command","route":"everything-else","rule":"read-only-commands"})"
                       "\n");
}

TEST(PolicyCommand, ItReadsTheInputOfAClaudeHook) {
    const auto hook = [](const std::string& tool, const std::string& input) {
        return R"({"session_id":"s","cwd":"/w","hook_event_name":"PreToolUse","tool_name":")" + tool +
               R"(","tool_input":)" + input + "}";
    };
    EXPECT_THAT(tested(hook("Bash", R"({"command":"cat .env"})")).out, StartsWith("deny\n"));
    EXPECT_THAT(tested(hook("Read", R"({"file_path":"/w/a"})")).out, StartsWith("allow\n"));
    EXPECT_THAT(tested(hook("Bash", R"({"command":"rm a"})")).out, StartsWith("ask\n"));
    EXPECT_EQ(tested(R"({"hook_event_name":"PreToolUse"})").exit_code, 2);
    const auto elsewhere =
        countersign({"policy", "test", "--config", starter, "-"}, hook("Read", R"({"file_path":"/w/a"})"));
    EXPECT_THAT(elsewhere.out, StartsWith("allow\n")) << "the hook says where it runs";
}

TEST(PolicyCommand, BadInputExitsWithTwoAndPrintsNoAnswer) {
    const TemporaryDirectory files;
    for (const auto* line : {"", "{", "{}", R"({"type":"message","text":"x"})"}) {
        const auto ran = tested(line);
        EXPECT_EQ(ran.exit_code, 2) << line;
        EXPECT_EQ(ran.out, "") << line;
        EXPECT_NE(ran.err, "") << line;
    }
    EXPECT_EQ(countersign({"policy", "test", "--config", starter, files.path() + "/none.json"}).exit_code, 2);
    EXPECT_EQ(countersign({"policy", "test", "--config", files.path() + "/none.toml", "-"}, "{}").exit_code, 2);
    const auto flawed = files.file("flawed.toml", "[[policy]]\neffect = \"allow\"\ntool = \"Read|Grep\"\n");
    const auto ran = countersign({"policy", "test", "--config", flawed, "-"}, event("Bash", R"({"command":"ls"})"));
    EXPECT_EQ(ran.exit_code, 2);
    EXPECT_THAT(ran.err, HasSubstr(R"(write tool = ["Read", "Grep"])"));
    EXPECT_EQ(countersign({"policy"}).exit_code, 2);
    EXPECT_THAT(countersign({"policy", "test", "--help"}).out, HasSubstr("Example:"));
}

// A repository whose configuration names programs that leave a mark.
class HostileRepository : public testing::Test {
protected:
    void SetUp() override {
        const auto trap = files.file("trap", "#!/bin/sh\ntouch " + mark() + "\n");
        std::filesystem::permissions(trap, std::filesystem::perms::owner_all);
        git("git init -q . && git config user.email a@example.org && git config user.name a && echo x > a.txt && "
            "git add a.txt && git commit -qm one && echo '* diff=trap filter=trap' > .git/info/attributes && "
            "mkdir -p hooks && cp " +
            trap +
            " hooks/post-index-change && git config core.hooksPath \"$PWD/hooks\" && "
            "for name in core.fsmonitor diff.external diff.trap.textconv diff.trap.command filter.trap.clean "
            "gpg.program "
            "core.pager core.editor; do git config $name " +
            trap +
            "; done && git config log.showSignature true && "
            "touch -d 2001-01-01 a.txt");
        std::filesystem::remove(mark());
    }
    void git(const std::string& script) {
        const auto ran = testing_tools::run({.argv = {"/bin/sh", "-c", script}, .directory = files.path()});
        EXPECT_EQ(ran.exit_code, 0) << script << "\n" << ran.err;
    }
    bool marks(const std::string& command) {
        std::filesystem::remove(mark());
        (void)testing_tools::run({.argv = {"/bin/sh", "-c", command}, .directory = files.path()});
        return std::filesystem::exists(mark());
    }
    std::string mark() const { return files.path() + "/mark"; }

    TemporaryDirectory files;
};

TEST_F(HostileRepository, RunsItsProgramsOnStatusButNotOnALowRiskCommand) {
    EXPECT_TRUE(marks("git status")) << "else this test proves nothing";
    EXPECT_TRUE(marks("git log -p"));
    // Older versions of git don't have --no-lazy-fetch; this repository has nothing to fetch.
    const auto known = testing_tools::run({.argv = {"/bin/sh", "-c", "git --no-lazy-fetch version"}}).exit_code == 0;
    for (const auto* rest :
         {"rev-parse HEAD", "ls-files", "ls-files -o", "ls-tree -r HEAD", "show-ref", "merge-base HEAD HEAD"}) {
        const auto line = [&](bool lazy) {
            return std::string{"git --no-pager --no-optional-locks "} + (lazy ? "--no-lazy-fetch " : "") +
                   "-c core.fsmonitor=false -c core.hooksPath=/dev/null " + rest;
        };
        CallFacts facts;
        facts.tool_name = "Bash";
        facts.tool_class = ToolClass::execute;
        facts.command = line(true);
        facts.cwd = "/w";
        EXPECT_EQ(assess(facts, {}).level, RiskLevel::low) << rest;
        const auto ran = testing_tools::run({.argv = {"/bin/sh", "-c", line(known)}, .directory = files.path()});
        EXPECT_EQ(ran.exit_code, 0) << rest << "\n" << ran.err;
        EXPECT_FALSE(marks(line(known))) << rest;
    }
}

}  // namespace
}  // namespace countersign
