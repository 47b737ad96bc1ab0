// SPDX-License-Identifier: Apache-2.0
// Checks whether another user could replace a file. A user who may write to a directory can replace the files in it,
// and their own modes don't prevent that. The same is true for each directory above it.
#pragma once

#include "core/result.hpp"

#include <filesystem>
#include <sys/types.h>
#include <unistd.h>

namespace countersign::security {

// Follows the path to this directory from the root, including links. Every directory on the way must belong to `owner`
// or root, and no other user may write to it unless it has the sticky bit, like /tmp, where only the owner of an entry
// can replace it. A link on the way must also belong to one of the two. Errc::bad_config names the directory and says
// what to do. A path that doesn't exist isn't an error here; the caller finds out.
[[nodiscard]] Result<void> check_directory_chain(const std::filesystem::path& directory, uid_t owner = ::geteuid());

// The same for the directory of this file, which its group also may not write to. If the file is a link, both rules
// apply to the directory of each link on the way and of the final file.
[[nodiscard]] Result<void> check_directory_of(const std::filesystem::path& file, uid_t owner = ::geteuid());

}  // namespace countersign::security
