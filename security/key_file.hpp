// SPDX-License-Identifier: Apache-2.0
// Our own keys: 32 random bytes in a file of 64 hexadecimal digits and a newline, mode 0600.
//
// An existing key is replaced only on an explicit request. A damaged file is an error that a person must look at,
// because a new button key would invalidate all open buttons and a new log key would break the continuity of the log.
#pragma once

#include "core/result.hpp"
#include "security/secret.hpp"

#include <cstddef>
#include <filesystem>

namespace countersign::security {

inline constexpr std::size_t key_bytes = 32;

// The same errors as read_secret, and Errc::damaged if the content isn't a key.
[[nodiscard]] Result<Secret> load_key(const std::filesystem::path& path, bool group_may_read = false);

// The key in the file, which is created if it doesn't exist. On return, file and name are on disk. If two processes
// create it at the same time, both get the same key. Also deletes drafts that a killed process left behind.
[[nodiscard]] Result<Secret> load_or_create_key(const std::filesystem::path& path);

// Moves the key in `next` to `path`, replacing the key there. On return, the change is on disk.
[[nodiscard]] Result<void> put_in_place(const std::filesystem::path& next, const std::filesystem::path& path);

}  // namespace countersign::security
