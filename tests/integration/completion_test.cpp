// SPDX-License-Identifier: Apache-2.0
// `countersign completion` in real shells. bash must be there; zsh and fish are tested where they are installed.
#include "tests/integration/help_pages.hpp"
#include "tests/integration/process.hpp"
#include "tests/integration/terminal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace countersign {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing_tools::countersign;
using testing_tools::help_pages;
using testing_tools::OnTerminal;
using testing_tools::run;
using testing_tools::TemporaryDirectory;

std::vector<std::string> words_of(const std::string& line) {
    std::istringstream in{line};
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    return words;
}

bool is_installed(const std::string& program) {
    return run({.argv = {"sh", "-c", "command -v " + program}}).exit_code == 0;
}

class Completion : public testing::Test {
protected:
    std::string script(const std::string& shell) {
        const auto printed = countersign({"completion", shell});
        EXPECT_EQ(printed.exit_code, 0) << printed.err;
        return directory.file("countersign." + shell, printed.out);
    }
    // What bash would offer for each of these lines, of which the last word is being typed.
    std::vector<std::vector<std::string>> offered(const std::vector<std::string>& lines) {
        std::string asking = "source " + script("bash") + "\n";
        asking += "ask() { COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _countersign; echo \"${COMPREPLY[*]}\"; }\n";
        for (const auto& line : lines) asking += "ask " + line + "\n";
        const auto answered = run({.argv = {"bash", "-u", directory.file("ask", asking)}});
        std::istringstream out{answered.out};
        std::vector<std::vector<std::string>> all;
        for (std::string line; std::getline(out, line);) all.push_back(words_of(line));
        EXPECT_EQ(all.size(), lines.size()) << answered.err;
        return all;
    }
    TemporaryDirectory directory;
};

TEST_F(Completion, EveryCommandAndOptionOfTheHelpIsOfferedByBash) {
    const auto pages = help_pages();
    std::vector<std::string> lines;
    for (const auto& page : pages) {
        lines.push_back(page.path() + " ''");
        lines.push_back(page.path() + " -");
    }
    const auto offers = offered(lines);
    ASSERT_EQ(offers.size(), 2 * pages.size());
    for (std::size_t i = 0; i < pages.size(); ++i) {
        EXPECT_THAT(offers[2 * i], IsSupersetOf(pages[i].subcommands)) << pages[i].path();
        EXPECT_THAT(offers[2 * i + 1], testing::UnorderedElementsAreArray(pages[i].options)) << pages[i].path();
        EXPECT_FALSE(pages[i].options.empty());
    }
}

TEST_F(Completion, EveryCommandOptionAndChoiceIsInEachScript) {
    std::vector<std::string> texts;
    for (const auto* shell : {"bash", "zsh", "fish"}) texts.push_back(countersign({"completion", shell}).out);
    std::size_t choices = 0;
    for (const auto& page : help_pages()) {
        for (const auto& text : texts) {
            EXPECT_THAT(text, HasSubstr("'" + page.path()));
            for (const auto& name : page.subcommands) EXPECT_THAT(text, HasSubstr(name)) << page.path();
            for (const auto& choice : page.choices) EXPECT_THAT(text, HasSubstr(choice)) << page.path();
            choices += page.choices.size();
        }
        for (const auto& option : page.options) {
            EXPECT_THAT(texts[1], HasSubstr("'" + option + ":")) << page.path();
            EXPECT_THAT(texts[2], HasSubstr(option.starts_with("--") ? " -l " + option.substr(2) + " "
                                                                     : " -s " + option.substr(1) + " "))
                << page.path();
        }
    }
    EXPECT_GT(choices, 5U) << "the choices were not found";
}

TEST_F(Completion, BashOffersTheValuesOfAnOption) {
    const auto offers =
        offered({"countersign demo --answer ''", "countersign demo --answer = d", "countersign audit list --outcome al",
                 "countersign completion ''", "countersign help au", "countersign audit list --state /tmp --ut",
                 "countersign --version --he", "countersign run claude --prompt run --bi"});
    ASSERT_EQ(offers.size(), 8U);
    EXPECT_THAT(offers[0], testing::ElementsAre("allow", "deny"));
    EXPECT_THAT(offers[1], testing::ElementsAre("deny"));
    EXPECT_THAT(offers[2], Contains("allowed"));
    EXPECT_THAT(offers[3], testing::ElementsAre("bash", "zsh", "fish"));
    EXPECT_THAT(offers[4], testing::ElementsAre("audit"));
    EXPECT_THAT(offers[5], testing::ElementsAre("--utc"));
    EXPECT_THAT(offers[6], testing::ElementsAre("--help"));
    EXPECT_THAT(offers[7], testing::ElementsAre("--binary")) << "a value that looks like a command isn't one";
}

TEST_F(Completion, TabCompletesInAnInteractiveBash) {
    OnTerminal bash{{.argv = {"bash", "--norc", "--noprofile", "-i"},
                     .environment = {"PS1=ready> ", "INPUTRC=/dev/null", "TERM=dumb", "HOME=" + directory.path()}}};
    ASSERT_TRUE(bash.sees("ready> "));
    bash.press("source " + script("bash") + "; cd " + directory.path() + "\r");
    ASSERT_TRUE(bash.sees("ready> ")) << bash.said();
    const std::vector<std::pair<std::string, std::string>> typed{
        {"countersign au\t", "countersign audit "},
        {"countersign audit ve\t", "countersign audit verify "},
        {"countersign audit verify --st\t", "countersign audit verify --state "},
        {"countersign demo --answer de\t", "countersign demo --answer deny "},
        {"countersign check config countersign.b\t", "countersign check config countersign.bash "},
    };
    for (const auto& [keys, text] : typed) {
        bash.press(keys);
        EXPECT_TRUE(bash.sees(text)) << bash.said();
        bash.press("\x15");  // deletes the line
    }
}

TEST_F(Completion, TabCompletesInZsh) {
    if (!is_installed("zsh")) GTEST_SKIP() << "no zsh";
    OnTerminal zsh{
        {.argv = {"zsh", "-f", "-i"}, .environment = {"PS1=ready> ", "TERM=dumb", "HOME=" + directory.path()}}};
    ASSERT_TRUE(zsh.sees("ready> "));
    zsh.press("autoload -Uz compinit && compinit -u -D; source " + script("zsh") + "; echo so''urced\r");
    ASSERT_TRUE(zsh.sees("sourced")) << zsh.said();
    ASSERT_TRUE(zsh.sees("ready> ")) << zsh.said();
    zsh.press("countersign au\t");
    EXPECT_TRUE(zsh.sees("dit ")) << zsh.said();
    zsh.press("ve\t");
    EXPECT_TRUE(zsh.sees("rify ")) << zsh.said();
    zsh.press("--st\t");
    EXPECT_TRUE(zsh.sees("ate")) << zsh.said();
}

TEST_F(Completion, FishOffersTheSame) {
    if (!is_installed("fish")) GTEST_SKIP() << "no fish";
    const auto file = script("fish");
    const auto ask = [&](const std::string& line) {
        const auto ran =
            run({.argv = {"fish", "--no-config", "-c", "source " + file + "; complete -C '" + line + "'"}});
        EXPECT_EQ(ran.err, "");
        return ran.out;
    };
    EXPECT_THAT(ask("countersign au"), HasSubstr("audit\t"));
    EXPECT_THAT(ask("countersign audit ve"), HasSubstr("verify\t"));
    EXPECT_THAT(ask("countersign audit verify --st"), HasSubstr("--state\t"));
    EXPECT_THAT(ask("countersign demo --answer "), AllOf(HasSubstr("allow"), HasSubstr("deny")));
}

TEST_F(Completion, AnUnknownShellIsRefused) {
    const auto ran = countersign({"completion", "powershell"});
    EXPECT_EQ(ran.exit_code, 2);
    EXPECT_THAT(ran.err, HasSubstr("powershell"));
}

}  // namespace
}  // namespace countersign
