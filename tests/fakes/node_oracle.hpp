// SPDX-License-Identifier: Apache-2.0
// Node as an oracle: one child process reads questions, one per line, and prints its answers, one per line.
#pragma once

#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace countersign::testing_tools {

class NodeOracle : public testing::Test {
protected:
    using Lines = std::vector<std::string>;

    void SetUp() override {
        auto pattern = testing::TempDir() + "node_oracle_XXXXXX";
        ASSERT_NE(mkdtemp(pattern.data()), nullptr);
        folder_ = pattern;
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    // The output of the script. It finds the name of the file with the questions in process.argv[1].
    Lines answers(const char* script, const Lines& questions) {
        std::ofstream input{folder_ / "input", std::ios::binary};
        for (const auto& question : questions) input << question << '\n';
        input.close();
        if (!run_node(script, folder_ / "input", folder_ / "output")) return {};
        std::ifstream output{folder_ / "output", std::ios::binary};
        Lines lines;
        for (std::string line; std::getline(output, line);) lines.push_back(line);
        return lines;
    }

private:
    // On failure it returns false and fails the test.
    static bool run_node(const char* script, const std::string& input, const std::string& output) {
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        const std::string arguments[] = {"node", "-e", script, input};
        char* argv[] = {const_cast<char*>(arguments[0].c_str()), const_cast<char*>(arguments[1].c_str()),
                        const_cast<char*>(arguments[2].c_str()), const_cast<char*>(arguments[3].c_str()), nullptr};
        pid_t child = 0;
        const int failed = posix_spawnp(&child, "node", &actions, nullptr, argv, environ);
        posix_spawn_file_actions_destroy(&actions);
        if (failed != 0) {
            ADD_FAILURE() << "cannot run node (" << std::strerror(failed) << "): install nodejs, this test needs it";
            return false;
        }
        int status = 0;
        waitpid(child, &status, 0);
        EXPECT_EQ(status, 0) << "node failed";
        return status == 0;
    }

    std::filesystem::path folder_;
};

}  // namespace countersign::testing_tools
