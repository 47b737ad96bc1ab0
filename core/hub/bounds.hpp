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

// Of the halts_max places. A halt of a name that nothing here has takes two: it may be an agent's or a session's. An
// agent's own shell can give such halts, so they never take the places of what is here, and the command line never
// takes the last ones: people in chats keep their brake.
inline constexpr std::size_t halts_of_unknown_max = 256;           // names, given at the machine
inline constexpr std::size_t halts_of_unknown_in_chats_max = 320;  // names in all, given in a chat
inline constexpr std::size_t halts_kept_for_chats = 100;           // places

}  // namespace countersign::limits
