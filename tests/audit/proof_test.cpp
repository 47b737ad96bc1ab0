// SPDX-License-Identifier: Apache-2.0
#include "audit/proof.hpp"

#include "security/encoding.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace countersign::audit {
namespace {

constexpr std::size_t sizes = 300;  // past two powers of two and a full tile

struct Trees {
    std::vector<Hash> leaves;
    std::vector<Hash> roots = {CompactRange{}.root()};  // of each size

    explicit Trees(std::size_t count) {
        CompactRange range;
        for (std::size_t i = 0; i < count; ++i) {
            leaves.push_back(leaf_hash(std::to_string(i)));
            range.append(leaves.back());
            roots.push_back(range.root());
        }
    }
    [[nodiscard]] Tree tree(std::size_t size) const { return {.size = size, .root = roots[size]}; }
    [[nodiscard]] std::vector<Hash> proof(std::vector<Subtree> subtrees, std::size_t size) const {
        ProofMaker maker{std::move(subtrees)};
        for (std::size_t i = 0; i < size; ++i) maker.take(leaves[i]);
        return maker.proof();
    }
};

TEST(Proof, EveryRecordOfEveryTreeHasAValidProof) {
    const Trees trees{sizes};
    for (std::size_t size = 1; size <= sizes; size += size < 70 ? 1 : 23) {
        for (std::size_t index = 0; index < size; ++index) {
            const auto path = trees.proof(inclusion_subtrees(index, size), size);
            ASSERT_TRUE(included(trees.leaves[index], index, trees.tree(size), path)) << index << " of " << size;
        }
    }
}

TEST(Proof, EveryTreeHasAValidProofThatItExtendsEachEarlierTree) {
    const Trees trees{sizes};
    for (std::size_t size = 1; size <= sizes; size += size < 70 ? 1 : 23) {
        for (std::size_t older = 1; older <= size; ++older) {
            const auto path = trees.proof(consistency_subtrees(older, size), size);
            ASSERT_TRUE(consistent(trees.tree(older), trees.tree(size), path)) << older << " to " << size;
        }
    }
}

TEST(Proof, ARecordOutsideTheTreeHasNoProof) {
    EXPECT_TRUE(inclusion_subtrees(0, 0).empty());
    EXPECT_TRUE(inclusion_subtrees(7, 7).empty());
    EXPECT_TRUE(consistency_subtrees(0, 7).empty());
    EXPECT_TRUE(consistency_subtrees(8, 7).empty());
    EXPECT_TRUE(consistency_subtrees(7, 7).empty());
}

TEST(Proof, TheLargestTreeHasProofs) {
    constexpr auto all = ~std::uint64_t{0};
    EXPECT_EQ(inclusion_subtrees(0, all).size(), 64U);
    EXPECT_EQ(inclusion_subtrees(all - 1, all).size(), 63U);
    EXPECT_LE(consistency_subtrees(all - 1, all).size(), 64U);
}

// RFC 9162 2.1.5: the examples with a tree of seven leaves.
TEST(Proof, MatchesTheExamplesOfTheStandard) {
    using Subtrees = std::vector<Subtree>;
    EXPECT_EQ(inclusion_subtrees(0, 7), (Subtrees{{1, 2}, {2, 4}, {4, 7}}));
    EXPECT_EQ(inclusion_subtrees(3, 7), (Subtrees{{2, 3}, {0, 2}, {4, 7}}));
    EXPECT_EQ(inclusion_subtrees(4, 7), (Subtrees{{5, 6}, {6, 7}, {0, 4}}));
    EXPECT_EQ(inclusion_subtrees(6, 7), (Subtrees{{4, 6}, {0, 4}}));
    EXPECT_EQ(consistency_subtrees(3, 7), (Subtrees{{2, 3}, {3, 4}, {0, 2}, {4, 7}}));
    EXPECT_EQ(consistency_subtrees(4, 7), (Subtrees{{4, 7}}));
    EXPECT_EQ(consistency_subtrees(6, 7), (Subtrees{{4, 6}, {6, 7}, {0, 4}}));
}

// The tree of 70000 leaves that Go's sumdb and OpenSSL accepted: its proofs have 17 and 18 hashes.
TEST(Proof, ProvesTheTreeOfThePublishedCheckpoint) {
    constexpr std::uint64_t size = 70'000;
    ProofMaker inclusion{inclusion_subtrees(0, size)};
    ProofMaker consistency{consistency_subtrees(69'999, size)};
    CompactRange range;
    Tree older;
    Hash first{};
    for (std::uint64_t i = 0; i < size; ++i) {
        const auto leaf = leaf_hash("{\"seq\":" + std::to_string(i) + ",\"v\":\"\xC3\xA9\"}");
        if (i == 0) first = leaf;
        if (i == 69'999) older = {.size = i, .root = range.root()};
        range.append(leaf);
        inclusion.take(leaf);
        consistency.take(leaf);
    }
    const Tree tree{.size = size, .root = range.root()};
    EXPECT_EQ(security::base64(tree.root), "cKPBXZ6OeqDFHFwZaVjDU6geasIL9ySrrQ1FRXMYXNI=");
    EXPECT_EQ(inclusion.proof().size(), 17U);
    EXPECT_TRUE(included(first, 0, tree, inclusion.proof()));
    EXPECT_TRUE(consistent(older, tree, consistency.proof()));
}

}  // namespace
}  // namespace countersign::audit
