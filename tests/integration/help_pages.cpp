// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/help_pages.hpp"

#include "tests/integration/process.hpp"

#include <gtest/gtest.h>

#include <regex>
#include <sstream>

namespace countersign::testing_tools {
namespace {

void add_all(std::vector<std::string>& to, const std::string& text, const std::regex& pattern) {
    for (std::sregex_iterator at{text.begin(), text.end(), pattern}, end; at != end; ++at) to.push_back((*at)[1]);
}

// The names are at the beginning of a line, in columns that the descriptions never reach.
void read_line(HelpPage& page, const std::string& line, bool subcommands) {
    if (!line.starts_with("  ") || line.size() < 3 || line[2] == ' ') return;
    if (subcommands) return page.subcommands.push_back(line.substr(2, line.find(' ', 2) - 2));
    const auto names = line.substr(2, line.find("  ", 2) - 2);
    static const std::regex option{R"((?:^|,)(--?[A-Za-z][\w-]*))"};
    add_all(page.options, names, option);
    static const std::regex choices{R"((?:\{|\s)([a-z]+(?:[|,][a-z]+)+)\}?)"};
    static const std::regex choice{"([a-z]+)"};
    std::vector<std::string> lists;
    add_all(lists, names, choices);
    for (const auto& list : lists) add_all(page.choices, list, choice);
}

HelpPage read_page(const std::vector<std::string>& words) {
    auto argv = words;
    argv.emplace_back("--help");
    const auto ran = countersign(argv);
    EXPECT_EQ(ran.exit_code, 0) << testing::PrintToString(words);
    HelpPage page{.words = words, .text = ran.out, .subcommands = {}, .options = {}, .choices = {}};
    std::istringstream lines{ran.out};
    std::string title;
    for (std::string line; std::getline(lines, line);) {
        if (line.ends_with(':') && !line.starts_with(' ')) title = line;
        if (line.empty()) title.clear();
        if (!title.empty()) read_line(page, line, title == "Subcommands:");
    }
    return page;
}

void add_pages(std::vector<HelpPage>& pages, const std::vector<std::string>& words) {
    const auto page = pages.emplace_back(read_page(words));
    for (const auto& name : page.subcommands) {
        auto below = words;
        below.push_back(name);
        add_pages(pages, below);
    }
}

}  // namespace

std::string HelpPage::path() const {
    std::string all = "countersign";
    for (const auto& word : words) all += " " + word;
    return all;
}

std::vector<HelpPage> help_pages() {
    std::vector<HelpPage> pages;
    add_pages(pages, {});
    return pages;
}

}  // namespace countersign::testing_tools
