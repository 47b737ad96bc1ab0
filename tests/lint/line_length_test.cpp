// SPDX-License-Identifier: Apache-2.0
#include "tests/lint/line_length.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace countersign::lint {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

bool is_read(const fs::path& file) {
    constexpr std::array extensions{".cpp", ".hpp", ".go", ".js", ".mjs", ".ts", ".md"};
    return std::ranges::find(extensions, file.extension()) != extensions.end();
}

// Recorded data, and third-party files.
bool is_passed_over(const fs::path& directory) {
    const auto name = directory.filename().string();
    return name.starts_with("build") || name.starts_with('.') || name == "node_modules" || name == "data" ||
           name == "corpus" || name == "dist";
}

TEST(LineLength, NoLineOfASourceOrPageIsTooLong) {
    const fs::path root{COUNTERSIGN_SOURCE_DIR};
    std::size_t files = 0;
    for (auto at = fs::recursive_directory_iterator{root}; at != fs::recursive_directory_iterator{}; ++at) {
        if (at->is_directory() && is_passed_over(at->path())) at.disable_recursion_pending();
        if (!at->is_regular_file() || !is_read(at->path())) continue;
        ++files;
        std::ifstream file{at->path()};
        const std::string text{std::istreambuf_iterator<char>{file}, {}};
        EXPECT_THAT(long_lines(fs::relative(at->path(), root).string(), text), IsEmpty());
    }
    EXPECT_GT(files, 500U) << "the sources were not found";
}

TEST(LineLength, CharactersAreCountedAndOneTooManyIsFound) {
    const std::string full(120, 'x');
    EXPECT_THAT(long_lines("a.cpp", full + "\n"), IsEmpty());
    EXPECT_THAT(long_lines("a.cpp", "\n" + full + "x\n"), ElementsAre("a.cpp:2: 121 columns"));
    EXPECT_THAT(long_lines("a.cpp", full + "x"), ElementsAre("a.cpp:1: 121 columns")) << "also without an end";
    std::string wide;
    for (int i = 0; i < 120; ++i) wide += "é";
    EXPECT_THAT(long_lines("a.md", wide), IsEmpty());
}

TEST(LineLength, TablesAndExamplesMayBeLonger) {
    const std::string line(121, 'x');
    EXPECT_THAT(long_lines("a.md", "| " + line + "\n    " + line + "\n```\n" + line + "\n```\n"), IsEmpty());
    EXPECT_THAT(long_lines("a.md", "```\n```\n" + line + "\n"), ElementsAre("a.md:3: 121 columns"));
    EXPECT_THAT(long_lines("a.cpp", "// clang-format off\n" + line + "\n// clang-format on\n"), IsEmpty());
    EXPECT_THAT(long_lines("a.cpp", "    " + line + "\n"), ElementsAre("a.cpp:1: 125 columns"));
}

}  // namespace
}  // namespace countersign::lint
