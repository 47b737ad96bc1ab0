// SPDX-License-Identifier: Apache-2.0
// The demo with somebody in front of it, on a real terminal.
#include "tests/integration/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

namespace countersign {
namespace {

using testing::HasSubstr;
using testing_tools::countersign_path;
using testing_tools::TemporaryDirectory;

class DemoOnATerminal : public testing::Test {
protected:
    void SetUp() override {
        const winsize size{.ws_row = 50, .ws_col = 100, .ws_xpixel = 0, .ws_ypixel = 0};
        pid = ::forkpty(&terminal, nullptr, nullptr, &size);
        ASSERT_GE(pid, 0);
        if (pid > 0) return;
        ::setenv("TMPDIR", directory.path().c_str(), 1);
        ::alarm(60);  // survives exec: a demo that hangs ends, and so does the wait for it
        ::execl(countersign_path().c_str(), countersign_path().c_str(), "demo", "--once", nullptr);
        ::_exit(127);
    }
    void TearDown() override {
        if (pid > 0) {
            ::kill(pid, SIGKILL);
            ends();
        }
        ::close(terminal);
    }
    bool read_more() {
        char bytes[4096];
        const auto got = ::read(terminal, bytes, sizeof bytes);
        if (got > 0) said.append(bytes, static_cast<std::size_t>(got));
        return got > 0;
    }
    bool sees(const std::string& text) { return presses_until("", text); }
    void press(const std::string& keys) const {
        ASSERT_EQ(::write(terminal, keys.data(), keys.size()), static_cast<ssize_t>(keys.size()));
    }
    // A key that comes too soon after the card counts for nothing, so it is pressed until it does.
    bool presses_until(const std::string& keys, const std::string& text) {
        while (said.find(text, looked) == std::string::npos) {
            press(keys);
            if (!read_more()) return false;
        }
        looked = said.find(text, looked) + text.size();
        return true;
    }
    int ends() {
        while (read_more()) {}
        int status = 0;
        while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
        pid = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    TemporaryDirectory directory;
    int terminal = -1;
    pid_t pid = -1;
    std::string said;
    std::size_t looked = 0;
};

TEST_F(DemoOnATerminal, CtrlCIsHowOneLeavesAndNoFailure) {
    ASSERT_TRUE(sees("Enter choose")) << said;
    press("\x03");
    EXPECT_EQ(ends(), 0) << said;
    EXPECT_THAT(said, HasSubstr("audit verify --state"));
}

TEST_F(DemoOnATerminal, TheRecordsComeBetweenTheDecisionAndWhatTheAgentDid) {
    ASSERT_TRUE(sees("Enter choose")) << said;
    ASSERT_TRUE(presses_until("\r", "reason (optional)")) << said;
    ASSERT_TRUE(presses_until("\r", "■ denied (Deny) by you")) << said;
    EXPECT_TRUE(sees("request  Bash")) << said;
    EXPECT_TRUE(sees("decision  denied  Bash  by you")) << said;
    EXPECT_TRUE(sees("agent  did not run ls (denied)")) << said;
    EXPECT_TRUE(sees("rm -rf build")) << said;
    press("\x03");
    EXPECT_EQ(ends(), 0) << said;
}

}  // namespace
}  // namespace countersign
