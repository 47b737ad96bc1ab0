// SPDX-License-Identifier: Apache-2.0
// Real children: what they get, how they end, and that nothing of them is left.
#include "core/limits.hpp"
#include "net/child.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <optional>
#include <sys/wait.h>

namespace countersign::net {
namespace {

namespace asio = boost::asio;
using testing::HasSubstr;
using testing::Not;

class ChildTest : public testing::Test {
protected:
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
    std::unique_ptr<Child> start(std::vector<std::string> argv) {
        auto child = Child::start(io.get_executor(), {.argv = std::move(argv)});
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
    asio::io_context io;
};

TEST_F(ChildTest, SpeaksOverItsPipesAndEndsWithItsCode) {
    auto child = start({"sh", "-c", "read -r line; echo got $line; exit 3"});
    EXPECT_TRUE(await(child->write("hello\n")));
    EXPECT_EQ(await(everything(*child)), "got hello\n");
    const auto status = await(child->finish());
    EXPECT_EQ(status.code, 3);
    EXPECT_EQ(describe(status), "exited with 3");
}

TEST_F(ChildTest, ACommandThatIsNotThereIsAnErrorThatNamesIt) {
    const auto child = Child::start(io.get_executor(), {.argv = {"no-such-agent"}});
    ASSERT_FALSE(child);
    EXPECT_THAT(child.error().detail, HasSubstr("no-such-agent"));
}

TEST_F(ChildTest, OneThatIgnoresTermIsKilledWithWhatItStarted) {
    auto child = start({"sh", "-c", "trap '' TERM; sleep 1000 & echo $!; wait; sleep 1000"});
    const auto line = await(child->read());
    ASSERT_TRUE(line);
    const auto grandchild = static_cast<pid_t>(std::stoi(*line));
    const auto status = await(child->stop());
    EXPECT_EQ(status.signal, SIGKILL);
    for (int i = 0; i < 1000 && ::kill(grandchild, 0) == 0; ++i) {  // init reaps it in its own time
        int ignored = 0;
        ::waitpid(grandchild, &ignored, WNOHANG);
        std::error_code gone;
        const auto state = std::filesystem::exists("/proc/" + std::to_string(grandchild), gone);
        if (!state) break;
    }
    EXPECT_EQ(::waitpid(child->pid(), nullptr, WNOHANG), -1) << "reaped";
}

TEST_F(ChildTest, HasItsOwnSessionWithoutOurTerminal) {
    auto child = start({"sh", "-c", "cut -d' ' -f6,7 /proc/self/stat"});
    const auto session = await(everything(*child));
    await(child->finish());
    EXPECT_EQ(session, std::to_string(child->pid()) + " 0\n") << "its session is itself, and it has no tty";
}

TEST_F(ChildTest, I13_StderrIsKeptUpToItsBound) {
    auto child = start({"sh", "-c", "head -c 70000 /dev/zero | tr '\\0' a >&2; printf end >&2"});
    bool done = false;
    asio::co_spawn(io, child->collect_stderr(), [&](const std::exception_ptr&) { done = true; });
    await(child->finish());
    ASSERT_TRUE(done);
    EXPECT_EQ(child->stderr_tail().size(), limits::child_stderr_bytes_max);
    EXPECT_TRUE(child->stderr_tail().ends_with("end"));
}

TEST_F(ChildTest, I13_OnePastTheOutgoingBoundIsRefused) {
    auto child = start({"sleep", "1000"});
    EXPECT_EQ(await(child->write(std::string(limits::agent_outgoing_bytes_max + 1, 'x'))).error().code, Errc::busy);
    await(child->stop());
}

TEST_F(ChildTest, WritingToOneThatIsGoneIsAnError) {
    auto child = start({"true"});
    await(child->finish());
    ::signal(SIGPIPE, SIG_IGN);
    EXPECT_EQ(await(child->write("hello\n")).error().code, Errc::unavailable);
}

TEST_F(ChildTest, AHundredChildrenLeaveNoZombieAndNoDescriptor) {
    const auto descriptors = [] { return std::distance(std::filesystem::directory_iterator{"/proc/self/fd"}, {}); };
    EXPECT_TRUE(await(start({"true"})->finish()).clean());  // the loop opens its own on first use
    const auto before = descriptors();
    for (int i = 0; i < 100; ++i) {
        auto child = start({"true"});
        EXPECT_TRUE(await(child->finish()).clean());
    }
    EXPECT_EQ(descriptors(), before);
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "no child is left";
}

}  // namespace
}  // namespace countersign::net
