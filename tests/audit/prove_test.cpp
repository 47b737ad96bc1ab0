// SPDX-License-Identifier: Apache-2.0
#include "audit/prove.hpp"

#include "core/limits.hpp"
#include "tests/audit/log_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::audit {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class ProveTest : public testing::Test, public LogWorld {
protected:
    void SetUp() override {
        ASSERT_TRUE(open());
        for (int i = 0; i < 10; ++i) ASSERT_TRUE(append(entry("vote", {{"person", std::to_string(i)}})));
        ASSERT_TRUE(close());
        key = signer().key();
    }
    Result<Proved> proved(std::uint64_t seq) { return prove(*disk, directory, *key, seq); }
    std::optional<NoteKey> key;
};

TEST_F(ProveTest, EveryRecordIsProvedUnderTheLatestCheckpoint) {
    for (std::uint64_t seq = 0; seq < 12; ++seq) {
        const auto found = proved(seq);
        ASSERT_TRUE(found) << describe(found.error());
        EXPECT_EQ(parse_record(found->record)->seq, seq);
        EXPECT_EQ(found->proof.checkpoint, disk->read(directory + "/checkpoint"));
        EXPECT_EQ(check(found->proof, found->record, *key)->size, 12U);
    }
    EXPECT_EQ(proved(12).error().code, Errc::unsupported);
}

TEST_F(ProveTest, AProofIsPlainText) {
    const auto found = *proved(3);
    const auto text = to_text(found.proof);
    EXPECT_THAT(text, StartsWith("c2sp.org/tlog-proof@v1\nindex 3\n"));
    EXPECT_THAT(text, HasSubstr("\n\naudit.example/bridge1\n12\n"));
    const auto read = parse_inclusion_proof(text);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->index, 3U);
    EXPECT_EQ(read->path, found.proof.path);
    EXPECT_EQ(read->checkpoint, found.proof.checkpoint);
    auto with_extra = text;
    with_extra.insert(with_extra.find("index"), "extra AAAA\n");
    EXPECT_EQ(parse_inclusion_proof(with_extra)->path, found.proof.path);
}

TEST_F(ProveTest, EveryByteOfAProofAndItsRecordIsProtected) {
    const auto found = *proved(5);
    const auto text = to_text(found.proof);
    for (std::size_t i = 0; i < text.size(); ++i) {
        auto changed = text;
        changed[i] = static_cast<char>(changed[i] ^ 1);
        const auto read = parse_inclusion_proof(changed);
        ASSERT_FALSE(read && check(*read, found.record, *key)) << "byte " << i;
    }
    for (std::size_t i = 0; i < found.record.size(); ++i) {
        auto changed = found.record;
        changed[i] = static_cast<char>(changed[i] ^ 1);
        ASSERT_FALSE(check(found.proof, changed, *key)) << "byte " << i;
    }
    EXPECT_EQ(check(found.proof, found.record, signer(32).key()).error().code, Errc::bad_signature);
    EXPECT_EQ(check(found.proof, proved(6)->record, *key).error().code, Errc::damaged);
}

TEST_F(ProveTest, ALogThatDoesNotVerifyGivesNoProof) {
    const auto segment = directory + "/seg-000000.log";
    auto bytes = disk->read(segment);
    bytes.replace(bytes.find("\"person\":\"4\""), 12, "\"person\":\"5\"");
    disk->write(segment, bytes);
    EXPECT_FALSE(proved(2));
}

TEST_F(ProveTest, I13_TheNumberOfHashesInAProofIsBounded) {
    const auto lines = [](std::size_t count) { return hash_lines(std::vector<Hash>(count)); };
    const auto longest = lines(limits::proof_hashes_max);
    std::string_view text = longest;
    EXPECT_EQ(take_hash_lines(text)->size(), limits::proof_hashes_max);
    EXPECT_TRUE(text.empty());
    const auto one_more = lines(limits::proof_hashes_max + 1);
    text = one_more;
    EXPECT_EQ(take_hash_lines(text).error().code, Errc::too_large);
}

TEST_F(ProveTest, AnInvalidProofIsRefused) {
    const auto text = to_text(proved(3)->proof);
    for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{{"@v1", "@v2"},
                                                                                   {"index 3", "index 03"},
                                                                                   {"index 3", "index -3"},
                                                                                   {"index 3\n", ""},
                                                                                   {"index", "extra *\nindex"},
                                                                                   {"\n\n", "\n"}}) {
        auto changed = text;
        changed.replace(changed.find(from), from.size(), to);
        const auto read = parse_inclusion_proof(changed);
        EXPECT_FALSE(read && check(*read, proved(3)->record, *key)) << to;
    }
    EXPECT_FALSE(parse_inclusion_proof(""));
}

}  // namespace
}  // namespace countersign::audit
