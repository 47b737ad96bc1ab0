// SPDX-License-Identifier: Apache-2.0
// Key rotation: the log is handed over to another key, by a record that the key before it signs.
//
// Interrupted anywhere, no hub continues the log with the wrong key, and rotating again to the same key finishes it.
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
    const std::string& directory;  // of the log; the caller holds the lock, so that no hub writes meanwhile
    NoteSigner from;
    NoteSigner to;       // of the same name
    std::string reason;  // may be empty
    std::string by;
    Stamp now;
    std::size_t segment_bytes = limits::segment_bytes;
};
// What a crash left is recovered first. Errors are recover()'s; Errc::unavailable also where there is no log,
// Errc::conflict for a key that the log had before, Errc::too_large past log_keys_max. With any of the last two nothing
// was written.
[[nodiscard]] Result<void> rotate(Rotating rotating);

}  // namespace countersign::audit
