// SPDX-License-Identifier: Apache-2.0
#include "audit/review/log_reader.hpp"

#include "audit/segment.hpp"
#include "tests/audit/review/review_world.hpp"

#include <gtest/gtest.h>

namespace countersign::audit::review {
namespace {

class LogReaderTest : public testing::Test, public ReviewWorld {
protected:
    void SetUp() override { ASSERT_TRUE(open()); }
};

TEST_F(LogReaderTest, ALineIsReadOnlyAtItsStart) {
    (void)ask();
    LogReader reader{*disk, directory};
    const auto bytes = disk->read(directory + "/" + segment_name(0));
    const auto second = bytes.find('\n') + 1;
    EXPECT_EQ(reader.record({.segment = 0, .offset = second})->kind, "request");
    EXPECT_FALSE(reader.record({.segment = 0, .offset = second + 1}));
    EXPECT_FALSE(reader.line({.segment = 0, .offset = bytes.size()}));
    EXPECT_FALSE(reader.line({.segment = 0, .offset = std::uint64_t{1} << 40U}));
    EXPECT_FALSE(reader.line({.segment = 9, .offset = 0}));
}

TEST_F(LogReaderTest, UnsignedRecordsAreNotReturned) {
    (void)ask();
    kill();
    const auto path = directory + "/" + segment_name(0);
    const auto bytes = disk->read(path);
    disk->write(path, bytes.substr(0, bytes.rfind('\t')) + "\n");
    LogReader reader{*disk, directory};
    LogReader::Position from;
    std::vector<std::string> seen;
    const auto take = [&](const BatchRecord& one, std::uint64_t) { seen.push_back(one.record.kind); };
    ASSERT_TRUE(reader.walk(from, {.record = take}));
    EXPECT_EQ(seen, std::vector<std::string>{"start"});
    // When the rest of the batch is there, it is returned, and only once.
    disk->write(path, bytes);
    ASSERT_TRUE(reader.walk(from, {.record = take, .next_seq = 1}));
    EXPECT_EQ(seen, (std::vector<std::string>{"start", "request"}));
    EXPECT_FALSE(reader.damage());
}

}  // namespace
}  // namespace countersign::audit::review
