// SPDX-License-Identifier: Apache-2.0
// Sealing: a log that cannot be continued is put aside as it is, and a new one begins with a record that says so.
//
// The old files are never changed. Interrupted anywhere, no hub starts on a half-done seal, and sealing again finishes
// it.
#pragma once

#include "audit/file_system.hpp"
#include "audit/record.hpp"
#include "core/result.hpp"
#include "security/ed25519.hpp"

#include <optional>
#include <string>

namespace countersign::audit {

struct Sealing {
    FileSystem& files;
    const std::string& state;  // locked by the caller
    security::Ed25519SigningKey key;
    std::string reason;  // of the person who does it
    std::string by;
    Stamp now;
};
struct Sealed {
    std::string directory;  // where the old log lies now; empty if there was none
    std::string vkey;       // of the new log
};
// Errc::unsupported if there is nothing wrong with the log, and the key is its own; Errc::unavailable if none was ever
// begun here.
[[nodiscard]] Result<Sealed> seal(Sealing sealing);

}  // namespace countersign::audit
