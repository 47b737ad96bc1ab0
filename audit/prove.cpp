// SPDX-License-Identifier: Apache-2.0
#include "audit/prove.hpp"

#include "audit/leaves.hpp"
#include "audit/log_scan.hpp"
#include "audit/proof.hpp"

namespace countersign::audit {

Result<Proved> prove(FileSystem& files, const std::string& directory, const NoteKey& key, std::uint64_t seq,
                     const Watch& progress) {
    const auto walked = walk(files, directory, key,
                             {.check = Chain::Check::last, .check_in_last = Chain::Check::last, .progress = progress});
    if (!walked) return walked.error();
    if (walked->broken) return *walked->broken;
    const auto& tree = walked->tree;
    if (seq >= tree.size) {
        return Error{Errc::unsupported, "there is no record " + std::to_string(seq) + ": the log holds " +
                                            std::to_string(tree.size) + ", from 0"};
    }
    Proved proved{.record = {}, .proof = {.index = seq}};
    ProofMaker maker{inclusion_subtrees(seq, tree.size)};
    std::uint64_t at = 0;
    const auto take = [&](std::string_view json) -> Result<void> {
        maker.take(leaf_hash(json));
        if (at++ == seq) proved.record = json;
        return {};
    };
    const auto read = each_leaf(files, directory, tree.size, take, {.doing = "proving", .watch = progress});
    if (!read) return read.error();
    proved.proof.path = maker.proof();
    proved.proof.checkpoint = checkpoint_of(*walked);
    // The log was read twice and may have changed in between.
    if (const auto holds = check(proved.proof, proved.record, walked->keys); !holds) return holds.error();
    return proved;
}

}  // namespace countersign::audit
