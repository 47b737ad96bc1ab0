// SPDX-License-Identifier: Apache-2.0
// The manual pages: complete, and formatted without a warning by the programs that are installed.
#include "tests/integration/help_pages.hpp"
#include "tests/integration/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace countersign {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::StartsWith;
using testing_tools::contents;
using testing_tools::countersign;
using testing_tools::help_pages;
using testing_tools::run;
using testing_tools::TemporaryDirectory;

std::string page_name(std::string path) {
    std::ranges::replace(path, ' ', '-');
    return path + ".1";
}

std::string in_troff(const std::string& text) {
    std::string out;
    for (const char c : text) out += c == '-' ? std::string{"\\-"} : std::string{c};
    return out;
}

class Manual : public testing::Test {
protected:
    Manual() { EXPECT_EQ(countersign({"help", "--man-dir", pages}).exit_code, 0); }
    TemporaryDirectory directory;
    std::string pages = directory.path() + "/man1";
};

TEST_F(Manual, EveryCommandHasAPageWithItsOptionsAndSubcommands) {
    std::size_t commands = 0;
    for (const auto& help : help_pages()) {
        ++commands;
        const auto page = contents(pages + "/" + page_name(help.path()));
        EXPECT_THAT(page, StartsWith(".TH COUNTERSIGN")) << help.path();
        for (const auto& option : help.options) {
            EXPECT_THAT(page, HasSubstr("\\fB" + in_troff(option) + "\\fR")) << help.path();
        }
        for (const auto& name : help.subcommands) {
            const auto below = page_name(help.path() + " " + name);
            EXPECT_THAT(page, HasSubstr("\\fB" + in_troff(below.substr(0, below.size() - 2)) + "\\fR(1)"));
        }
        for (const auto& choice : help.choices) EXPECT_THAT(page, HasSubstr(choice)) << help.path();
    }
    const auto written = std::distance(fs::directory_iterator{pages}, fs::directory_iterator{});
    EXPECT_EQ(static_cast<std::size_t>(written), commands) << "and no page of anything else";
}

TEST_F(Manual, HelpManPrintsOnePage) {
    EXPECT_EQ(countersign({"help", "--man", "audit", "list"}).out, contents(pages + "/countersign-audit-list.1"));
    EXPECT_EQ(countersign({"help", "--man"}).out, contents(pages + "/countersign.1"));
    EXPECT_EQ(countersign({"help", "--man", "adit"}).exit_code, 2);
    EXPECT_EQ(countersign({"help", "--man-dir", "/dev/null/man"}).exit_code, 1);
}

TEST_F(Manual, EachPageFormatsWithoutAWarning) {
    const auto has = [](const std::string& program) {
        return run({.argv = {"sh", "-c", "command -v " + program}}).exit_code == 0;
    };
    // Without a date a page is the same in each build; that is mandoc's only complaint.
    const std::vector<std::pair<std::string, std::string>> formatters{
        {"groff", "groff -ww -man -K utf8 -T utf8 \"$0\" 2>&1 >/dev/null"},
        {"man", "LC_ALL=C.UTF-8 MANROFFSEQ= man --warnings=w -l \"$0\" 2>&1 >/dev/null"},
        {"mandoc", "mandoc -T lint -W warning \"$0\" | grep -v 'missing date'; true"}};
    bool any = false;
    for (const auto& [program, command] : formatters) {
        if (!has(program)) continue;
        any = true;
        for (const auto& entry : fs::directory_iterator{pages}) {
            EXPECT_EQ(run({.argv = {"bash", "-c", command, entry.path().string()}}).out, "") << entry.path();
        }
    }
    if (!any) GTEST_SKIP() << "no groff, man or mandoc";
}

}  // namespace
}  // namespace countersign
