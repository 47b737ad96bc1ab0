// SPDX-License-Identifier: Apache-2.0
// Where a call would run: this machine, and the repository and branch of its directory.
//
// Read from git's own files, without running git: a repository's configuration can make git run programs, and an agent
// can write it. What cannot be read within its bounds is left out. The names are an agent's to choose, as its directory
// is; they say where, never that it is safe.
#pragma once

#include "core/request.hpp"
#include "security/redact/redactor.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace countersign::runtimes {

// The readers, pure.

// "main" of "ref: refs/heads/main\n"; "HEAD 0123456789ab" of a commit. Nothing for what is neither.
[[nodiscard]] std::optional<std::string> branch_in(std::string_view head_file);
// The url of the remote "origin".
[[nodiscard]] std::optional<std::string> origin_in(std::string_view config_file);
// "github.com/acme/shop" of "https://user:token@github.com/acme/shop.git" and of "git@github.com:acme/shop". Nobody's
// name or password is in it. Empty for a path of this machine.
[[nodiscard]] std::string repository_of(std::string_view url);

// What the adapters ask with a directory that they know; with an empty one it says which machine this is and reads
// nothing. Raw.
using FindWorkplace = std::function<Workplace(const std::string& directory)>;

// Reads the disk: bounded, regular files only, no link at their end is followed. Never fails: what is not known is
// empty. Raw: it may run on another thread than the redactor's.
[[nodiscard]] Workplace read_workplace(const std::string& directory, const std::string& host_name);
// Redacted, sanitised, and no longer than workplace_text_bytes_max each.
[[nodiscard]] Workplace shown_workplace(const Workplace& raw, const security::Redactor& redactor);

}  // namespace countersign::runtimes
