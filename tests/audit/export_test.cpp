// SPDX-License-Identifier: Apache-2.0
#include "audit/export.hpp"

#include "security/digest.hpp"
#include "security/encoding.hpp"
#include "tests/audit/log_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::audit {
namespace {

using testing::Contains;
using testing::HasSubstr;

class ExportTest : public testing::Test, public LogWorld {
protected:
    void SetUp() override { write(3); }
    void write(int records) {
        ASSERT_TRUE(open());
        for (int i = 0; i < records; ++i) ASSERT_TRUE(append(entry("vote")));
        ASSERT_TRUE(close());
    }
    Result<Exported> exported(const NoteKey& key = signer().key()) {
        return export_tiles({.files = *disk, .directory = directory, .key = key, .target = target});
    }
    const std::string target = "tiles";
};

TEST_F(ExportTest, TheCheckpointAndItsTilesAreExported) {
    const auto found = exported();
    ASSERT_TRUE(found) << describe(found.error());
    EXPECT_EQ(found->tree.size, 5U);
    EXPECT_EQ(disk->read("tiles/checkpoint"), disk->read(directory + "/checkpoint"));
    EXPECT_EQ(disk->read("tiles/tile/0/000.p/5").size(), 5U * 32);
    EXPECT_THAT(disk->read("tiles/tile/entries/000.p/5"), HasSubstr("\"kind\":\"vote\""));
}

TEST_F(ExportTest, AnEarlierExportIsContinued) {
    ASSERT_TRUE(exported());
    log.reset();
    write(2);
    ASSERT_TRUE(exported());
    EXPECT_THAT(disk->read("tiles/checkpoint"), HasSubstr("\n9\n"));
    EXPECT_THAT(disk->paths(), Contains("tiles/tile/0/000.p/9"));
}

class ExportedTextTest : public ExportTest {
protected:
    void SetUp() override {
        ASSERT_TRUE(open());
        auto request = entry("request");
        request.long_text = LogEntry::LongText{.hash = security::hex(security::sha256(text)), .text = text};
        ASSERT_TRUE(append(std::move(request)));
        ASSERT_TRUE(close());
    }
    const std::string text = "a text that was too long for its record";
    const std::string hash = security::hex(security::sha256(text));
};

TEST_F(ExportedTextTest, ALongTextIsExportedUnderItsHash) {
    const auto found = exported();
    ASSERT_TRUE(found) << describe(found.error());
    EXPECT_EQ(found->texts, 1U);
    EXPECT_EQ(found->tiles, 2U);
    EXPECT_EQ(disk->read("tiles/text/" + hash), text);
    EXPECT_TRUE(exported()) << "again, over what is there";
}

TEST_F(ExportedTextTest, AMissingOrChangedTextIsNamedAndNoCheckpointIsWritten) {
    disk->write(directory + "/text/" + hash, "another text");
    const auto changed = exported();
    ASSERT_FALSE(changed);
    EXPECT_EQ(changed.error().code, Errc::damaged);
    EXPECT_THAT(changed.error().detail, HasSubstr("record 1 was changed"));
    ASSERT_TRUE(disk->remove(directory + "/text/" + hash));
    EXPECT_THAT(exported().error().detail, HasSubstr("record 1 is missing"));
    EXPECT_THAT(disk->paths(), testing::Not(Contains("tiles/checkpoint")));
}

TEST_F(ExportTest, NothingIsWrittenIntoADirectoryThatIsNotAnExport) {
    disk->write("tiles/photo.jpg", "x");
    EXPECT_EQ(exported().error().code, Errc::conflict);
    EXPECT_THAT(disk->paths(), testing::Not(Contains("tiles/checkpoint")));
}

TEST_F(ExportTest, AnExportOfAnotherLogOrHistoryIsNotOverwritten) {
    const auto text = checkpoint_text(origin, {.size = 2, .root = leaf_hash("other")});
    disk->write("tiles/checkpoint", note(text, origin, signer().sign(text)));
    EXPECT_EQ(exported().error().code, Errc::conflict);
    disk->write("tiles/checkpoint", note(text, origin, signer(32).sign(text)));
    EXPECT_EQ(exported().error().code, Errc::conflict);
    const auto longer = checkpoint_text(origin, {.size = 6, .root = leaf_hash("other")});
    disk->write("tiles/checkpoint", note(longer, origin, signer().sign(longer)));
    EXPECT_EQ(exported().error().code, Errc::conflict);
}

TEST_F(ExportTest, ALogThatDoesNotVerifyIsNotExported) {
    EXPECT_FALSE(exported(signer(32).key()));
    EXPECT_THAT(disk->paths(), testing::Not(Contains("tiles/checkpoint")));
}

TEST_F(ExportTest, AFailedExportWritesNoCheckpoint) {
    const auto before = disk->calls();
    ASSERT_TRUE(exported());
    const auto calls = disk->calls() - before;
    for (std::size_t nth = 0; nth + 2 < calls; ++nth) {
        const auto copy = disk->copy();
        ASSERT_TRUE(copy->remove("tiles/checkpoint"));
        copy->fail(nth, true);
        EXPECT_FALSE(export_tiles({.files = *copy, .directory = directory, .key = signer().key(), .target = target}));
        EXPECT_EQ(copy->read("tiles/checkpoint"), "") << nth;
    }
}

}  // namespace
}  // namespace countersign::audit
