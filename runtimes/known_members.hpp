// SPDX-License-Identifier: Apache-2.0
// Which arguments are known for which class of tool, and what each of them is. The rules and the display both go by it,
// so that what is judged is what is shown.
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
    filter,  // narrows what is looked at, unless it climbs out
    patch,
    url,
    host,
    text,   // words, numbers and flags that change nothing that the rules look at
    off,    // a switch that is harmless only while it is off
    parts,  // a list of objects with members of the same class
};

// Runtimes write one name in several ways: lower case, without '_' and '-'.
[[nodiscard]] std::string folded_name(std::string_view name);

[[nodiscard]] MemberKind member_kind(ToolClass tool_class, std::string_view folded);

// The member that is the command. Null where there is none, and where there are several: then nobody knows which one
// runs.
[[nodiscard]] const json::Object::Member* command_member(const json::Object& input);
[[nodiscard]] bool has_several_commands(const json::Object& input);

// True when each argument is known for this class and is of the kind that it should be. One that is not can change what
// the others mean: an environment, a sandbox that is switched off, one more path.
[[nodiscard]] bool all_known(ToolClass tool_class, const json::Object& input);

}  // namespace countersign::runtimes
