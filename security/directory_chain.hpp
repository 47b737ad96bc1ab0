// SPDX-License-Identifier: Apache-2.0
// Whether another user could put something else in a file's place. Who may write a directory may replace what is in it,
// whatever the modes of the file itself are; the same goes for each directory above it.
#pragma once

#include "core/result.hpp"

#include <filesystem>
#include <sys/types.h>
#include <unistd.h>

namespace countersign::security {

// Follows the path to this directory, links included, from the root. Every directory on the way must belong to `owner`
// or root, and no other user may write it unless it has the sticky bit, as /tmp has: there only the owner of an entry
// replaces it. A link on the way must belong to one of the two as well. Errc::bad_config says which directory it is and
// what to do. What isn't there is for the caller to find.
[[nodiscard]] Result<void> check_directory_chain(const std::filesystem::path& directory, uid_t owner = ::geteuid());

// The same for the directory of this file, which moreover its group may not write. Where the file is a link, both are
// true of the directory of each link on the way and of the file that it leads to.
[[nodiscard]] Result<void> check_directory_of(const std::filesystem::path& file, uid_t owner = ::geteuid());

}  // namespace countersign::security
