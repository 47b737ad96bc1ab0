// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/terminal.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <pty.h>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

namespace countersign::testing_tools {

namespace {

// The start of each drawing that replaces an earlier one.
constexpr std::string_view redraw = "\x1b[J";

}  // namespace

OnTerminal::OnTerminal(const Command& command) {
    const winsize size{.ws_row = command.rows, .ws_col = command.columns, .ws_xpixel = 0, .ws_ypixel = 0};
    pid_ = ::forkpty(&terminal_, nullptr, nullptr, &size);
    if (pid_ != 0) return;
    for (const auto& variable : command.environment) {
        const auto end = variable.find('=');
        ::setenv(variable.substr(0, end).c_str(), variable.substr(end + 1).c_str(), 1);
    }
    std::vector<char*> argv;
    for (const auto& word : command.argv) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    ::alarm(60);  // survives exec: one that hangs ends, and so does the wait for it
    ::execvp(argv.front(), argv.data());
    ::_exit(127);
}

OnTerminal::~OnTerminal() {
    if (pid_ > 0) {
        ::kill(pid_, SIGKILL);
        ends();
    }
    ::close(terminal_);
}

bool OnTerminal::read_more() {
    // Small, so that no test can depend on how much one read returns: a kernel under load returns half a row, too.
    char bytes[61];
    const auto got = ::read(terminal_, bytes, sizeof bytes);
    if (got > 0) said_.append(bytes, static_cast<std::size_t>(got));
    return got > 0;
}

void OnTerminal::press(const std::string& keys) const {
    ASSERT_EQ(::write(terminal_, keys.data(), keys.size()), static_cast<ssize_t>(keys.size()));
}

bool OnTerminal::found(const std::string& text) {
    const auto at = said_.find(text, looked_);
    if (at == std::string::npos) return false;
    looked_ = at + text.size();
    return true;
}

bool OnTerminal::sees(const std::string& text) {
    while (!found(text)) {
        if (!read_more()) return false;
    }
    return true;
}

bool OnTerminal::presses_until(const std::string& keys, const std::string& text) {
    while (!found(text)) {
        const auto before = said_.size();
        press(keys);
        while (said_.find(redraw, before) == std::string::npos) {
            if (!read_more()) return false;
            if (found(text)) return true;
        }
    }
    return true;
}

int OnTerminal::ends() {
    while (read_more()) {}
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {}
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace countersign::testing_tools
