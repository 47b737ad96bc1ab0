// SPDX-License-Identifier: Apache-2.0
// The records of a log as bytes, in order, for what is derived from it. Nothing is checked but that they are there:
// whoever uses them compares the tree they make with one that was verified.
#pragma once

#include "audit/file_system.hpp"
#include "audit/progress.hpp"
#include "core/result.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace countersign::audit {

// What is being done, and who waits for it.
struct Watching {
    std::string_view doing = {};
    Watch watch = {};
};

// Calls `take` for each of the first `count` records; it ends the reading with an error. Errc::damaged if there are
// less. Memory: one segment.
[[nodiscard]] Result<void> each_leaf(FileSystem& files, const std::string& directory, std::uint64_t count,
                                     const std::function<Result<void>(std::string_view json)>& take,
                                     const Watching& watching = {});

}  // namespace countersign::audit
