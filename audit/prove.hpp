// SPDX-License-Identifier: Apache-2.0
// Proves one record: the log is walked first, so that no proof is made from one that does not hold, and read again for
// the hashes of the proof.
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
    InclusionProof proof;  // under the latest checkpoint that the log holds
};
// What is wrong with a log that is broken; Errc::unsupported for a number that it does not have yet.
[[nodiscard]] Result<Proved> prove(FileSystem& files, const std::string& directory, const NoteKey& key,
                                   std::uint64_t seq, const Watch& progress = {});

}  // namespace countersign::audit
