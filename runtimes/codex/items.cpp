// SPDX-License-Identifier: Apache-2.0
#include "runtimes/codex/items.hpp"

#include "core/json/members.hpp"
#include "core/json/write.hpp"

#include <utility>

namespace countersign::runtimes::codex {

Items::Entry& Items::entry(const Key& key) {
    if (const auto found = items_.find(key); found != items_.end()) return found->second;
    // An agent may use an id again, so the oldest key can be this one: make room first.
    while (order_.size() >= limits::tool_uses_kept_max) {
        if (const auto oldest = items_.find(order_.front()); oldest != items_.end()) forget(oldest);
        order_.pop_front();
    }
    order_.push_back(key);
    return items_[key];
}

void Items::forget(std::map<Key, Entry>::iterator found) {
    bytes_ -= found->second.text.size();
    items_.erase(found);
}

void Items::started(const Item& item) {
    if (item.id.empty() || item.id.size() > limits::native_id_bytes_max) return;
    if (item.thread_id.size() > limits::native_id_bytes_max) return;
    const auto* object = item.value.object();
    std::string text;
    if (item.type == "fileChange") {
        if (const auto* changes = object->find("changes")) text = bytes_of(item.text, *changes);
    } else if (item.type == "mcpToolCall") {
        if (const auto* arguments = object->find("arguments")) text = json::canonical(*arguments);
    } else {
        return;  // nothing of it is needed later
    }
    const Key key{item.thread_id, item.id};
    auto& kept = entry(key);
    bytes_ = bytes_ - kept.text.size() + text.size();
    kept.text = std::move(text);
    kept.server = text_of(*object, "server");
    kept.tool = text_of(*object, "tool");
    while (bytes_ > items_bytes_max && order_.size() > 1) {
        if (const auto oldest = items_.find(order_.front()); oldest != items_.end()) forget(oldest);
        order_.pop_front();
    }
}

std::string Items::changes_of(std::string_view thread_id, std::string_view item_id) const {
    const auto found = items_.find({std::string{thread_id}, std::string{item_id}});
    return found == items_.end() || !found->second.tool.empty() ? std::string{} : found->second.text;
}

Items::McpCall Items::mcp_call(std::string_view thread_id, std::string_view server, std::string_view tool,
                               const json::Value& arguments) const {
    const auto text = json::canonical(arguments);
    McpCall call;
    for (const auto& [key, kept] : items_) {
        if (key.first != thread_id || kept.tool.empty() || kept.server != server || kept.text != text) continue;
        if (!tool.empty() && kept.tool != tool) continue;
        if (!call.tool.empty() && call.tool != kept.tool) return {};
        if (call.tool.empty() || !kept.asked) call.item_id = key.second;
        call.tool = kept.tool;
    }
    return call;
}

void Items::asked(const std::string& thread_id, const std::string& item_id) {
    if (!item_id.empty()) entry({thread_id, item_id}).asked = true;
}

void Items::withdrawn(const std::string& thread_id, const std::string& item_id) {
    const auto found = items_.find({thread_id, item_id});
    if (found != items_.end()) found->second.withdrawn = true;
}

bool Items::ran_unasked(const Item& item) {
    bool asked = false;
    bool withdrawn = false;
    if (const auto found = items_.find({item.thread_id, item.id}); found != items_.end()) {
        asked = found->second.asked;
        withdrawn = found->second.withdrawn;
        forget(found);
    }
    if (item.status == "declined" || item.status == "inProgress") return false;
    if (!asked) return true;
    return withdrawn && item.status == "completed";
}

}  // namespace countersign::runtimes::codex
