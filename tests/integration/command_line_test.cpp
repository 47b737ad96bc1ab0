// SPDX-License-Identifier: Apache-2.0
// The command line itself: help, misspelt words, and what `run claude` refuses before it starts anything.
#include "tests/integration/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign {
namespace {

using testing::HasSubstr;
using testing_tools::countersign;
using testing_tools::countersign_path;
using testing_tools::run;
using testing_tools::TemporaryDirectory;

TEST(CommandLine, AloneItPrintsItsHelpAndThatIsNoSuccess) {
    const auto alone = countersign({});
    EXPECT_EQ(alone.exit_code, 2);
    EXPECT_THAT(alone.err, HasSubstr("Exit codes"));
    const auto help = countersign({"help"});
    EXPECT_EQ(help.exit_code, 0);
    EXPECT_THAT(help.out, HasSubstr("Exit codes"));
    EXPECT_THAT(countersign({"-V"}).out, HasSubstr("countersign "));
}

TEST(CommandLine, AMisspeltCommandIsGuessed) {
    EXPECT_THAT(countersign({"adit"}).err, HasSubstr("did you mean `audit`?"));
    EXPECT_THAT(countersign({"check", "confg"}).err, HasSubstr("did you mean `config`?"));
    EXPECT_THAT(countersign({"xyzzy"}).err, HasSubstr("There is no command xyzzy; run with --help"));
    EXPECT_EQ(countersign({"adit"}).exit_code, 2);
}

TEST(CommandLine, APlatformThatComesLaterIsSaidToComeLater) {
    const auto ran = countersign({"setup", "slack"});
    EXPECT_EQ(ran.exit_code, 2);
    EXPECT_THAT(ran.err, HasSubstr("setup slack comes with a later release"));
}

TEST(CommandLine, APromptAmongTheArgumentsOfClaudeIsWrongUsageAndSaysWhatToWrite) {
    for (const std::vector<std::string>& arguments :
         std::vector<std::vector<std::string>>{{"--", "-p", "list the files"},
                                               {"--", "--print"},
                                               {"list the files"},
                                               {"--", "--model", "opus", "do it"}}) {
        std::vector<std::string> argv{"run", "claude"};
        argv.insert(argv.end(), arguments.begin(), arguments.end());
        const auto ran = countersign(argv);
        EXPECT_EQ(ran.exit_code, 2) << ran.err;
        EXPECT_THAT(ran.err, HasSubstr("write --prompt"));
    }
    const auto refused = countersign({"run", "claude", "--", "--dangerously-skip-permissions"});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, HasSubstr("without asking"));
}

TEST(CommandLine, AClaudeThatIsNotInstalledIsSaidSo) {
    const auto ran = countersign({"run", "claude", "--binary", "claude-of-nobody", "--prompt", "x"});
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_THAT(ran.err, HasSubstr("claude-of-nobody is not on PATH: install Claude Code or give --binary PATH"));
}

TEST(CommandLine, CheckConfigTakesTheFileThatRunWouldTake) {
    TemporaryDirectory files;
    const auto ran =
        run({.argv = {countersign_path(), "check", "config"}, .environment = {"XDG_CONFIG_HOME=/nowhere"}});
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_THAT(ran.err, HasSubstr("there is no configuration"));
    ASSERT_EQ(run({.argv = {"mkdir", files.path() + "/countersign"}}).exit_code, 0);
    const auto file =
        files.file("countersign/countersign.toml", "[people.me]\nterminal = 1\nroles = [\"approve\"]\n[channels.desk]\n"
                                                   "kind = \"terminal\"\n[[routes]]\nask = [{ channel = \"desk\" }]\n"
                                                   "deciders = [\"me\"]\n");
    const auto found =
        run({.argv = {countersign_path(), "check", "config"}, .environment = {"XDG_CONFIG_HOME=" + files.path()}});
    EXPECT_EQ(found.exit_code, 0) << found.err;
    EXPECT_THAT(found.out, HasSubstr("holds: 1 person, 1 channel, 1 route, 0 policy rules"));
}

TEST(CommandLine, TheDemoEndsAfterOneRoundAndSaysWhyItEndedEarly) {
    EXPECT_EQ(countersign({"demo", "--answer", "deny"}).exit_code, 0);
    const auto ran = countersign({"demo", "--plain"});
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_THAT(ran.err, HasSubstr("the demo ended early: "));
}

}  // namespace
}  // namespace countersign
