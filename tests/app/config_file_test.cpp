// SPDX-License-Identifier: Apache-2.0
#include "core/limits.hpp"
#include "tests/app/config_sample.hpp"

#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace countersign::app {
namespace {

class ConfigFile : public testing::Test {
protected:
    void SetUp() override {
        std::string pattern = (std::filesystem::temp_directory_path() / "countersign-config-XXXXXX").string();
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        directory = pattern;
    }
    void TearDown() override { std::filesystem::remove_all(directory); }

    std::string write(const std::string& text, mode_t mode = 0644) {
        const auto path = directory / "countersign.toml";
        std::ofstream{path, std::ios::binary} << text;
        EXPECT_EQ(::chmod(path.c_str(), mode), 0);
        return path.string();
    }
    static std::string said(const std::string& path) {
        const auto result = load_config(path);
        const auto* problems = std::get_if<std::vector<ConfigProblem>>(&result);
        return problems == nullptr ? "" : all_of(*problems);
    }

    std::filesystem::path directory;
};

TEST_F(ConfigFile, IsLoaded) {
    EXPECT_EQ(said(write(people + channels + routes)), "");
    EXPECT_EQ(said(write(people + channels + routes, 0664)), "");
}

TEST_F(ConfigFile, IsNamedInItsProblems) {
    const auto path = write(people + channels + routes + "requried = 1\n");
    EXPECT_EQ(said(path), path + ":9:1: routes[0].requried: unknown key; did you mean `required`?\n");
}

TEST_F(ConfigFile, I13_MayBeOnlySoLarge) {
    const auto base = people + channels + routes + "#";
    EXPECT_EQ(said(write(base + std::string(limits::config_bytes_max - base.size(), 'x'))), "");
    const auto path = write(base + std::string(limits::config_bytes_max - base.size() + 1, 'x'));
    EXPECT_EQ(said(path), path + ": larger than 1048576 bytes\n");
}

TEST_F(ConfigFile, MustExistAndBeAFile) {
    EXPECT_NE(said((directory / "none.toml").string()).find("cannot be opened: No such file"), std::string::npos);
    EXPECT_NE(said(directory.string()).find("no regular file"), std::string::npos);
    const auto pipe = directory / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_NE(said(pipe.string()).find("no regular file"), std::string::npos);
}

TEST_F(ConfigFile, I2_ThatEverybodyMayWriteIsRefused) {
    const auto path = write(people + channels + routes, 0646);
    EXPECT_EQ(said(path), path + ": everybody may write this file; chmod o-w " + path + "\n");
}

}  // namespace
}  // namespace countersign::app
