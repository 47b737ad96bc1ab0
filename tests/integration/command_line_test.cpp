// SPDX-License-Identifier: Apache-2.0
// The command line itself: help, misspelt words, and what `run claude` refuses before it starts anything.
#include "tests/integration/help_pages.hpp"
#include "tests/integration/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace countersign {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using testing_tools::countersign;
using testing_tools::countersign_path;
using testing_tools::help_pages;
using testing_tools::run;
using testing_tools::TemporaryDirectory;

TEST(CommandLine, WithoutArgumentsItPrintsItsHelpAndFails) {
    const auto alone = countersign({});
    EXPECT_EQ(alone.exit_code, 2);
    EXPECT_THAT(alone.err, HasSubstr("Exit codes"));
    const auto help = countersign({"help"});
    EXPECT_EQ(help.exit_code, 0);
    EXPECT_THAT(help.out, HasSubstr("Exit codes: 0 success, 1 check failed or error"));
    EXPECT_THAT(help.out, HasSubstr("141 stdout was"));
    for (const auto* word : {"-V", "-v", "--version", "version"}) {
        const auto version = countersign({word});
        EXPECT_EQ(version.exit_code, 0) << word;
        EXPECT_THAT(version.out, StartsWith("countersign ")) << word;
    }
}

TEST(CommandLine, EveryPageOfHelpFitsATerminalOf80Columns) {
    const auto pages = help_pages();
    for (const auto& page : pages) {
        std::istringstream lines{page.text};
        for (std::string line; std::getline(lines, line);) {
            const auto columns = std::ranges::count_if(line, [](char c) { return (c & 0xC0) != 0x80; });
            EXPECT_LE(columns, 80) << line;
            EXPECT_FALSE(line.ends_with(' ')) << line;
        }
    }
    EXPECT_GT(pages.size(), 30U) << "some were not found";
}

TEST(CommandLine, TheFooterOfTheProgramIsOnItsOwnPageOnly) {
    for (const auto& page : help_pages()) {
        EXPECT_EQ(page.text.find("Try it: countersign demo") != std::string::npos, page.words.empty()) << page.path();
    }
}

TEST(CommandLine, TheHelpOfCommandsForNewUsersHasAnExample) {
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{{"serve"},
                                                                                       {"reload"},
                                                                                       {"run"},
                                                                                       {"run", "acp"},
                                                                                       {"run", "claude"},
                                                                                       {"run", "codex"},
                                                                                       {"run", "event"},
                                                                                       {"run", "gemini"},
                                                                                       {"run", "opencode"},
                                                                                       {"setup"},
                                                                                       {"setup", "telegram"},
                                                                                       {"check", "config"},
                                                                                       {"check", "event"}}) {
        auto argv = words;
        argv.emplace_back("--help");
        EXPECT_THAT(countersign(argv).out, HasSubstr("Example")) << testing::PrintToString(words);
    }
}

TEST(CommandLine, TheHelpCommandPrintsTheSameAsTheHelpOption) {
    EXPECT_EQ(countersign({"help"}).out, countersign({"--help"}).out);
    EXPECT_EQ(countersign({"help", "audit"}).out, countersign({"audit", "--help"}).out);
    EXPECT_EQ(countersign({"help", "audit", "list"}).out, countersign({"audit", "list", "--help"}).out);
    const auto unknown = countersign({"help", "adit"});
    EXPECT_EQ(unknown.exit_code, 2);
    EXPECT_THAT(unknown.err, StartsWith("there is no command adit"));
    EXPECT_THAT(countersign({"demo", "--help"}).out, AllOf(HasSubstr("--once "), HasSubstr("--answer allow|deny")));
}

TEST(CommandLine, WrongUsageIsReportedWithoutInternalTerms) {
    for (const std::vector<std::string>& argv :
         std::vector<std::vector<std::string>>{{"audit", "list", "--since", "tuesday"},
                                               {"audit", "list", "--outcome", "maybe"},
                                               {"audit", "export"},
                                               {"demo", "--once", "--loop"}}) {
        const auto ran = countersign(argv);
        EXPECT_EQ(ran.exit_code, 2) << ran.err;
        EXPECT_THAT(ran.err, Not(HasSubstr("bad_config")));
    }
    const auto no_key = countersign({"audit", "verify", "--state", "/nowhere", "--vkey", ""});
    EXPECT_THAT(no_key.err, Not(HasSubstr("bad_config")));
}

TEST(CommandLine, AMisspeltCommandIsGuessed) {
    EXPECT_THAT(countersign({"adit"}).err, HasSubstr("did you mean `audit`?"));
    EXPECT_THAT(countersign({"check", "confg"}).err, HasSubstr("did you mean `config`?"));
    EXPECT_THAT(countersign({"xyzzy"}).err, HasSubstr("There is no command xyzzy; run with --help"));
    EXPECT_EQ(countersign({"adit"}).exit_code, 2);
}

TEST(CommandLine, AMisspeltOptionIsGuessed) {
    const auto ran = countersign({"audit", "list", "--sinc", "1d"});
    EXPECT_EQ(ran.exit_code, 2);
    EXPECT_EQ(ran.err, "countersign audit list has no option --sinc; did you mean `--since`?\n");
    EXPECT_THAT(countersign({"check", "config", "--stat=x"}).err, HasSubstr("has no option --stat"));
    EXPECT_THAT(countersign({"audit", "tail", "--jsno"}).err, HasSubstr("did you mean `--json`?"));
    EXPECT_THAT(countersign({"audit", "tail", "--xyzzy"}).err, HasSubstr("has no option --xyzzy; run with --help"));
    EXPECT_THAT(countersign({"--verison"}).err, HasSubstr("countersign has no option --verison; did you mean"));
}

TEST(CommandLine, AnOptionOfTheAgentIsHintedToGoAfterTwoDashes) {
    const auto ran = countersign({"run", "claude", "--model", "opus"});
    EXPECT_EQ(ran.exit_code, 2);
    EXPECT_THAT(ran.err, HasSubstr("countersign run claude has no option --model"));
    EXPECT_THAT(ran.err, HasSubstr("Options of the agent go after --: countersign run claude … -- --model …\n"));
}

TEST(CommandLine, AMisspeltOptionIsNotMistakenForOneOfTheAgent) {
    const auto ran = countersign({"run", "event", "--agnet", "x", "--", "true"});
    EXPECT_EQ(ran.exit_code, 2);
    EXPECT_EQ(ran.err, "countersign run event has no option --agnet; did you mean `--agent`?\n");
}

TEST(CommandLine, WithoutAHubStatusPendingAndGrantsSaySo) {
    const TemporaryDirectory files;
    for (const auto* command : {"status", "pending", "grants"}) {
        for (const bool json : {false, true}) {
            std::vector<std::string> argv{command, "--state", files.path()};
            if (json) argv.emplace_back("--json");
            const auto ran = countersign(argv);
            EXPECT_EQ(ran.exit_code, 1) << command;
            EXPECT_EQ(ran.out, "") << command;
            EXPECT_THAT(ran.err, HasSubstr("no hub runs on " + files.path())) << command;
            EXPECT_THAT(ran.err, HasSubstr("countersign serve --state")) << command;
        }
    }
}

TEST(CommandLine, APlatformThatComesLaterIsSaidToComeLater) {
    const auto ran = countersign({"setup", "whatsapp"});
    EXPECT_EQ(ran.exit_code, 2);
    EXPECT_THAT(ran.err, HasSubstr("setup whatsapp comes with a later release"));
}

TEST(CommandLine, APromptAmongTheArgumentsOfClaudeIsWrongUsageWithAHint) {
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

TEST(CommandLine, AMissingClaudeIsReported) {
    const auto ran = countersign({"run", "claude", "--binary", "claude-of-nobody", "--prompt", "x"});
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_THAT(ran.err, HasSubstr("claude-of-nobody is not on PATH: install Claude Code or give --binary PATH"));
}

TEST(CommandLine, AMissingCodexAndAnArgumentThatEndsTheAskingAreReported) {
    const auto missing = countersign({"run", "codex", "--binary", "codex-of-nobody", "--prompt", "x"});
    EXPECT_EQ(missing.exit_code, 1);
    EXPECT_THAT(missing.err, HasSubstr("codex-of-nobody is not on PATH: install Codex or give --binary PATH"));
    for (const std::vector<std::string>& arguments :
         std::vector<std::vector<std::string>>{{"--", "-c", "approval_policy=never"},
                                               {"--approval-policy", "never"},
                                               {"--", "--listen", "unix:///tmp/x"}}) {
        std::vector<std::string> argv{"run", "codex"};
        argv.insert(argv.end(), arguments.begin(), arguments.end());
        EXPECT_EQ(countersign(argv).exit_code, 2) << testing::PrintToString(arguments);
    }
}

TEST(CommandLine, AMissingAcpAgentAndAnArgumentThatEndsTheAskingAreReported) {
    const auto missing = countersign({"run", "acp", "--prompt", "x", "--", "agent-of-nobody", "--acp"});
    EXPECT_EQ(missing.exit_code, 1);
    EXPECT_THAT(missing.err, HasSubstr("agent-of-nobody is not on PATH: install the agent"));
    const auto known = countersign({"run", "gemini", "--binary", "gemini-of-nobody", "--prompt", "x"});
    EXPECT_THAT(known.err, HasSubstr("gemini-of-nobody is not on PATH: install the agent or give --binary PATH"));
    EXPECT_EQ(countersign({"run", "gemini", "--", "--yolo"}).exit_code, 2);
    EXPECT_EQ(countersign({"run", "acp", "--", "agent", "--dangerously-skip-permissions"}).exit_code, 2);
}

TEST(CommandLine, CheckConfigUsesTheFileThatRunWouldUse) {
    TemporaryDirectory files;
    const auto ran =
        run({.argv = {countersign_path(), "check", "config"}, .environment = {"XDG_CONFIG_HOME=/nowhere"}});
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_THAT(ran.err, HasSubstr("there is no configuration"));
    EXPECT_THAT(ran.err, HasSubstr("countersign setup telegram")) << "it writes one";
    EXPECT_THAT(ran.err, HasSubstr("countersign demo")) << "it needs none";
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

TEST(CommandLine, ARunWithAnInvalidConfigurationNamesTheFileAndTheProblem) {
    TemporaryDirectory files;
    const auto config = files.file("c.toml", "[people.alice]\nterminal = \"me\"\n");
    const auto ran =
        countersign({"run", "event", "--state", files.path() + "/state", "--config", config, "--", "true"});
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_THAT(ran.err, HasSubstr("people.alice.terminal"));
    EXPECT_THAT(ran.err, HasSubstr(config + ": invalid configuration\n"));
}

TEST(CommandLine, TheDemoEndsAfterOneRoundAndSaysWhyItEndedEarly) {
    EXPECT_EQ(countersign({"demo", "--answer", "deny"}).exit_code, 0);
    const auto ran = countersign({"demo", "--plain"});
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_THAT(ran.err, HasSubstr("the demo ended early: "));
}

}  // namespace
}  // namespace countersign
