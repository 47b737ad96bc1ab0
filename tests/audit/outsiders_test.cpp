// SPDX-License-Identifier: Apache-2.0
// Manipulations that only an outside party can notice: a log that was rolled back, truncated and continued, or
// rewritten, with its own key.
#include "audit/verifier.hpp"

#include "audit/last_seen.hpp"
#include "security/encoding.hpp"
#include "tests/audit/log_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::audit {
namespace {

using testing::HasSubstr;
using Verdict = Verification::Verdict;

class OutsidersTest : public testing::Test, public LogWorld {
protected:
    void SetUp() override { write({"alice", "bob"}); }
    void write(const std::vector<std::string>& people) {
        ASSERT_TRUE(open());
        for (const auto& person : people) ASSERT_TRUE(append(entry("vote", {{"person", person}})));
        ASSERT_TRUE(close());
        log.reset();
    }
    // An attacker with the key makes another log in its place.
    void rewrite(const std::vector<std::string>& people) {
        disk = std::make_unique<fakes::MemoryFileSystem>();
        write(people);
    }
    Anchor kept() { return *parse_checkpoint_anchor(disk->read(directory + "/checkpoint"), signer().key()); }
    Verification verified_with(std::vector<Anchor> anchors, std::vector<NoteKey> witnesses = {}) {
        auto found = verify(*disk, directory,
                            {.key = signer().key(), .anchors = std::move(anchors), .witnesses = std::move(witnesses)});
        return found ? *found : Verification{};
    }
};

TEST_F(OutsidersTest, ALogThatGrewExtendsTheKeptCheckpoint) {
    const auto before = kept();
    write({"carol"});
    const auto found = verified_with({before});
    EXPECT_TRUE(found.ok()) << found.why;
    EXPECT_EQ(found.anchors, 1U);
    EXPECT_EQ(found.anchored, 4U);
    EXPECT_EQ(found.records, 7U);
}

TEST_F(OutsidersTest, ALogRolledBackWithItsCheckpointIsFoundOnlyByTheAnchor) {
    const auto old = disk->copy();
    write({"carol"});
    const auto anchor = kept();
    disk = old->copy();
    EXPECT_TRUE(verified().ok()) << "signed, whole, and old";
    const auto found = verified_with({anchor});
    EXPECT_EQ(found.verdict, Verdict::broken);
    EXPECT_THAT(found.why, HasSubstr("an anchor covers 7 records"));
}

TEST_F(OutsidersTest, ATruncatedAndContinuedLogIsFound) {
    const auto anchor = kept();
    rewrite({"alice"});
    write({"mallory", "mallory"});
    EXPECT_TRUE(verified().ok()) << "signed and whole";
    const auto found = verified_with({anchor});
    EXPECT_EQ(found.verdict, Verdict::broken);
    EXPECT_THAT(found.why, HasSubstr("the anchor of size 4 has another root"));
    EXPECT_EQ(found.anchors, 0U);
}

TEST_F(OutsidersTest, ARewrittenAndResignedLogIsFoundByAShortRoot) {
    auto anchor = kept();
    anchor.note.clear();
    anchor.root.resize(16);
    EXPECT_TRUE(verified_with({anchor}).ok());
    rewrite({"alice", "mallory"});
    EXPECT_TRUE(verified().ok());
    EXPECT_EQ(verified_with({anchor}).verdict, Verdict::broken);
}

// Using only the log's own files: after the cut there is either a leftover signature of the longer log, or a missing
// one of the shorter log.
TEST_F(OutsidersTest, ALogTruncatedAndContinuedByHandIsFoundWithoutAnAnchor) {
    const auto segment = directory + "/seg-000000.log";
    const auto bytes = disk->read(segment);
    const auto second = bytes.find('\n', bytes.find('\n') + 1) + 1;
    const auto third = bytes.find('\n', second) + 1;
    disk->write(segment, bytes.substr(0, second) + bytes.substr(third));
    EXPECT_EQ(verified().verdict, Verdict::broken);
    disk->write(segment, bytes.substr(0, third));
    EXPECT_EQ(verified().verdict, Verdict::broken) << "the checkpoint file says that there was more";
}

TEST_F(OutsidersTest, RecordsOfAnOldLogSignedWithTodaysKeyAreFound) {
    const auto segment = directory + "/seg-000000.log";
    auto bytes = disk->read(segment);
    // The last record's signature is replaced by one of another key with the same name.
    const auto tab = bytes.rfind('\t');
    const auto tree = Tree{.size = 4, .root = *parse_hash(verified().root)};
    bytes.replace(tab + 1, signature_chars, signer(32).sign(checkpoint_text(origin, tree)));
    disk->write(segment, bytes);
    EXPECT_EQ(verified().verdict, Verdict::broken);
    EXPECT_EQ(verified(signer(32).key()).verdict, Verdict::broken) << "the checkpoint file is of the other key";
    ASSERT_TRUE(disk->remove(directory + "/checkpoint"));
    EXPECT_EQ(verified().verdict, Verdict::broken);
    EXPECT_EQ(verified(signer(32).key()).verdict, Verdict::broken) << "it signed the last record, not those before";
}

class WitnessedTest : public OutsidersTest {
protected:
    NoteSigner witness = *NoteSigner::make("witness.example/w1", signing_key(32), NoteAlgorithm::witness);
    std::string cosigned(const std::string& checkpoint, std::uint64_t seconds) const {
        const auto text = *open_note(checkpoint, signer().key());
        return checkpoint + signature_line("witness.example/w1", witness.cosign(text, seconds));
    }
};

TEST_F(WitnessedTest, ACosignatureIsFoundOnTheCheckpointFileAndOnAnAnchor) {
    const auto path = directory + "/checkpoint";
    const auto old = *parse_checkpoint_anchor(cosigned(disk->read(path), 100), signer().key());
    const auto by_anchor = verified_with({old}, {witness.key()});
    ASSERT_TRUE(by_anchor.ok()) << by_anchor.why;
    ASSERT_EQ(by_anchor.cosigned.size(), 1U);
    EXPECT_EQ(by_anchor.cosigned[0].seconds, 100U);
    write({"carol"});
    disk->write(path, cosigned(disk->read(path), 200));
    const auto by_file = verified_with({old}, {witness.key()});
    ASSERT_TRUE(by_file.ok()) << by_file.why;
    EXPECT_EQ(by_file.cosigned[0].size, 7U);
    EXPECT_EQ(by_file.cosigned[0].seconds, 200U);
}

TEST_F(WitnessedTest, AMissingOrWrongCosignatureOfAWitnessFailsTheProof) {
    const auto path = directory + "/checkpoint";
    EXPECT_EQ(verified_with({}, {witness.key()}).verdict, Verdict::broken);
    const auto checkpoint = disk->read(path);
    disk->write(path, checkpoint + signature_line("witness.example/w1", witness.cosign("another\n", 1)));
    const auto found = verified_with({}, {witness.key()});
    EXPECT_EQ(found.verdict, Verdict::broken);
    EXPECT_THAT(found.why, HasSubstr("witness.example/w1"));
}

TEST_F(WitnessedTest, ACosignedCheckpointStoredWithTheLogIsAnAnchor) {
    ASSERT_TRUE(keep_cosigned(*disk, directory, witness.key(), cosigned(disk->read(directory + "/checkpoint"), 100)));
    const auto old = disk->copy();
    const auto found = verified_with({}, {witness.key()});
    ASSERT_TRUE(found.ok()) << found.why;
    EXPECT_EQ(found.anchors, 1U);
    EXPECT_EQ(found.cosigned[0].size, 4U);
    EXPECT_TRUE(verified().ok());
    EXPECT_EQ(verified().anchors, 0U) << "it proves nothing to who does not trust the witness";

    write({"carol"});
    const auto longer = verified_with({}, {witness.key()});
    ASSERT_TRUE(longer.ok()) << longer.why;
    EXPECT_EQ(longer.anchored, 4U);

    const auto note = cosigned(disk->read(directory + "/checkpoint"), 200);
    disk = old->copy();
    ASSERT_TRUE(keep_cosigned(*disk, directory, witness.key(), note));
    EXPECT_THAT(verified().why, HasSubstr("an anchor covers 7 records")) << "the log's own signature says it too";
    const auto refused = open();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::damaged);
    EXPECT_THAT(refused.error().detail, HasSubstr("an anchor covers 7 records"));
    EXPECT_THAT(refused.error().detail, HasSubstr("audit seal"));
    EXPECT_THAT(verified_with({}, {witness.key()}).why, HasSubstr("an anchor covers 7 records"));
    const auto rewritten = cosigned(disk->read(directory + "/checkpoint"), 100);
    rewrite({"mallory", "bob", "carol"});
    ASSERT_TRUE(keep_cosigned(*disk, directory, witness.key(), rewritten));
    EXPECT_EQ(verified_with({}, {witness.key()}).verdict, Verdict::broken);
}

// Otherwise an attacker who can write there could also prevent a log from being read or a hub from starting.
TEST_F(WitnessedTest, AStoredCheckpointWithoutASignatureOfTheLogIsIgnored) {
    const auto path = directory + "/cosigned/";
    disk->write(path + "a", "nothing of ours");
    disk->write(path + "b", std::string(limits::cosigned_note_bytes_max + 1, 'x'));
    const auto text = checkpoint_text(origin, {.size = 99, .root = {}});
    disk->write(path + "c", text + "\n" + signature_line(origin, signer(32).sign(text)));
    EXPECT_TRUE(verified().ok()) << verified().why;
    EXPECT_TRUE(open());
    ASSERT_TRUE(close());
    kill();
    disk->write(path + "c", text + "\n" + signature_line(origin, signer().sign(text)));
    EXPECT_FALSE(verified().ok());
    for (std::size_t i = 0; i < limits::log_witnesses_max; ++i) disk->write(path + "a" + std::to_string(i), "");
    EXPECT_TRUE(verified().ok()) << "one past the bound";
}

// The latest answer of a witness applies: a refusal, and then a cosignature again.
TEST_F(WitnessedTest, AWitnessThatRefusedTheLogBreaksTheProofIfItIsTrusted) {
    ASSERT_TRUE(keep_cosigned(*disk, directory, witness.key(), cosigned(disk->read(directory + "/checkpoint"), 100)));
    const auto hear = [&](json::Object fields) {
        fields.add("witness", "witness.example/w1");
        ASSERT_TRUE(open());
        ASSERT_TRUE(append(entry("anchor", std::move(fields))));
        ASSERT_TRUE(close());
        kill();
    };
    hear({{"size", 4}, {"refused", "it saw 9 records"}});
    const auto found = verified_with({}, {witness.key()});
    EXPECT_EQ(found.verdict, Verdict::broken);
    EXPECT_THAT(found.why, HasSubstr("it saw 9 records"));
    const auto without = verified();
    EXPECT_TRUE(without.ok()) << "nobody asked for its word";
    ASSERT_EQ(without.alarms.size(), 1U);
    EXPECT_EQ(without.alarms[0].seq, 5U);
    hear({{"size", 4}});
    EXPECT_TRUE(verified_with({}, {witness.key()}).ok());
    EXPECT_TRUE(verified().alarms.empty());
}

TEST_F(WitnessedTest, AStoredCheckpointWithoutTheWitnesssCosignatureProvesNothing) {
    const auto checkpoint = disk->read(directory + "/checkpoint");
    ASSERT_TRUE(keep_cosigned(*disk, directory, witness.key(), checkpoint));
    EXPECT_EQ(verified_with({}, {witness.key()}).verdict, Verdict::broken);
    const auto wrong = checkpoint + signature_line("witness.example/w1", witness.cosign("another\n", 1));
    ASSERT_TRUE(keep_cosigned(*disk, directory, witness.key(), wrong));
    EXPECT_EQ(verified_with({}, {witness.key()}).verdict, Verdict::broken);
    const auto text = checkpoint_text("audit.example/other", {.size = 4, .root = Hash{}});
    const auto others =
        note(text, origin, signer().sign(text)) + signature_line("witness.example/w1", witness.cosign(text, 100));
    ASSERT_TRUE(keep_cosigned(*disk, directory, witness.key(), others));
    EXPECT_EQ(verified_with({}, {witness.key()}).verdict, Verdict::broken);
}

}  // namespace
}  // namespace countersign::audit
