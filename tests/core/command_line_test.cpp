// SPDX-License-Identifier: Apache-2.0
#include "core/command_line.hpp"

#include <gtest/gtest.h>

namespace countersign {
namespace {

using Words = std::vector<std::string>;

TEST(CommandLine, AFullyReadSimpleCommandIsItsWords) {
    EXPECT_EQ(simple_command("git status"), (Words{"git", "status"}));
    EXPECT_EQ(simple_command("  ls\t-la  src/a.cpp "), (Words{"ls", "-la", "src/a.cpp"}));
    EXPECT_EQ(simple_command("echo 'a b; c' \"d \\\"e\\\"\" f\\ g"), (Words{"echo", "a b; c", "d \"e\"", "f g"}));
    EXPECT_EQ(simple_command("grep '$HOME' \"a\\q\" ''"), (Words{"grep", "$HOME", "a\\q", ""}));
    EXPECT_EQ(simple_command("cat ~/notes ~"), (Words{"cat", "~/notes", "~"}));
    EXPECT_EQ(simple_command("echo a#b"), std::nullopt);  // not a comment, and not worth the doubt
}

TEST(CommandLine, CommandsJoinedByAndOrAPipeAreAList) {
    const std::vector<Words> two{{"git", "status"}, {"ls", "-l"}};
    EXPECT_EQ(command_list("git status && ls -l"), two);
    EXPECT_EQ(command_list("git status|ls -l"), two);
    EXPECT_EQ(command_list("git status&&ls -l"), two);
    EXPECT_EQ(command_list("echo 'a && b | c'"), (std::vector<Words>{{"echo", "a && b | c"}}));
    EXPECT_EQ(simple_command("git status && ls -l"), std::nullopt) << "it is two";
}

class NoList : public testing::TestWithParam<const char*> {};
TEST_P(NoList, WhatIsNotAListOfSimpleCommandsIsNotRead) { EXPECT_EQ(command_list(GetParam()), std::nullopt); }
INSTANTIATE_TEST_SUITE_P(Operators, NoList,
                         testing::Values("ls; id", "ls || id", "ls |& id", "ls & id", "ls &&& id", "ls &&", "&& ls",
                                         "ls | | id", "| ls", "ls |", "ls && $(id)", "ls > x && id", "ls && id\nid",
                                         "ls && (id)", "ls && sudo id", "ls | sh", "A=1 ls && id", "ls && A=1"));
INSTANTIATE_TEST_SUITE_P(ShellBuiltins, NoList,
                         testing::Values("cd sub && git status", "export PATH=/tmp && ls", "hash -p /tmp/x ls && ls",
                                         "read x && ls", "ls && pushd x", "unset PATH && ls"));

TEST(CommandLine, I13_AListHasAtMostSoManyParts) {
    std::string line = "true";
    for (std::size_t i = 1; i < command_parts_max; ++i) line += " && true";
    EXPECT_TRUE(command_list(line));
    EXPECT_FALSE(command_list(line + " && true"));
}

TEST(CommandLine, AnAssignmentBeforeACommandIsNotRead) {
    for (const auto* line : {"GIT_SSH_COMMAND=x git fetch", "PAGER=x git log", "LD_PRELOAD=./x.so ls",
                             "LESSOPEN='|x' less a", "BASH_ENV=x ls"}) {
        EXPECT_EQ(command_list(line), std::nullopt) << line;
    }
}

class NotSimple : public testing::TestWithParam<const char*> {};
TEST_P(NotSimple, WhatCouldRunSomethingElseIsNoSimpleCommand) { EXPECT_EQ(simple_command(GetParam()), std::nullopt); }
INSTANTIATE_TEST_SUITE_P(Operators, NotSimple,
                         testing::Values("ls; rm x", "ls && rm x", "ls || rm x", "ls | sh", "ls & rm x", "ls > x",
                                         "ls < x", "ls >> x", "(ls)", "{ ls; }", "! ls", "ls 2>&1", "ls\nrm x",
                                         "ls\rrm x", "ls # x"));
INSTANTIATE_TEST_SUITE_P(Expansions, NotSimple,
                         testing::Values("ls $HOME", "ls \"$HOME\"", "ls $(id)", "ls `id`", "ls \"`id`\"", "ls *.cpp",
                                         "ls a?", "ls [ab]", "ls {a,b}", "l* x", "ls ~bob", "ls ~+", "echo $'a'",
                                         "echo \"!x\"", "echo !x"));
INSTANTIATE_TEST_SUITE_P(Wrappers, NotSimple,
                         testing::Values("env ls", "sudo ls", "sh -c ls", "/bin/bash -lc 'ls'", "xargs rm", "nohup ls",
                                         "timeout 5 ls", "eval ls", ". ./x", "source x", "exec ls", "command ls",
                                         "time ls", "busybox rm x", "/lib64/ld-linux-x86-64.so.2 /bin/ls", "'sudo' ls",
                                         "su\\do ls", "if true", "while true"));
INSTANTIATE_TEST_SUITE_P(Unreadable, NotSimple,
                         testing::Values("", "   ", "echo 'a", "echo \"a", "echo a\\", "A=1 ls", "PATH=x", "''",
                                         "'' ls", "l\xC3\xA9 x", "echo \x01", "echo 'a\nb'", "\"ls x\" y", "/bin/"));

}  // namespace
}  // namespace countersign
