// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/host.hpp"
#include "core/outcome.hpp"
#include "core/result.hpp"

#include <string>

namespace countersign::app::setup {

// How the test ended, and who answered it where. Both are empty where no person did, e.g. where a rule did.
struct TestAnswer {
    Outcome outcome = Outcome::withdrawn;
    std::string person = {};
    std::string channel = {};
    friend bool operator==(const TestAnswer&, const TestAnswer&) = default;
};

// Asks one harmless thing through the hub, its channels and its log, and waits for the answer; nothing is run. The
// outcome is `withdrawn` if a signal ended the wait. Everything is closed after it, and the message has no buttons any
// more. The host has its bridge and channels. Does not return if the log's disk hangs.
boost::asio::awaitable<Result<TestAnswer>> test_approval(Host& host);

// Why the answer does not prove that this person can answer on this channel; empty if it does.
[[nodiscard]] std::string unproved(const TestAnswer& answer, const std::string& person, const std::string& channel);

}  // namespace countersign::app::setup
