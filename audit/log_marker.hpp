// SPDX-License-Identifier: Apache-2.0
// That a log was begun in a state directory, noted beside the log: whoever takes the whole log away does not get a new
// one begun in its place without a word. And the name of a log, which changes when an old one was sealed.
#pragma once

#include "audit/file_system.hpp"
#include "core/result.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace countersign::audit {

// What of a log that was begun here is not there, in words that go on after "the log"; empty if there is nothing:
// that it is gone, or the checkpoint that each start writes, or that an older copy of it lies in its place.
[[nodiscard]] Result<std::string> what_is_lost(FileSystem& files, const std::string& state);
// Errc::damaged, with what to do, if something is.
[[nodiscard]] Result<void> check_begun(FileSystem& files, const std::string& state);
// After the log's first record is on disk; again when its name or keys have changed.
[[nodiscard]] Result<void> note_begun(FileSystem& files, const std::string& state);

// The name under which the log here goes on: the configured one, or, after a seal, the one that the seal gave it.
[[nodiscard]] Result<std::string> origin_of_log(FileSystem& files, const std::string& state,
                                                const std::string& configured);
// The name of the log that was last written here, also if an older one lies in its place; nothing if none ever was.
[[nodiscard]] Result<std::optional<std::string>> last_origin(FileSystem& files, const std::string& state);
// The name of the log that follows a sealed one. Two trees under one name and key would look like a forged log.
[[nodiscard]] std::string origin_after(std::string_view sealed);

}  // namespace countersign::audit
