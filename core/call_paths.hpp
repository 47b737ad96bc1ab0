// SPDX-License-Identifier: Apache-2.0
// What a rule says of the paths of a call: as they are written, and where they lead. A rule that makes a call easier
// must fit both; one that makes it harder needs one of them, whatever its case. Pure.
#pragma once

#include "core/risk.hpp"

#include <functional>
#include <string_view>

namespace countersign {

// For an allow. False where the agent's file system is not visible, where a path could not be followed, where one has
// wildcards, which may pass through any link, and where there is none.
[[nodiscard]] bool every_path_fits(std::string_view pattern, const CallFacts& facts);

// For a deny or an ask. Where the file system is not visible, only what is written is looked at.
[[nodiscard]] bool some_path_fits(std::string_view pattern, const CallFacts& facts);
// The same for a word of a command.
[[nodiscard]] bool word_fits(std::string_view pattern, std::string_view word, const CallFacts& facts);
// Whether something that the pattern fits may lie below the directory. A pattern without a slash fits in every
// directory, and says nothing here.
[[nodiscard]] bool may_walk_into(std::string_view pattern, std::string_view directory, const CallFacts& facts);
// Whether it is somebody's home directory, or one above.
[[nodiscard]] bool holds_a_home(std::string_view directory, const CallFacts& facts);

[[nodiscard]] bool every_path_inside(const CallFacts& facts);

// True when a search names a place of secrets by the pattern of the files that it looks at.
[[nodiscard]] bool selects_secret(const CallFacts& facts);

// `test` gets a path and the directory that it is relative to.
using PathTest = std::function<bool(std::string_view path, std::string_view cwd)>;
[[nodiscard]] bool some_path(const CallFacts& facts, const PathTest& test);

}  // namespace countersign
