// SPDX-License-Identifier: Apache-2.0
// PromptQueue: a person's prompts that wait for the agent, which takes one per turn. Entirely passive; the adapter
// reports when the agent is ready and when a turn is over, and sends what take() returns.
#pragma once

#include "core/limits.hpp"
#include "core/result.hpp"

#include <deque>
#include <optional>
#include <string>
#include <utility>

namespace countersign::runtimes {

class PromptQueue {
public:
    // Errc::too_large past prompt_bytes_max, Errc::busy past prompts_waiting_max.
    Result<void> push(std::string prompt) {
        if (prompt.size() > limits::prompt_bytes_max) {
            return Error{Errc::too_large, "a prompt of " + std::to_string(prompt.size()) + " bytes, at most " +
                                              std::to_string(limits::prompt_bytes_max)};
        }
        if (waiting_.size() >= limits::prompts_waiting_max) return Error{Errc::busy, "too many prompts wait"};
        waiting_.push_back(std::move(prompt));
        return {};
    }
    // The next prompt, if the agent may have it now. Its turn begins here.
    [[nodiscard]] std::optional<std::string> take() {
        if (!ready_ || turn_running_ || waiting_.empty()) return std::nullopt;
        turn_running_ = true;
        auto prompt = std::move(waiting_.front());
        waiting_.pop_front();
        return prompt;
    }
    void agent_ready() { ready_ = true; }
    void turn_over() { turn_running_ = false; }
    void forget_waiting() { waiting_.clear(); }
    void no_more() { closed_ = true; }
    // No prompt waits or runs, and no more will be pushed.
    [[nodiscard]] bool finished() const { return closed_ && ready_ && !turn_running_ && waiting_.empty(); }

private:
    std::deque<std::string> waiting_;
    bool ready_ = false;
    bool turn_running_ = false;
    bool closed_ = false;
};

}  // namespace countersign::runtimes
