// SPDX-License-Identifier: Apache-2.0
// A program on a real terminal, with somebody in front of it.
#pragma once

#include <string>
#include <sys/types.h>
#include <vector>

namespace countersign::testing_tools {

class OnTerminal {
public:
    struct Command {
        std::vector<std::string> argv;
        std::vector<std::string> environment = {};  // NAME=value, beside what the test has
        unsigned short columns = 100;
        unsigned short rows = 50;
    };
    explicit OnTerminal(const Command& command);
    OnTerminal(const OnTerminal&) = delete;
    OnTerminal& operator=(const OnTerminal&) = delete;
    ~OnTerminal();

    // Whether it comes, behind what was looked for before.
    bool sees(const std::string& text) { return presses_until("", text); }
    void press(const std::string& keys) const;
    // A key that comes too soon counts for nothing, so it is pressed until the text is there.
    bool presses_until(const std::string& keys, const std::string& text);
    // Its exit code; 128 + signal if it was killed.
    int ends();
    // Everything that was printed.
    [[nodiscard]] const std::string& said() const { return said_; }

private:
    bool read_more();
    int terminal_ = -1;
    pid_t pid_ = -1;
    std::string said_;
    std::size_t looked_ = 0;
};

}  // namespace countersign::testing_tools
