// SPDX-License-Identifier: Apache-2.0
// `audit tail -f` next to a hub that writes, is killed and restarts: a collector gets each record once, in order.
#include "tests/integration/asking_agent.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <sstream>
#include <thread>

namespace countersign {
namespace {

using testing_tools::AskingAgent;
using testing_tools::Talk;
using testing_tools::TemporaryDirectory;

constexpr int unreachable = 100'000;  // calls; the hub is killed before that

class AuditFollowTest : public testing::Test {
protected:
    void await_answers(std::size_t count) const {
        for (int tries = 0; agent.answers().size() < count && tries < 20'000; ++tries) {
            std::this_thread::sleep_for(std::chrono::milliseconds{1});
        }
        ASSERT_GE(agent.answers().size(), count);
    }
    [[nodiscard]] Talk follow(const std::string& after) const {
        return Talk{
            {testing_tools::countersign_path(), "audit", "tail", "-f", "--json", "--after", after, "--state", state}};
    }
    [[nodiscard]] std::string all_after(const std::string& after) const {
        return testing_tools::countersign({"audit", "tail", "--json", "--after", after, "--state", state}).out;
    }
    AskingAgent agent;
    TemporaryDirectory files;
    std::string state = files.path() + "/state";
};

// The numbers of the records in the order in which they were printed.
std::vector<std::uint64_t> numbers(const std::string& printed) {
    std::vector<std::uint64_t> found;
    std::istringstream lines{printed};
    for (std::string line; std::getline(lines, line);) {
        const auto at = line.find("\"seq\":");
        if (at != std::string::npos) found.push_back(std::stoull(line.substr(at + 6)));
    }
    return found;
}

TEST_F(AuditFollowTest, EachRecordComesOnceWhileTheHubWritesIsKilledAndRestarts) {
    constexpr std::uint64_t known = 5;
    Talk killed{agent.command(agent.script(0, unreachable), state)};
    ASSERT_NO_FATAL_FAILURE(await_answers(10));
    auto tail = follow(std::to_string(known));
    // It is running while records come: the next ones are from after its first look.
    ASSERT_TRUE(tail.wait_for("\"seq\":" + std::to_string(known + 1) + ","));
    agent.forget();
    ASSERT_NO_FATAL_FAILURE(await_answers(50));
    ::kill(killed.pid(), SIGKILL);
    EXPECT_EQ(killed.finish(), 128 + SIGKILL);

    agent.forget();
    Talk next{agent.command(agent.script(2 * unreachable, 2 * unreachable + 30), state)};
    EXPECT_EQ(next.finish(), 0) << next.said();
    EXPECT_EQ(agent.answers(), std::vector<bool>(30, true));
    ASSERT_TRUE(tail.wait_for("\"kind\":\"stop\""));
    ASSERT_TRUE(tail.wait_for("\n"));

    const auto seen = numbers(tail.said());
    ASSERT_GT(seen.size(), 200U);
    for (std::size_t at = 0; at < seen.size(); ++at) ASSERT_EQ(seen[at], known + 1 + at);
    EXPECT_EQ(tail.said(), all_after(std::to_string(known))) << "and they are what the log has";
    EXPECT_EQ(testing_tools::countersign({"audit", "verify", "--state", state}).exit_code, 0);
}

}  // namespace
}  // namespace countersign
