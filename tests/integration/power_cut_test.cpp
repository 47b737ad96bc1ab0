// SPDX-License-Identifier: Apache-2.0
// The real program on a real file system whose power is cut: ext4 on a loop device, shut down by the ioctl that drops
// everything that wasn't synced. All calls that were allowed before are in the log afterwards.
#include "tests/integration/asking_agent.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <fcntl.h>
#include <random>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <thread>
#include <unistd.h>

namespace countersign {
namespace {

using testing_tools::allowed_in;
using testing_tools::AskingAgent;
using testing_tools::Talk;
using testing_tools::TemporaryDirectory;

constexpr int cuts = 50;
constexpr int calls_between_cuts = 2000;  // more than can be made before the next cut

// Enters a separate mount namespace. In the shared one, another namespace that is copied from it at the wrong moment
// keeps the file system in use after it is unmounted here; then the next mount gets the same one, still without power.
bool leave_the_others() {
    if (::unshare(CLONE_NEWNS) != 0) return false;
    // In a changed root, "/" isn't a mount, and nothing mounted below it is shared either.
    return ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 || errno == EINVAL;
}

// A mounted ext4 in its own file.
class LoopDisk {
public:
    LoopDisk() {
        if (!leave_the_others()) {
            missing_ = "a mount namespace cannot be had";
            return;
        }
        call({"truncate", "-s", "96M", image_}) && call({"mkfs.ext4", "-q", "-F", image_}) && call({"mkdir", point_}) &&
            mount();
    }
    LoopDisk(const LoopDisk&) = delete;
    LoopDisk& operator=(const LoopDisk&) = delete;
    ~LoopDisk() { unmount(); }
    // Why there is no disk; empty if there is one.
    [[nodiscard]] const std::string& missing() const { return missing_; }
    [[nodiscard]] const std::string& point() const { return point_; }
    bool mount() { return call({"mount", "-o", "loop", image_, point_}); }
    bool unmount() { return call({"umount", point_}); }
    // Data that isn't on disk now never will be.
    bool cut_power() {
        constexpr unsigned long shut_down = 0x8004587D;  // EXT4_IOC_SHUTDOWN
        std::uint32_t without_flushing = 2;
        const int directory = ::open(point_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        const bool cut = directory >= 0 && ::ioctl(directory, shut_down, &without_flushing) == 0;
        ::close(directory);
        return cut;
    }

private:
    bool call(const std::vector<std::string>& argv) {
        const auto ran = testing_tools::run({.argv = argv});
        if (ran.exit_code == 0) return true;
        missing_ = argv.front() + (ran.exit_code == 127 ? ": is not installed" : ": " + ran.err);
        return false;
    }
    TemporaryDirectory files_;
    std::string image_ = files_.path() + "/image";
    std::string point_ = files_.path() + "/disk";
    std::string missing_;
};

TEST(PowerCut, I1_AllowedCallsAreInTheLogAfterIt) {
    if (::getuid() != 0) GTEST_SKIP() << "only root can cut the power of a file system";
    LoopDisk disk;
    if (!disk.missing().empty()) GTEST_SKIP() << "no ext4 on a loop device can be had here: " << disk.missing();
    const AskingAgent agent;
    const auto state = disk.point() + "/state";
    std::mt19937 random{20'251'116};
    std::size_t allowed = 0;
    for (int cut = 0; cut < cuts; ++cut) {
        SCOPED_TRACE("cut " + std::to_string(cut));
        const auto first = cut * calls_between_cuts;
        agent.forget();
        {
            Talk talk{agent.command(agent.script(first, first + calls_between_cuts), state)};
            // Waits until the agent has got an answer, or most cuts would hit the start.
            for (int tries = 0; agent.answers().empty() && tries < 2000; ++tries) {
                std::this_thread::sleep_for(std::chrono::milliseconds{1});
            }
            std::this_thread::sleep_for(std::chrono::microseconds{random() % 30'000});
            ASSERT_TRUE(disk.cut_power());
            ::kill(talk.pid(), SIGKILL);
            talk.finish();
        }
        ASSERT_TRUE(disk.unmount() && disk.mount());
        const auto given = agent.answers();
        const auto refused = std::ranges::find(given, false) - given.begin();
        ASSERT_GT(refused, 0) << "nothing was allowed before the cut";

        Talk next{agent.command(agent.idle(), state)};
        ASSERT_EQ(next.finish(), 0) << next.said();
        const auto log = testing_tools::countersign({"audit", "tail", "--json", "-n", "10000", "--state", state}).out;
        for (int number = 0; number < refused; ++number) {
            ASSERT_TRUE(allowed_in(log, agent.id(first + number))) << number << " of " << refused;
        }
        const auto verified = testing_tools::countersign({"audit", "verify", "--state", state});
        ASSERT_EQ(verified.exit_code, 0) << verified.err;
        allowed += static_cast<std::size_t>(refused);
    }
    RecordProperty("allowed", static_cast<int>(allowed));
}

}  // namespace
}  // namespace countersign
