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
                                         "time ls", "busybox rm x", "find . -exec rm '{}' +", "'sudo' ls", "su\\do ls",
                                         "if true", "while true"));
INSTANTIATE_TEST_SUITE_P(Unreadable, NotSimple,
                         testing::Values("", "   ", "echo 'a", "echo \"a", "echo a\\", "A=1 ls", "PATH=x", "''",
                                         "'' ls", "l\xC3\xA9 x", "echo \x01", "echo 'a\nb'", "\"ls x\" y", "/bin/"));

TEST(CommandPattern, EveryWordFitsOneWord) {
    EXPECT_TRUE(command_fits("git status", {"git", "status"}));
    EXPECT_FALSE(command_fits("git status", {"git", "status", "-s"}));
    EXPECT_FALSE(command_fits("git status", {"git"}));
    EXPECT_TRUE(command_fits("cat src/*.cpp", {"cat", "src/a.cpp"}));
    EXPECT_FALSE(command_fits("cat src/*.cpp", {"cat", "src/a.cpp", "src/b.cpp"}));
    EXPECT_FALSE(command_fits("git st?", {"git", "status"}));
}

TEST(CommandPattern, ALastStarStandsForAnyNumberOfWords) {
    EXPECT_TRUE(command_fits("npm test *", {"npm", "test"}));
    EXPECT_TRUE(command_fits("npm test *", {"npm", "test", "--", "a b"}));
    EXPECT_FALSE(command_fits("npm test *", {"npm", "install"}));
    EXPECT_FALSE(command_fits("git * status", {"git", "-C", "/x", "status"}));
    EXPECT_TRUE(command_fits("*", {"anything", "at", "all"}));
    EXPECT_FALSE(command_fits("", {"ls"}));
}

}  // namespace
}  // namespace countersign
