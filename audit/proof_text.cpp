// SPDX-License-Identifier: Apache-2.0
#include "audit/proof_text.hpp"

#include "audit/lines.hpp"
#include "core/limits.hpp"
#include "security/encoding.hpp"

namespace countersign::audit {
namespace {

constexpr std::string_view head = "c2sp.org/tlog-proof@v1";

Error malformed(std::string why) { return {.code = Errc::malformed, .detail = std::move(why)}; }

}  // namespace

std::string hash_lines(std::span<const Hash> hashes) {
    std::string text;
    for (const auto& hash : hashes) text.append(security::base64(hash)).append("\n");
    return text + "\n";
}

Result<std::vector<Hash>> take_hash_lines(std::string_view& text) {
    std::vector<Hash> hashes;
    for (auto line = take_line(text); line; line = take_line(text)) {
        if (line->empty()) return hashes;
        if (hashes.size() == limits::proof_hashes_max) return Error{Errc::too_large, "a proof of too many hashes"};
        const auto hash = parse_hash(*line);
        if (!hash) return malformed("a line of the proof is no hash");
        hashes.push_back(*hash);
    }
    return malformed("no empty line ends the proof");
}

std::string to_text(const InclusionProof& proof) {
    return std::string{head} + "\nindex " + std::to_string(proof.index) + "\n" + hash_lines(proof.path) +
           proof.checkpoint;
}

Result<InclusionProof> parse_inclusion_proof(std::string_view text) {
    constexpr std::string_view extra = "extra ";
    constexpr std::string_view index = "index ";
    if (take_line(text) != head) return malformed("no proof: it begins with " + std::string{head});
    auto line = take_line(text);
    if (line && line->starts_with(extra)) {
        if (!security::base64_decode(line->substr(extra.size()))) return malformed("the extra line is no base64");
        line = take_line(text);
    }
    if (!line || !line->starts_with(index)) return malformed("the proof has no index");
    const auto number = parse_size(line->substr(index.size()));
    if (!number) return malformed("the proof's index is no plain decimal");
    auto path = take_hash_lines(text);
    if (!path) return path.error();
    return InclusionProof{.index = *number, .path = std::move(*path), .checkpoint = std::string{text}};
}

Result<Tree> check(const InclusionProof& proof, std::string_view record, const LogKeys& keys) {
    const auto tree = open_checkpoint(proof.checkpoint, keys);
    if (!tree) return tree.error();
    if (included(leaf_hash(record), proof.index, *tree, proof.path)) return *tree;
    return Error{Errc::damaged, "this is not record " + std::to_string(proof.index) + " of the " +
                                    std::to_string(tree->size) + " that the checkpoint signs"};
}

}  // namespace countersign::audit
