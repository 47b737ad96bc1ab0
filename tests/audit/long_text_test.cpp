// SPDX-License-Identifier: Apache-2.0
#include "audit/long_text.hpp"

#include "security/digest.hpp"
#include "security/encoding.hpp"
#include "tests/audit/log_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::audit {
namespace {

using testing::HasSubstr;

class LongTextTest : public testing::Test {
protected:
    std::string keep(const std::string& text, const std::string& name = {}) {
        auto hash = security::hex(security::sha256(text));
        disk.write(directory + "/text/" + (name.empty() ? hash : name), text);
        return hash;
    }
    Result<std::string> text(std::string_view hash) { return read_long_text(disk, directory, 17, hash); }
    fakes::MemoryFileSystem disk;
};

TEST_F(LongTextTest, ItIsCheckedAgainstItsHash) {
    const auto hash = keep("a long text");
    ASSERT_TRUE(text(hash));
    EXPECT_EQ(*text(hash), "a long text");
    keep("another text", hash);
    EXPECT_EQ(text(hash).error().code, Errc::damaged);
    EXPECT_EQ(text(hash).error().detail, "the long text of record 17 was changed: text/" + hash);
    const auto missing = text(security::hex(security::sha256("missing")));
    EXPECT_EQ(missing.error().code, Errc::damaged);
    EXPECT_THAT(missing.error().detail, HasSubstr("record 17 is missing: text/"));
}

TEST_F(LongTextTest, ATextOfTheMaximumLengthIsReadAndALongerOneIsNot) {
    EXPECT_TRUE(text(keep(std::string(limits::record_text_bytes_max, 'x'))));
    EXPECT_EQ(text(keep(std::string(limits::record_text_bytes_max + 1, 'x'))).error().code, Errc::damaged);
}

TEST_F(LongTextTest, ANameThatIsNotAHashReadsNoFile) {
    disk.write(directory + "/text/notes", "notes");
    for (const auto* name : {"", "notes", "../log.vkey", "../../keys/log"}) {
        EXPECT_EQ(text(name).error().code, Errc::damaged) << name;
    }
}

TEST_F(LongTextTest, AFailingDiskIsNotReportedAsAMissingText) {
    const auto hash = keep("a long text");
    for (std::size_t nth = 0; nth < 4; ++nth) {
        const auto copy = disk.copy();
        copy->fail(nth, true);
        const auto found = read_long_text(*copy, directory, 17, hash);
        ASSERT_FALSE(found) << nth;
        EXPECT_EQ(found.error().code, Errc::unavailable) << nth;
    }
}

}  // namespace
}  // namespace countersign::audit
