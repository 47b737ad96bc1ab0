// SPDX-License-Identifier: Apache-2.0
// Where the paths of a call lead, as the file system of this machine says when the call asks.
//
// The agent can change a link between this look and its use of the path. That race is the agent's to win: rules that
// allow by path protect against links that are there, not against one that appears in time.
#pragma once

#include "core/risk.hpp"
#include "security/redact/redactor.hpp"

#include <functional>
#include <optional>
#include <string>

namespace countersign::runtimes {

inline constexpr std::size_t path_parts_max = 512;  // of one path, with those of the links on its way
inline constexpr std::size_t path_links_max = 40;
inline constexpr std::size_t call_paths_max = 256;
inline constexpr std::size_t link_lines_max = 8;

struct FileDigest {
    enum class Kind { none, unreadable, read };  // none: there is no such file, or it is a directory
    Kind kind = Kind::none;
    std::string hex = {};
};

// The files of an agent that runs on this machine. Without them its files are not visible from here: then no rule
// allows by path, and no grant is made for a script.
struct AgentFiles {
    std::function<FileView(const CallFacts& facts)> view;
    std::function<FileDigest(const std::string& path)> digest;
};
[[nodiscard]] AgentFiles local_files(std::string home);

// Of a regular file of at most script_bytes_max; links are followed.
inline constexpr std::size_t script_bytes_max = std::size_t{1024} * 1024;
[[nodiscard]] FileDigest digest_file(const std::string& path);

// Notes in the facts where the paths lead, if that is visible.
void look_at_files(CallFacts& facts, const AgentFiles& files);

// The place that an absolute path names, without links. What does not exist yet is taken as it is written, also behind
// a link that leads nowhere. Nothing past the bounds, for a loop, for a link of /proc, which is another one for each
// process, and for what may not be looked at.
[[nodiscard]] std::optional<std::string> real_path(const std::string& path);

// Every reading of every path: as a kernel follows it, as a tool that first takes away the `..`, and with `~` as a
// directory's name and as `home`. Of a command, its words.
[[nodiscard]] FileView view_files(const CallFacts& facts, const std::string& home);

// A line for each path that leads elsewhere than it says, at most link_lines_max: "leads to /home/u/.ssh/config".
// Redacted and sanitised; each begins with a line break.
[[nodiscard]] std::string link_lines(const CallFacts& facts, const security::Redactor& redactor);

}  // namespace countersign::runtimes
