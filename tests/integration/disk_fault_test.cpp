// SPDX-License-Identifier: Apache-2.0
// The real program on a real disk that fails, and killed, at each call that it makes for its log: whatever an agent was
// allowed is in the log, nothing is allowed after the first failure, and the next process continues a log that
// verifies.
#include "tests/integration/asking_agent.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <ostream>

namespace countersign {
namespace {

using testing_tools::allowed_in;
using testing_tools::AskingAgent;
using testing_tools::Talk;
using testing_tools::TemporaryDirectory;

constexpr int calls_of_the_agent = 40;
constexpr int never = 60'000;

// strace counts the calls of each thread for itself. The first thread opens the log: it fills a segment with 128 writes
// and a sync, and puts the start record behind them with another write and sync. What comes later is the writer's.
struct Fault {
    const char* name;
    const char* injection;  // of strace, without the number of the call
    std::vector<int> at;
};
void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.name; }

class DiskFault : public testing::TestWithParam<Fault> {
protected:
    int run(const std::string& script, const std::vector<std::string>& before = {}) {
        auto argv = before;
        const auto command = agent_.command(script, state_);
        argv.insert(argv.end(), command.begin(), command.end());
        Talk talk{argv};  // its input stays open
        const auto code = talk.finish();
        said_ = talk.said();
        return code;
    }
    int run_with_fault(int nth) {
        const auto audit = state_ + "/audit";
        return run(agent_.script(0, calls_of_the_agent),
                   {"strace", "-f", "-qq", "-o", "/dev/null", "-P", audit, "-P", audit + "/seg-000000.log", "-e",
                    "inject=" + std::string{GetParam().injection} + ":when=" + std::to_string(nth)});
    }
    [[nodiscard]] std::string records() const {
        return testing_tools::countersign({"audit", "tail", "--json", "-n", "1000", "--state", state_}).out;
    }

    AskingAgent agent_;
    TemporaryDirectory files_;
    std::string state_ = files_.path() + "/state";
    std::string said_;
};

TEST_P(DiskFault, I1_WhatWasAllowedIsInTheLogAndNothingIsAfterIt) {
    for (const int nth : GetParam().at) {
        SCOPED_TRACE(GetParam().injection + std::string{", call "} + std::to_string(nth));
        std::filesystem::remove_all(state_);
        agent_.forget();
        EXPECT_EQ(run_with_fault(nth) == 0, nth == never) << said_;
        const auto given = agent_.answers();
        const auto refused = std::ranges::find(given, false);
        EXPECT_EQ(std::find(refused, given.end(), true), given.end()) << "an allow came after a refusal: " << said_;
        if (nth == never) EXPECT_EQ(given, std::vector<bool>(calls_of_the_agent, true)) << said_;

        ASSERT_EQ(run(agent_.idle()), 0) << "the next process does not start: " << said_;
        const auto log = records();
        for (int call = 0; call < refused - given.begin(); ++call)
            EXPECT_TRUE(allowed_in(log, agent_.id(call))) << call;
        const auto verified = testing_tools::countersign({"audit", "verify", "--state", state_});
        EXPECT_EQ(verified.exit_code, 0) << verified.err;
    }
}

INSTANTIATE_TEST_SUITE_P(AtEachCall, DiskFault,
                         testing::Values(Fault{"WriteFails", "pwrite64:error=EIO", {1, 33, 34, 35, 36, 37, never}},
                                         Fault{"DiskIsFull", "pwrite64:error=ENOSPC", {2, 33, 34, 35}},
                                         Fault{"DiskIsReadOnly", "pwrite64:error=EROFS", {3, 33, 34, 35}},
                                         Fault{"SyncFails", "fdatasync:error=EIO", {1, 2, 3, 4, 5, 6, 7}},
                                         Fault{"DirectorySyncFails", "fsync:error=EIO", {1, 2}},
                                         Fault{"KilledAtAWrite", "pwrite64:signal=KILL", {1, 33, 34, 35, 36, 37}},
                                         Fault{"KilledAtASync", "fdatasync:signal=KILL", {1, 2, 3, 4, 5, 6, 7}}),
                         [](const auto& parameter) { return parameter.param.name; });

}  // namespace
}  // namespace countersign
