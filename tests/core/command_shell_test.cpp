// SPDX-License-Identifier: Apache-2.0
// A command line that we parse has the words that a shell would run. The oracles are sh and bash: each runs the parsed
// lines in an empty directory where the only command is a function that records its arguments.
#include "core/command/line.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>

namespace countersign {
namespace {

namespace fs = std::filesystem;

constexpr auto pieces = std::to_array<std::string_view>({"a",
                                                         "b.c",
                                                         "-l",
                                                         "*.c",
                                                         "2",
                                                         "1",
                                                         ">",
                                                         ">>",
                                                         "<",
                                                         "&",
                                                         "&&",
                                                         "/dev/null",
                                                         "2>&1",
                                                         "1>&2",
                                                         ">&2",
                                                         "2>",
                                                         "&>",
                                                         "1>",
                                                         ">&",
                                                         "&1",
                                                         "# x",
                                                         "#",
                                                         " ",
                                                         " ",
                                                         " ",
                                                         " ",
                                                         " ",
                                                         "\t",
                                                         "\"",
                                                         "'",
                                                         "\\",
                                                         "''",
                                                         "[",
                                                         "[ ",
                                                         "]",
                                                         "~",
                                                         "~/a",
                                                         ";",
                                                         "12",
                                                         "{",
                                                         "!",
                                                         "=",
                                                         "?",
                                                         ".",
                                                         "-name",
                                                         "< /dev/null",
                                                         " 2>/dev/null",
                                                         " >/dev/null ",
                                                         " &>/dev/null "});

std::string random_line(std::mt19937& random) {
    std::uniform_int_distribution<std::size_t> which{0, pieces.size() - 1};
    std::uniform_int_distribution<int> length{1, 7};
    std::string line = length(random) > 2 ? "ls " : "find . -name ";
    for (auto left = length(random); left > 0; --left) line += pieces[which(random)];
    return line;
}

class CommandShellTest : public testing::Test {
protected:
    CommandShellTest() {
        std::string name = (fs::temp_directory_path() / "command_shell_XXXXXX").string();
        if (::mkdtemp(name.data()) != nullptr) directory_ = name;
        fs::create_directory(directory_ / "empty");
    }
    ~CommandShellTest() override { fs::remove_all(directory_); }

    // The arguments that the shell passed to ls or find, or nullopt if it ran neither.
    std::optional<CommandWords> arguments_in(const std::string& shell, std::string_view line) {
        const auto log = directory_ / "log";
        fs::remove(log);
        const auto record = "() { for word in \"$@\"; do printf '%s\\n' \"$word\"; done > '" + log.string() + "'; }\n";
        std::ofstream{directory_ / "script"} << "ls" << record << "find" << record << line << "\nwait\n";
        const auto run = "cd '" + (directory_ / "empty").string() + "' && env -i HOME='~' PATH=/nowhere " + shell +
                         " '" + (directory_ / "script").string() + "' >/dev/null 2>&1 </dev/null";
        (void)std::system(run.c_str());
        std::ifstream file{log};
        if (!file) return std::nullopt;
        CommandWords words;
        for (std::string word; std::getline(file, word);) words.push_back(word);
        return words;
    }

    [[nodiscard]] bool wrote_a_file() const { return !fs::is_empty(directory_ / "empty"); }

private:
    fs::path directory_;
};

TEST_F(CommandShellTest, ParsedWordsAreTheWordsThatAShellRuns) {
    std::mt19937 random{7};
    std::set<std::string> tried;
    std::size_t ran = 0;
    while (tried.size() < 120) {
        const auto line = random_line(random);
        const auto words = simple_command(line);
        if (!words || !tried.insert(line).second) continue;
        for (const std::string shell : {"/bin/sh", "/bin/bash"}) {
            const auto given = arguments_in(shell, line);
            ASSERT_FALSE(wrote_a_file()) << shell << ": " << line;
            if (!given) continue;  // the shell ran less than was parsed
            EXPECT_EQ(*given, CommandWords(words->begin() + 1, words->end())) << shell << ": " << line;
            ++ran;
        }
    }
    EXPECT_GT(ran, 180U);
}

}  // namespace
}  // namespace countersign
