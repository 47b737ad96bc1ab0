// SPDX-License-Identifier: Apache-2.0
// The files that a patch names, in the formats that agents send: apply_patch, unified and git.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace countersign::runtimes {

// Appends the names; false if a line may name a file in an unknown way.
[[nodiscard]] bool add_patch_paths(std::string_view patch, std::vector<std::string>& paths);

}  // namespace countersign::runtimes
