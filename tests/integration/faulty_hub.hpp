// SPDX-License-Identifier: Apache-2.0
// A real hub with an agent that asks, on a prepared log, and on a disk where one call fails (faulty_disk.cpp). The same
// run is repeated, each time starting from the same log.
#pragma once

#include "tests/integration/asking_agent.hpp"

#include <optional>
#include <string>
#include <vector>

namespace countersign::testing_tools {

// One call for a file of the log: its name, the file, and its number, counted over all threads. strace counts for each
// thread separately, so with strace the first thread would always fail first.
struct DiskCall {
    std::string name;
    std::string path;  // below the state directory
    int nth = 0;
    int thread = 0;
    [[nodiscard]] std::string text() const { return name + " " + path + " " + std::to_string(nth); }
    // True if it only reads: it changes nothing and doesn't promise that anything is on disk.
    [[nodiscard]] bool looks() const;
};

struct DiskFault {
    std::string call;
    std::string how;  // an error, or KILL
};

class FaultyHub {
public:
    struct Struck {
        int thread = 0;
        std::size_t heard = 0;  // answers that the agent had by then
    };

    // From now on, each run starts with the log that the last run left.
    void keep_log();
    // Runs this script of agent(); returns the exit code.
    int run(const std::string& script, const std::optional<DiskFault>& fault = {});
    // The same on the log as it is now, and not as it was kept.
    int go_on(const std::string& script, const std::vector<std::string>& environment = {});
    int run_with_short_writes(const std::string& script);
    // The same under strace, which writes its trace to the file.
    int run_traced(const std::string& script, const std::string& file);

    // The calls of the last run.
    [[nodiscard]] std::vector<DiskCall> calls() const;
    [[nodiscard]] std::optional<Struck> struck() const;
    [[nodiscard]] const std::string& said() const { return said_; }
    // The records added since the kept log, as `audit tail --json` prints them.
    [[nodiscard]] std::string new_records() const;
    [[nodiscard]] Ran verify() const;

    [[nodiscard]] const AskingAgent& agent() const { return agent_; }
    [[nodiscard]] const std::string& state() const { return state_; }

private:
    int talk(std::vector<std::string> argv, const std::vector<std::string>& environment);
    void find_log() const;
    [[nodiscard]] std::vector<std::string> environment() const;

    AskingAgent agent_;
    TemporaryDirectory files_;
    std::string state_ = files_.path() + "/state";
    std::string kept_ = files_.path() + "/kept";
    std::string calls_ = files_.path() + "/calls";
    std::string said_;
    std::string last_seq_;  // of the kept log
};

}  // namespace countersign::testing_tools
