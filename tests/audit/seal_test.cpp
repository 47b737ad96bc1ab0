// SPDX-License-Identifier: Apache-2.0
#include "audit/seal.hpp"

#include "audit/log_marker.hpp"
#include "tests/audit/log_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::audit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string state = "state";
const std::string first_segment = directory + "/seg-000000.log";

class SealTest : public testing::Test, public LogWorld {
protected:
    void SetUp() override {
        ASSERT_TRUE(open());
        ASSERT_TRUE(note_begun(*disk, state));
        for (int i = 0; i < 3; ++i) ASSERT_TRUE(append(entry("n", {{"i", i}})));
        ASSERT_TRUE(close());
        kill();
    }
    void damage() {
        auto bytes = disk->read(first_segment);
        bytes[bytes.size() / 2] ^= 1;
        disk->write(first_segment, bytes);
    }
    void take_log_away() {
        for (const auto& path : disk->paths()) {
            if (path.starts_with(directory + "/")) ASSERT_TRUE(disk->remove(path));
        }
    }
    // Restores an earlier copy in place of the current files.
    void put_back(fakes::MemoryFileSystem& copy) {
        take_log_away();
        for (const auto& path : copy.paths()) {
            if (path.starts_with(directory + "/")) disk->write(path, copy.read(path));
        }
    }
    Result<Sealed> seal_it(std::uint8_t key = 0) {
        return seal({.files = *disk,
                     .state = state,
                     .key = signing_key(key),
                     .reason = "a disk was swapped",
                     .by = "uid:7",
                     .now = {.boot_id = "boot-2"}});
    }
    // As a hub starts.
    Result<void> start_again() {
        if (auto there = check_begun(*disk, state); !there) return there;
        const auto name = origin_of_log(*disk, state, origin);
        if (!name) return name.error();
        if (auto opened = open(0, *name); !opened) return opened;
        return note_begun(*disk, state);
    }
    std::vector<Record> new_records() {
        const auto key = read_log_keys(*disk, directory);
        std::vector<Record> found;
        const auto walked =
            walk(*disk, directory, key->first(),
                 {.check = Chain::Check::each, .record = [&](const Record& record) { found.push_back(record); }});
        EXPECT_TRUE(walked && !walked->broken);
        return found;
    }
};

TEST_F(SealTest, ADamagedLogIsPutAsideUnchangedAndTheNewOneSaysSo) {
    damage();
    const auto before = disk->read(first_segment);
    EXPECT_EQ(start_again().error().code, Errc::damaged);
    const auto sealed = seal_it();
    ASSERT_TRUE(sealed) << describe(sealed.error());
    EXPECT_EQ(sealed->directory, "state/audit-sealed-1");
    EXPECT_EQ(disk->read("state/audit-sealed-1/seg-000000.log"), before);
    EXPECT_TRUE(disk->read("state/audit-sealed-1/log.vkey").starts_with(origin + "+"));
    EXPECT_TRUE(sealed->vkey.starts_with(origin + "/after-seal-1+"));

    ASSERT_TRUE(start_again());
    ASSERT_TRUE(close());
    const auto found = new_records();
    ASSERT_GE(found.size(), 3U);
    EXPECT_EQ(found[0].kind, "seal");
    EXPECT_EQ(found[0].text("oldOrigin"), origin);
    EXPECT_EQ(found[0].text("oldDirectory"), "audit-sealed-1");
    EXPECT_EQ(found[0].text("reason"), "a disk was swapped");
    EXPECT_EQ(found[0].text("by"), "uid:7");
    EXPECT_THAT(std::string{found[0].text("why")}, HasSubstr("record"));
    EXPECT_GE(*found[0].number("oldSize"), 1U) << "what still holds is named, with its root";
    EXPECT_FALSE(found[0].text("oldRoot").empty());
    EXPECT_EQ(found[2].kind, "start");
}

TEST_F(SealTest, AMissingLogIsNotAFirstStart) {
    take_log_away();
    const auto refused = start_again();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::damaged);
    EXPECT_THAT(refused.error().detail, HasSubstr("audit seal --reason"));
    ASSERT_TRUE(seal_it());
    ASSERT_TRUE(start_again());
    EXPECT_EQ(new_records()[0].text("why"), "the log is gone, and one was begun here");
}

// Two trees under one name and key would be a fork, even if the log was removed twice.
TEST_F(SealTest, ALogThatIsMissingAgainGetsAnotherName) {
    for (const auto* name : {"/after-seal-1+", "/after-seal-2+"}) {
        take_log_away();
        const auto sealed = seal_it();
        ASSERT_TRUE(sealed) << describe(sealed.error());
        EXPECT_TRUE(sealed->vkey.starts_with(origin + name)) << sealed->vkey;
    }
}

// Every start writes a checkpoint, so cutting off the end and removing the checkpoint isn't mistaken for a crash.
TEST_F(SealTest, ALogWithoutItsCheckpointIsSealedInsteadOfContinued) {
    ASSERT_TRUE(disk->remove(directory + "/checkpoint"));
    const auto refused = start_again();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::damaged);
    EXPECT_THAT(refused.error().detail, HasSubstr("lost its checkpoint"));
    ASSERT_TRUE(seal_it());
    ASSERT_TRUE(start_again());
    EXPECT_THAT(std::string{new_records()[0].text("why")}, HasSubstr("lost its checkpoint"));
}

TEST_F(SealTest, I2_AHubDoesNotStartIfItsLogCannotBeListed) {
    ASSERT_TRUE(disk->remove(directory + "/checkpoint"));
    disk->fail_next("list");
    const auto listing = start_again();
    ASSERT_FALSE(listing);
    EXPECT_EQ(listing.error().code, Errc::unavailable) << listing.error().detail;
    EXPECT_EQ(start_again().error().code, Errc::damaged);
}

TEST_F(SealTest, I2_AStartDoesNotOverwriteAnUnreadableNote) {
    const auto before = disk->calls();
    ASSERT_TRUE(note_begun(*disk, state));
    const auto calls = disk->calls() - before;
    ASSERT_GT(calls, 0U);
    for (std::size_t nth = 0; nth < calls; ++nth) {
        disk->fail(nth);
        EXPECT_EQ(note_begun(*disk, state).error().code, Errc::unavailable) << "call " << nth;
    }
}

TEST_F(SealTest, AnEmptiedLogIsNotContinuedEvenIfOtherFilesAreMissingToo) {
    disk->write(first_segment, "");
    EXPECT_EQ(start_again().error().code, Errc::damaged);
    ASSERT_TRUE(disk->remove(directory + "/checkpoint"));
    EXPECT_EQ(start_again().error().code, Errc::damaged);
    ASSERT_TRUE(disk->remove(first_segment));
    EXPECT_EQ(start_again().error().code, Errc::damaged);
    ASSERT_TRUE(seal_it());
    EXPECT_TRUE(start_again());
}

// A copy from before the seal is complete and signed, and would restart the history that the seal ended.
TEST_F(SealTest, ACopyFromBeforeASealIsSealedInsteadOfContinued) {
    const auto copy = disk->copy();
    damage();
    ASSERT_TRUE(seal_it());
    put_back(*copy);
    const auto refused = start_again();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::damaged);
    EXPECT_THAT(refused.error().detail, HasSubstr("an older copy"));
    const auto sealed = seal_it();
    ASSERT_TRUE(sealed) << describe(sealed.error());
    EXPECT_TRUE(sealed->vkey.starts_with(origin + "/after-seal-2+")) << sealed->vkey;
    ASSERT_TRUE(start_again());
    EXPECT_EQ(new_records()[0].text("oldOrigin"), origin);
    EXPECT_THAT(std::string{new_records()[0].text("why")}, HasSubstr("an older copy"));
}

// A hub that lost its key can't continue the log, and must not be stuck forever.
TEST_F(SealTest, ALogWhoseKeyTheHubDoesNotHaveCanBeSealed) {
    const auto sealed = seal_it(64);
    ASSERT_TRUE(sealed) << describe(sealed.error());
    EXPECT_EQ(sealed->vkey, NoteSigner::make(origin + "/after-seal-1", signing_key(64))->key().vkey());
    const auto record = new_records()[0];
    EXPECT_EQ(record.text("why"), "the hub does not have the log's key");
    EXPECT_EQ(record.text("oldVkey"), signer().key().vkey());
}

// An attacker who can write here could add a key of their own. A key that no record of the log names isn't a key of the
// log.
TEST_F(SealTest, AKeyAddedToTheKeyListIsDamageAndTheSealDoesNotRepeatIt) {
    const auto strange = signer(96).key().vkey();
    disk->write(directory + "/log.vkey", disk->read(directory + "/log.vkey") + strange + "\n");
    EXPECT_EQ(start_again().error().code, Errc::damaged);
    const auto found = verify(*disk, directory, {.key = signer().key()});
    ASSERT_TRUE(found);
    EXPECT_FALSE(found->ok());
    EXPECT_THAT(found->why, HasSubstr("no record of the log names"));
    ASSERT_TRUE(seal_it());
    ASSERT_TRUE(start_again());
    EXPECT_EQ(new_records()[0].text("oldVkey"), signer().key().vkey());
}

// A directory with that name that no seal wrote is kept, and isn't used as the new log.
TEST_F(SealTest, FilesInTheWayArePutAsideAndNotUsedAsTheNewLog) {
    const std::vector<std::pair<std::string, std::string>> planted{
        {"state/audit.new/log.vkey", NoteSigner::make(origin + "/after-seal-1", signing_key(96))->key().vkey() + "\n"},
        {"state/audit.new/seg-000000.log", disk->read(first_segment)},
        {"state/audit.new/checkpoint", disk->read(directory + "/checkpoint")}};
    take_log_away();
    for (const auto& [path, bytes] : planted) disk->write(path, bytes);
    const auto sealed = seal_it();
    ASSERT_TRUE(sealed) << describe(sealed.error());
    for (const auto& [path, bytes] : planted) {
        EXPECT_EQ(disk->read("state/audit-discarded-1" + path.substr(path.rfind('/'))), bytes);
    }
    ASSERT_TRUE(start_again());
    EXPECT_EQ(new_records()[0].kind, "seal");
}

TEST_F(SealTest, AnOwnLogThatDoesNotStartWithASealIsNotUsedAsTheNewLog) {
    for (const auto* name : {"log.vkey", "seg-000000.log", "checkpoint"}) {
        disk->write(std::string{"state/audit.new/"} + name, disk->read(directory + "/" + name));
    }
    take_log_away();
    ASSERT_TRUE(seal_it());
    EXPECT_EQ(new_records()[0].kind, "seal");
}

// Killed right after the start, before any other record is written.
TEST_F(SealTest, AStartWritesACheckpoint) {
    ASSERT_TRUE(start_again());
    kill();
    EXPECT_TRUE(start_again());
}

TEST_F(SealTest, ALogThatLostOnlyItsKeysIsNotSealed) {
    disk->write(directory + "/log.vkey", "no key\n");
    const auto refused = seal_it();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::unsupported);
    EXPECT_THAT(refused.error().detail, HasSubstr("put back the keys"));
}

TEST_F(SealTest, AnUndamagedLogIsNotSealed) {
    EXPECT_EQ(seal_it().error().code, Errc::unsupported);
    // The leftovers of a crash aren't damage either: a start repairs them.
    disk->write(first_segment, disk->read(first_segment) + "torn");
    EXPECT_EQ(seal_it().error().code, Errc::unsupported);
    EXPECT_TRUE(start_again());
}

TEST_F(SealTest, ADirectoryWithoutALogHasNothingToSeal) {
    disk = std::make_unique<fakes::MemoryFileSystem>();
    EXPECT_EQ(seal_it().error().code, Errc::unavailable);
}

TEST_F(SealTest, EachSealGivesANewName) {
    for (const auto* name : {"/after-seal-1", "/after-seal-2", "/after-seal-3"}) {
        damage();
        const auto sealed = seal_it();
        ASSERT_TRUE(sealed) << describe(sealed.error());
        EXPECT_TRUE(sealed->vkey.starts_with(origin + name + "+")) << sealed->vkey;
    }
    EXPECT_TRUE(start_again());
}

TEST_F(SealTest, ADifferentConfiguredNameIsStillRefused) {
    damage();
    ASSERT_TRUE(seal_it());
    EXPECT_EQ(*origin_of_log(*disk, state, "another"), "another") << "and recovery says that the log is not its own";
    EXPECT_EQ(*origin_of_log(*disk, state, origin), origin + "/after-seal-1");
}

// If it is killed at any call, a hub either refuses or finds the new log, and sealing again completes it.
class InterruptedSealTest : public SealTest, public testing::WithParamInterface<bool> {};

TEST_P(InterruptedSealTest, IsNeverMistakenForAFirstStart) {
    if (GetParam()) take_log_away();
    if (!GetParam()) damage();
    const auto damaged = disk->copy();
    for (std::size_t nth = 0;; ++nth) {
        disk = damaged->copy();
        disk->fail(nth, true);
        const bool done = seal_it().has_value();
        disk = disk->copy();
        if (!done) {
            const auto started = start_again();
            if (!started) EXPECT_EQ(started.error().code, Errc::damaged) << "call " << nth;
            if (started) {
                log.reset();
                EXPECT_EQ(new_records()[0].kind, "seal") << "call " << nth;
                continue;
            }
            const auto again = seal_it();
            ASSERT_TRUE(again) << "call " << nth << ": " << describe(again.error());
        }
        ASSERT_TRUE(start_again()) << "call " << nth;
        EXPECT_EQ(new_records()[0].kind, "seal");
        contexts.emplace_back();
        log.reset();
        if (done) break;
    }
}

INSTANTIATE_TEST_SUITE_P(OfALog, InterruptedSealTest, testing::Bool(),
                         [](const auto& log) { return std::string{log.param ? "ThatIsGone" : "ThatIsDamaged"}; });

}  // namespace
}  // namespace countersign::audit
