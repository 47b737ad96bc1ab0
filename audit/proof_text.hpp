// SPDX-License-Identifier: Apache-2.0
// Proofs as text: the file of an inclusion proof (c2sp.org/tlog-proof), and the lines of hashes that it has in common
// with a witness's request.
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

// Each as base64 and LF, and an empty line behind the last.
[[nodiscard]] std::string hash_lines(std::span<const Hash> hashes);
// Takes them off the front, with the empty line. Errc::malformed, Errc::too_large past proof_hashes_max.
[[nodiscard]] Result<std::vector<Hash>> take_hash_lines(std::string_view& text);

// That a record is the one at `index` of the tree that the checkpoint signs. Whole by itself: with the record and the
// log's key it is checked without the log.
struct InclusionProof {
    std::uint64_t index = 0;
    std::vector<Hash> path;
    std::string checkpoint;  // the whole note
};
[[nodiscard]] std::string to_text(const InclusionProof& proof);
// Errc::malformed, Errc::too_large. An `extra` line is read over: nothing here gives it a meaning.
[[nodiscard]] Result<InclusionProof> parse_inclusion_proof(std::string_view text);

// The tree that the record was proved to be in. Errc::bad_signature if the key did not sign the checkpoint,
// Errc::damaged if the record is not in it at that place.
[[nodiscard]] Result<Tree> check(const InclusionProof& proof, std::string_view record, const LogKeys& keys);

}  // namespace countersign::audit
