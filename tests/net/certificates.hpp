// SPDX-License-Identifier: Apache-2.0
// Certificates made for one test run.
#pragma once

#include <chrono>
#include <memory>
#include <string>

namespace countersign::testing_tools {

// Texts in PEM format.
struct Identity {
    std::string certificate;
    std::string key;
};

// A certificate authority for one test.
class Authority {
public:
    explicit Authority(const std::string& name);
    ~Authority();
    Authority(const Authority&) = delete;
    Authority& operator=(const Authority&) = delete;
    [[nodiscard]] std::string certificate() const;
    // For one DNS name; valid from a day before to a day after `middle`.
    [[nodiscard]] Identity issue(const std::string& name, std::chrono::hours middle = std::chrono::hours{0}) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace countersign::testing_tools
