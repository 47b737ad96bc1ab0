// SPDX-License-Identifier: Apache-2.0
// Makes the proofs of RFC 9162: that a record is in a tree, and that a tree begins with another one. merkle.hpp
// verifies them.
//
// A proof is a list of subtree hashes, and two numbers determine which subtrees. So the subtrees are listed first, and
// then one pass over the leaves computes their hashes. No tree is kept; memory is at most 64 right edges, however long
// the log.
#pragma once

#include "audit/merkle.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace countersign::audit {

// The leaves from `begin` up to but not including `end`; their root is one hash of a proof.
struct Subtree {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    friend bool operator==(const Subtree&, const Subtree&) = default;
};

// In the order of the proof, from the leaves up. Empty if there is no proof: an index or an older size outside the
// tree, or an older size of 0.
[[nodiscard]] std::vector<Subtree> inclusion_subtrees(std::uint64_t index, std::uint64_t size);
[[nodiscard]] std::vector<Subtree> consistency_subtrees(std::uint64_t older, std::uint64_t newer);

// Takes all leaves of a tree in order and keeps what the proof needs.
class ProofMaker {
public:
    explicit ProofMaker(std::vector<Subtree> subtrees);
    void take(const Hash& leaf);
    // The proof. Precondition: all leaves of its tree were taken.
    [[nodiscard]] std::vector<Hash> proof() const;

private:
    struct Part {
        Subtree subtree;
        std::size_t place = 0;  // index in the proof
        CompactRange range{};
    };
    std::vector<Part> parts_;  // in leaf order, not overlapping
    std::size_t current_ = 0;
    std::uint64_t taken_ = 0;
};

}  // namespace countersign::audit
