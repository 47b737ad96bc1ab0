// SPDX-License-Identifier: Apache-2.0
#include "core/command/line.hpp"

#include <gtest/gtest.h>

namespace countersign {
namespace {

using Words = std::vector<std::string>;

TEST(CommandLine, ASimpleCommandIsParsedIntoItsWords) {
    EXPECT_EQ(simple_command("git status"), (Words{"git", "status"}));
    EXPECT_EQ(simple_command("  ls\t-la  src/a.cpp "), (Words{"ls", "-la", "src/a.cpp"}));
    EXPECT_EQ(simple_command("echo 'a b; c' \"d \\\"e\\\"\" f\\ g"), (Words{"echo", "a b; c", "d \"e\"", "f g"}));
    EXPECT_EQ(simple_command("grep '$HOME' \"a\\q\" ''"), (Words{"grep", "$HOME", "a\\q", ""}));
    EXPECT_EQ(simple_command("cat ~/notes ~"), (Words{"cat", "~/notes", "~"}));
    EXPECT_EQ(simple_command("echo a#b"), std::nullopt);  // not a comment, but rejected to be safe
}

TEST(CommandLine, CommandsJoinedByAndOrAPipeAreAList) {
    const std::vector<Words> two{{"git", "status"}, {"ls", "-l"}};
    EXPECT_EQ(command_list("git status && ls -l"), two);
    EXPECT_EQ(command_list("git status|ls -l"), two);
    EXPECT_EQ(command_list("git status&&ls -l"), two);
    EXPECT_EQ(command_list("echo 'a && b | c'"), (std::vector<Words>{{"echo", "a && b | c"}}));
    EXPECT_EQ(simple_command("git status && ls -l"), std::nullopt) << "it is two";
}

TEST(CommandLine, ARedirectionThatTouchesNoFileIsLeftOut) {
    for (const auto* line :
         {"ls -l 2>&1", "ls -l 2>/dev/null", "ls -l >/dev/null", "ls -l > /dev/null 2>&1", "2>&1 ls -l",
          "ls 2>> /dev/null -l", "ls -l </dev/null", "ls -l >&2", "ls -l 1>&2", "ls -l 1>/dev/null 2>\t/dev/null"}) {
        EXPECT_EQ(simple_command(line), (Words{"ls", "-l"})) << line;
    }
    const std::vector<Words> two{{"ls"}, {"wc", "-l"}};
    for (const auto* line : {"ls 2>&1 | wc -l", "ls 2>&1|wc -l", "ls 2>/dev/null && wc -l", "ls 2>/dev/null|wc -l"}) {
        EXPECT_EQ(command_list(line), two) << line;
    }
}

TEST(CommandLine, ACommentIsLeftOut) {
    for (const auto* line : {"ls -l # x", "ls -l #", "ls -l # what's in it, rm -rf *?", "ls -l\t#x"}) {
        EXPECT_EQ(simple_command(line), (Words{"ls", "-l"})) << line;
    }
}

TEST(CommandLine, ABracketByItselfIsTest) {
    EXPECT_EQ(simple_command("[ -f a ]"), (Words{"[", "-f", "a", "]"}));
    EXPECT_EQ(command_list("[ -f a ] && ls"), (std::vector<Words>{{"[", "-f", "a", "]"}, {"ls"}}));
}

TEST(CommandLine, AnUnquotedPatternIsAcceptedWhereFindExpectsOneName) {
    EXPECT_EQ(simple_command("find . -name *.c"), (Words{"find", ".", "-name", "*.c"}));
    EXPECT_EQ(simple_command("find . -iname a?.c -type f"), (Words{"find", ".", "-iname", "a?.c", "-type", "f"}));
    for (const auto* line : {"find . -name *", "find . -name -d*", "find . -name [.-]delete", "find *.c -name a",
                             "find . -newer *.c", "ls -name *.c", "find . -name {*.c,-delete}"}) {
        EXPECT_EQ(simple_command(line), std::nullopt) << line;
    }
}

TEST(CommandLine, WildcardsAreKeptWhereTheCallerWantsThem) {
    EXPECT_EQ(command_list("wc -l src/*.c | sort -n", Wildcards::kept),
              (std::vector<Words>{{"wc", "-l", "src/*.c"}, {"sort", "-n"}}));
    for (const auto* line : {"l* x", "ls *.c; id", "ls {a,b}", "ls $x*", "ls *(x)", "ls [!a]", "ls ~a*", "*=1 ls"}) {
        EXPECT_EQ(command_list(line, Wildcards::kept), std::nullopt) << line;
    }
}

class NoList : public testing::TestWithParam<const char*> {};
TEST_P(NoList, IsNotParsed) { EXPECT_EQ(command_list(GetParam()), std::nullopt); }
INSTANTIATE_TEST_SUITE_P(Operators, NoList,
                         testing::Values("ls; id", "ls || id", "ls |& id", "ls & id", "ls &&& id", "ls &&", "&& ls",
                                         "ls | | id", "| ls", "ls |", "ls && $(id)", "ls > x && id", "ls && id\nid",
                                         "ls && (id)", "ls && sudo id", "ls | sh", "A=1 ls && id", "ls && A=1"));
INSTANTIATE_TEST_SUITE_P(ShellBuiltins, NoList,
                         testing::Values("cd sub && git status", "export PATH=/tmp && ls", "hash -p /tmp/x ls && ls",
                                         "read x && ls", "ls && pushd x", "unset PATH && ls"));

TEST(CommandLine, I13_TheNumberOfPartsInAListIsBounded) {
    std::string line = "true";
    for (std::size_t i = 1; i < command_parts_max; ++i) line += " && true";
    EXPECT_TRUE(command_list(line));
    EXPECT_FALSE(command_list(line + " && true"));
}

TEST(CommandLine, I13_TheBytesOfTheTextsInItsWordsAreBounded) {
    const std::string word = "x" + std::string(511, '=');  // 511 texts of at most 512 bytes
    std::string line = "cat";
    for (std::size_t bytes = word.size() * 511; bytes <= command_texts_bytes_max; bytes += word.size() * 511) {
        line += " " + word;
    }
    EXPECT_TRUE(command_list(line));
    EXPECT_FALSE(command_list(line + " " + word));
    EXPECT_FALSE(command_list("cat -" + std::string(file_name_bytes_max, 'a') + std::string(3000, '/')));
    EXPECT_TRUE(command_list("git commit -m '" + std::string(8000, 'a') + ": b, c'"));
}

TEST(CommandLine, I13_TheBytesAndWordsOfALineAreBounded) {
    const auto longest = "echo " + std::string(command_line_bytes_max - 5, 'x');
    EXPECT_TRUE(command_list(longest));
    EXPECT_FALSE(command_list(longest + "x"));
    std::string line = "echo";
    for (std::size_t i = 1; i < command_words_max; ++i) line += " x";
    EXPECT_TRUE(command_list(line));
    EXPECT_FALSE(command_list(line + " x"));
}

TEST(CommandLine, AnAssignmentBeforeACommandIsNotRead) {
    for (const auto* line : {"GIT_SSH_COMMAND=x git fetch", "PAGER=x git log", "LD_PRELOAD=./x.so ls",
                             "LESSOPEN='|x' less a", "BASH_ENV=x ls"}) {
        EXPECT_EQ(command_list(line), std::nullopt) << line;
    }
}

class NotSimple : public testing::TestWithParam<const char*> {};
TEST_P(NotSimple, IsNotParsedAsOneCommand) { EXPECT_EQ(simple_command(GetParam()), std::nullopt); }
INSTANTIATE_TEST_SUITE_P(Operators, NotSimple,
                         testing::Values("ls; rm x", "ls && rm x", "ls || rm x", "ls | sh", "ls & rm x", "ls > x",
                                         "ls < x", "ls >> x", "(ls)", "{ ls; }", "! ls", "ls\nrm x", "ls\rrm x"));
INSTANTIATE_TEST_SUITE_P(Redirections, NotSimple,
                         testing::Values("ls >x", "ls 2>x", "ls &>x", "ls >&x", "ls >&2x", "ls 2>&1x", "ls 2>&3",
                                         "ls 3>&1", "ls 12>&1", "ls 12>/dev/null", "ls 2>&-", "ls >/dev/nullx",
                                         "ls >/dev/null/x", "ls >/dev/tcp/a/1", "ls > /dev/null; id",
                                         "ls >/dev/null & id", "ls >", "ls 2>", "ls >|/dev/null", "ls <x", "ls <<x",
                                         "ls <<<x", "ls <(id)", "ls > >(id)", "ls >&/dev/null", "ls &>/dev/null",
                                         "ls &>/dev/null rm", "ls '2'>&1", "ls a2>&1", "ls 2>$x", "ls >~/x", "2>&1",
                                         ">/dev/null"));
INSTANTIATE_TEST_SUITE_P(Comments, NotSimple,
                         testing::Values("ls # x\nrm x", "ls # $(id)", "ls # ; rm x", "ls # a | sh", "ls # a & b",
                                         "ls # `id`", "ls # (x)", "ls # > x", "# ls", "ls a#b", "ls # !x"));
INSTANTIATE_TEST_SUITE_P(Brackets, NotSimple, testing::Values("ls [a]", "[-f a ]", "[[ -f a ]]", "[a ls"));
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
