// SPDX-License-Identifier: Apache-2.0
// Real child processes, and the event loop that supervises them.
#pragma once

#include "net/child.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <memory>
#include <optional>
#include <poll.h>
#include <string>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace countersign::net {

namespace asio = boost::asio;

class ChildTest : public testing::Test {
protected:
    // Processes that a child leaves behind become our children, so that their end can be observed.
    ChildTest() {
        ::signal(SIGPIPE, SIG_IGN);
        EXPECT_EQ(::prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    }
    template <class T> T await(asio::awaitable<T> task) {
        std::optional<T> result;
        asio::co_spawn(io, std::move(task), [&](const std::exception_ptr& failed, T value) {
            if (failed) std::rethrow_exception(failed);
            result = std::move(value);
        });
        io.restart();
        io.run();
        return std::move(*result);
    }
    std::unique_ptr<Child> start(std::vector<std::string> argv, std::vector<std::string> keep = {},
                                 std::chrono::milliseconds write_max = limits::agent_write_max) {
        auto child =
            Child::start(io.get_executor(), {.argv = std::move(argv), .keep_environment = std::move(keep)}, write_max);
        EXPECT_TRUE(child) << describe(child.error());
        return std::move(*child);
    }
    static asio::awaitable<std::string> everything(Child& child) {
        std::string all;
        for (;;) {
            auto bytes = co_await child.read();
            if (!bytes || bytes->empty()) co_return all;
            all += *bytes;
        }
    }
    // The output of a child that ends by itself.
    std::string output_of(std::vector<std::string> argv, std::vector<std::string> keep = {}) {
        const auto child = start(std::move(argv), std::move(keep));
        auto output = await(everything(*child));
        EXPECT_TRUE(await(child->finish()).clean());
        return output;
    }
    // The next number that the child prints.
    pid_t printed_pid(Child& child) {
        const auto line = await(child.read());
        EXPECT_TRUE(line);
        return line ? static_cast<pid_t>(std::stoi(*line)) : -1;
    }
    // The signal that ended a process which a child left behind. Waits at most 20 s for its end; -1 if it is still
    // alive.
    static int signal_that_ended(pid_t left_behind) {
        const int pidfd = static_cast<int>(::syscall(SYS_pidfd_open, left_behind, 0));
        pollfd end{.fd = pidfd, .events = POLLIN, .revents = 0};
        const bool ended = pidfd >= 0 && ::poll(&end, 1, 20'000) == 1;
        ::close(pidfd);
        if (!ended) ::kill(left_behind, SIGKILL);
        int status = 0;
        const bool reaped = ::waitpid(left_behind, &status, 0) == left_behind;
        return ended && reaped && WIFSIGNALED(status) ? WTERMSIG(status) : -1;
    }
    static bool no_process_is_left() { return ::waitpid(-1, nullptr, WNOHANG) == -1; }

    asio::io_context io;
};

}  // namespace countersign::net
