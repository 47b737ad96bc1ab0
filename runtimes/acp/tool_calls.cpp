// SPDX-License-Identifier: Apache-2.0
#include "runtimes/acp/tool_calls.hpp"

#include "core/risk.hpp"
#include "runtimes/acp/subject.hpp"

namespace countersign::runtimes::acp {

namespace {

bool is_end(const std::string& status) { return status == "completed" || status == "failed" || status == "cancelled"; }

// A call that failed has run, unless the agent says otherwise or nothing it could do matters.
bool ran(const CallUpdate& update, const ToolCall& call) {
    if (update.status == "completed") return true;
    if (update.status != "failed" || update.not_run) return false;
    const auto tool_class = tool_class_of(tool_name_of(call));
    return tool_class != ToolClass::read && tool_class != ToolClass::edit;
}

}  // namespace

void ToolCalls::forget_oldest() {
    const auto oldest = calls_.find(order_.front());
    bytes_ -= oldest->second.call.bytes();
    calls_.erase(oldest);
    order_.pop_front();
}

ToolCalls::Entry& ToolCalls::entry(const Key& key) {
    if (const auto found = calls_.find(key); found != calls_.end()) return found->second;
    while (order_.size() >= limits::tool_uses_kept_max) forget_oldest();
    order_.push_back(key);
    return calls_[key];
}

void ToolCalls::keep(Entry& entry, ToolCall call) {
    bytes_ = bytes_ - entry.call.bytes() + call.bytes();
    entry.call = std::move(call);
}

bool ToolCalls::updated(const CallUpdate& update) {
    const Key key{update.session_id, update.call_id};
    auto& one = entry(key);
    if (one.ended && !update.announces) return false;
    if (one.ended) {  // the agent uses the id for another call
        keep(one, {});
        one = {};
    }
    auto whole = one.call.merged(update.call);
    if (!is_end(update.status)) {
        keep(one, std::move(whole));
        while (bytes_ > tool_calls_bytes_max && order_.size() > 1) forget_oldest();
        // A single description past the bound is not kept: a request that relies on it then says too little.
        if (bytes_ > tool_calls_bytes_max) forget_oldest();
        return false;
    }
    const bool unasked = !one.asked ? ran(update, whole) : one.withdrawn && update.status == "completed";
    one.ended = true;
    keep(one, {});
    return unasked;
}

ToolCall ToolCalls::known(const std::string& session_id, const std::string& call_id) const {
    const auto found = calls_.find({session_id, call_id});
    return found == calls_.end() ? ToolCall{} : found->second.call;
}

void ToolCalls::asked(const std::string& session_id, const std::string& call_id) {
    if (call_id.empty()) return;
    auto& one = entry({session_id, call_id});
    one.asked = true;
    one.withdrawn = false;
    one.ended = false;
}

void ToolCalls::withdrawn(const std::string& session_id, const std::string& call_id) {
    const auto found = calls_.find({session_id, call_id});
    if (found != calls_.end()) found->second.withdrawn = true;
}

}  // namespace countersign::runtimes::acp
