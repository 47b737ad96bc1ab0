// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/host.hpp"
#include "core/outcome.hpp"
#include "core/result.hpp"

#include <string>

namespace countersign::app::setup {

// How the test ended, and who answered where. Person and channel are empty if a person did not answer, e.g. if a rule
// did.
struct TestAnswer {
    Outcome outcome = Outcome::withdrawn;
    std::string person = {};
    std::string channel = {};
    friend bool operator==(const TestAnswer&, const TestAnswer&) = default;
};

// Sends a harmless request through the hub, its channels and its log, and waits for the answer; nothing is run. The
// outcome is `withdrawn` if a signal interrupted the wait. Afterwards everything is closed and the message has no
// buttons. The host must have its bridge and channels. Does not return if the log's disk hangs.
boost::asio::awaitable<Result<TestAnswer>> test_approval(Host& host);

// Why the answer does not prove that this person can answer on this channel; empty if it does.
[[nodiscard]] std::string unproved(const TestAnswer& answer, const std::string& person, const std::string& channel);

}  // namespace countersign::app::setup
