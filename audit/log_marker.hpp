// SPDX-License-Identifier: Apache-2.0
// A note next to the log that a log was begun in this state directory: when the whole log has been deleted, the hub
// reports it instead of silently beginning a new one. Also determines the log's name, which changes when a log is
// sealed.
#pragma once

#include "audit/file_system.hpp"
#include "core/result.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace countersign::audit {

// Describes what is missing from a log that was begun here, in words that continue "the log": the log is gone, its
// checkpoint is (each start writes one), or an older copy was put in its place. Empty if nothing is missing.
[[nodiscard]] Result<std::string> what_is_lost(FileSystem& files, const std::string& state);
// Errc::damaged, with advice for the operator, if something is missing.
[[nodiscard]] Result<void> check_begun(FileSystem& files, const std::string& state);
// Call it after the log's first record is on disk, and again when its name or keys change.
[[nodiscard]] Result<void> note_begun(FileSystem& files, const std::string& state);

// The name under which the log continues: the configured one or, after a seal, the one that the seal assigned.
[[nodiscard]] Result<std::string> origin_of_log(FileSystem& files, const std::string& state,
                                                const std::string& configured);
// The name of the log that was last written here, even if an older one is now in its place. Empty if there never was
// one.
[[nodiscard]] Result<std::optional<std::string>> last_origin(FileSystem& files, const std::string& state);
// The name of the log that follows a sealed one. Two trees under one name and key would look like a forgery.
[[nodiscard]] std::string origin_after(std::string_view sealed);

}  // namespace countersign::audit
