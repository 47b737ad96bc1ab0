// SPDX-License-Identifier: Apache-2.0
#include "audit/witness_client.hpp"

#include "audit/last_seen.hpp"
#include "audit/witness.hpp"
#include "core/limits.hpp"
#include "tests/audit/log_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::audit {
namespace {

using testing::HasSubstr;
using Kind = WitnessAnswer::Kind;

constexpr std::uint64_t now = 1'763'258'400;  // the fake clock's
const auto never = [] { return false; };

NoteSigner witness_signer(std::uint8_t first = 32) {
    return *NoteSigner::make("witness.example/w1", signing_key(first), NoteAlgorithm::witness);
}

// A log that is being written, and a witness that really checks.
class WitnessClientTest : public testing::Test, public LogWorld {
protected:
    void SetUp() override {
        ASSERT_TRUE(open());
        auto opened = Witness::open(others, "state", witness_signer(), {signer().key()});
        ASSERT_TRUE(opened);
        witness.emplace(std::move(*opened));
    }
    void TearDown() override { ASSERT_TRUE(close()); }
    void votes(int count) {
        for (int i = 0; i < count; ++i) ASSERT_TRUE(append(entry("vote", {{"person", "alice"}})));
    }
    WitnessAnswer ask(const Checkpoint& checkpoint, std::uint64_t older) {
        const auto proof = prove_growth(*disk, directory, older, checkpoint.tree, never);
        EXPECT_TRUE(proof) << describe(proof.error());
        const auto answer = witness->add_checkpoint(add_checkpoint_body(older, *proof, checkpoint.note), now);
        return read(checkpoint, static_cast<int>(answer.status), answer.body);
    }
    WitnessAnswer read(const Checkpoint& checkpoint, int status, const std::string& body) {
        const auto key = witness_signer().key();
        return read_answer(
            {.checkpoint = checkpoint.note, .size = checkpoint.tree.size, .witness = key, .now = clock.wall()}, status,
            body);
    }
    // A cosignature of the checkpoint with this time.
    std::string line(const Checkpoint& checkpoint, std::uint64_t seconds, const NoteSigner& by = witness_signer()) {
        return signature_line(by.key().name(), by.cosign(*open_note(checkpoint.note, signer().key()), seconds));
    }

    fakes::MemoryFileSystem others;
    std::optional<Witness> witness;
};

TEST_F(WitnessClientTest, EachCheckpointOfAGrowingLogIsCosigned) {
    std::uint64_t older = 0;
    for (const int more : {1, 2, 0, 5, 30}) {
        votes(more);
        const auto checkpoint = log->checkpoint();
        const auto answer = ask(checkpoint, older);
        ASSERT_EQ(answer.kind, Kind::cosigned) << answer.why;
        EXPECT_EQ(*cosigned_at(answer.note, witness_signer().key()), now);
        EXPECT_TRUE(open_note(answer.note, signer().key()));
        EXPECT_EQ(answer.size, checkpoint.tree.size);
        older = checkpoint.tree.size;
    }
}

TEST_F(WitnessClientTest, AProofIsForTheGivenCheckpointEvenIfTheLogIsLonger) {
    votes(4);
    const auto first = log->checkpoint();
    votes(3);
    const auto second = log->checkpoint();
    votes(9);
    ASSERT_EQ(ask(first, 0).kind, Kind::cosigned);
    EXPECT_EQ(ask(second, first.tree.size).kind, Kind::cosigned);
}

TEST_F(WitnessClientTest, FilesThatDifferFromTheSignedTreeProveNothing) {
    votes(4);
    auto checkpoint = log->checkpoint();
    checkpoint.tree.root[0] ^= 1;
    EXPECT_EQ(prove_growth(*disk, directory, 2, checkpoint.tree, never).error().code, Errc::damaged);
    checkpoint.tree.size += 1;
    EXPECT_EQ(prove_growth(*disk, directory, 2, checkpoint.tree, never).error().code, Errc::damaged);
}

TEST_F(WitnessClientTest, ACancelledReadingEnds) {
    votes(4);
    const auto stopped = prove_growth(*disk, directory, 2, log->checkpoint().tree, [] { return true; });
    EXPECT_EQ(stopped.error().code, Errc::unavailable);
}

TEST_F(WitnessClientTest, AWitnessThatSawAnotherSizeReportsIt) {
    votes(4);
    const auto first = log->checkpoint();
    ASSERT_EQ(ask(first, 0).kind, Kind::cosigned);
    votes(4);
    const auto second = log->checkpoint();
    const auto behind = ask(second, 0);
    ASSERT_EQ(behind.kind, Kind::behind);
    EXPECT_EQ(behind.size, first.tree.size);
    EXPECT_EQ(ask(second, behind.size).kind, Kind::cosigned);

    const auto rolled_back = ask(first, 0);
    EXPECT_EQ(rolled_back.kind, Kind::alarm);
    EXPECT_EQ(rolled_back.size, second.tree.size);
    EXPECT_THAT(rolled_back.why, HasSubstr("rolled back"));
}

TEST_F(WitnessClientTest, AnotherHistoryIsAnAlarm) {
    votes(4);
    ASSERT_EQ(ask(log->checkpoint(), 0).kind, Kind::cosigned);
    const auto seen = log->checkpoint().tree.size;
    ASSERT_TRUE(close());
    disk = std::make_unique<fakes::MemoryFileSystem>();
    ASSERT_TRUE(open());
    for (int i = 0; i < 9; ++i) ASSERT_TRUE(append(entry("vote", {{"person", "mallory"}})));
    const auto answer = ask(log->checkpoint(), seen);
    EXPECT_EQ(answer.kind, Kind::alarm);
    EXPECT_THAT(answer.why, HasSubstr("records were changed or removed"));
}

TEST_F(WitnessClientTest, ACosignatureMustBeTheConfiguredWitnesssAndRecent) {
    const auto checkpoint = log->checkpoint();
    const auto off = static_cast<std::uint64_t>(limits::witness_clock_off_max.count());
    for (const auto seconds : {now - off, now, now + off}) {
        EXPECT_EQ(read(checkpoint, 200, line(checkpoint, seconds)).kind, Kind::cosigned);
    }
    for (const auto seconds : {now - off - 1, now + off + 1, std::uint64_t{0}, UINT64_MAX}) {
        const auto answer = read(checkpoint, 200, line(checkpoint, seconds));
        EXPECT_EQ(answer.kind, Kind::failure);
        EXPECT_THAT(answer.why, HasSubstr("clocks"));
    }
    EXPECT_EQ(read(checkpoint, 200, line(checkpoint, now, witness_signer(64))).kind, Kind::failure);
    ASSERT_TRUE(append(entry("vote")));
    const auto other = line(log->checkpoint(), now);
    EXPECT_EQ(read(checkpoint, 200, other).kind, Kind::failure) << "of another checkpoint";
}

// One of several lines may be old: the line that is kept is the one that was checked, and no other.
TEST_F(WitnessClientTest, OnlyTheLineThatWasCheckedIsKept) {
    votes(2);
    const auto checkpoint = log->checkpoint();
    const auto stranger = *NoteSigner::make("stranger.example", signing_key(7), NoteAlgorithm::witness);
    const auto good = line(checkpoint, now);
    const auto answer = read(checkpoint, 200, line(checkpoint, now, stranger) + good);
    ASSERT_EQ(answer.kind, Kind::cosigned) << answer.why;
    EXPECT_EQ(answer.note, checkpoint.note + good);
    EXPECT_EQ(answer.cosignature + "\n", good);
    EXPECT_EQ(read(checkpoint, 200, line(checkpoint, now - 1'000'000) + good).note, checkpoint.note + good);
    EXPECT_EQ(read(checkpoint, 200, good + line(checkpoint, now - 1'000'000)).kind, Kind::failure);
}

TEST_F(WitnessClientTest, AnAnswerThatIsNotAListOfSignaturesIsRejected) {
    const auto checkpoint = log->checkpoint();
    const auto good = line(checkpoint, now);
    for (const auto& body : {std::string{}, std::string{"\n"}, std::string{"yes\n"}, "\n" + good, good + "\n",
                             good + "another text\n", good.substr(0, good.size() - 1)}) {
        EXPECT_EQ(read(checkpoint, 200, body).kind, Kind::failure) << body;
    }
    // The whole note as the text of another note, which the witness may sign at will.
    const auto signer = witness_signer();
    const auto around = "\n" + signature_line(signer.key().name(), signer.cosign(checkpoint.note, now));
    EXPECT_EQ(read(checkpoint, 200, around).kind, Kind::failure);
    const auto others_too = signature_line("witness.example/w2", "AAAAAAAAAA==") + good;
    EXPECT_EQ(read(checkpoint, 200, others_too).kind, Kind::cosigned) << "other witnesses' lines do no harm";
    EXPECT_THAT(read(checkpoint, 200, others_too).cosignature, HasSubstr("witness.example/w1"));
}

TEST_F(WitnessClientTest, EachRefusalHasItsOwnMessage) {
    const auto checkpoint = log->checkpoint();
    EXPECT_EQ(read(checkpoint, 422, "").kind, Kind::alarm);
    EXPECT_EQ(read(checkpoint, 403, "").kind, Kind::alarm);
    EXPECT_EQ(read(checkpoint, 404, "").kind, Kind::failure);
    EXPECT_THAT(read(checkpoint, 404, "").why, HasSubstr("log.vkey"));
    EXPECT_THAT(read(checkpoint, 503, "").why, HasSubstr("503"));
    for (const auto* body : {"", "x\n", "-1\n", "007\n"}) {
        EXPECT_EQ(read(checkpoint, 409, body).kind, Kind::failure) << body;
    }
    EXPECT_EQ(read(checkpoint, 409, "1\n").kind, Kind::behind);
    EXPECT_EQ(read(checkpoint, 409, "99999\n").kind, Kind::alarm);
}

// A tlog-witness v1.0.0 witness answers like this if it saw another root of the same size.
TEST_F(WitnessClientTest, AConflictAtTheRequestedSizeIsAnotherHistory) {
    const auto checkpoint = log->checkpoint();
    const auto size = checkpoint.tree.size;
    const auto key = witness_signer().key();
    const auto asked_from = [&](std::uint64_t old_size) {
        return read_answer(
            {.checkpoint = checkpoint.note, .size = size, .witness = key, .now = clock.wall(), .old_size = old_size},
            409, std::to_string(size) + "\n");
    };
    EXPECT_EQ(asked_from(0).kind, Kind::behind) << "it may have seen just this";
    EXPECT_EQ(asked_from(size).kind, Kind::alarm);
    EXPECT_THAT(asked_from(size).why, HasSubstr("another log"));
}

TEST_F(WitnessClientTest, CosignedCheckpointsAreStoredWithTheLog) {
    const auto key = witness_signer().key();
    EXPECT_FALSE(last_cosigned(*disk, directory, key));
    votes(3);
    const auto checkpoint = log->checkpoint();
    ASSERT_TRUE(keep_cosigned(*disk, directory, key, ask(checkpoint, 0).note));
    EXPECT_EQ(last_cosigned(*disk, directory, key)->size, checkpoint.tree.size);
    EXPECT_EQ(last_cosigned(*disk, directory, key)->seconds, now);
    EXPECT_FALSE(last_cosigned(*disk, directory, witness_signer(64).key())) << "not its signature";
    EXPECT_FALSE(last_posted(*disk, directory, "ops/-100"));
    ASSERT_TRUE(keep_posted(*disk, directory, "ops/-100", now, checkpoint.note));
    EXPECT_EQ(last_posted(*disk, directory, "ops/-100")->size, checkpoint.tree.size);
    EXPECT_EQ(last_posted(*disk, directory, "ops/-100")->seconds, now);
    EXPECT_FALSE(last_posted(*disk, directory, "ops/-101"));
}

TEST_F(WitnessClientTest, AStoredCheckpointThatIsTooLongIsNotRead) {
    const auto key = witness_signer().key();
    votes(1);
    auto note = ask(log->checkpoint(), 0).note;
    const auto name = "w" + std::string(limits::cosigned_note_bytes_max, 'x');
    ASSERT_TRUE(keep_cosigned(*disk, directory, key, note + signature_line(name, "AAAAAAAAAA==")));
    EXPECT_FALSE(last_cosigned(*disk, directory, key));
    EXPECT_EQ(cosigned_anchors(*disk, directory, signer().key(), {key}).error().code, Errc::too_large);
}

}  // namespace
}  // namespace countersign::audit
