// SPDX-License-Identifier: Apache-2.0
// ToolCalls: follows an agent's tool calls from their announcement to their end, for what a request for permission does
// not repeat, and to find calls that ran without asking.
//
// Keeps at most tool_uses_kept_max calls with tool_calls_bytes_max of arguments, and forgets the oldest.
#pragma once

#include "core/limits.hpp"
#include "runtimes/acp/message.hpp"

#include <cstddef>
#include <deque>
#include <map>
#include <string>
#include <utility>

namespace countersign::runtimes::acp {

inline constexpr std::size_t tool_calls_bytes_max = std::size_t{8} * 1024 * 1024;

class ToolCalls {
public:
    // Returns whether the call ended with this update, ran, and never asked for permission.
    [[nodiscard]] bool updated(const CallUpdate& update);
    // All that was said about the call so far.
    [[nodiscard]] ToolCall known(const std::string& session_id, const std::string& call_id) const;
    // The agent asked about it, perhaps before it announced it.
    void asked(const std::string& session_id, const std::string& call_id);
    // The agent does not wait for an answer any more.
    void withdrawn(const std::string& session_id, const std::string& call_id);

    [[nodiscard]] std::size_t size() const { return calls_.size(); }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

private:
    using Key = std::pair<std::string, std::string>;  // session, call
    struct Entry {
        ToolCall call;
        bool asked = false;
        bool withdrawn = false;
        bool ended = false;  // kept, because agents repeat the end of a call
    };
    Entry& entry(const Key& key);
    void keep(Entry& entry, ToolCall call);
    void forget_oldest();

    std::map<Key, Entry> calls_;
    std::deque<Key> order_;  // oldest first
    std::size_t bytes_ = 0;
};

}  // namespace countersign::runtimes::acp
