// SPDX-License-Identifier: Apache-2.0
// Reads the records of a log as bytes, in order, for code that derives something from them. It only checks that all
// records are there: the caller compares the resulting tree with a verified one.
#pragma once

#include "audit/file_system.hpp"
#include "audit/progress.hpp"
#include "core/result.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace countersign::audit {

// What is being done, and where to report progress.
struct Watching {
    std::string_view doing = {};
    Watch watch = {};
};

// Calls `take` for each of the first `count` records; an error from `take` ends the reading. Errc::damaged if the log
// has fewer records. Uses the memory of one segment.
[[nodiscard]] Result<void> each_leaf(FileSystem& files, const std::string& directory, std::uint64_t count,
                                     const std::function<Result<void>(std::string_view json)>& take,
                                     const Watching& watching = {});

}  // namespace countersign::audit
