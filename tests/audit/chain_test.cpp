// SPDX-License-Identifier: Apache-2.0
#include "audit/chain.hpp"

#include "core/limits.hpp"
#include "tests/audit/log_world.hpp"

#include <gtest/gtest.h>

namespace countersign::audit {
namespace {

// A line with the content of the stamp and a valid signature: only the chain can tell that it doesn't belong there.
std::string signed_line(const CompactRange& before, const Stamp& stamp) {
    const auto json = *encode_record(entry("n"), stamp);
    auto range = before;
    range.append(leaf_hash(json));
    return json + "\t" + signer().sign(checkpoint_text(origin, {.size = range.size(), .root = range.root()}));
}

class ChainTest : public testing::Test {
protected:
    void SetUp() override {
        const auto taken =
            chain.take(signed_line({}, {.seq = 0, .prev_root = CompactRange{}.root()}), Chain::Check::each);
        ASSERT_TRUE(taken) << describe(taken.error());
        good = {.seq = 1, .prev_root = chain.tree().root, .synced = 1};
    }
    Errc refusal(const Stamp& stamp) {
        const auto taken = chain.take(signed_line(chain.range(), stamp), Chain::Check::each);
        return taken ? Errc::internal : taken.error().code;
    }
    Chain chain{signer().key()};
    Stamp good;
};

TEST_F(ChainTest, OnlyALineThatContinuesTheChainIsAccepted) {
    auto other_root = good;
    other_root.prev_root[0] ^= 1U;
    EXPECT_EQ(refusal(other_root), Errc::damaged);
    auto gap = good;
    gap.seq = 2;
    EXPECT_EQ(refusal(gap), Errc::damaged);
    auto again = good;
    again.seq = 0;
    EXPECT_EQ(refusal(again), Errc::damaged);
    auto ahead = good;
    ahead.synced = 2;
    EXPECT_EQ(refusal(ahead), Errc::damaged) << "a record cannot know that it is on disk itself";
    EXPECT_EQ(chain.tree().size, 1U) << "what is refused changes nothing";
    EXPECT_TRUE(chain.take(signed_line(chain.range(), good), Chain::Check::each));
    EXPECT_EQ(chain.tree().size, 2U);
}

TEST_F(ChainTest, I13_TheNumberOfUnreportedBatchesIsBounded) {
    const auto spoken_of_after = [](std::size_t batches) {
        Chain all{signer().key()};
        const auto signature = signer().sign("any");  // not checked here
        const auto take = [&](std::uint64_t synced) {
            const auto json =
                *encode_record(entry("n"), {.seq = all.tree().size, .prev_root = all.tree().root, .synced = synced});
            ASSERT_TRUE(all.take(json + "\t" + signature, Chain::Check::last));
        };
        for (std::size_t i = 0; i < batches; ++i) take(0);
        take(1);
        return all.signatures_missing();
    };
    EXPECT_EQ(spoken_of_after(limits::unconfirmed_batches_max), 0U);
    EXPECT_EQ(spoken_of_after(limits::unconfirmed_batches_max + 1), 1U) << "the oldest is forgotten";
}

TEST_F(ChainTest, ASignatureOfAnotherTreeOrKeyIsRefused) {
    const auto line = signed_line(chain.range(), good);
    const auto json = line.substr(0, line.find('\t'));
    const auto other_tree = signer().sign(checkpoint_text(origin, chain.tree()));
    EXPECT_EQ(chain.take(json + "\t" + other_tree, Chain::Check::each).error().code, Errc::bad_signature);
    const auto other_key = signer(32).sign(checkpoint_text(origin, chain.tree()));
    EXPECT_EQ(chain.take(json + "\t" + other_key, Chain::Check::each).error().code, Errc::bad_signature);
    EXPECT_EQ(chain.tree().size, 1U);
}

TEST_F(ChainTest, CheckingOnlyTheLastSignatureStillBindsTheRootsInRecords) {
    const auto whole = signed_line(chain.range(), good);
    auto other_root = good;
    other_root.prev_root[0] ^= 1U;
    const auto changed = signed_line(chain.range(), other_root);
    const auto as_signed_before = changed.substr(0, changed.find('\t')) + whole.substr(whole.find('\t'));
    ASSERT_TRUE(chain.take(as_signed_before, Chain::Check::last));
    EXPECT_EQ(chain.check_last().error().code, Errc::bad_signature);
}

TEST_F(ChainTest, TheSignatureAtTheEndOfAPartCoversTheRecordsUpToIt) {
    ASSERT_TRUE(chain.take(signed_line(chain.range(), good), Chain::Check::last));
    const auto unsigned_line = *encode_record(entry("n"), {.seq = 2, .prev_root = chain.tree().root, .synced = 2});
    ASSERT_TRUE(chain.take(unsigned_line, Chain::Check::last));
    EXPECT_TRUE(chain.check_last()) << "what came after it does not count";
}

TEST_F(ChainTest, TheLastSignatureOfAPartIsCheckedAtItsEnd) {
    const auto line = signed_line(chain.range(), good);
    const auto wrong = line.substr(0, line.find('\t')) + "\t" + signer().sign("another\n");
    ASSERT_TRUE(chain.take(wrong, Chain::Check::last));
    EXPECT_EQ(chain.check_last().error().code, Errc::bad_signature);
    EXPECT_TRUE(chain.check_last()) << "there is none left";
}

}  // namespace
}  // namespace countersign::audit
