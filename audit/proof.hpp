// SPDX-License-Identifier: Apache-2.0
// The proofs of RFC 9162, made: that a record is in a tree, and that a tree begins with another one. merkle.hpp checks
// them.
//
// A proof is a list of subtrees, and which ones follows from two numbers alone. So they are named first, and then the
// leaves go by once, in order: no tree is kept, and a log of any length costs at most 64 right edges.
#pragma once

#include "audit/merkle.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace countersign::audit {

// The leaves from `begin` up to but not including `end`, whose root is one hash of a proof.
struct Subtree {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    friend bool operator==(const Subtree&, const Subtree&) = default;
};

// In the order of the proof, from the leaves up. Of an index or an older size that is not in the tree, and of an older
// tree of size 0, there is no proof: empty.
[[nodiscard]] std::vector<Subtree> inclusion_subtrees(std::uint64_t index, std::uint64_t size);
[[nodiscard]] std::vector<Subtree> consistency_subtrees(std::uint64_t older, std::uint64_t newer);

// Takes the leaves of a tree, all of them and in order, and keeps what the proof needs.
class ProofMaker {
public:
    explicit ProofMaker(std::vector<Subtree> subtrees);
    void take(const Hash& leaf);
    // The proof, when all leaves of its tree were taken.
    [[nodiscard]] std::vector<Hash> proof() const;

private:
    struct Part {
        Subtree subtree;
        std::size_t place = 0;  // in the proof
        CompactRange range{};
    };
    std::vector<Part> parts_;  // as their leaves come; no two overlap
    std::size_t current_ = 0;
    std::uint64_t taken_ = 0;
};

}  // namespace countersign::audit
