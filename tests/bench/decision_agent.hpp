// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

namespace countersign::bench {

// The agent of the decision benchmark: this program again, started by `countersign run event`. It asks as many requests
// as it is told over a local socket ("ask 800"), and says there when the answer of each arrived ("<approvalId> <ns>",
// on the monotonic clock, which all processes of the machine share). Returns its exit code when the socket or its input
// ends.
int run_decision_agent(const std::string& socket_path);

[[nodiscard]] std::chrono::nanoseconds now();

}  // namespace countersign::bench
