// SPDX-License-Identifier: Apache-2.0
#include "audit/rotate.hpp"

#include "audit/prove.hpp"
#include "audit/segment.hpp"
#include "tests/audit/log_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::audit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Verdict = Verification::Verdict;
using Proof = Verification::Proof;

constexpr std::uint8_t old_key = 0;
constexpr std::uint8_t new_key = 32;
constexpr std::uint8_t strange_key = 64;
const std::string segment = directory + "/seg-000000.log";
const std::string vkey_file = directory + "/log.vkey";

class RotateTest : public testing::Test, public LogWorld {
protected:
    void SetUp() override {
        ASSERT_TRUE(start_with(old_key));
        ASSERT_TRUE(append(entry("n")));
        ASSERT_TRUE(close());
        kill();
    }
    Result<void> rotate_it(std::uint8_t from = old_key, std::uint8_t to = new_key) {
        return rotate({.files = *disk,
                       .directory = directory,
                       .from = signer(from),
                       .to = signer(to),
                       .reason = "a laptop was lost",
                       .by = "uid:7",
                       .now = {.boot_id = "boot-2"},
                       .segment_bytes = segment_bytes});
    }
    // Starts as a hub with that key does.
    Result<void> start_with(std::uint8_t key) { return open(key); }
    void live_with(std::uint8_t key) {
        const auto started = start_with(key);
        ASSERT_TRUE(started) << describe(started.error());
        ASSERT_TRUE(append(entry("m")));
        ASSERT_TRUE(close());
        kill();
    }
    static std::vector<std::string> lines_of(const std::string& bytes) {
        std::vector<std::string> found;
        SegmentLines lines{bytes};
        while (const auto line = lines.next()) found.emplace_back(*line);
        return found;
    }
};

TEST_F(RotateTest, TheLogContinuesUnderTheNewKeyAndVerifiesWithEither) {
    const auto rotated = rotate_it();
    ASSERT_TRUE(rotated) << describe(rotated.error());
    live_with(new_key);

    for (const auto key : {old_key, new_key}) {
        const auto found = verified(signer(key).key());
        EXPECT_EQ(found.verdict, Verdict::intact) << found.why;
        EXPECT_EQ(found.proof, Proof::signed_by_given_key);
        EXPECT_EQ(found.key_changes, 1U);
    }
    EXPECT_EQ(verified(std::nullopt).proof, Proof::self_consistent);
    EXPECT_EQ(verified(signer(strange_key).key()).verdict, Verdict::broken);
    EXPECT_THAT(kinds(), ElementsAre("start", "n", "stop", "key", "stop", "start", "m", "stop"));
    const auto record = records()[3];
    EXPECT_EQ(record.text("oldVkey"), signer(old_key).key().vkey());
    EXPECT_EQ(record.text("newVkey"), signer(new_key).key().vkey());
    EXPECT_EQ(record.text("reason"), "a laptop was lost");
    EXPECT_EQ(record.text("by"), "uid:7");
    EXPECT_EQ(disk->read(vkey_file), signer(old_key).key().vkey() + "\n" + signer(new_key).key().vkey() + "\n");
}

// With only the old key, the checkpoint that announces the new one can be verified.
TEST_F(RotateTest, TheCheckpointAfterTheChangeIsSignedByBothKeys) {
    ASSERT_TRUE(rotate_it());
    const auto checkpoint = disk->read(directory + "/checkpoint");
    EXPECT_TRUE(open_note(checkpoint, signer(old_key).key()));
    EXPECT_TRUE(open_note(checkpoint, signer(new_key).key()));
    EXPECT_THAT(checkpoint, HasSubstr("\n5\n"));
}

TEST_F(RotateTest, AHubWithTheOldKeyDoesNotStart) {
    ASSERT_TRUE(rotate_it());
    const auto refused = start_with(old_key);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::bad_config);
    EXPECT_THAT(refused.error().detail, HasSubstr("audit key --rotate"));
    EXPECT_EQ(start_with(strange_key).error().code, Errc::bad_config);
}

TEST_F(RotateTest, TheKeyCanBeChangedAgainAndEachKeyVerifiesTheLog) {
    ASSERT_TRUE(rotate_it());
    live_with(new_key);
    ASSERT_TRUE(rotate_it(new_key, strange_key));
    live_with(strange_key);
    for (const auto key : {old_key, new_key, strange_key}) EXPECT_TRUE(verified(signer(key).key()).ok());
    EXPECT_EQ(verified().key_changes, 2U);
    EXPECT_EQ(rotate_it(strange_key, old_key).error().code, Errc::conflict) << "a key does not come back";
    EXPECT_TRUE(start_with(strange_key)) << "and nothing was changed by the try";
}

TEST_F(RotateTest, RequestsThatACrashLeftOpenAreEndedUnderTheOldKeyFirst) {
    ASSERT_TRUE(start_with(old_key));
    ASSERT_TRUE(append(entry("request", {{"requestId", "a"}})));
    kill();
    ASSERT_TRUE(rotate_it());
    EXPECT_THAT(kinds(), ElementsAre("start", "n", "stop", "start", "request", "ended", "key", "stop"));
    EXPECT_TRUE(verified(signer(new_key).key()).ok());
}

TEST_F(RotateTest, ADamagedOrMissingLogIsNotHandedOver) {
    auto bytes = disk->read(segment);
    bytes[bytes.size() / 2] ^= 1;
    disk->write(segment, bytes);
    EXPECT_EQ(rotate_it().error().code, Errc::damaged);
    disk = std::make_unique<fakes::MemoryFileSystem>();
    EXPECT_EQ(rotate_it().error().code, Errc::unavailable);
    EXPECT_TRUE(disk->paths().empty());
}

TEST_F(RotateTest, AStrangeKeyCannotHandTheLogOver) {
    const auto refused = rotate_it(strange_key);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::damaged);
    EXPECT_EQ(rotate_it(old_key, old_key).error().code, Errc::conflict);
    EXPECT_TRUE(start_with(old_key));
}

// A thief of the old key can write another continuation of the time before the change; it doesn't verify with the new
// key.
TEST_F(RotateTest, ARewriteWithTheOldKeyDoesNotVerifyWithTheNewOne) {
    const auto before = disk->copy();
    ASSERT_TRUE(rotate_it());
    const auto keys = disk->read(vkey_file);
    disk = before->copy();
    live_with(old_key);
    disk->write(vkey_file, keys);
    const auto found = verified(signer(new_key).key());
    EXPECT_EQ(found.verdict, Verdict::broken);
    EXPECT_THAT(found.why, HasSubstr("nothing in the log is signed by"));
    EXPECT_EQ(found.records, 0U);
    EXPECT_EQ(start_with(new_key).error().code, Errc::damaged);
}

// The list of keys is derived from the log: a log that lost it verifies with the first key and can be continued.
TEST_F(RotateTest, AHandedOverLogWithoutItsKeyListStillVerifiesWithTheFirstKey) {
    ASSERT_TRUE(rotate_it());
    live_with(new_key);
    const auto keys = disk->read(vkey_file);
    ASSERT_TRUE(disk->remove(vkey_file));
    const auto found = verified(signer(old_key).key());
    EXPECT_TRUE(found.ok()) << found.why;
    // The hub has only the new key, and can't know with which key the log started.
    const auto refused = start_with(new_key);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().detail, HasSubstr("put back the keys"));
    EXPECT_FALSE(*disk->exists(vkey_file)) << "nothing is written";
    disk->write(vkey_file, keys);
    live_with(new_key);
    disk->write(vkey_file, "no key\n");
    const auto unreadable = start_with(new_key);
    EXPECT_EQ(unreadable.error().code, Errc::damaged);
    EXPECT_THAT(unreadable.error().detail, HasSubstr("put back the keys"));
}

// A key that is only named hasn't signed anything: anyone can name a key.
TEST_F(RotateTest, AForgedLogThatOnlyNamesTheTrustedKeyDoesNotVerify) {
    ASSERT_TRUE(rotate_it());
    auto lines = lines_of(disk->read(segment));
    lines.pop_back();  // the line that the new key signed
    std::string bytes;
    for (const auto& line : lines) bytes += line + "\n";
    disk->write(segment, bytes);
    ASSERT_TRUE(disk->remove(directory + "/checkpoint"));
    EXPECT_TRUE(verified(signer(old_key).key()).ok());
    EXPECT_EQ(verified(signer(new_key).key()).verdict, Verdict::broken);
    const auto refused = start_with(new_key);
    EXPECT_EQ(refused.error().code, Errc::bad_config);
    EXPECT_THAT(refused.error().detail, HasSubstr("run it again"));
}

TEST_F(RotateTest, ALaterSignatureOfTheOldKeyIsInvalid) {
    ASSERT_TRUE(rotate_it());
    const auto keys = disk->read(vkey_file);
    // The thief's hub, which doesn't know about the change.
    auto writer_from_before = signer(old_key);
    Chain chain{signer(old_key).key()};
    for (const auto& line : lines_of(disk->read(segment))) ASSERT_TRUE(chain.take(line, Chain::Check::each));
    const auto json = *encode_record(entry("n"), {.seq = chain.tree().size, .prev_root = chain.tree().root});
    auto range = chain.range();
    range.append(leaf_hash(json));
    const auto text = checkpoint_text(origin, {.size = range.size(), .root = range.root()});
    EXPECT_EQ(chain.take(json + "\t" + writer_from_before.sign(text), Chain::Check::each).error().code,
              Errc::bad_signature);
    EXPECT_TRUE(chain.take(json + "\t" + signer(new_key).sign(text), Chain::Check::each));
}

TEST_F(RotateTest, AKeyRecordThatItsOwnKeyDidNotSignIsDamage) {
    const auto named = signer(new_key).key().vkey();
    const auto line = [&](const std::string& vkey, const NoteSigner* by) {
        Chain chain{signer(old_key).key()};
        const auto json = *encode_record(entry("key", {{"newVkey", vkey}}), {.seq = 0, .prev_root = chain.tree().root});
        CompactRange range;
        range.append(leaf_hash(json));
        const auto text = checkpoint_text(origin, {.size = 1, .root = range.root()});
        const auto taken = chain.take(by == nullptr ? json : json + "\t" + by->sign(text), Chain::Check::last);
        return taken ? std::optional<Errc>{} : std::optional{taken.error().code};
    };
    const auto ours = signer(old_key);
    const auto theirs = signer(new_key);
    EXPECT_FALSE(line(named, &ours));
    EXPECT_EQ(line(named, &theirs), Errc::bad_signature) << "checked at once, whatever else is left to the last";
    EXPECT_EQ(line(named, nullptr), Errc::damaged);
    EXPECT_EQ(line("no key", &ours), Errc::damaged);
    EXPECT_EQ(line(ours.key().vkey(), &ours), Errc::damaged) << "to itself";
    EXPECT_EQ(line(NoteSigner::make("another.log", signing_key(new_key))->key().vkey(), &ours), Errc::damaged);
}

TEST_F(RotateTest, EveryByteOfTheRecordsAndKeysIsProtected) {
    ASSERT_TRUE(rotate_it());
    for (const auto& path : {segment, vkey_file}) {
        const auto bytes = disk->read(path);
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            auto changed = bytes;
            changed[i] = static_cast<char>(changed[i] ^ 1);
            disk->write(path, changed);
            ASSERT_EQ(verified(std::nullopt).verdict, Verdict::broken) << path << " byte " << i;
        }
        disk->write(path, bytes);
    }
}

TEST_F(RotateTest, ProofsAreSignedByTheNewKey) {
    ASSERT_TRUE(rotate_it());
    for (const auto key : {old_key, new_key}) {
        const auto proved = prove(*disk, directory, signer(key).key(), 1);
        ASSERT_TRUE(proved) << describe(proved.error());
        EXPECT_TRUE(check(proved->proof, proved->record, signer(new_key).key()));
    }
}

// If it is killed at any call, no hub continues with the wrong key, nothing is lost, and rotating again completes it.
TEST_F(RotateTest, I1_ItCanBeInterruptedAnywhere) {
    const auto before = disk->copy();
    for (std::size_t nth = 0;; ++nth) {
        SCOPED_TRACE("call " + std::to_string(nth));
        disk = before->copy();
        disk->fail(nth, true);
        const bool done = rotate_it().has_value();
        const auto left = disk->copy();
        for (std::uint64_t seed = 0; seed < 8; ++seed) {
            // The process is killed, or the power fails.
            const auto found = seed == 0 ? left->copy() : left->after_power_cut(seed);
            disk = found->copy();
            const auto old_hub = start_with(old_key);
            if (!old_hub) ASSERT_EQ(old_hub.error().code, Errc::bad_config) << old_hub.error().detail;
            kill();
            disk = found->copy();
            const auto new_hub = start_with(new_key);
            if (!new_hub) ASSERT_EQ(new_hub.error().code, Errc::bad_config) << new_hub.error().detail;
            ASSERT_FALSE(old_hub && new_hub);
            kill();
            disk = found->copy();
            if (!done) {
                const auto again = rotate_it();
                ASSERT_TRUE(again) << describe(again.error());
            }
            live_with(new_key);
            ASSERT_TRUE(verified(signer(old_key).key()).ok());
            ASSERT_TRUE(verified(signer(new_key).key()).ok());
            ASSERT_EQ(verified().key_changes, 1U);
        }
        if (done) break;
    }
}

TEST(LogKeysTest, I13_AreBoundedAndWithoutDuplicates) {
    std::string text;
    for (std::uint8_t i = 0; i < limits::log_keys_max; ++i) text += signer(i).key().vkey() + "\n";
    const auto keys = LogKeys::parse(text);
    ASSERT_TRUE(keys);
    EXPECT_EQ(keys->text(), text);
    EXPECT_EQ(keys->first(), signer(0).key());
    EXPECT_EQ(keys->current(), signer(limits::log_keys_max - 1).key());
    EXPECT_FALSE(LogKeys::parse(text + signer(limits::log_keys_max).key().vkey() + "\n"));
    auto more = *keys;
    EXPECT_EQ(more.add(signer(limits::log_keys_max).key()).error().code, Errc::too_large);

    const auto one = signer(0).key().vkey() + "\n";
    EXPECT_FALSE(LogKeys::parse(one + one));
    EXPECT_FALSE(LogKeys::parse(one + "\n"));
    EXPECT_FALSE(LogKeys::parse(one + "x"));
    EXPECT_FALSE(LogKeys::parse(""));
    EXPECT_FALSE(LogKeys::parse(one + NoteSigner::make("other", signing_key(1))->key().vkey() + "\n"));
}

}  // namespace
}  // namespace countersign::audit
