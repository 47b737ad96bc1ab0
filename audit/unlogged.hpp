// SPDX-License-Identifier: Apache-2.0
// Requests that were refused because the log could not be written. The log can't say so itself, so an empty file for
// each of them, next to the log, tells the next process. People then read the same outcome before and after a restart.
//
// Best effort: if the file system has no room even for a name, the next start calls the request lost.
#pragma once

#include "audit/file_system.hpp"
#include "core/ulid.hpp"

#include <set>
#include <string>

namespace countersign::audit {

// Call it when the log is opened: a disk that is full later may have room for a file name but not for a directory.
[[nodiscard]] Result<void> prepare_unlogged(FileSystem& files, const std::string& directory);
[[nodiscard]] Result<void> note_unlogged(FileSystem& files, const std::string& directory, const Ulid& request);
// Their ids, at most pending_requests_max, because a process cannot refuse more at once. Errors are the disk's.
[[nodiscard]] Result<std::set<std::string>> read_unlogged(FileSystem& files, const std::string& directory);
// Call it once the log contains them.
void forget_unlogged(FileSystem& files, const std::string& directory, const std::set<std::string>& requests);

}  // namespace countersign::audit
