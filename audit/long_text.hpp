// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "audit/file_system.hpp"
#include "core/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace countersign::audit {

// Reads the text that record `seq` names as its textFile. It is too long for the record, so it is in a file next to the
// log, named by its SHA-256. Errc::damaged if it is missing, changed or has an invalid name, Errc::unavailable if it
// cannot be read; both name the record.
[[nodiscard]] Result<std::string> read_long_text(FileSystem& files, const std::string& directory, std::uint64_t seq,
                                                 std::string_view hash);

}  // namespace countersign::audit
