// SPDX-License-Identifier: Apache-2.0
// Items: follows the items of Codex's threads from their start to their end, for what a later request does not repeat
// (the changes of a patch, the name of an MCP tool), and to find calls that ran without asking.
//
// Keeps at most tool_uses_kept_max items with items_bytes_max of changes and arguments, and forgets the oldest.
#pragma once

#include "core/limits.hpp"
#include "runtimes/codex/message.hpp"

#include <cstddef>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace countersign::runtimes::codex {

inline constexpr std::size_t items_bytes_max = std::size_t{8} * 1024 * 1024;

class Items {
public:
    void started(const Item& item);
    // The JSON of the changes that this file change wants to make; empty if unknown.
    [[nodiscard]] std::string changes_of(std::string_view thread_id, std::string_view item_id) const;
    struct McpCall {
        std::string item_id;
        std::string tool;  // empty: unknown, or several could be meant
    };
    // The running call of this server with these arguments, and of this tool unless that is empty.
    [[nodiscard]] McpCall mcp_call(std::string_view thread_id, std::string_view server, std::string_view tool,
                                   const json::Value& arguments) const;

    // Codex asked about it, perhaps before it started.
    void asked(const std::string& thread_id, const std::string& item_id);
    // The request was answered elsewhere, or Codex does not wait for an answer any more.
    void withdrawn(const std::string& thread_id, const std::string& item_id);
    // Returns whether the item ran without an answer from us, and forgets it.
    [[nodiscard]] bool ran_unasked(const Item& item);

    [[nodiscard]] std::size_t size() const { return items_.size(); }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

private:
    using Key = std::pair<std::string, std::string>;  // thread, item
    struct Entry {
        bool asked = false;
        bool withdrawn = false;
        std::string server;
        std::string tool;
        std::string text;  // the changes, or the canonical arguments of an MCP tool
    };
    Entry& entry(const Key& key);
    void forget(std::map<Key, Entry>::iterator found);

    std::map<Key, Entry> items_;
    std::deque<Key> order_;  // oldest first; may include finished items
    std::size_t bytes_ = 0;
};

}  // namespace countersign::runtimes::codex
