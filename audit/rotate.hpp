// SPDX-License-Identifier: Apache-2.0
// Key rotation: hands the log over to another key, with a record that the old key signs.
//
// If it is interrupted at any point, no hub continues the log with the wrong key, and rotating again to the same key
// finishes the job.
#pragma once

#include "audit/file_system.hpp"
#include "audit/note.hpp"
#include "audit/record.hpp"
#include "core/limits.hpp"
#include "core/result.hpp"

#include <cstddef>
#include <string>

namespace countersign::audit {

struct Rotating {
    FileSystem& files;
    const std::string& directory;  // of the log; the caller holds the lock, so no hub writes
    NoteSigner from;
    NoteSigner to;       // must have the same name
    std::string reason;  // may be empty
    std::string by;
    Stamp now;
    std::size_t segment_bytes = limits::segment_bytes;
};
// First recovers what a crash left. Errors are recover()'s; also Errc::unavailable without a log, Errc::conflict if the
// log already had the new key, Errc::too_large past log_keys_max. With the last two nothing was written.
[[nodiscard]] Result<void> rotate(Rotating rotating);

}  // namespace countersign::audit
