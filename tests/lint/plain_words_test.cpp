// SPDX-License-Identifier: Apache-2.0
// Comments, documents and user-visible strings avoid the words that make them hard to read. Folders join the list below
// once they are clean. To list what is left in another one:
//   COUNTERSIGN_WORDS_OF=docs/adr build/tests/lint_tests --gtest_filter='PlainWords.*'
#include "tests/lint/plain_words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::lint {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

// Folders of at most two levels, as the report prints them: "app" is the files directly in app/, "app/commands" also
// includes its sub-folders, and "." is the files of the root.
const std::set<std::string> clean_folders{"app/command_line", "app/runtimes",  "cmake", "cmake/asio", "console",
                                          "deploy",           "docs/pictures", "tests", "tests/lint"};

bool is_read(const fs::path& file) {
    constexpr std::array extensions{".cpp", ".hpp",  ".js",   ".mjs",     ".in",   ".go",
                                    ".md",  ".toml", ".yaml", ".service", ".cmake"};
    constexpr std::array names{"CMakeLists.txt", "dev", "package"};
    return std::ranges::find(extensions, file.extension()) != extensions.end() ||
           std::ranges::find(names, file.filename()) != names.end();
}

// Built, recorded, or written by others.
bool is_passed_over(const fs::path& directory) {
    const auto name = directory.filename().string();
    return name.starts_with("build") || name.starts_with('.') || name == "node_modules" || name == "data" ||
           name == "corpus" || name == "dist";
}

// "app/commands" for app/commands/audit/list.cpp.
std::string folder_of(const std::string& path) {
    auto end = path.find('/');
    if (end == std::string::npos) return ".";
    if (const auto second = path.find('/', end + 1); second != std::string::npos) end = second;
    return path.substr(0, end);
}

// The hits of each folder, also of those that have none.
std::map<std::string, std::vector<std::string>> hits_by_folder() {
    const fs::path root{COUNTERSIGN_SOURCE_DIR};
    std::map<std::string, std::vector<std::string>> folders;
    for (auto at = fs::recursive_directory_iterator{root}; at != fs::recursive_directory_iterator{}; ++at) {
        if (at->is_directory() && is_passed_over(at->path())) at.disable_recursion_pending();
        if (!at->is_regular_file() || !is_read(at->path())) continue;
        std::ifstream file{at->path()};
        const auto path = fs::relative(at->path(), root).generic_string();
        const std::string text{std::istreambuf_iterator<char>{file}, {}};
        const auto hits = hard_words(path, text);
        auto& all = folders[folder_of(path)];
        all.insert(all.end(), hits.begin(), hits.end());
    }
    return folders;
}

void print_rest(const std::map<std::string, std::vector<std::string>>& folders) {
    const char* const wanted = std::getenv("COUNTERSIGN_WORDS_OF");
    for (const auto& [folder, hits] : folders) {
        if (clean_folders.contains(folder)) continue;
        std::cout << hits.size() << " in " << folder << (hits.empty() ? ", so it can join the list\n" : "\n");
        if (wanted == nullptr || wanted != folder) continue;
        for (const auto& hit : hits) std::cout << "  " << hit << "\n";
    }
}

TEST(PlainWords, TheCleanFoldersStayClean) {
    const auto folders = hits_by_folder();
    EXPECT_GT(folders.size(), 40U) << "the sources were not found";
    for (const auto& folder : clean_folders) {
        ASSERT_TRUE(folders.contains(folder)) << folder << " isn't a folder with texts";
        EXPECT_THAT(folders.at(folder), IsEmpty());
    }
    print_rest(folders);
}

TEST(PlainWords, APlantedOneIsFoundInCommentsStringsAndDocuments) {
    EXPECT_THAT(hard_words("app/a.cpp", "int a;\n// Whoever asks.\n"), ElementsAre("app/a.cpp:2: whoever"));
    EXPECT_THAT(hard_words("app/a.cpp", "show(\"\\nnobody\");"), ElementsAre("app/a.cpp:1: nobody"));
    EXPECT_THAT(hard_words("app/a.cpp", "R\"x(\n\"somebody\")x\""), ElementsAre("app/a.cpp:2: somebody"));
    EXPECT_THAT(hard_words("docs/A.md", "| what **goes\nby** it |"), ElementsAre("docs/A.md:1: goes by"));
    EXPECT_THAT(hard_words("deploy/a.toml", "# see DESIGN 4 and D3"),
                ElementsAre("deploy/a.toml:1: DESIGN 4", "deploy/a.toml:1: D3"));
}

TEST(PlainWords, APhraseIsFoundOverTheEndOfALineAndOfALiteral) {
    EXPECT_THAT(hard_words("app/a.cpp", "// a bot of\n    // ours\n"), ElementsAre("app/a.cpp:1: of ours"));
    EXPECT_THAT(hard_words("app/a.cpp", "tell(\"this is \"\n     \"no card\");"),
                ElementsAre("app/a.cpp:1: is no card"));
    EXPECT_THAT(hard_words("app/a.cpp", "tell(\"this is\", \"no card\");"), IsEmpty());
    EXPECT_THAT(hard_words("docs/A.md", "That is. No card."), IsEmpty());
}

TEST(PlainWords, PlainEnglishAndCodeAreLeftAlone) {
    EXPECT_THAT(hard_words("docs/A.md", "There is no card. It is no longer valid. The user nobody. D9, a stand-in"),
                IsEmpty());
    EXPECT_THAT(hard_words("app/a.cpp", "bool nobody = whoever_comes_as(somebody);"), IsEmpty());
    EXPECT_THAT(hard_words("tests/a.cpp", "EXPECT_EQ(name, \"nobody\"); // everybody"),
                ElementsAre("tests/a.cpp:1: everybody"));
    EXPECT_THAT(hard_words("app/a.cpp", "int n = 1'000; char c = '\"'; // whom"), ElementsAre("app/a.cpp:1: whom"));
}

}  // namespace
}  // namespace countersign::lint
