// SPDX-License-Identifier: Apache-2.0
// What child processes inherit, how they end, and that nothing of them remains.
#include "core/limits.hpp"
#include "tests/net/child_fixture.hpp"

#include <cstdlib>
#include <fcntl.h>
#include <filesystem>

namespace countersign::net {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST_F(ChildTest, CommunicatesOverItsPipesAndReturnsItsExitCode) {
    auto child = start({"sh", "-c", "read -r line; echo got $line; exit 3"});
    EXPECT_TRUE(await(child->write("hello\n")));
    EXPECT_EQ(await(everything(*child)), "got hello\n");
    const auto status = await(child->finish());
    EXPECT_EQ(status.code, 3);
    EXPECT_EQ(describe(status), "exited with 3");
}

TEST_F(ChildTest, AMissingCommandIsAnErrorThatNamesIt) {
    const auto child = Child::start(io.get_executor(), {.argv = {"no-such-agent"}});
    ASSERT_FALSE(child);
    EXPECT_THAT(child.error().detail, HasSubstr("no-such-agent"));
    EXPECT_TRUE(no_process_is_left());
}

TEST_F(ChildTest, AMissingDirectoryIsAnErrorThatNamesIt) {
    const auto child = Child::start(io.get_executor(), {.argv = {"true"}, .directory = "no-such-directory"});
    ASSERT_FALSE(child);
    EXPECT_THAT(child.error().detail, HasSubstr("no-such-directory"));
    EXPECT_TRUE(no_process_is_left());
}

TEST_F(ChildTest, NoCommandIsAnError) { EXPECT_EQ(Child::start(io.get_executor(), {}).error().code, Errc::malformed); }

TEST_F(ChildTest, HasItsOwnSessionAndGroupWithoutOurTerminal) {
    auto child = start({"sh", "-c", "cut -d' ' -f5,6,7 /proc/self/stat"});
    const auto ids = await(everything(*child));
    await(child->finish());
    const auto itself = std::to_string(child->pid());
    EXPECT_EQ(ids, itself + " " + itself + " 0\n") << "group and session are itself, and it has no tty";
}

TEST_F(ChildTest, InheritsOnlyTheListedEnvironmentVariables) {
    ::setenv("COUNTERSIGN_TOKEN", "SECRET", 1);
    ::setenv("LD_PRELOAD_LIKE", "SECRET", 1);
    ::setenv("NO_COLOR", "1", 1);
    ::setenv("TZ", "UTC", 1);
    const auto variables = output_of({"env"}, {"NO_COLOR", "NOT_SET_AT_ALL"});
    for (const auto* name : {"COUNTERSIGN_TOKEN", "LD_PRELOAD_LIKE", "NO_COLOR", "TZ"}) ::unsetenv(name);
    EXPECT_THAT(variables, Not(HasSubstr("SECRET")));
    EXPECT_THAT(variables, HasSubstr("TZ=UTC\n"));
    EXPECT_THAT(variables, HasSubstr("NO_COLOR=1\n"));
    EXPECT_THAT(variables, Not(HasSubstr("NOT_SET_AT_ALL")));
}

TEST_F(ChildTest, InheritsNoDescriptorNotEvenOneThatALibraryLeftOpen) {
    const int careless = ::open("/dev/null", O_RDONLY);
    ASSERT_EQ(::dup2(careless, 77), 77);
    const auto listed = output_of({"ls", "/proc/self/fd"});
    ::close(77);
    ::close(careless);
    EXPECT_EQ(listed, "0\n1\n2\n3\n") << "3 is the directory that ls reads";
}

TEST_F(ChildTest, StartsWithNoSignalBlockedOrIgnored) {
    sigset_t blocked;
    sigset_t before;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &blocked, &before);
    const auto status = output_of({"cat", "/proc/self/status"});
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    EXPECT_THAT(status, HasSubstr("SigBlk:\t0000000000000000\n"));
    const auto ignored = std::stoull(status.substr(status.find("SigIgn:\t") + 8, 16), nullptr, 16);
    EXPECT_EQ(ignored & 0x7fff'ffff, 0U) << "beyond the first 31 the C library has its own";
}

TEST_F(ChildTest, AChildThatObeysTermIsNotKilled) {
    auto child = start({"sh", "-c", "trap 'exit 7' TERM; echo $$; while :; do sleep 1000 & wait $!; done"});
    printed_pid(*child);
    EXPECT_EQ(await(child->stop()).code, 7);
    EXPECT_EQ(await(child->stop()).code, 7) << "asked again, it says the same";
    while (::waitpid(-1, nullptr, 0) > 0) {}  // the sleep in its group
    EXPECT_TRUE(no_process_is_left());
}

TEST_F(ChildTest, AChildThatIgnoresTermIsKilledWithItsDescendants) {
    auto child = start({"sh", "-c", "trap '' TERM; sleep 1000 & echo $!; wait; sleep 1000"});
    const auto grandchild = printed_pid(*child);
    EXPECT_EQ(await(child->stop()).signal, SIGKILL);
    EXPECT_EQ(signal_that_ended(grandchild), SIGKILL);
    EXPECT_TRUE(no_process_is_left());
}

TEST_F(ChildTest, ItsDescendantsAreKilledEvenIfOnlyTheChildObeysTerm) {
    auto child = start({"sh", "-c", "sh -c 'trap \"\" TERM; echo $$; exec sleep 1000' & wait"});
    const auto grandchild = printed_pid(*child);
    EXPECT_EQ(await(child->stop()).signal, SIGTERM);
    EXPECT_EQ(signal_that_ended(grandchild), SIGKILL);
    EXPECT_TRUE(no_process_is_left());
}

TEST_F(ChildTest, ProcessesLeftInItsGroupAreKilledWhenItEnds) {
    auto child = start({"sh", "-c", "sleep 1000 >/dev/null 2>&1 & echo $!"});
    const auto left_behind = printed_pid(*child);
    EXPECT_TRUE(await(child->finish()).clean()) << "it ended by itself";
    EXPECT_EQ(signal_that_ended(left_behind), SIGKILL);
    EXPECT_TRUE(no_process_is_left());
}

TEST_F(ChildTest, AnUnstoppedChildIsKilledWithItsGroupByTheDestructor) {
    auto child = start({"sh", "-c", "trap '' TERM; sleep 1000 & echo $!; wait"});
    const auto grandchild = printed_pid(*child);
    child.reset();
    EXPECT_EQ(signal_that_ended(grandchild), SIGKILL);
    EXPECT_TRUE(no_process_is_left());
}

TEST_F(ChildTest, AChildWhoseParentIsKilledIsEndedToo) {
    int ends[2];
    ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    const pid_t hub = ::fork();
    ASSERT_GE(hub, 0);
    if (hub == 0) {
        ::alarm(20);
        const auto agent = spawn({.argv = {"sleep", "1000"}});  // never reads, so it doesn't see the end of its input
        const pid_t pid = agent ? agent->pid : -1;
        if (::write(ends[1], &pid, sizeof pid) == sizeof pid) ::pause();
        ::_exit(1);
    }
    ::close(ends[1]);
    pid_t agent = -1;
    ASSERT_EQ(::read(ends[0], &agent, sizeof agent), static_cast<ssize_t>(sizeof agent));
    ::close(ends[0]);
    ASSERT_GT(agent, 0);
    ::kill(hub, SIGKILL);
    ASSERT_EQ(::waitpid(hub, nullptr, 0), hub);
    EXPECT_EQ(signal_that_ended(agent), SIGTERM);
    EXPECT_TRUE(no_process_is_left());
}

TEST_F(ChildTest, AChildThatClosesItsOutputAndKeepsRunningIsStopped) {
    auto child = start({"sh", "-c", "exec >&-; exec sleep 1000"});
    EXPECT_EQ(await(everything(*child)), "");
    EXPECT_EQ(await(child->finish()).signal, SIGTERM);
    EXPECT_TRUE(no_process_is_left());
}

TEST_F(ChildTest, I13_StderrIsKeptUpToItsBoundInWholeLines) {
    auto child = start({"sh", "-c", "yes 1234567 | head -c 70000 >&2; printf end >&2"});
    bool done = false;
    asio::co_spawn(io, child->collect_stderr(), [&](const std::exception_ptr&) { done = true; });
    await(child->finish());
    ASSERT_TRUE(done);
    const auto tail = child->stderr_tail();
    EXPECT_EQ(tail.size(), limits::child_stderr_bytes_max - 5) << "the last 5 bytes of a cut line are dropped";
    EXPECT_TRUE(tail.starts_with("1234567\n"));
    EXPECT_TRUE(tail.ends_with("1234567\nend"));
}

TEST_F(ChildTest, AThousandChildrenLeaveNoZombieAndNoDescriptor) {
    const auto descriptors = [] { return std::distance(std::filesystem::directory_iterator{"/proc/self/fd"}, {}); };
    EXPECT_TRUE(await(start({"true"})->finish()).clean());  // the event loop opens its own descriptors on first use
    const auto before = descriptors();
    for (int i = 0; i < 1000; ++i) {
        auto child = start({"true"});
        EXPECT_TRUE(await(child->finish()).clean());
    }
    EXPECT_EQ(descriptors(), before);
    EXPECT_TRUE(no_process_is_left());
}

}  // namespace
}  // namespace countersign::net
