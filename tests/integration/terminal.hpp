// SPDX-License-Identifier: Apache-2.0
// A program on a real terminal, with a person in front of it.
#pragma once

#include <string>
#include <sys/types.h>
#include <vector>

namespace countersign::testing_tools {

class OnTerminal {
public:
    struct Command {
        std::vector<std::string> argv;
        std::vector<std::string> environment = {};  // NAME=value, besides the test's own
        unsigned short columns = 100;
        unsigned short rows = 50;
    };
    explicit OnTerminal(const Command& command);
    OnTerminal(const OnTerminal&) = delete;
    OnTerminal& operator=(const OnTerminal&) = delete;
    ~OnTerminal();

    // True if the text appears after the previous match.
    bool sees(const std::string& text);
    void press(const std::string& keys) const;
    // For an open card. It ignores a key that comes too soon, so the key is pressed until the text appears: again after
    // each redraw, which each key causes. Pressing a key after each read instead would multiply: the more reads a
    // drawing takes, the more drawings are requested, until the program gives up the terminal.
    bool presses_until(const std::string& keys, const std::string& text);
    // Its exit code; 128 + signal if it was killed.
    int ends();
    // All output so far.
    [[nodiscard]] const std::string& said() const { return said_; }
    // The same up to the end of the last match. Text after it may be half a drawing.
    [[nodiscard]] std::string said_until_found() const { return said_.substr(0, looked_); }

private:
    bool read_more();
    bool found(const std::string& text);
    int terminal_ = -1;
    pid_t pid_ = -1;
    std::string said_;
    std::size_t looked_ = 0;
};

}  // namespace countersign::testing_tools
