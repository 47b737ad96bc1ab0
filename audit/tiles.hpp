// SPDX-License-Identifier: Apache-2.0
// The tree as static files (c2sp.org/tlog-tiles): 256 hashes per tile, 256 records per bundle. With a few of these
// files anyone can check any proof.
//
// TileMaker opens no files; it passes their paths and contents to `put`. Memory: at most one unfinished tile per level.
#pragma once

#include "audit/merkle.hpp"
#include "core/result.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::audit {

inline constexpr std::size_t tile_width = 256;

// "tile/0/x001/x234/067", with ".p/112" appended while the tile has only 112 of its 256 entries.
[[nodiscard]] std::string tile_path(std::string_view level, std::uint64_t number, std::size_t width);

class TileMaker {
public:
    using Put = std::function<Result<void>(const std::string& path, std::string_view bytes)>;
    explicit TileMaker(Put put) : put_{std::move(put)} {}

    // Adds the next record. Stops with `put`'s error.
    [[nodiscard]] Result<void> take(std::string_view record);
    // Writes the tiles that are not full.
    [[nodiscard]] Result<void> finish();

private:
    struct Level {
        std::uint64_t number = 0;  // of the tile that is being filled
        std::vector<Hash> hashes;
    };
    struct Bundle {
        std::uint64_t number = 0;
        std::size_t records = 0;
        std::string bytes;
    };
    [[nodiscard]] Result<void> add_hash(std::size_t level, const Hash& hash);
    [[nodiscard]] Result<void> put_hashes(std::size_t level);
    [[nodiscard]] Result<void> put_bundle();

    Put put_;
    std::vector<Level> levels_;
    Bundle bundle_;
};

}  // namespace countersign::audit
