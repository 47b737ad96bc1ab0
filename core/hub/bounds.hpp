// SPDX-License-Identifier: Apache-2.0
// The hub's own bounds. Each has a test that crosses it by one.
#pragma once

#include <chrono>
#include <cstddef>

namespace countersign::limits {

// For an agent that does not listen: how long the answer to a halt waits to say whether its turn was ended, and how
// long the hub's own end waits for what is on its way to it.
inline constexpr std::chrono::milliseconds halt_answer_max{1'000};
inline constexpr std::chrono::milliseconds agents_at_stop_max{2'000};

}  // namespace countersign::limits
