// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace countersign::bench {

// The agent of the decision benchmark: this program again, started by `countersign run event`. It makes as many
// requests as a local socket tells it ("ask 200"), and reports there when the answer to each arrived ("<approvalId>
// <ns>", on the monotonic clock, which all processes of the machine share). Returns its exit code when the socket or
// its input ends. Its calls are for as many tools as there are people, in turn: each person is asked about one of them.
inline constexpr std::size_t decision_people = 40;
[[nodiscard]] std::string tool_of(std::size_t person);
int run_decision_agent(const std::string& socket_path);

[[nodiscard]] std::chrono::nanoseconds now();

}  // namespace countersign::bench
