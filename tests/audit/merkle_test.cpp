// SPDX-License-Identifier: Apache-2.0
#include "audit/merkle.hpp"

#include "security/encoding.hpp"

#include <gtest/gtest.h>

#include <bit>

namespace countersign::audit {
namespace {

std::string bytes(std::string_view hex) {
    const auto decoded = *security::hex_decode(hex);
    return {decoded.begin(), decoded.end()};
}

// The definitions of RFC 6962 2.1, taken literally: the fast code is compared with them.
Hash root_of(std::span<const Hash> leaves) {
    if (leaves.empty()) return security::sha256(std::string_view{});
    if (leaves.size() == 1) return leaves.front();
    const auto k = std::bit_floor(leaves.size() - 1);
    return node_hash(root_of(leaves.first(k)), root_of(leaves.subspan(k)));
}

std::vector<Hash> path_of(std::size_t index, std::span<const Hash> leaves) {
    if (leaves.size() <= 1) return {};
    const auto k = std::bit_floor(leaves.size() - 1);
    auto path = index < k ? path_of(index, leaves.first(k)) : path_of(index - k, leaves.subspan(k));
    path.push_back(index < k ? root_of(leaves.subspan(k)) : root_of(leaves.first(k)));
    return path;
}

std::vector<Hash> proof_of(std::size_t size, std::span<const Hash> leaves, bool whole = true) {
    if (size == leaves.size()) return whole ? std::vector<Hash>{} : std::vector{root_of(leaves)};
    const auto k = std::bit_floor(leaves.size() - 1);
    auto proof = size <= k ? proof_of(size, leaves.first(k), whole) : proof_of(size - k, leaves.subspan(k), false);
    proof.push_back(size <= k ? root_of(leaves.subspan(k)) : root_of(leaves.first(k)));
    return proof;
}

std::vector<Hash> some_leaves(std::size_t count) {
    std::vector<Hash> leaves;
    for (std::size_t i = 0; i < count; ++i) leaves.push_back(leaf_hash(std::to_string(i)));
    return leaves;
}

Tree tree_of(std::span<const Hash> leaves) { return {.size = leaves.size(), .root = root_of(leaves)}; }

constexpr std::size_t sizes = 34;  // past two powers of two, on both sides

TEST(Merkle, LeafAndNodeHashesMatchThePublishedVectors) {
    EXPECT_EQ(security::hex(leaf_hash("L123456")), "395aa064aa4c29f7010acfe3f25db9485bbd4b91897b6ad7ad547639252b4d56");
    EXPECT_EQ(security::hex(security::sha256(std::string_view{"\x01N123N456"})),
              "aa217fe888e47007fa15edab33c2b492a722cb106c64667fc2b044444de66bbb");
    Hash left{};
    Hash right{};
    right.fill(7);
    const auto both = std::string{"\x01"} + std::string(32, '\0') + std::string(32, '\7');
    EXPECT_EQ(node_hash(left, right), security::sha256(both));
}

TEST(Merkle, RootsOfTheFirstEightSizesMatchThePublishedVectors) {
    const std::vector<std::string> leaves{
        "", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"};
    const std::vector<std::string> roots{"6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
                                         "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
                                         "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
                                         "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
                                         "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
                                         "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
                                         "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
                                         "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"};
    CompactRange range;
    EXPECT_EQ(security::hex(range.root()), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    for (std::size_t i = 0; i < leaves.size(); ++i) {
        range.append(leaf_hash(bytes(leaves[i])));
        EXPECT_EQ(security::hex(range.root()), roots[i]) << "size " << i + 1;
    }
}

TEST(Merkle, EveryInclusionProofIsAcceptedAndEveryChangeOfItRefused) {
    const auto leaves = some_leaves(sizes);
    for (std::size_t size = 1; size <= sizes; ++size) {
        const auto tree = tree_of(std::span{leaves}.first(size));
        for (std::size_t index = 0; index < size; ++index) {
            auto path = path_of(index, std::span{leaves}.first(size));
            ASSERT_TRUE(included(leaves[index], index, tree, path)) << index << " of " << size;
            EXPECT_FALSE(included(leaves[index], index + 1, tree, path));
            EXPECT_FALSE(included(leaves[index], size, tree, path));
            EXPECT_FALSE(included(leaf_hash("other"), index, tree, path));
            for (auto& hash : path) {
                hash[31] ^= 1U;
                EXPECT_FALSE(included(leaves[index], index, tree, path));
                hash[31] ^= 1U;
            }
            path.push_back(tree.root);
            EXPECT_FALSE(included(leaves[index], index, tree, path));
            path.pop_back();
            if (path.empty()) continue;
            path.pop_back();
            EXPECT_FALSE(included(leaves[index], index, tree, path));
        }
    }
}

TEST(Merkle, EveryConsistencyProofIsAcceptedAndEveryChangeOfItRefused) {
    const auto leaves = some_leaves(sizes);
    for (std::size_t size = 1; size <= sizes; ++size) {
        const auto newer = tree_of(std::span{leaves}.first(size));
        for (std::size_t before = 1; before <= size; ++before) {
            const auto older = tree_of(std::span{leaves}.first(before));
            auto proof = proof_of(before, std::span{leaves}.first(size));
            ASSERT_TRUE(consistent(older, newer, proof)) << before << " to " << size;
            EXPECT_FALSE(consistent({.size = before, .root = leaf_hash("other")}, newer, proof));
            EXPECT_FALSE(consistent(older, {.size = size, .root = leaf_hash("other")}, proof));
            for (auto& hash : proof) {
                hash[0] ^= 1U;
                EXPECT_FALSE(consistent(older, newer, proof));
                hash[0] ^= 1U;
            }
            proof.push_back(newer.root);
            EXPECT_FALSE(consistent(older, newer, proof));
            if (before < size) EXPECT_FALSE(consistent(newer, older, {}));
        }
    }
}

TEST(Merkle, ConsistencyWithNothingProvesNothing) {
    const auto leaves = some_leaves(3);
    EXPECT_FALSE(consistent(Tree{.size = 0, .root = CompactRange{}.root()}, tree_of(leaves), {}));
}

}  // namespace
}  // namespace countersign::audit
