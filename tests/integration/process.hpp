// SPDX-License-Identifier: Apache-2.0
// Runs a real program and keeps what it said.
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
    std::vector<std::string> environment = {};  // NAME=value, beside PATH and HOME
    std::string directory = {};
};
// Waits for it; a program that hangs is killed after a minute and its exit code says so.
[[nodiscard]] Ran run(const Command& command);

// build/countersign with these arguments.
[[nodiscard]] Ran countersign(std::vector<std::string> arguments, std::string input = {});
[[nodiscard]] std::string countersign_path();

// A program that somebody talks to: what it prints is awaited, then the next line is typed.
class Talk {
public:
    explicit Talk(std::vector<std::string> argv, std::vector<std::string> environment = {});
    Talk(const Talk&) = delete;
    Talk& operator=(const Talk&) = delete;
    ~Talk();
    // Reads until the text was printed (on either stream) or it has ended; false then, or after a minute.
    bool wait_for(const std::string& text);
    void type(const std::string& line);
    void close_input();
    // Reads what it still says until it ends, and returns its exit code.
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

// A fresh directory that goes away with the value.
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

// A port of this machine's loopback that nobody listens on.
[[nodiscard]] std::string free_port();

[[nodiscard]] std::string contents(const std::string& path);

}  // namespace countersign::testing_tools
