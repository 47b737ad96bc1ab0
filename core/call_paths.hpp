// SPDX-License-Identifier: Apache-2.0
// Matches rules against the paths of a call, both as written and as resolved. A rule that allows a call or lowers its
// risk must match both; a rule that denies or raises needs only one of them and ignores case. Pure.
#pragma once

#include "core/risk.hpp"

#include <functional>
#include <string_view>

namespace countersign {

// For an allow rule. False if the agent's file system isn't visible, if the call has no path or one that couldn't be
// resolved, or if a path has wildcards, which may go through any link.
[[nodiscard]] bool every_path_fits(std::string_view pattern, const CallFacts& facts);

// For a deny or ask rule. If the file system isn't visible, only the written paths are checked.
[[nodiscard]] bool some_path_fits(std::string_view pattern, const CallFacts& facts);
// The same for a word of a command.
[[nodiscard]] bool word_fits(std::string_view pattern, std::string_view word, const CallFacts& facts);
// True if a path that matches the pattern may be inside the directory. Always false for a pattern without a slash,
// which would match in every directory.
[[nodiscard]] bool may_walk_into(std::string_view pattern, std::string_view directory, const CallFacts& facts);
// True if the directory is a user's home directory or contains one.
[[nodiscard]] bool holds_a_home(std::string_view directory, const CallFacts& facts);

[[nodiscard]] bool every_path_inside(const CallFacts& facts);

// True if a search selects secret files through its file pattern.
[[nodiscard]] bool selects_secret(const CallFacts& facts);

// `test` gets a path and the directory that the path is relative to.
using PathTest = std::function<bool(std::string_view path, std::string_view cwd)>;
[[nodiscard]] bool some_path(const CallFacts& facts, const PathTest& test);

}  // namespace countersign
