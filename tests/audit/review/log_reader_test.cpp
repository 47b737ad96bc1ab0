// SPDX-License-Identifier: Apache-2.0
#include "audit/review/log_reader.hpp"

#include "audit/segment.hpp"
#include "security/digest.hpp"
#include "security/encoding.hpp"
#include "tests/audit/review/review_world.hpp"

#include <gtest/gtest.h>

namespace countersign::audit::review {
namespace {

class LogReaderTest : public testing::Test, public ReviewWorld {
protected:
    void SetUp() override { ASSERT_TRUE(open()); }
    std::string keep(const std::string& text, const std::string& name = {}) {
        auto hash = security::hex(security::sha256(text));
        disk->write(directory + "/text/" + (name.empty() ? hash : name), text);
        return hash;
    }
};

TEST_F(LogReaderTest, ALongTextIsCheckedAgainstItsName) {
    LogReader reader{*disk, directory};
    const auto hash = keep("a long text");
    ASSERT_TRUE(reader.long_text(hash));
    EXPECT_EQ(*reader.long_text(hash), "a long text");
    keep("another text", hash);
    EXPECT_EQ(reader.long_text(hash).error().code, Errc::damaged);
    EXPECT_EQ(reader.long_text(security::hex(security::sha256("missing"))).error().code, Errc::damaged);
}

TEST_F(LogReaderTest, ATextAsLongAsAnyIsReadAndALongerOneIsNot) {
    LogReader reader{*disk, directory};
    EXPECT_TRUE(reader.long_text(keep(std::string(limits::record_text_bytes_max, 'x'))));
    EXPECT_FALSE(reader.long_text(keep(std::string(limits::record_text_bytes_max + 1, 'x'))));
}

TEST_F(LogReaderTest, ANameThatIsNoHashLeadsToNoFile) {
    LogReader reader{*disk, directory};
    disk->write(directory + "/text/notes", "notes");
    for (const auto* name : {"", "notes", "../log.vkey", "../../keys/log"})
        EXPECT_FALSE(reader.long_text(name)) << name;
}

TEST_F(LogReaderTest, ALineIsReadWhereItBeginsAndNowhereElse) {
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

TEST_F(LogReaderTest, WhatNoSignatureCoversIsNotGiven) {
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
    // When the rest of the batch is there, it comes, and once.
    disk->write(path, bytes);
    ASSERT_TRUE(reader.walk(from, {.record = take, .next_seq = 1}));
    EXPECT_EQ(seen, (std::vector<std::string>{"start", "request"}));
    EXPECT_FALSE(reader.damage());
}

}  // namespace
}  // namespace countersign::audit::review
