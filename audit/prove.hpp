// SPDX-License-Identifier: Apache-2.0
// Proves one record. It checks the log first, so no proof comes from an invalid log, and then reads it again for the
// hashes of the proof.
#pragma once

#include "audit/file_system.hpp"
#include "audit/note.hpp"
#include "audit/progress.hpp"
#include "audit/proof_text.hpp"
#include "core/result.hpp"

#include <cstdint>
#include <string>

namespace countersign::audit {

struct Proved {
    std::string record;    // its bytes, which are the leaf
    InclusionProof proof;  // under the latest checkpoint in the log
};
// Returns the log's defect if it is broken; Errc::unsupported if the log does not have this record yet.
[[nodiscard]] Result<Proved> prove(FileSystem& files, const std::string& directory, const NoteKey& key,
                                   std::uint64_t seq, const Watch& progress = {});

}  // namespace countersign::audit
