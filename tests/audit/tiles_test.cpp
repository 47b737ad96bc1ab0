// SPDX-License-Identifier: Apache-2.0
#include "audit/tiles.hpp"

#include "core/limits.hpp"

#include <gtest/gtest.h>

#include <map>

namespace countersign::audit {
namespace {

TEST(Tiles, ANumberIsWrittenInGroupsOfThreeDigits) {
    EXPECT_EQ(tile_path("0", 0, 256), "tile/0/000");
    EXPECT_EQ(tile_path("0", 999, 256), "tile/0/999");
    EXPECT_EQ(tile_path("1", 1'000, 256), "tile/1/x001/000");
    EXPECT_EQ(tile_path("entries", 1'234'067, 256), "tile/entries/x001/x234/067");
    EXPECT_EQ(tile_path("2", 5, 112), "tile/2/005.p/112");
}

TEST(Tiles, SeventyThousandRecordsGiveTheTilesOfTheStandard) {
    std::map<std::string, std::string> files;
    TileMaker maker{[&](const std::string& path, std::string_view bytes) -> Result<void> {
        EXPECT_TRUE(files.emplace(path, bytes).second) << path << " is written twice";
        return {};
    }};
    std::vector<Hash> leaves;
    CompactRange first;  // the records of the first hash of level 1, and then of level 2
    for (int i = 0; i < 70'000; ++i) {
        const auto record = "{\"seq\":" + std::to_string(i) + "}";
        if (i < 65'536) first.append(leaf_hash(record));
        if (i == 255) leaves.push_back(first.root());
        ASSERT_TRUE(maker.take(record));
    }
    ASSERT_TRUE(maker.finish());
    std::map<std::string, std::size_t> counts;
    for (const auto& [path, bytes] : files) ++counts[path.substr(0, path.find('/', 5))];
    EXPECT_EQ(counts["tile/0"], 274U);
    EXPECT_EQ(counts["tile/1"], 2U);
    EXPECT_EQ(counts["tile/2"], 1U);
    EXPECT_EQ(counts["tile/entries"], 274U);
    EXPECT_EQ(files["tile/0/272"].size(), 8192U);
    EXPECT_EQ(files["tile/0/273.p/112"].size(), 112U * 32);
    EXPECT_EQ(files["tile/1/001.p/17"].size(), 17U * 32);
    const auto of_level_1 = files["tile/1/000"].substr(0, 32);
    EXPECT_TRUE(std::equal(of_level_1.begin(), of_level_1.end(), leaves[0].begin(),
                           [](char left, std::uint8_t right) { return static_cast<std::uint8_t>(left) == right; }));
    const auto root = first.root();
    EXPECT_EQ(files["tile/2/000.p/1"], std::string(root.begin(), root.end()));
    EXPECT_EQ(files["tile/entries/000"].substr(0, 22), std::string("\0\x09{\"seq\":0}\0\x09{\"seq\":1}", 22));
}

TEST(Tiles, ARecordOfAnyLengthFitsItsBundle) {
    std::string bundle;
    TileMaker maker{[&](const std::string& path, std::string_view bytes) -> Result<void> {
        if (path.starts_with("tile/entries")) bundle = bytes;
        return {};
    }};
    ASSERT_TRUE(maker.take(std::string(limits::record_bytes_max, 'x')));
    ASSERT_TRUE(maker.finish());
    EXPECT_EQ(bundle.substr(0, 3), "\xFF\xFFx");
    EXPECT_EQ(bundle.size(), limits::record_bytes_max + 2);
}

}  // namespace
}  // namespace countersign::audit
