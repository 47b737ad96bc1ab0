// SPDX-License-Identifier: Apache-2.0
// What a line is, seen from outside: for a line whose content is not read because it is too long, too deep or no JSON.
// An agent that waits for an answer to such a line still gets one.
#pragma once

#include <optional>
#include <string_view>

namespace countersign::runtimes {

// The bytes of a string, number or literal that is a member of the outermost object; of several of that name the last,
// as ECMAScript reads them. The text may be cut off anywhere. Linear, without recursion or memory of its own. What it
// returns is whatever stands there: read it as JSON before it is used.
[[nodiscard]] std::optional<std::string_view> outer_scalar(std::string_view text, std::string_view name);

}  // namespace countersign::runtimes
