// SPDX-License-Identifier: Apache-2.0
// The ways in which tools may read one path or one glob. Some trim white space before they use a path; braces and
// wildcards can hide a way out of the directory.
#pragma once

#include "core/risk.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::runtimes {

// A glob whose braces expand to more texts is treated as odd.
inline constexpr std::size_t glob_alternatives_max = 128;

// The path without white space and invisible characters at both ends.
[[nodiscard]] std::string_view trimmed_path(std::string_view path);

// The texts to which the glob's braces expand; the glob itself if it has none. Empty if there are too many.
[[nodiscard]] std::optional<std::vector<std::string>> glob_alternatives(std::string_view glob);

// True if `..` follows a wildcard or is one of its alternatives: its target then depends on which directories match.
[[nodiscard]] bool climbs_after_wildcard(std::string_view glob);

// Adds the other readings of each path and selector, so that deny and ask rules match them. White space at an end of a
// path or working directory marks the path as odd.
void add_readings(CallFacts& facts);

}  // namespace countersign::runtimes
