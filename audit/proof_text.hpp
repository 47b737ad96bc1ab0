// SPDX-License-Identifier: Apache-2.0
// Proofs as text: the file of an inclusion proof (c2sp.org/tlog-proof), and the lines of hashes that it shares with
// requests to witnesses.
#pragma once

#include "audit/log_keys.hpp"
#include "audit/merkle.hpp"
#include "audit/note.hpp"
#include "core/result.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::audit {

// Each hash as base64 and LF, with an empty line at the end.
[[nodiscard]] std::string hash_lines(std::span<const Hash> hashes);
// Removes such lines from the front, with the empty line. Errc::malformed, Errc::too_large past proof_hashes_max.
[[nodiscard]] Result<std::vector<Hash>> take_hash_lines(std::string_view& text);

// Proves that a record is at `index` in the tree that the checkpoint signs. Self-contained: the record and the log's
// key are enough to check it, without the log.
struct InclusionProof {
    std::uint64_t index = 0;
    std::vector<Hash> path;
    std::string checkpoint;  // the whole note
};
[[nodiscard]] std::string to_text(const InclusionProof& proof);
// Errc::malformed, Errc::too_large. An `extra` line is skipped: it has no meaning here.
[[nodiscard]] Result<InclusionProof> parse_inclusion_proof(std::string_view text);

// The tree that contains the record. Errc::bad_signature if the key did not sign the checkpoint, Errc::damaged if the
// record is not at that index.
[[nodiscard]] Result<Tree> check(const InclusionProof& proof, std::string_view record, const LogKeys& keys);

}  // namespace countersign::audit
