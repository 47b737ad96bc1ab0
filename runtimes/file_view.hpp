// SPDX-License-Identifier: Apache-2.0
// FileView: where the paths of a call lead, according to this machine's file system when the call asks.
//
// The agent can change a link between this look and its own use of the path, and we cannot prevent that. Rules that
// allow by path protect against existing links, not against one that appears in between.
#pragma once

#include "core/risk.hpp"
#include "security/redact/redactor.hpp"

#include <functional>
#include <optional>
#include <string>

namespace countersign::runtimes {

inline constexpr std::size_t path_parts_max = 512;  // of one path, including those of the links it follows
inline constexpr std::size_t path_links_max = 40;
inline constexpr std::size_t call_paths_max = 256;
inline constexpr std::size_t link_lines_max = 8;

struct FileDigest {
    enum class Kind { none, unreadable, read };  // none: no such file, or a directory
    Kind kind = Kind::none;
    std::string hex = {};
};

// Access to the files of an agent that runs on this machine. If it is empty, the agent's files are not visible from
// here: no rule allows by path, and no script gets a grant.
struct AgentFiles {
    std::function<FileView(const CallFacts& facts)> view;
    std::function<FileDigest(const std::string& path)> digest;
};
[[nodiscard]] AgentFiles local_files(std::string home);

// The digest of a regular file of at most script_bytes_max bytes; follows links.
inline constexpr std::size_t script_bytes_max = std::size_t{1024} * 1024;
[[nodiscard]] FileDigest digest_file(const std::string& path);

// Records in the facts where the paths lead, if we can see it.
void look_at_files(CallFacts& facts, const AgentFiles& files);

// The place that an absolute path names, with all links resolved. Parts that do not exist are kept as written, even
// after a dangling link. Empty past the bounds, for a loop, for a link in /proc (which differs between processes), and
// if access is denied.
[[nodiscard]] std::optional<std::string> real_path(const std::string& path);

// Follows every reading of every path: as a kernel follows it, as a tool that first removes `..`, and with `~` both as
// a directory's name and as `home`. Of a command, follows its words.
[[nodiscard]] FileView view_files(const CallFacts& facts, const std::string& home);

// One line for each path that leads elsewhere than it says, at most link_lines_max: "leads to /home/u/.ssh/config".
// Redacted and sanitised; each begins with a line break.
[[nodiscard]] std::string link_lines(const CallFacts& facts, const security::Redactor& redactor);

}  // namespace countersign::runtimes
