// SPDX-License-Identifier: Apache-2.0
// The ways in which tools may read one path or one glob. Some cut white space off before they use a path; braces and
// wildcards can stand for a way out of the directory.
#pragma once

#include "core/risk.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::runtimes {

// A glob whose braces stand for more texts is an unusual path.
inline constexpr std::size_t glob_alternatives_max = 128;

// The path without white space and invisible characters at its ends.
[[nodiscard]] std::string_view trimmed_path(std::string_view path);

// Each text that the braces of the glob stand for; the glob itself if it has none. Nothing if there are too many.
[[nodiscard]] std::optional<std::vector<std::string>> glob_alternatives(std::string_view glob);

// True when `..` follows a wildcard, or is one choice of it: where that leads depends on the directories that match.
[[nodiscard]] bool climbs_after_wildcard(std::string_view glob);

// Adds the other readings of each path and selector, so that a rule that denies or asks finds them. A path or a working
// directory with white space at its ends makes the call one with an odd path.
void add_readings(CallFacts& facts);

}  // namespace countersign::runtimes
