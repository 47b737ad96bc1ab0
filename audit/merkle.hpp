// SPDX-License-Identifier: Apache-2.0
// The RFC 6962 hash tree over the records, and the verification of its proofs (RFC 9162, 2.1.3 and 2.1.4).
//
// Plain functions on values. Only the right edge of the tree is kept: 64 hashes at most, however long the log.
#pragma once

#include "core/result.hpp"
#include "security/digest.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace countersign::audit {

using Hash = security::Digest;

// SHA-256(0x00 || data) and SHA-256(0x01 || left || right): the first byte prevents passing a leaf off as a node.
[[nodiscard]] Hash leaf_hash(std::string_view data);
[[nodiscard]] Hash node_hash(const Hash& left, const Hash& right);

// Parses a hash as the log, its checkpoints and its proofs write it. Errc::malformed unless it is base64 of 32 bytes.
[[nodiscard]] Result<Hash> parse_hash(std::string_view base64);

// The tree of the leaves so far, as the roots of its full subtrees, largest first.
class CompactRange {
public:
    void append(const Hash& leaf);
    [[nodiscard]] std::uint64_t size() const { return size_; }
    // Without leaves: the hash of an empty string.
    [[nodiscard]] Hash root() const;

private:
    std::vector<Hash> roots_;
    std::uint64_t size_ = 0;
};

struct Tree {
    std::uint64_t size = 0;
    Hash root{};
};

// Whether `leaf` is at `index` in the tree.
[[nodiscard]] bool included(const Hash& leaf, std::uint64_t index, const Tree& tree, std::span<const Hash> path);

// Whether the newer tree begins with all of the older one. An older tree of size 0 is refused: every log begins with
// it, so such a proof proves nothing.
[[nodiscard]] bool consistent(const Tree& older, const Tree& newer, std::span<const Hash> path);

}  // namespace countersign::audit
