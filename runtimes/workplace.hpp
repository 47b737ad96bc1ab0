// SPDX-License-Identifier: Apache-2.0
// Where a call would run: this machine, and the repository and branch of its directory.
//
// Read from git's own files, without running git: a repository's configuration can make git run programs, and an agent
// can write it. Anything that cannot be read within the bounds is left out. An agent can choose these names, as it can
// its directory: they tell where a call runs, never that it is safe.
#pragma once

#include "core/request.hpp"
#include "security/redact/redactor.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace countersign::runtimes {

// The parsers are pure.

// "main" from "ref: refs/heads/main\n"; "HEAD 0123456789ab" from a commit. Empty for anything else.
[[nodiscard]] std::optional<std::string> branch_in(std::string_view head_file);
// The URL of the remote "origin".
[[nodiscard]] std::optional<std::string> origin_in(std::string_view config_file);
// "github.com/acme/shop" from "https://user:token@github.com/acme/shop.git" or "git@github.com:acme/shop". Never
// contains a user name or password. Empty for a local path.
[[nodiscard]] std::string repository_of(std::string_view url);

// Adapters call it with a directory; with an empty one it only names this machine and reads nothing. The result is raw.
using FindWorkplace = std::function<Workplace(const std::string& directory)>;

// Reads the disk: bounded, regular files only, without following a link at the end of a path. Never fails: unknown
// fields stay empty. The result is raw, so it may run on another thread than the redactor's.
[[nodiscard]] Workplace read_workplace(const std::string& directory, const std::string& host_name);
// Redacted, sanitised, and at most workplace_text_bytes_max each.
[[nodiscard]] Workplace shown_workplace(const Workplace& raw, const security::Redactor& redactor);

}  // namespace countersign::runtimes
