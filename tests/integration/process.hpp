// SPDX-License-Identifier: Apache-2.0
// Runs a real program and keeps its output.
#pragma once

#include <string>
#include <vector>

namespace countersign::testing_tools {

struct Ran {
    int exit_code = -1;  // 128 + signal if it was killed
    std::string out;
    std::string err;
};

struct Command {
    std::vector<std::string> argv;
    std::string input = {};
    std::vector<std::string> environment = {};  // NAME=value, besides PATH and HOME
    std::string directory = {};
};
// Waits for it. A program that hangs is killed after a minute, which its exit code shows.
[[nodiscard]] Ran run(const Command& command);

// build/countersign with these arguments.
[[nodiscard]] Ran countersign(std::vector<std::string> arguments, std::string input = {});
[[nodiscard]] std::string countersign_path();

// A program in a dialogue: the test waits for its output, then types the next line.
class Talk {
public:
    explicit Talk(std::vector<std::string> argv, std::vector<std::string> environment = {});
    Talk(const Talk&) = delete;
    Talk& operator=(const Talk&) = delete;
    ~Talk();
    // Reads until the text was printed on either stream; false if the program ended or after a minute.
    bool wait_for(const std::string& text);
    void type(const std::string& line);
    void close_input();
    // Reads the remaining output until it ends, and returns its exit code.
    int finish();
    [[nodiscard]] const std::string& said() const { return said_; }
    [[nodiscard]] int pid() const { return pid_; }

private:
    bool read_more();
    int pid_ = -1;
    int input_ = -1;
    int output_ = -1;
    std::size_t looked_ = 0;
    std::string said_;
};

// A fresh directory that is removed with the object.
class TemporaryDirectory {
public:
    TemporaryDirectory();
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
    ~TemporaryDirectory();
    [[nodiscard]] const std::string& path() const { return path_; }
    // Writes a file in it with this mode, and returns its path.
    [[nodiscard]] std::string file(const std::string& name, const std::string& text, unsigned mode = 0600) const;

private:
    std::string path_;
};

// A port on loopback that has no listener.
[[nodiscard]] std::string free_port();

[[nodiscard]] std::string contents(const std::string& path);

}  // namespace countersign::testing_tools
