// SPDX-License-Identifier: Apache-2.0
// The hub's own bounds. Each has a test that crosses it by one.
#pragma once

#include <chrono>
#include <cstddef>

namespace countersign::limits {

// For agents that don't read their input: how long the answer to a halt waits to learn whether the turn was ended, and
// how long a stopping hub waits for calls to agents.
inline constexpr std::chrono::milliseconds halt_answer_max{1'000};
inline constexpr std::chrono::milliseconds agents_at_stop_max{2'000};

// Shares of halts_max. Halting an unknown name takes two places, because it may be an agent's or a session's. An
// agent's own shell can give such orders, so they must never use the places of known agents and sessions. The command
// line can't use the last places, so that people in chats can always halt.
inline constexpr std::size_t halts_of_unknown_max = 256;           // names, halted on this machine
inline constexpr std::size_t halts_of_unknown_in_chats_max = 320;  // names in total, halted in a chat
inline constexpr std::size_t halts_kept_for_chats = 100;           // places

}  // namespace countersign::limits
