// SPDX-License-Identifier: Apache-2.0
// The public key that lies beside a log. Whoever could write the log could write it too: it tells logs apart, and a
// verifier that trusts it proves only that the log agrees with itself.
#pragma once

#include "audit/file_system.hpp"
#include "audit/note.hpp"
#include "core/result.hpp"

#include <string>

namespace countersign::audit {

// Errc::damaged if it is missing or no key.
[[nodiscard]] Result<NoteKey> read_log_key(FileSystem& files, const std::string& directory);

}  // namespace countersign::audit
