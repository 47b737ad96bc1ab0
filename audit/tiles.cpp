// SPDX-License-Identifier: Apache-2.0
#include "audit/tiles.hpp"

#include "core/limits.hpp"

#include <algorithm>

namespace countersign::audit {
namespace {

static_assert(limits::record_bytes_max <= 0xFFFF, "a bundle has two bytes for the length of a record");

// Three digits per directory, so no directory has more than a thousand entries: 1234067 is x001/x234/067.
std::string tile_number(std::uint64_t number) {
    const auto digits = std::to_string(number);
    const auto padded = std::string((3 - digits.size() % 3) % 3, '0') + digits;
    std::string path;
    for (std::size_t i = 0; i < padded.size(); i += 3) {
        const bool last = i + 3 == padded.size();
        path.append(last ? "" : "x").append(padded, i, 3).append(last ? "" : "/");
    }
    return path;
}

Hash root_of(const std::vector<Hash>& hashes) {
    CompactRange range;
    for (const auto& hash : hashes) range.append(hash);
    return range.root();
}

}  // namespace

std::string tile_path(std::string_view level, std::uint64_t number, std::size_t width) {
    auto path = "tile/" + std::string{level} + "/" + tile_number(number);
    if (width < tile_width) path += ".p/" + std::to_string(width);
    return path;
}

Result<void> TileMaker::take(std::string_view record) {
    bundle_.bytes += static_cast<char>(record.size() >> 8U);
    bundle_.bytes += static_cast<char>(record.size() & 0xFFU);
    bundle_.bytes += record;
    ++bundle_.records;
    if (bundle_.records == tile_width) {
        if (auto put = put_bundle(); !put) return put;
    }
    return add_hash(0, leaf_hash(record));
}

Result<void> TileMaker::finish() {
    if (bundle_.records > 0) {
        if (auto put = put_bundle(); !put) return put;
    }
    for (std::size_t level = 0; level < levels_.size(); ++level) {
        if (levels_[level].hashes.empty()) continue;
        if (auto put = put_hashes(level); !put) return put;
    }
    return {};
}

// A full tile becomes one hash of the level above.
Result<void> TileMaker::add_hash(std::size_t level, const Hash& hash) {
    if (level == levels_.size()) levels_.emplace_back();
    levels_[level].hashes.push_back(hash);
    if (levels_[level].hashes.size() < tile_width) return {};
    const auto above = root_of(levels_[level].hashes);
    if (auto put = put_hashes(level); !put) return put;
    return add_hash(level + 1, above);
}

Result<void> TileMaker::put_hashes(std::size_t level) {
    auto& [number, hashes] = levels_[level];
    std::string bytes;
    for (const auto& hash : hashes) bytes.append(hash.begin(), hash.end());
    const auto path = tile_path(std::to_string(level), number, hashes.size());
    ++number;
    hashes.clear();
    return put_(path, bytes);
}

Result<void> TileMaker::put_bundle() {
    const auto path = tile_path("entries", bundle_.number, bundle_.records);
    auto put = put_(path, bundle_.bytes);
    bundle_ = {.number = bundle_.number + 1, .records = 0, .bytes = {}};
    return put;
}

}  // namespace countersign::audit
