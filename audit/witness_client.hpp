// SPDX-License-Identifier: Apache-2.0
// The log's side of c2sp.org/tlog-witness, as plain values: the request to a witness, and the meaning of its response.
#pragma once

#include "audit/file_system.hpp"
#include "audit/merkle.hpp"
#include "audit/note.hpp"
#include "core/result.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::audit {

// The body of POST /add-checkpoint: "old SIZE", the proof, an empty line, the checkpoint.
[[nodiscard]] std::string add_checkpoint_body(std::uint64_t old_size, std::span<const Hash> proof,
                                              std::string_view checkpoint);

// Proves that `newer` is the tree of the log's first records and begins with the first `older` of them. The log may
// grow meanwhile. Blocks, for seconds with a million records, because it reads all of them; `stopped` ends it with
// Errc::unavailable. Errc::damaged if the files do not contain what was signed.
[[nodiscard]] Result<std::vector<Hash>> prove_growth(FileSystem& files, const std::string& directory,
                                                     std::uint64_t older, const Tree& newer,
                                                     const std::function<bool()>& stopped);

// The result of a request.
struct WitnessAnswer {
    enum class Kind {
        cosigned,
        behind,   // it saw another size than we thought, but not a larger one than ours: send a proof from there
        alarm,    // it does not accept that this log grew out of what it saw
        failure,  // says nothing about the log
    } kind = Kind::failure;
    std::string note = {};         // cosigned: the checkpoint with both signatures
    std::string cosignature = {};  // cosigned: the witness's line, without its LF
    std::uint64_t size = 0;        // behind, and an alarm by size: what it saw
    std::string why = {};          // alarm and failure, for the operator
};

struct WitnessQuestion {
    std::string_view checkpoint;  // the note that was sent
    std::uint64_t size = 0;       // of its tree
    const NoteKey& witness;
    WallTime now;
    std::uint64_t old_size = 0;  // where the proof that was sent begins
};
// Trusts nothing in the response: a cosignature must be from the configured witness, for this checkpoint, and recent.
[[nodiscard]] WitnessAnswer read_answer(const WitnessQuestion& question, int status, std::string_view body);

}  // namespace countersign::audit
