// SPDX-License-Identifier: Apache-2.0
// An agent that asks one call after another, each allowed by a rule, and keeps what it was told. It lives in a
// directory of its own, so that what it heard survives whatever happens to the hub's disk.
#pragma once

#include "tests/integration/process.hpp"

#include <string>
#include <vector>

namespace countersign::testing_tools {

class AskingAgent {
public:
    AskingAgent();
    // Asks with the numbers [first, end), one at a time. Before each it does this, in the shell.
    [[nodiscard]] std::string script(int first, int end, const std::string& before = {}) const;
    // For that: makes the call so many bytes longer; does something before one call only.
    [[nodiscard]] static std::string longer(int bytes);
    [[nodiscard]] static std::string only(int number, const std::string& then);
    // An agent that asks nothing.
    [[nodiscard]] std::string idle() const;
    [[nodiscard]] std::vector<std::string> command(const std::string& agent, const std::string& state) const;

    // What it was told, in order; true for an allow.
    [[nodiscard]] std::vector<bool> answers() const;
    [[nodiscard]] const std::string& answers_file() const { return answers_; }
    void forget() const;
    [[nodiscard]] static std::string id(int number);

private:
    TemporaryDirectory files_;
    std::string answers_ = files_.path() + "/answers";
    std::string config_;
};

// Whether a log, as `audit tail --json` prints it, has a decision that allowed this request.
[[nodiscard]] bool allowed_in(const std::string& log, const std::string& id);

}  // namespace countersign::testing_tools
