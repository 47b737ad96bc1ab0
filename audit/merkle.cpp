// SPDX-License-Identifier: Apache-2.0
#include "audit/merkle.hpp"

#include "security/encoding.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace countersign::audit {
namespace {

// The walk of both proofs from a leaf to the root: `at` is the current node, `last` the rightmost one on its level.
struct Walk {
    std::uint64_t at;
    std::uint64_t last;

    // Whether the next sibling in the path is on the left.
    [[nodiscard]] bool from_left() const { return (at & 1U) != 0 || at == last; }
    void up() {
        at >>= 1U;
        last >>= 1U;
    }
    // Skips the levels on which the rightmost node has no sibling.
    void skip_single() {
        while ((at & 1U) == 0 && at != 0) up();
    }
};

}  // namespace

Hash leaf_hash(std::string_view data) {
    return security::Sha256{}.update(std::string_view{"\x00", 1}).update(data).finish();
}

Hash node_hash(const Hash& left, const Hash& right) {
    std::array<std::uint8_t, 1 + 2 * sizeof(Hash)> bytes{0x01};
    std::ranges::copy(left, bytes.begin() + 1);
    std::ranges::copy(right, bytes.begin() + 1 + sizeof(Hash));
    return security::sha256(std::span<const std::uint8_t>{bytes});
}

Result<Hash> parse_hash(std::string_view base64) {
    const auto bytes = security::base64_decode(base64);
    Hash hash{};
    if (!bytes || bytes->size() != hash.size()) return Error{Errc::malformed, "no base64 of a SHA-256"};
    std::ranges::copy(*bytes, hash.begin());
    return hash;
}

void CompactRange::append(const Hash& leaf) {
    auto merged = leaf;
    // Each trailing one bit of the size is a full subtree that the new leaf merges into the next larger one.
    for (auto bits = size_; (bits & 1U) != 0; bits >>= 1U) {
        merged = node_hash(roots_.back(), merged);
        roots_.pop_back();
    }
    roots_.push_back(merged);
    ++size_;
}

Hash CompactRange::root() const {
    if (roots_.empty()) return security::sha256(std::string_view{});
    auto root = roots_.back();
    for (auto i = roots_.size() - 1; i-- > 0;) root = node_hash(roots_[i], root);
    return root;
}

bool included(const Hash& leaf, std::uint64_t index, const Tree& tree, std::span<const Hash> path) {
    if (index >= tree.size) return false;
    Walk walk{.at = index, .last = tree.size - 1};
    auto root = leaf;
    for (const auto& sibling : path) {
        if (walk.last == 0) return false;
        if (walk.from_left()) {
            root = node_hash(sibling, root);
            walk.skip_single();
        } else {
            root = node_hash(root, sibling);
        }
        walk.up();
    }
    return walk.last == 0 && root == tree.root;
}

bool consistent(const Tree& older, const Tree& newer, std::span<const Hash> path) {
    if (older.size == 0 || older.size > newer.size) return false;
    if (older.size == newer.size) return path.empty() && older.root == newer.root;
    // If the older tree is one full subtree, its root would be the first node of the proof and is left out.
    const bool full = std::has_single_bit(older.size);
    if (!full && path.empty()) return false;
    auto older_root = full ? older.root : path.front();
    auto newer_root = older_root;
    Walk walk{.at = older.size - 1, .last = newer.size - 1};
    while ((walk.at & 1U) != 0) walk.up();
    for (const auto& sibling : path.subspan(full ? 0 : 1)) {
        if (walk.last == 0) return false;
        if (walk.from_left()) {
            older_root = node_hash(sibling, older_root);
            newer_root = node_hash(sibling, newer_root);
            walk.skip_single();
        } else {
            newer_root = node_hash(newer_root, sibling);
        }
        walk.up();
    }
    return walk.last == 0 && older_root == older.root && newer_root == newer.root;
}

}  // namespace countersign::audit
