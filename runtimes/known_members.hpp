// SPDX-License-Identifier: Apache-2.0
// The known arguments of each class of tool, and the kind of each. The rules and the display both use this table, so
// that people see what is judged.
#pragma once

#include "core/json/value.hpp"
#include "core/risk.hpp"

#include <string>
#include <string_view>

namespace countersign::runtimes {

enum class MemberKind {
    unknown,
    command,
    cwd,
    path,
    filter,  // narrows a search, unless it leaves the directory
    patch,
    url,
    host,
    text,   // text, numbers and flags that the rules can ignore
    off,    // a switch that is harmless only while it is off
    parts,  // a list of objects with members of the same class
};

// Normalises a member name, because runtimes spell one name in several ways: lower case, without '_' and '-'.
[[nodiscard]] std::string folded_name(std::string_view name);

[[nodiscard]] MemberKind member_kind(ToolClass tool_class, std::string_view folded);

// The member that is the command. Null if there is none, or if there are several and we cannot know which one runs.
[[nodiscard]] const json::Object::Member* command_member(const json::Object& input);
[[nodiscard]] bool has_several_commands(const json::Object& input);

// True if every argument is known for this class and has the expected kind. Any other argument can change the meaning
// of the rest: an environment, a disabled sandbox, one more path.
[[nodiscard]] bool all_known(ToolClass tool_class, const json::Object& input);

}  // namespace countersign::runtimes
