// SPDX-License-Identifier: Apache-2.0
// Paths as text. Nothing here looks at a file system: a symbolic link can make any of this untrue. What a rule says of
// a call is in core/call_paths.hpp, which also knows where the paths lead.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace countersign {

// The path with `.`, `..` and doubled slashes resolved, relative ones against `cwd` if it is known. `~` stays in front.
// A relative path without a cwd keeps the `..` that lead out of it.
[[nodiscard]] std::string resolved_path(std::string_view path, std::string_view cwd);

// True when the path lies in `cwd`. Without a cwd only a relative path that never leaves it does.
[[nodiscard]] bool inside(std::string_view path, std::string_view cwd);

// True when a pattern of the operator's fits the resolved path. A pattern that begins with neither '/', '~' nor '*' is
// relative to `cwd`.
[[nodiscard]] bool path_fits(std::string_view pattern, std::string_view path, std::string_view cwd);

// True for a place where keys and passwords live: also reading it is high.
[[nodiscard]] bool bears_secrets(std::string_view path, std::string_view cwd);

// True when a pattern of files names such a place: it may match one, and no everyday file. Lists, braces and brackets
// are read as ripgrep and the Glob tools of agents read them; a leading `!` excludes, and names nothing.
[[nodiscard]] bool selects_secrets(std::string_view selector, std::string_view cwd);

// True for Countersign's or any agent's own settings, hooks and rules. Case does not matter, because some file systems
// do not care for it either.
[[nodiscard]] bool is_own_setting(std::string_view path, std::string_view cwd);

// True when a text that did not parse names such a place, with or without quotes in between.
[[nodiscard]] bool mentions_own_setting(std::string_view text);

}  // namespace countersign
