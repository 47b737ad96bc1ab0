// SPDX-License-Identifier: Apache-2.0
#include "runtimes/acp/tool_call.hpp"

#include "core/json/members.hpp"
#include "core/json/read.hpp"
#include "core/json/write.hpp"

#include <algorithm>
#include <array>

namespace countersign::runtimes::acp {

namespace {

// They say nothing about what the call will do.
constexpr auto left_out = std::to_array<std::string_view>({"rawOutput", "sessionUpdate", "status", "toolCallId"});

}  // namespace

ToolCall::ToolCall(const json::Object& object, std::string_view text) {
    for (const auto& [name, value] : object.members()) {
        const bool ignored = value.is_null() || std::ranges::find(left_out, name) != left_out.end();
        if (!ignored) members_.emplace_back(name, bytes_of(text, value));
    }
}

ToolCall ToolCall::merged(const ToolCall& later) const {
    auto all = *this;
    for (const auto& member : later.members_) {
        const auto found = std::ranges::find(all.members_, member.first, &decltype(members_)::value_type::first);
        if (found == all.members_.end()) {
            all.members_.push_back(member);
        } else {
            found->second = member.second;
        }
    }
    return all;
}

std::string_view ToolCall::member(std::string_view name) const {
    const auto found = std::ranges::find(members_, name, &decltype(members_)::value_type::first);
    return found == members_.end() ? std::string_view{} : std::string_view{found->second};
}

std::string ToolCall::text(std::string_view name) const {
    const auto bytes = member(name);
    const auto read = bytes.empty() ? Result<json::Document>{} : json::read(bytes);
    return read && read->value.string() != nullptr ? *read->value.string() : std::string{};
}

std::string ToolCall::described() const {
    std::string out = "{";
    for (const auto& [name, bytes] : members_) {
        if (out.size() > 1) out += ',';
        out.append(json::canonical(json::Value{name})).append(":").append(bytes);
    }
    return out + "}";
}

std::size_t ToolCall::bytes() const {
    std::size_t sum = 0;
    for (const auto& [name, bytes] : members_) sum += name.size() + bytes.size();
    return sum;
}

}  // namespace countersign::runtimes::acp
