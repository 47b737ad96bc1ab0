// SPDX-License-Identifier: Apache-2.0
// Our own keys: 32 random bytes in a file of 64 hexadecimal digits and a newline, mode 0600.
//
// A key that exists is replaced only where somebody says so: a damaged file is an error for a person to look at,
// because a new button key would end every open button and a new log key the continuity of the log.
#pragma once

#include "core/result.hpp"
#include "security/secret.hpp"

#include <cstddef>
#include <filesystem>

namespace countersign::security {

inline constexpr std::size_t key_bytes = 32;

// The same refusals as read_secret, and Errc::damaged if the content is not a key.
[[nodiscard]] Result<Secret> load_key(const std::filesystem::path& path, bool group_may_read = false);

// The key in the file, which is made first if there is none. When it returns, file and name are on disk. Of two
// processes that make it at once both get the same, and what one that was killed left beside it is cleared away.
[[nodiscard]] Result<Secret> load_or_create_key(const std::filesystem::path& path);

// The key under the first name takes the place of the one under the second, which is gone then. When it returns, the
// change is on disk.
[[nodiscard]] Result<void> put_in_place(const std::filesystem::path& next, const std::filesystem::path& path);

}  // namespace countersign::security
