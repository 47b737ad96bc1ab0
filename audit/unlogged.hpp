// SPDX-License-Identifier: Apache-2.0
// Requests that were refused because the log could not be written. The log can't say so itself; an empty file for each,
// beside the log, tells the next process, so that people read the same thing before and after a restart.
//
// Best effort: a file system that has no room even for a name leaves a request that the next start calls lost.
#pragma once

#include "audit/file_system.hpp"
#include "core/ulid.hpp"

#include <set>
#include <string>

namespace countersign::audit {

// When the log is opened: a disk that is full later has no room for a directory, but for a name in it.
[[nodiscard]] Result<void> prepare_unlogged(FileSystem& files, const std::string& directory);
[[nodiscard]] Result<void> note_unlogged(FileSystem& files, const std::string& directory, const Ulid& request);
// Their ids; at most pending_requests_max, which is as many as a process can refuse at once. An error is the disk's.
[[nodiscard]] Result<std::set<std::string>> read_unlogged(FileSystem& files, const std::string& directory);
// When the log says it.
void forget_unlogged(FileSystem& files, const std::string& directory, const std::set<std::string>& requests);

}  // namespace countersign::audit
