// SPDX-License-Identifier: Apache-2.0
#include "core/command/pattern.hpp"

#include "core/command/line.hpp"

#include <gtest/gtest.h>

namespace countersign {
namespace {

Fit may_fit(std::string_view pattern, std::string_view line) {
    const auto words = simple_command(line);
    EXPECT_TRUE(words) << line;
    return words ? command_may_fit(pattern, *words) : Fit::no;
}
bool covers(std::string_view pattern, std::string_view line, bool elsewhere = false) {
    const auto words = simple_command(line);
    EXPECT_TRUE(words) << line;
    return words && command_is_covered(pattern, *words, elsewhere);
}

TEST(CommandPattern, EveryWordFitsOneWord) {
    EXPECT_TRUE(command_fits("git status", {"git", "status"}));
    EXPECT_FALSE(command_fits("git status", {"git", "status", "-s"}));
    EXPECT_FALSE(command_fits("git status", {"git"}));
    EXPECT_TRUE(command_fits("cat src/*.cpp", {"cat", "src/a.cpp"}));
    EXPECT_FALSE(command_fits("cat src/*.cpp", {"cat", "src/a.cpp", "src/b.cpp"}));
    EXPECT_FALSE(command_fits("git st?", {"git", "status"}));
}

TEST(CommandPattern, AFinalStarMatchesAnyNumberOfWords) {
    EXPECT_TRUE(command_fits("npm test *", {"npm", "test"}));
    EXPECT_TRUE(command_fits("npm test *", {"npm", "test", "--", "a b"}));
    EXPECT_FALSE(command_fits("npm test *", {"npm", "install"}));
    EXPECT_FALSE(command_fits("git * status", {"git", "-C", "/x", "status"}));
    EXPECT_TRUE(command_fits("*", {"anything", "at", "all"}));
    EXPECT_FALSE(command_fits("", {"ls"}));
}

TEST(CommandPattern, FlagsOfADenyMatchInAnyPositionAndSpelling) {
    for (const auto* line :
         {"git push --force", "git push origin --force", "git push origin main --force-with-lease", "git push -f",
          "git push -uf origin", "git push origin -f", "git push --force=x", "git push origin +main",
          "git -C x push --force", "git -c a=b push -f", "/usr/bin/git push --force"}) {
        EXPECT_EQ(may_fit("git push --force*", line), Fit::yes) << line;
    }
    for (const auto* line : {"git push origin", "git push --no-verify", "git log --force", "git pull"}) {
        EXPECT_EQ(may_fit("git push --force*", line), Fit::no) << line;
    }
}

TEST(CommandPattern, LettersOfADenyMatchApartTogetherAndByTheirLongNames) {
    for (const auto* line : {"rm -rf x", "rm -fr x", "rm -r -f x", "rm x -r -v -f", "rm --recursive --force x",
                             "rm -R --force x", "/bin/rm -rf x"}) {
        EXPECT_EQ(may_fit("rm -rf *", line), Fit::yes) << line;
    }
    EXPECT_EQ(may_fit("rm -rf *", "rm -r x"), Fit::no);
    EXPECT_EQ(may_fit("rm -rf *", "rm x"), Fit::no);
}

TEST(CommandPattern, AnAbbreviatedOptionIsTheOptionOfADeny) {
    for (const auto* line : {"git push origin --forc", "git push --f", "git push --for=x", "git push --force-w"}) {
        EXPECT_EQ(may_fit("git push --force*", line), Fit::yes) << line;
    }
    for (const auto* pattern :
         {"rm -rf *", "rm -rf* *", "rm --recursive* *", "rm --recursive --force *", "rm -fr* *"}) {
        for (const auto* line :
             {"rm --rec --for x", "rm --r --f x", "rm x -f --recurs", "rm -f --r -- x", "rm -vRf x"}) {
            EXPECT_EQ(may_fit(pattern, line), Fit::yes) << pattern << ": " << line;
        }
        EXPECT_EQ(may_fit(pattern, "rm -f x"), Fit::no) << pattern;
        EXPECT_EQ(may_fit(pattern, "rm -- x"), Fit::no) << pattern;
    }
    EXPECT_EQ(may_fit("rm -* *", "rm x"), Fit::no) << "no option at all";
}

TEST(CommandPattern, AnAllowDoesNotMatchAbbreviatedOptions) {
    EXPECT_TRUE(covers("rm --recursive x", "rm --recursive x"));
    EXPECT_FALSE(covers("rm --recursive x", "rm --rec x"));
    EXPECT_FALSE(covers("sort *", "sort --o=x y")) << "the table takes every prefix";
    EXPECT_FALSE(covers("sort *", "sort --comp x y"));
}

TEST(CommandPattern, TheValueOfAnOptionIsGluedOrAWordOfItsOwn) {
    for (const auto* pattern : {"docker run --network=host *", "docker run --network host *"}) {
        for (const auto* line :
             {"docker run --network=host x", "docker run --network host x", "docker run --net=host x",
              "docker run -it --network host x", "docker run -it --network=host x"}) {
            EXPECT_EQ(may_fit(pattern, line), Fit::yes) << pattern << ": " << line;
        }
        EXPECT_NE(may_fit(pattern, "docker run --network=none x"), Fit::yes) << pattern;
    }
    for (const auto* line : {"curl -X POST a.test", "curl -XPOST a.test", "curl -sXPOST a.test",
                             "curl --request POST a.test", "curl --request=POST a.test", "curl --req=POST a.test"}) {
        EXPECT_EQ(may_fit("curl -X POST *", line), Fit::yes) << line;
        EXPECT_EQ(may_fit("curl --request=POST *", line), Fit::yes) << line;
    }
    EXPECT_EQ(may_fit("curl -X POST *", "curl -XGET a.test"), Fit::no);
}

TEST(CommandPattern, ADenySkipsFlagsThatItDoesNotName) {
    EXPECT_EQ(may_fit("terraform destroy", "terraform destroy -auto-approve"), Fit::yes);
    EXPECT_EQ(may_fit("rm build", "rm -rf build"), Fit::yes);
    EXPECT_EQ(may_fit("rm build", "rm -rf other"), Fit::no);
    EXPECT_EQ(may_fit("git push", "git push origin"), Fit::no) << "without a last star no further words";
}

TEST(CommandPattern, AWordThatMayBeTheValueOfAFlagIsLeftToPeople) {
    EXPECT_EQ(may_fit("kubectl delete *", "kubectl -n prod delete pod x"), Fit::maybe);
    EXPECT_EQ(may_fit("kubectl delete *", "kubectl get pods"), Fit::no);
    EXPECT_EQ(may_fit("git push *", "git log --author push"), Fit::no);
}

TEST(CommandPattern, ACommandThatRunsAnotherProgramMayFitADenyOfThatProgram) {
    EXPECT_EQ(may_fit("rm *", "find . -exec rm '{}' +"), Fit::maybe);
    EXPECT_EQ(may_fit("rm *", "tar cf x --to-command=rm y"), Fit::maybe);
    EXPECT_EQ(may_fit("rm *", "tar cf x y"), Fit::no);
}

TEST(CommandPattern, OnlyAPatternThatSpellsOutAProgramThatDoesMoreThanReadCoversIt) {
    EXPECT_TRUE(covers("make test *", "make test all"));
    EXPECT_TRUE(covers("make *", "make all"));
    EXPECT_FALSE(covers("*", "make all"));
    EXPECT_FALSE(covers("m*", "make all"));
    EXPECT_FALSE(covers("", "make all"));
    EXPECT_TRUE(covers("*", "ls -l"));
    EXPECT_TRUE(covers("", "ls -l"));
    EXPECT_TRUE(covers("docker ps *", "docker ps -a"));
    EXPECT_FALSE(covers("docker *", "docker run x"));
}

TEST(CommandPattern, GitIsCoveredBySubcommandAndOnlyInTheDirectoryOfTheAgent) {
    EXPECT_TRUE(covers("git status *", "git status -s"));
    EXPECT_FALSE(covers("git status *", "git status -s", true)) << "the call chose the directory";
    EXPECT_FALSE(covers("git *", "git status"));
    EXPECT_FALSE(covers("git st*", "git status"));
    EXPECT_FALSE(covers("*", "git status"));
    EXPECT_FALSE(covers("git -C x status", "git -C x status"));
    EXPECT_FALSE(covers("git * status", "git --git-dir=x status"));
    EXPECT_TRUE(covers("git --no-pager log *", "git --no-pager log -5"));
}

TEST(CommandPattern, APatternNeverCoversAnOptionThatRunsOrWritesEvenIfItSpellsItOut) {
    EXPECT_FALSE(covers("sort -o x y", "sort -o x y"));
    EXPECT_FALSE(covers("sort *", "sort y -o x"));
    EXPECT_TRUE(covers("sort *", "sort -k2 y"));
}

TEST(CommandPattern, AWordThatDoesMoreThanItsSubcommandSaysIsCoveredOnlyWhereItIsSpelledOut) {
    for (const std::string line : {"git push -f",
                                   "git push --force",
                                   "git push --forc origin",
                                   "git push origin +main",
                                   "git push -uf origin",
                                   "git push --mirror",
                                   "git push origin :main",
                                   "git push origin --delete main",
                                   "git push -d origin main",
                                   "git push --force-with-lease",
                                   "git config core.fsmonitor x",
                                   "git config alias.st x",
                                   "git config --global core.sshCommand x",
                                   "git config --add include.path x",
                                   "git config --get x --unset y",
                                   "git config set core.editor x",
                                   "git branch -D x",
                                   "git branch --delete x",
                                   "git reset --hard",
                                   "git reset --har HEAD",
                                   "git clean -fdx",
                                   "git clean -xf",
                                   "git checkout -- .",
                                   "git checkout .",
                                   "git checkout HEAD a",
                                   "git checkout -f main",
                                   "git checkout -b x -f",
                                   "git switch --discard-changes x",
                                   "git stash drop",
                                   "git stash clear",
                                   "git tag -d v1",
                                   "git worktree remove --force x",
                                   "git update-ref -d refs/heads/x",
                                   "git reflog expire --all",
                                   "git gc --prune=now",
                                   "git filter-branch x",
                                   "git remote set-url origin x",
                                   "git remote -v set-url origin x",
                                   "git remote add x y",
                                   "git submodule update",
                                   "git submodule foreach x",
                                   "git bisect run x",
                                   "git am x",
                                   "git apply x",
                                   "git apply --unsafe-paths x",
                                   "git fetch origin +a",
                                   "npm config set script-shell=x",
                                   "make test LD_PRELOAD=/tmp/x.so",
                                   "make CC=x",
                                   "gmake -j4 test PATH=x",
                                   "just a=b x"}) {
        const auto words = *simple_command(line);
        const auto named = words[0] + " " + (has_subcommands(words[0]) ? words[1] + " " : "");
        for (const auto& pattern : {named + "*", words[0] + " *", std::string{"*"}, std::string{}}) {
            EXPECT_FALSE(covers(pattern, line)) << pattern << ": " << line;
        }
        EXPECT_FALSE(covers(named + std::string(words.size() > 3 ? "?* ?*" : "?*"), line)) << line;
        EXPECT_TRUE(covers(line, line)) << "spelled out: " << line;
    }
    EXPECT_TRUE(covers("git push --force *", "git push --force origin"));
    EXPECT_FALSE(covers("git push --force *", "git push --force --mirror"));
    EXPECT_FALSE(covers("git push --force *", "git push --forc origin")) << "an allow knows no abbreviation";
    EXPECT_TRUE(covers("make test CC=clang *", "make test CC=clang -j4"));
    EXPECT_FALSE(covers("make test CC=*", "make test CC=clang"));
    for (const auto* line :
         {"make SHELL=x", "make .SHELLFLAGS=x", "make MAKEFLAGS=x", "git rebase -x sh", "git rebase --exec=x",
          "git difftool -x sh", "git config --edit", "git -c a.b=c push", "git bisect run --exec=x"}) {
        EXPECT_FALSE(covers(line, line)) << "never: " << line;
    }
}

TEST(CommandPattern, AStarCoversTheOrdinaryUsesOfASubcommand) {
    for (const std::string line : {"git push origin main",
                                   "git push -u origin HEAD:main",
                                   "git config --get user.name",
                                   "git config --list",
                                   "git branch x",
                                   "git branch -a",
                                   "git reset HEAD a",
                                   "git clean -n",
                                   "git checkout -b x main",
                                   "git switch main",
                                   "git stash",
                                   "git stash list",
                                   "git stash pop",
                                   "git tag v1",
                                   "git worktree list",
                                   "git reflog show",
                                   "git gc",
                                   "git remote -v",
                                   "git remote show origin",
                                   "git submodule status",
                                   "git bisect good",
                                   "git commit -am x",
                                   "git fetch origin",
                                   "git add -A",
                                   "npm config get x"}) {
        const auto words = *simple_command(line);
        EXPECT_TRUE(covers(words[0] + " " + words[1] + " *", line)) << line;
    }
    EXPECT_TRUE(covers("make *", "make -j4 test"));
}

TEST(CommandPattern, APatternThatCanNeverFitIsReported) {
    EXPECT_EQ(flaw_of("ls | head", true).word, "|");
    EXPECT_EQ(flaw_of("git add && git commit", false).flaw, PatternFlaw::list);
    EXPECT_EQ(flaw_of("sudo *", false).flaw, PatternFlaw::wrapper);
    EXPECT_EQ(flaw_of("sort -o *", true).flaw, PatternFlaw::option);
    EXPECT_EQ(flaw_of("git -C * status", true).word, "-C");
    EXPECT_EQ(flaw_of("sort -o *", false).flaw, PatternFlaw::none) << "a deny may name it";
    for (const auto* pattern :
         {"git status *", "sed -n *", "git -c core.fsmonitor=false log *", "python3 -m pytest *", "*"}) {
        EXPECT_EQ(flaw_of(pattern, true).flaw, PatternFlaw::none) << pattern;
    }
}

}  // namespace
}  // namespace countersign
