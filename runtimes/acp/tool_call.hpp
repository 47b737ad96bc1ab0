// SPDX-License-Identifier: Apache-2.0
// A tool call as an ACP agent describes it: in an announcement, in updates, and again in the request for permission.
// Each description may leave members out, which then keep the value that they had before.
#pragma once

#include "core/json/value.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace countersign::runtimes::acp {

// The members of a tool call, each as raw JSON. Members that are null, the ids, the status and the output are left out.
class ToolCall {
public:
    ToolCall() = default;
    // `text` is the JSON that the object was read from.
    ToolCall(const json::Object& object, std::string_view text);

    // This call with what the later description changes.
    [[nodiscard]] ToolCall merged(const ToolCall& later) const;
    // Raw JSON; empty if there is none.
    [[nodiscard]] std::string_view member(std::string_view name) const;
    // Empty if it is not a string.
    [[nodiscard]] std::string text(std::string_view name) const;
    // The object with all members.
    [[nodiscard]] std::string described() const;
    [[nodiscard]] std::size_t bytes() const;
    friend bool operator==(const ToolCall&, const ToolCall&) = default;

private:
    std::vector<std::pair<std::string, std::string>> members_;
};

}  // namespace countersign::runtimes::acp
