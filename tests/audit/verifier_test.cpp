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
};

TEST_F(VerifierTest, AnIntactLogVerifiesAndTheReportSaysWhatIsProved) {
    const auto own = verified(std::nullopt);
    EXPECT_EQ(own.verdict, Verdict::intact) << own.why;
    EXPECT_EQ(own.proof, Proof::self_consistent);
    const auto given = verified();
    EXPECT_TRUE(given.ok());
    EXPECT_EQ(given.proof, Proof::signed_by_given_key);
    EXPECT_EQ(given.records, 6U);
    EXPECT_EQ(given.signatures, 5U);
    EXPECT_EQ(given.unchecked, 0U);
    EXPECT_EQ(given.checkpoint, 6U);
    EXPECT_EQ(given.origin, origin);
    EXPECT_THAT(disk->read(directory + "/checkpoint"), HasSubstr("\n6\n" + given.root + "\n"));
}

TEST_F(VerifierTest, EveryByteOfEveryFileIsProtected) {
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

// Nothing covers the bytes of a signature inside the log. But the records after it say that there was one.
TEST_F(VerifierTest, ARemovedSignatureIsReported) {
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
        missing.push_back(found.missing);
    }
    EXPECT_EQ(missing, (std::vector<std::uint64_t>{1, 2, 3, 4}));
}

TEST_F(VerifierTest, EveryRemovedOrInsertedByteIsFound) {
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

TEST_F(VerifierTest, AForeignLogIsSelfConsistentButNotSignedByTheGivenKey) {
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

TEST_F(VerifierTest, AnUnsignedLogFailsWithAndWithoutAKey) {
    const auto bytes = disk->read(first_segment);
    std::string unsigned_bytes;
    SegmentLines lines{bytes};
    while (const auto line = lines.next()) unsigned_bytes += std::string{line->substr(0, line->find('\t'))} + "\n";
    disk->write(first_segment, unsigned_bytes);
    ASSERT_TRUE(disk->remove(directory + "/checkpoint"));
    EXPECT_EQ(verified().verdict, Verdict::broken);
    EXPECT_EQ(verified(std::nullopt).verdict, Verdict::broken);
}

TEST_F(VerifierTest, AMissingLogIsNotAnIntactLog) {
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

TEST_F(VerifierTest, TheReportNamesTheFirstWrongRecord) {
    auto bytes = disk->read(first_segment);
    const auto at = bytes.find("\"toolName\":\"Bash\"");
    ASSERT_NE(at, std::string::npos);
    bytes.replace(at, 17, "\"toolName\":\"Fish\"");
    disk->write(first_segment, bytes);
    const auto found = verified();
    EXPECT_EQ(found.first_bad_seq, 1U);
    EXPECT_THAT(found.why, HasSubstr("signature of record 1"));
}

// A log of many segments, of which only the last signature of each is checked by default.
class LongVerifierTest : public testing::Test, public LogWorld {
protected:
    void write_segments(std::uint64_t wanted) {
        segment_bytes = 2048;
        ASSERT_TRUE(open());
        while (segments() < wanted) ASSERT_TRUE(append(entry("n", {{"text", std::string(200, 'x')}})));
        ASSERT_TRUE(close());
        ASSERT_EQ(segments(), wanted);
    }
    std::uint64_t segments() { return *count_segments(*disk, directory); }
    Verification verified_every() {
        auto found = verify(*disk, directory, {.key = signer().key(), .every_signature = true});
        return found ? *found : Verification{};
    }
};

TEST_F(LongVerifierTest, ALogOfUpToFourSegmentsHasEachSignatureChecked) {
    write_segments(limits::verify_every_segments_max);
    const auto found = verified();
    EXPECT_TRUE(found.ok()) << found.why;
    EXPECT_EQ(found.unchecked, 0U);
    EXPECT_GT(found.signatures, segments());
}

TEST_F(LongVerifierTest, ALongerLogHasTheLastOfEachSegmentCheckedAndSaysHowManyWereNot) {
    write_segments(limits::verify_every_segments_max + 1);
    const auto found = verified();
    EXPECT_TRUE(found.ok()) << found.why;
    EXPECT_EQ(found.signatures, segments());
    const auto every = verified_every();
    EXPECT_TRUE(every.ok()) << every.why;
    EXPECT_EQ(every.unchecked, 0U);
    EXPECT_EQ(every.signatures, found.signatures + found.unchecked);
}

// Only the bytes of the signatures before the last one of a segment aren't covered by anything.
TEST_F(LongVerifierTest, EveryByteOfEveryRecordAndOfTheLastSignaturesIsProtected) {
    write_segments(limits::verify_every_segments_max + 1);
    for (const auto segment : {std::uint64_t{0}, segments() - 1}) {
        const auto path = directory + "/" + segment_name(segment);
        const auto bytes = disk->read(path);
        const auto last_signature = bytes.rfind('\t');
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            const auto line = bytes.rfind('\n', i == 0 ? 0 : i - 1);
            const auto tab = bytes.rfind('\t', i);
            const bool in_signature = tab != std::string::npos && tab != i && (line == std::string::npos || tab > line);
            auto changed = bytes;
            changed[i] = static_cast<char>(changed[i] ^ 1);
            disk->write(path, changed);
            if (in_signature && i < last_signature && bytes[i] != '\n') {
                if (i % 16 == 0) ASSERT_EQ(verified_every().verdict, Verdict::broken) << path << " byte " << i;
            } else {
                ASSERT_EQ(verified().verdict, Verdict::broken) << path << " byte " << i;
            }
        }
        disk->write(path, bytes);
    }
    EXPECT_TRUE(verified().ok());
}

// As in CVE-2023-31439: records signed by an older key, with segment ends signed by a newer one.
TEST_F(LongVerifierTest, ALogWhoseSegmentsEndWithSignaturesOfAnotherKeyIsNotSignedByIt) {
    write_segments(limits::verify_every_segments_max + 1);
    const auto other = signer(32);
    CompactRange range;
    for (std::uint64_t segment = 0; segment < segments(); ++segment) {
        const auto path = directory + "/" + segment_name(segment);
        auto bytes = disk->read(path);
        SegmentLines lines{bytes};
        while (const auto line = lines.next()) range.append(leaf_hash(split_line(*line)->json));
        const auto text = checkpoint_text(origin, {.size = range.size(), .root = range.root()});
        bytes.replace(bytes.rfind('\t') + 1, signature_chars, other.sign(text));
        disk->write(path, bytes);
    }
    ASSERT_TRUE(disk->remove(directory + "/checkpoint"));
    EXPECT_EQ(verified().verdict, Verdict::broken);
    const auto found = verified(other.key());
    EXPECT_EQ(found.verdict, Verdict::broken) << "the key beside the log is another";
    EXPECT_EQ(found.first_bad_seq, 0U);
}

TEST_F(VerifierTest, AReadErrorIsAnErrorAndNotAVerdict) {
    for (std::size_t nth = 0; nth < 9; ++nth) {
        const auto copy = disk->copy();
        copy->fail(nth, true);
        EXPECT_FALSE(verify(*copy, directory, {.key = std::nullopt})) << nth;
    }
}

}  // namespace
}  // namespace countersign::audit
