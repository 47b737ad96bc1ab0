// SPDX-License-Identifier: Apache-2.0
// Sealing: moves a log that cannot be continued aside, unchanged, and begins a new one with a record that says so.
//
// If it is interrupted at any point, no hub starts on a half-done seal, and sealing again finishes the job.
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
    const std::string& state;  // the caller holds its lock
    security::Ed25519SigningKey key;
    std::string reason;  // from the operator who seals
    std::string by;
    Stamp now;
};
struct Sealed {
    std::string directory;  // where the old log is now; empty if there was none
    std::string vkey;       // of the new log
};
// Errc::unsupported if nothing is wrong with the log and its key is this one; Errc::unavailable if no log was ever
// begun here.
[[nodiscard]] Result<Sealed> seal(Sealing sealing);

}  // namespace countersign::audit
