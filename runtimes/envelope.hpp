// SPDX-License-Identifier: Apache-2.0
// Reads the outermost members of a line that is too long, too deep or not valid JSON. An agent that waits for an answer
// to such a line still gets one.
#pragma once

#include <optional>
#include <string_view>

namespace countersign::runtimes {

// The bytes of a string, number or literal in the outermost object; of several members with this name the last one, as
// ECMAScript reads them. The text may be cut off anywhere. Linear time, no recursion, no allocation. The result is
// unchecked: parse it as JSON before use.
[[nodiscard]] std::optional<std::string_view> outer_scalar(std::string_view text, std::string_view name);

}  // namespace countersign::runtimes
