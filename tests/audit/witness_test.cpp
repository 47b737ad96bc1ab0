// SPDX-License-Identifier: Apache-2.0
#include "audit/witness.hpp"

#include "audit/proof.hpp"
#include "audit/proof_text.hpp"
#include "core/limits.hpp"
#include "security/encoding.hpp"
#include "tests/audit/log_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::audit {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t now = 1'700'000'000;

class WitnessTest : public testing::Test {
protected:
    void SetUp() override {
        CompactRange range;
        for (int i = 0; i < 20; ++i) {
            leaves.push_back(leaf_hash(std::to_string(i)));
            range.append(leaves.back());
            roots.push_back(range.root());
        }
        reopen();
    }
    void reopen() {
        auto opened = Witness::open(*disk, "state", signing(), {signer().key()});
        ASSERT_TRUE(opened) << describe(opened.error());
        witness.emplace(std::move(*opened));
    }
    static NoteSigner signing() {
        return *NoteSigner::make("witness.example/w1", signing_key(32), NoteAlgorithm::witness);
    }
    Tree tree(std::uint64_t size) const { return {.size = size, .root = roots[size]}; }
    static std::string checkpoint(const Tree& tree, const NoteSigner& by = signer()) {
        const auto text = checkpoint_text(by.key().name(), tree);
        return note(text, by.key().name(), by.sign(text));
    }
    std::vector<Hash> proof(std::uint64_t older, std::uint64_t newer) const {
        ProofMaker maker{consistency_subtrees(older, newer)};
        for (std::uint64_t i = 0; i < newer; ++i) maker.take(leaves[i]);
        return maker.proof();
    }
    std::string request(std::uint64_t older, std::uint64_t newer) const {
        return "old " + std::to_string(older) + "\n" + hash_lines(proof(older, newer)) + checkpoint(tree(newer));
    }
    Witness::Answer ask(const std::string& body) { return witness->add_checkpoint(body, now); }

    std::unique_ptr<fakes::MemoryFileSystem> disk = std::make_unique<fakes::MemoryFileSystem>();
    std::vector<Hash> leaves;
    std::vector<Hash> roots{CompactRange{}.root()};
    std::optional<Witness> witness;
};

TEST_F(WitnessTest, AGrowingLogIsCosigned) {
    for (const auto& [older, newer] : std::vector<std::pair<int, int>>{{0, 3}, {3, 3}, {3, 8}, {8, 20}}) {
        const auto answer = ask(request(older, newer));
        ASSERT_EQ(answer.status, 200U) << answer.body;
        const auto whole = checkpoint(tree(newer)) + answer.body;
        EXPECT_EQ(**cosigned_at(whole, witness->key()), now);
        EXPECT_TRUE(open_note(whole, signer().key())) << "the log's own signature still holds";
    }
}

TEST_F(WitnessTest, ItGivesThePublishedCosignature) {
    const auto text = std::string{"audit.example/bridge1\n70000\ncKPBXZ6OeqDFHFwZaVjDU6geasIL9ySrrQ1FRXMYXNI=\n"};
    const auto answer = ask("old 0\n\n" + note(text, origin, signer().sign(text)));
    EXPECT_EQ(answer.body,
              "— witness.example/w1 "
              "IDJKvgAAAABlU/EAaJiTuXoOXw7i4il0QQ5H8NBFmwrjfgQtjkeAwoWzSwG0gHrawxEBGQLHYAs0H8oLre8ZFziZ3xB69+"
              "2liNKUDg==\n");
}

TEST_F(WitnessTest, AnotherOldSizeIsAnsweredWithTheKnownOne) {
    ASSERT_EQ(ask(request(0, 8)).status, 200U);
    for (const auto& body : {request(0, 20), request(3, 20), request(9, 20), request(0, 3)}) {
        const auto answer = ask(body);
        EXPECT_EQ(answer.status, 409U);
        EXPECT_EQ(answer.content_type, "text/x.tlog.size");
        EXPECT_EQ(answer.body, "8\n");
    }
}

TEST_F(WitnessTest, AnotherHistoryIsNotCosigned) {
    ASSERT_EQ(ask(request(0, 8)).status, 200U);
    const auto other = checkpoint({.size = 20, .root = leaf_hash("other")});
    EXPECT_EQ(ask("old 8\n" + hash_lines(proof(8, 20)) + other).status, 422U);
    EXPECT_EQ(ask("old 8\n\n" + checkpoint(tree(20))).status, 422U) << "without a proof";
    EXPECT_EQ(ask("old 8\n\n" + checkpoint({.size = 8, .root = leaf_hash("other")})).status, 422U);
    EXPECT_EQ(ask("old 8\n" + hash_lines(proof(3, 20)) + checkpoint(tree(20))).status, 422U);
    EXPECT_EQ(ask(request(8, 20)).status, 200U) << "what was refused left no trace";
}

TEST_F(WitnessTest, TheFirstCheckpointNeedsNoProofAndMayNotContainOne) {
    EXPECT_EQ(ask("old 0\n" + hash_lines(proof(1, 3)) + checkpoint(tree(3))).status, 422U);
    EXPECT_EQ(ask("old 0\n\n" + checkpoint({.size = 0, .root = leaf_hash("other")})).status, 422U);
    EXPECT_EQ(ask("old 0\n\n" + checkpoint(tree(0))).status, 200U);
    EXPECT_EQ(ask(request(0, 3)).status, 200U);
}

TEST_F(WitnessTest, OnlyTheConfiguredLogsAreCosigned) {
    const auto stranger = *NoteSigner::make("stranger.example", signing_key());
    EXPECT_EQ(ask("old 0\n\n" + checkpoint(tree(3), stranger)).status, 404U);
    EXPECT_EQ(ask("old 0\n\n" + checkpoint(tree(3), signer(32))).status, 403U) << "the origin with another key";
    auto forged = request(0, 3);
    forged[forged.size() - 10] = forged[forged.size() - 10] == 'A' ? 'B' : 'A';
    EXPECT_EQ(ask(forged).status, 403U);
}

TEST_F(WitnessTest, AnInvalidRequestIsRefused) {
    const auto good = request(0, 3);
    for (const auto& bad :
         {std::string{}, std::string{"old"}, "old 03\n\n" + checkpoint(tree(3)), "new 0\n\n" + checkpoint(tree(3)),
          "old -1\n\n" + checkpoint(tree(3)), "old 0\nAAAA\n\n" + checkpoint(tree(3)),
          "old 4\n\n" + checkpoint(tree(3)), "old 0\n" + checkpoint(tree(3))}) {
        EXPECT_EQ(ask(bad).status, 400U) << bad;
    }
    EXPECT_EQ(ask("old 0\n\n" + checkpoint_text(origin, tree(3))).status, 400U) << "no signatures";
    EXPECT_EQ(ask("old 0\n\n").status, 404U) << "no origin";
    EXPECT_EQ(ask(good).status, 200U);
}

TEST_F(WitnessTest, ItRemembersAfterARestart) {
    ASSERT_EQ(ask(request(0, 8)).status, 200U);
    reopen();
    EXPECT_EQ(ask(request(0, 8)).status, 409U);
    EXPECT_EQ(ask(request(8, 20)).status, 200U);
}

// Otherwise a submitter could fill its disk or put text into its files.
TEST_F(WitnessTest, SignaturesOfStrangersAreNotKept) {
    const auto stranger = *NoteSigner::make("stranger.example", signing_key(7));
    const auto more = signature_line("stranger.example", stranger.sign(checkpoint_text(origin, tree(8))));
    ASSERT_EQ(ask(request(0, 8) + more).status, 200U);
    ASSERT_EQ(disk->paths().size(), 1U);
    EXPECT_EQ(disk->read(disk->paths().front()), checkpoint(tree(8)));
    reopen();
    EXPECT_EQ(ask(request(8, 20)).status, 200U);
}

TEST_F(WitnessTest, ACosignedCheckpointIsOnDiskAfterAnyFailure) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        disk = std::make_unique<fakes::MemoryFileSystem>();
        reopen();
        ASSERT_EQ(ask(request(0, 3)).status, 200U);
        disk->fail(seed % 8, seed % 2 == 0);
        const auto answer = ask(request(3, 8));
        EXPECT_TRUE(answer.status == 200 || answer.status == 500) << answer.status;
        const auto left = disk->after_power_cut(seed);
        auto again = Witness::open(*left, "state", signing(), {signer().key()});
        ASSERT_TRUE(again) << describe(again.error());
        const auto status = again->add_checkpoint(request(3, 20), now).status;
        if (answer.status == 200) EXPECT_EQ(status, 409U) << "signed, and forgotten";
    }
}

// If it stored checkpoints elsewhere, the next witness here would not know them and would sign a second history.
TEST_F(WitnessTest, IfItsDirectoryIsReplacedItWritesNothingAndCosignsNothing) {
    int asked = 0;
    int gone_from = 1;
    const auto in_place = [&]() -> Result<void> {
        if (++asked < gone_from) return {};
        return Error{Errc::damaged, "moved"};
    };
    for (; gone_from <= 2; ++gone_from) {
        disk = std::make_unique<fakes::MemoryFileSystem>();
        asked = 0;
        auto opened = Witness::open(*disk, "state", signing(), {signer().key()}, in_place);
        ASSERT_TRUE(opened);
        const auto answer = opened->add_checkpoint(request(0, 8), now);
        EXPECT_EQ(answer.status, 500U) << "from call " << gone_from;
        EXPECT_EQ(answer.body.find("witness.example"), std::string::npos);
        if (gone_from == 1) EXPECT_TRUE(disk->paths().empty());
    }
    asked = 0;
    auto opened = Witness::open(*disk, "state", signing(), {signer().key()}, in_place);
    EXPECT_EQ(opened->add_checkpoint(request(8, 20), now).status, 200U) << "it was there all the time";
}

TEST_F(WitnessTest, AChangedStoredCheckpointIsNotTreatedAsMissing) {
    ASSERT_EQ(ask(request(0, 8)).status, 200U);
    const auto path = disk->paths().front();
    disk->write(path, checkpoint(tree(3), signer(32)));
    EXPECT_EQ(Witness::open(*disk, "state", signing(), {signer().key()}).error().code, Errc::damaged);
    disk->write(path, "");
    EXPECT_EQ(Witness::open(*disk, "state", signing(), {signer().key()}).error().code, Errc::damaged);
}

TEST_F(WitnessTest, I13_TheNumberOfLogsIsBoundedAndEachIsListedOnce) {
    std::vector<NoteKey> logs;
    for (std::size_t i = 0; i < limits::witness_logs_max; ++i) {
        logs.push_back(NoteSigner::make("log" + std::to_string(i), signing_key())->key());
    }
    EXPECT_TRUE(Witness::open(*disk, "state", signing(), logs));
    auto twice = logs;
    twice.back() = twice.front();
    EXPECT_EQ(Witness::open(*disk, "state", signing(), twice).error().code, Errc::bad_config);
    logs.push_back(NoteSigner::make("one-more", signing_key())->key());
    EXPECT_EQ(Witness::open(*disk, "state", signing(), logs).error().code, Errc::bad_config);
    EXPECT_EQ(Witness::open(*disk, "state", signing(), {}).error().code, Errc::bad_config);
}

TEST_F(WitnessTest, ALogThatChangedItsKeyIsOneLog) {
    const auto other = NoteSigner::make(origin, signing_key(64));
    auto opened = Witness::open(*disk, "state", signing(), {signer().key(), other->key()});
    ASSERT_TRUE(opened);
    CompactRange range;
    const auto submit = [&](const NoteSigner& by, std::uint64_t old_size, const std::string& proof) {
        const auto text = checkpoint_text(origin, {.size = range.size(), .root = range.root()});
        const auto body = "old " + std::to_string(old_size) + "\n" + proof + "\n" + note(text, origin, by.sign(text));
        return opened->add_checkpoint(body, 1).status;
    };
    range.append(leaf_hash("a"));
    EXPECT_EQ(submit(signer(), 0, ""), 200U);
    range.append(leaf_hash("b"));
    EXPECT_EQ(submit(signer(96), 1, security::base64(leaf_hash("b")) + "\n"), 403U);
    EXPECT_EQ(submit(*other, 1, security::base64(leaf_hash("b")) + "\n"), 200U);
    const auto sibling = security::base64(leaf_hash("c")) + "\n";
    range.append(leaf_hash("c"));
    EXPECT_EQ(submit(signer(), 2, sibling), 403U) << "whoever stole the old key has no say any more";
    opened = Witness::open(*disk, "state", signing(), {signer().key(), other->key()});
    ASSERT_TRUE(opened) << "it is read again";
    EXPECT_EQ(submit(signer(), 2, sibling), 403U);
    EXPECT_EQ(submit(*other, 2, sibling), 200U);
    const auto forgotten = Witness::open(*disk, "state", signing(), {signer().key()});
    ASSERT_FALSE(forgotten);
    EXPECT_THAT(forgotten.error().detail, HasSubstr("give the old one too"));
}

}  // namespace
}  // namespace countersign::audit
