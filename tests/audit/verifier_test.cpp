// SPDX-License-Identifier: Apache-2.0
#include "audit/verifier.hpp"

#include "audit/segment.hpp"
#include "tests/audit/log_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::audit {
namespace {

using testing::HasSubstr;
using Verdict = Verification::Verdict;
using Proof = Verification::Proof;

const std::string first_segment = directory + "/seg-000000.log";

class VerifierTest : public testing::Test, public LogWorld {
protected:
    void SetUp() override {
        ASSERT_TRUE(open());
        ASSERT_TRUE(append(entry("request", {{"requestId", "a"}, {"toolName", "Bash"}})));
        disk->hang(true);
        const auto one = start(log->append(entry("vote")));
        disk->wait_for_hanging();
        const auto two = start(log->append(entry("vote")));
        const auto three = start(log->append(entry("decision", {{"requestId", "a"}})));
        disk->hang(false);
        ASSERT_TRUE(await(one) && await(two) && await(three));
        ASSERT_TRUE(close());
    }
    // As the command does it.
    Verification verified_by_default() {
        auto found = verify(*disk, directory, {.key = signer().key()});
        return found ? *found : Verification{};
    }
};

TEST_F(VerifierTest, ALogIsIntactAndTheReportSaysWhatThatProves) {
    const auto own = verified(std::nullopt);
    EXPECT_EQ(own.verdict, Verdict::intact) << own.why;
    EXPECT_EQ(own.proof, Proof::self_consistent);
    const auto given = verified();
    EXPECT_TRUE(given.ok());
    EXPECT_EQ(given.proof, Proof::signed_by_given_key);
    EXPECT_EQ(given.records, 6U);
    EXPECT_EQ(given.signatures, 5U);
    EXPECT_TRUE(verified_by_default().ok());
    EXPECT_EQ(verified_by_default().signatures, 1U) << "the last one covers all";
    EXPECT_EQ(given.checkpoint, 6U);
    EXPECT_EQ(given.origin, origin);
    EXPECT_THAT(disk->read(directory + "/checkpoint"), HasSubstr("\n6\n" + given.root + "\n"));
}

TEST_F(VerifierTest, EveryByteOfEveryFileCounts) {
    for (const auto& path : disk->paths()) {
        const auto bytes = disk->read(path);
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            for (const auto flip : {0x01, 0x20}) {
                auto changed = bytes;
                changed[i] = static_cast<char>(changed[i] ^ flip);
                disk->write(path, changed);
                const auto found = verified(std::nullopt);
                ASSERT_EQ(found.verdict, Verdict::broken) << path << " byte " << i << " flip " << flip;
                ASSERT_EQ(found.proof, Proof::nothing);
            }
        }
        disk->write(path, bytes);
    }
    EXPECT_TRUE(verified(std::nullopt).ok());
}

// Nothing covers the bytes of a signature inside of the log. That one was there, the records after it say.
TEST_F(VerifierTest, ASignatureThatWasTakenOutIsSaid) {
    const auto bytes = disk->read(first_segment);
    EXPECT_EQ(verified().missing, 0U);
    std::size_t taken = 0;
    std::vector<std::uint64_t> missing;
    auto stripped = bytes;
    for (auto tab = stripped.find('\t'); tab != stripped.rfind('\t'); tab = stripped.find('\t')) {
        stripped.erase(tab, signature_chars + 1);
        disk->write(first_segment, stripped);
        const auto found = verified();
        EXPECT_TRUE(found.ok()) << found.why;
        EXPECT_EQ(found.records, 6U);
        EXPECT_EQ(found.signatures, 5U - ++taken);
        EXPECT_EQ(verified_by_default().missing, found.missing);
        missing.push_back(found.missing);
    }
    EXPECT_EQ(missing, (std::vector<std::uint64_t>{1, 2, 3, 4}));
}

// Without all signatures being checked, the bytes of those before the last are the only ones that nothing covers.
TEST_F(VerifierTest, EveryByteOfEveryRecordAndOfTheLastSignatureCountsByDefault) {
    const auto bytes = disk->read(first_segment);
    const auto last_signature = bytes.rfind('\t');
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const auto line = bytes.rfind('\n', i == 0 ? 0 : i - 1);
        const auto tab = bytes.rfind('\t', i);
        const bool in_signature = tab != std::string::npos && tab != i && (line == std::string::npos || tab > line);
        if (in_signature && i < last_signature && bytes[i] != '\n') continue;
        auto changed = bytes;
        changed[i] = static_cast<char>(changed[i] ^ 1);
        disk->write(first_segment, changed);
        ASSERT_EQ(verified_by_default().verdict, Verdict::broken) << "byte " << i;
    }
}

TEST_F(VerifierTest, EveryByteRemovedOrPutInCounts) {
    const auto bytes = disk->read(first_segment);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        auto shorter = bytes;
        shorter.erase(i, 1);
        disk->write(first_segment, shorter);
        ASSERT_FALSE(verified().ok()) << "without byte " << i;
        auto longer = bytes;
        longer.insert(i, 1, ' ');
        disk->write(first_segment, longer);
        ASSERT_FALSE(verified().ok()) << "a space before byte " << i;
    }
}

TEST_F(VerifierTest, AWrongKeyProvesNothing) {
    const auto found = verified(signer(32).key());
    EXPECT_EQ(found.verdict, Verdict::broken);
    EXPECT_EQ(found.records, 0U);
    EXPECT_FALSE(verified(NoteSigner::make("other.example", signing_key())->key()).ok());
}

TEST_F(VerifierTest, ALogOfSomebodyElseIsSelfConsistentButNotSignedByTheGivenKey) {
    LogWorld forger;
    auto forged = Log::open({.directory = directory,
                             .origin = origin,
                             .key = signing_key(32),
                             .boot_id = "boot-1",
                             .start = {},
                             .clock = forger.clock,
                             .files = *forger.disk,
                             .executor = forger.context().get_executor()});
    ASSERT_TRUE(forged);
    ASSERT_TRUE(forger.run((*forged)->close()));
    EXPECT_EQ(forger.verified(std::nullopt).proof, Proof::self_consistent);
    EXPECT_FALSE(forger.verified().ok());
}

TEST_F(VerifierTest, AnUnsignedLogFailsWithAKeyAndWithout) {
    const auto bytes = disk->read(first_segment);
    std::string unsigned_bytes;
    SegmentLines lines{bytes};
    while (const auto line = lines.next()) unsigned_bytes += std::string{line->substr(0, line->find('\t'))} + "\n";
    disk->write(first_segment, unsigned_bytes);
    ASSERT_TRUE(disk->remove(directory + "/checkpoint"));
    EXPECT_EQ(verified().verdict, Verdict::broken);
    EXPECT_EQ(verified(std::nullopt).verdict, Verdict::broken);
}

TEST_F(VerifierTest, NoLogIsNotAnIntactLog) {
    disk = std::make_unique<fakes::MemoryFileSystem>();
    EXPECT_EQ(verified().verdict, Verdict::broken);
    EXPECT_EQ(verified(std::nullopt).verdict, Verdict::broken);
}

TEST_F(VerifierTest, ALogThatIsBeingWrittenIsUnfinishedAndSaysHowMuchIsNotCovered) {
    const auto torn = std::string{R"({"bootId":"boot-1","i)"};
    disk->write(first_segment, disk->read(first_segment) + torn + std::string(100, '\0'));
    const auto found = verified();
    EXPECT_EQ(found.verdict, Verdict::unfinished);
    EXPECT_FALSE(found.ok());
    EXPECT_EQ(found.records, 6U);
    EXPECT_EQ(found.tail_bytes, torn.size());
    EXPECT_EQ(found.first_bad_seq, 6U);
}

TEST_F(VerifierTest, TheReportNamesTheFirstRecordThatIsWrong) {
    auto bytes = disk->read(first_segment);
    const auto at = bytes.find("\"toolName\":\"Bash\"");
    ASSERT_NE(at, std::string::npos);
    bytes.replace(at, 17, "\"toolName\":\"Fish\"");
    disk->write(first_segment, bytes);
    const auto found = verified_by_default();
    EXPECT_EQ(found.first_bad_seq, 1U);
    EXPECT_THAT(found.why, HasSubstr("signature of record 1"));
}

TEST_F(VerifierTest, WhatCannotBeReadIsAnErrorAndNotAVerdict) {
    for (std::size_t nth = 0; nth < 9; ++nth) {
        const auto copy = disk->copy();
        copy->fail(nth, true);
        EXPECT_FALSE(verify(*copy, directory, {.key = std::nullopt})) << nth;
    }
}

}  // namespace
}  // namespace countersign::audit
