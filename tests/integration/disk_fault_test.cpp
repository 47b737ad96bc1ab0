// SPDX-License-Identifier: Apache-2.0
// The real program on a real disk that fails, and killed, at each call that it makes for its log: whatever an agent was
// allowed is in the log, nothing is allowed after the first failure, and the next process continues a log that verifies.
#include "tests/integration/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace countersign {
namespace {

using testing_tools::contents;
using testing_tools::countersign_path;
using testing_tools::Talk;
using testing_tools::TemporaryDirectory;

constexpr int calls_of_the_agent = 40;

std::string id_of(int call) { return "01HZXAAAAAAAAAAAAAAAAAAA" + std::to_string(10 + call); }

std::string event(int call) {
    return R"({"type":"approval_request","approvalId":")" + id_of(call) +
           R"(","approvalSource":"runtime_tool","subject":{"kind":"tool_use","toolName":"Bash","toolId":"t","rawInput":)"
           R"({"command":"ls )" +
           std::to_string(call) +
           R"("},"displayArgs":{}},"options":[{"optionId":"deny","label":"Deny","nativeDecision":"reject_once"},)"
           R"({"optionId":"allow","label":"Allow","nativeDecision":"allow_once"}]})";
}

// The log has a decision that allowed this request.
MATCHER_P(AllowedInIt, id, "") {
    std::istringstream lines{arg};
    for (std::string line; std::getline(lines, line);) {
        const bool decision = line.find(R"("kind":"decision")") != std::string::npos;
        if (decision && line.find(id) != std::string::npos)
            return line.find(R"("decision":"allowed")") != std::string::npos;
    }
    return false;
}

// strace counts the calls of each thread for itself. The first thread opens the log: it fills a segment with 32 writes and
// a sync, and puts the start record behind them with another write and sync. What comes later is the writer's.
struct Fault {
    const char* name;
    const char* injection;  // of strace, without the number of the call
    std::vector<int> at;
};
void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.name; }
constexpr int never = 60'000;

class DiskFault : public testing::TestWithParam<Fault> {
protected:
    DiskFault() {
        config_ = files_.file("countersign.toml", "[people.alice]\nterminal = 4294967294\nroles = [\"approve\"]\n"
                                                  "[channels.desk]\nkind = \"terminal\"\n"
                                                  "[[routes]]\nask = [{ channel = \"desk\" }]\ndeciders = [\"alice\"]\n"
                                                  "[[policy]]\neffect = \"allow\"\ncommand = \"ls *\"\n");
        std::string script = "#!/bin/sh\n";
        for (int call = 1; call <= calls_of_the_agent; ++call) {
            const auto file = files_.file("event" + std::to_string(call), event(call) + "\n");
            script += "cat " + file + "\nread -r answer || exit 0\nprintf '%s\\n' \"$answer\" >> " + answers_ + "\n";
        }
        agent_ = files_.file("agent.sh", script, 0700);
        idle_ = files_.file("idle.sh", "#!/bin/sh\nexit 0\n", 0700);
    }

    int run(const std::string& agent, const std::vector<std::string>& before = {}) {
        auto argv = before;
        argv.insert(argv.end(), {countersign_path(), "run", "event", "--plain", "--state", state_, "--config", config_,
                                 "--", agent});
        Talk talk{argv};  // its input stays open
        const auto code = talk.finish();
        said_ = talk.said();
        return code;
    }
    int run_with_fault(int nth) {
        const auto audit = state_ + "/audit";
        return run(agent_, {"strace", "-f", "-qq", "-o", "/dev/null", "-P", audit, "-P", audit + "/seg-000000.log",
                            "-P", audit + "/checkpoint", "-P", audit + "/checkpoint.new", "-e",
                            "inject=" + std::string{GetParam().injection} + ":when=" + std::to_string(nth)});
    }
    // What the agent was told, in order; true for an allow.
    [[nodiscard]] std::vector<bool> answers() const {
        std::vector<bool> given;
        std::istringstream lines{contents(answers_)};
        for (std::string line; std::getline(lines, line);)
            given.push_back(line.find("allow_once") != std::string::npos);
        return given;
    }
    [[nodiscard]] std::string records() const {
        return testing_tools::countersign({"audit", "tail", "--json", "-n", "1000", "--state", state_}).out;
    }
    void forget() {
        std::filesystem::remove_all(state_);
        std::filesystem::remove(answers_);
    }

    TemporaryDirectory files_;
    std::string state_ = files_.path() + "/state";
    std::string answers_ = files_.path() + "/answers";
    std::string config_;
    std::string agent_;
    std::string idle_;
    std::string said_;
};

TEST_P(DiskFault, I1_WhatWasAllowedIsInTheLogAndNothingIsAfterIt) {
    for (const int nth : GetParam().at) {
        SCOPED_TRACE(GetParam().injection + std::string{", call "} + std::to_string(nth));
        forget();
        EXPECT_EQ(run_with_fault(nth) == 0, nth == never) << said_;
        const auto given = answers();
        const auto refused = std::ranges::find(given, false);
        EXPECT_EQ(std::find(refused, given.end(), true), given.end()) << "an allow came after a refusal: " << said_;
        if (nth == never) EXPECT_EQ(given, std::vector<bool>(calls_of_the_agent, true)) << said_;

        ASSERT_EQ(run(idle_), 0) << "the next process does not start: " << said_;
        const auto log = records();
        for (int call = 1; call <= refused - given.begin(); ++call) EXPECT_THAT(log, AllowedInIt(id_of(call)));
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
