// SPDX-License-Identifier: Apache-2.0
// Paths as text. These functions never look at a file system, so a symbolic link can make their result wrong.
// core/call_paths.hpp matches rules against a call and also knows where its paths lead.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace countersign {

// The path with `.`, `..` and doubled slashes resolved, relative to `cwd` if that is known. A leading `~` stays. A
// relative path without a cwd keeps the `..` that lead out of it.
[[nodiscard]] std::string resolved_path(std::string_view path, std::string_view cwd);

// True if the path is inside `cwd`. Without a cwd, only for a relative path that never leaves its start.
[[nodiscard]] bool inside(std::string_view path, std::string_view cwd);

// True if an operator's pattern matches the resolved path. A pattern that doesn't start with '/', '~' or '*' is
// relative to `cwd`.
[[nodiscard]] bool path_fits(std::string_view pattern, std::string_view path, std::string_view cwd);

// True for a place where keys and passwords are kept. Even reading it has high risk.
[[nodiscard]] bool bears_secrets(std::string_view path, std::string_view cwd);

// True if a file pattern selects such a place: it may match a secret file and matches no everyday file. Lists, braces
// and brackets are read as ripgrep and the Glob tools of agents read them. A leading `!` excludes files, so it selects
// none.
[[nodiscard]] bool selects_secrets(std::string_view selector, std::string_view cwd);

// True for Countersign's or any agent's own settings, hooks and rules. Ignores case, because some file systems do too.
[[nodiscard]] bool is_own_setting(std::string_view path, std::string_view cwd);

// True if an unparsed text mentions such a place, even with quotes inside the name.
[[nodiscard]] bool mentions_own_setting(std::string_view text);

}  // namespace countersign
