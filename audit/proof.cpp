// SPDX-License-Identifier: Apache-2.0
#include "audit/proof.hpp"

#include <algorithm>
#include <bit>

namespace countersign::audit {

// PATH of RFC 6962 2.1.1, from the root down. The proof lists the hash nearest to the leaf first.
std::vector<Subtree> inclusion_subtrees(std::uint64_t index, std::uint64_t size) {
    std::vector<Subtree> subtrees;
    if (index >= size) return subtrees;
    Subtree here{.begin = 0, .end = size};
    while (here.end - here.begin > 1) {
        const auto middle = here.begin + std::bit_floor(here.end - here.begin - 1);
        const Subtree left{.begin = here.begin, .end = middle};
        const Subtree right{.begin = middle, .end = here.end};
        subtrees.push_back(index < middle ? right : left);
        here = index < middle ? left : right;
    }
    std::ranges::reverse(subtrees);
    return subtrees;
}

// PROOF of RFC 6962 2.1.2. The descent ends at the largest subtree that both trees share at the older one's right edge.
// If that is the whole older tree, the verifier knows its root and it is left out.
std::vector<Subtree> consistency_subtrees(std::uint64_t older, std::uint64_t newer) {
    std::vector<Subtree> subtrees;
    if (older == 0 || older > newer) return subtrees;
    Subtree here{.begin = 0, .end = newer};
    while (here.end != older) {
        const auto middle = here.begin + std::bit_floor(here.end - here.begin - 1);
        const Subtree left{.begin = here.begin, .end = middle};
        const Subtree right{.begin = middle, .end = here.end};
        subtrees.push_back(older <= middle ? right : left);
        here = older <= middle ? left : right;
    }
    if (here.begin != 0) subtrees.push_back(here);
    std::ranges::reverse(subtrees);
    return subtrees;
}

ProofMaker::ProofMaker(std::vector<Subtree> subtrees) {
    for (std::size_t i = 0; i < subtrees.size(); ++i) parts_.push_back({.subtree = subtrees[i], .place = i});
    std::ranges::sort(parts_, {}, [](const Part& part) { return part.subtree.begin; });
}

void ProofMaker::take(const Hash& leaf) {
    const auto at = taken_++;
    if (current_ == parts_.size()) return;
    auto& part = parts_[current_];
    if (at < part.subtree.begin) return;
    part.range.append(leaf);
    if (taken_ == part.subtree.end) ++current_;
}

std::vector<Hash> ProofMaker::proof() const {
    std::vector<Hash> hashes(parts_.size());
    for (const auto& part : parts_) hashes[part.place] = part.range.root();
    return hashes;
}

}  // namespace countersign::audit
