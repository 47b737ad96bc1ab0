// SPDX-License-Identifier: Apache-2.0
// An agent that asks one call after another, each allowed by a rule, and stores the answers that it gets. It uses its
// own directory, so that they survive any failure of the hub's disk.
#pragma once

#include "tests/integration/process.hpp"

#include <string>
#include <vector>

namespace countersign::testing_tools {

class AskingAgent {
public:
    AskingAgent();
    // Asks with the numbers [first, end), one at a time. Before each call it runs `before` in the shell.
    [[nodiscard]] std::string script(int first, int end, const std::string& before = {}) const;
    // Values for `before`: `longer` makes the call this many bytes longer, `only` runs `then` before one call only.
    [[nodiscard]] static std::string longer(int bytes);
    [[nodiscard]] static std::string only(int number, const std::string& then);
    // An agent that asks nothing.
    [[nodiscard]] std::string idle() const;
    [[nodiscard]] std::vector<std::string> command(const std::string& agent, const std::string& state) const;

    // The answers that it got, in order; true for an allow.
    [[nodiscard]] std::vector<bool> answers() const;
    [[nodiscard]] const std::string& answers_file() const { return answers_; }
    void forget() const;
    [[nodiscard]] static std::string id(int number);

private:
    TemporaryDirectory files_;
    std::string answers_ = files_.path() + "/answers";
    std::string config_;
};

// True if a log, as `audit tail --json` prints it, has a decision that allowed this request.
[[nodiscard]] bool allowed_in(const std::string& log, const std::string& id);

}  // namespace countersign::testing_tools
