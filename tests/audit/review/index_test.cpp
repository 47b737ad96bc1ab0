// SPDX-License-Identifier: Apache-2.0
// An index changes how fast an answer comes, but never the answer.
#include "audit/review/index_file.hpp"

#include "audit/review/silence.hpp"
#include "audit/review/statistics.hpp"
#include "audit/segment.hpp"
#include "tests/audit/review/review_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <utility>

namespace countersign::audit::review {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

const std::string index_path = "cache/review-1";
const WallTime long_after{std::chrono::milliseconds{2'000'000'000'000}};

class IndexTest : public testing::Test, public ReviewWorld {
protected:
    void SetUp() override {
        segment_bytes = 4096;
        ASSERT_TRUE(open());
    }
    void write_some(int records, std::uint64_t seed = 1) {
        std::mt19937_64 random{seed};
        for (int i = 0; i < records; ++i) something(random);
    }
    struct Answers {
        std::vector<std::string> rows, denied, newest;
        std::string statistics, coverage, silence;
        friend bool operator==(const Answers&, const Answers&) = default;
    };
    static Answers answers(Review& log) {
        Answers all{.rows = listed(log),
                    .denied = listed(log, {.agent = "prod-*", .outcomes = {Outcome::denied}}),
                    .newest = listed(log, {.tool = "Bash"}, 5),
                    .statistics = json::canonical(json_of(statistics(log.catalogue(), {}))),
                    .coverage = {},
                    .silence = json::canonical(json_of(silence(log.catalogue(), {}, long_after)))};
        for (const auto& [agent, covered] : coverage(log.catalogue(), {})) {
            all.coverage += agent + json::canonical(json_of(covered));
        }
        return all;
    }
    Answers plain() {
        auto log = review();
        return answers(*log);
    }
    // The answers with an index, and whether one was used.
    std::pair<Answers, bool> indexed() {
        auto log = review(keeping());
        const bool used = log->indexed();
        return {answers(*log), used};
    }
};

TEST_F(IndexTest, AnswersAreTheSameAsWithoutAnIndex) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        write_some(30, seed);
        const auto expected = plain();
        EXPECT_EQ(indexed().first, expected) << "while it is made or extended, seed " << seed;
        const auto [again, used] = indexed();
        EXPECT_TRUE(used);
        EXPECT_EQ(again, expected) << "from the file, seed " << seed;
    }
    EXPECT_GT(*count_segments(*disk, directory), 10U);
    EXPECT_GT(plain().rows.size(), 100U);
}

TEST_F(IndexTest, NoChangedByteOfTheIndexChangesAnAnswer) {
    write_some(16);
    const auto expected = plain();
    ASSERT_EQ(indexed().first, expected);
    const auto good = disk->read(index_path);
    ASSERT_GT(good.size(), 1000U);
    for (std::size_t at = 0; at < good.size(); ++at) {
        auto bad = good;
        bad[at] = static_cast<char>(bad[at] ^ 0x41);
        disk->write(index_path, bad);
        const auto [found, used] = indexed();
        ASSERT_EQ(found, expected) << "byte " << at;
        ASSERT_FALSE(used) << "byte " << at;
        ASSERT_EQ(disk->read(index_path), good) << "made anew";
    }
}

// An attacker who can write the file can also compute its digest.
std::string with_digest(std::string bytes) {
    const auto digest = security::sha256(std::string_view{bytes}.substr(sizeof(security::Digest)));
    std::memcpy(bytes.data(), digest.data(), digest.size());
    return bytes;
}

TEST_F(IndexTest, AHostileIndexIsReadSafelyAndNothingIsPrintedThatTheLogDoesNotSay) {
    write_some(16);
    const auto expected = plain();
    ASSERT_EQ(indexed().first, expected);
    const auto good = disk->read(index_path);
    for (std::size_t at = sizeof(security::Digest); at < good.size(); ++at) {
        for (const int change : {0x01, 0x80, 0xFF}) {
            auto bad = good;
            bad[at] = static_cast<char>(bad[at] ^ change);
            disk->write(index_path, with_digest(bad));
            auto log = review(keeping());
            ASSERT_TRUE(log);
            for (const auto& row : listed(*log)) ASSERT_THAT(expected.rows, Contains(row)) << "byte " << at;
            (void)answers(*log);
        }
    }
}

// An index that leaves some records of the log out, as an attacker with write access to the reader's files could make
// it.
class ForgedIndexTest : public IndexTest {
protected:
    void forge(const std::function<bool(const Record&)>& left_out) {
        Index forged;
        LogReader reader{*disk, directory};
        LogReader::Position at;
        LogReader::Position last;
        ASSERT_TRUE(reader.walk(at, {.record = [&](const BatchRecord& one, std::uint64_t segment) {
                                    if (left_out(one.record)) return;
                                    last = {.segment = segment, .offset = one.offset};
                                    EXPECT_TRUE(forged.catalogue.take(
                                        one.record, {.segment = static_cast<std::uint32_t>(segment),
                                                     .offset = static_cast<std::uint32_t>(one.offset)}));
                                }}));
        for (std::uint64_t i = 0; i < last.segment; ++i) {
            forged.covered.segment_bytes.push_back(*reader.segment_bytes(i));
        }
        forged.covered.last_line = security::sha256(*reader.line(last));
        const auto file = disk->open(index_path, FileSystem::Mode::create);
        ASSERT_TRUE(write_index(**file, forged.catalogue, forged.covered));
    }
    // The answers with the forged index must be those of the log.
    void expect_the_log_is_heard(const char* what) {
        auto log = review(keeping());
        ASSERT_TRUE(log);
        EXPECT_TRUE(log->indexed()) << what << ": the forged index is one that is read";
        EXPECT_EQ(listed(*log), plain().rows) << what;
    }
    static std::function<bool(const Record&)> naming(const Ulid& id, const std::string& kind = {}) {
        return [id, kind](const Record& record) {
            return record.text("requestId") == id.str() && (kind.empty() || record.kind == kind);
        };
    }
};

TEST_F(ForgedIndexTest, ADecisionMissingFromTheIndexIsPrinted) {
    write_some(20);
    const auto id = ask();
    decide(id, "denied", "alice");
    decide(id, "allowed", "mallory");
    write_some(20, 2);
    for (const auto* kind : {"decision", "request"}) {
        forge(naming(id, kind));
        expect_the_log_is_heard(kind);
    }
    bool first = true;
    forge([&](const Record& record) { return naming(id, "decision")(record) && std::exchange(first, false); });
    expect_the_log_is_heard("the first of two decisions");
    first = true;
    forge([&](const Record& record) { return naming(id, "decision")(record) && std::exchange(first, false); });
    EXPECT_EQ(row_of(*review(keeping())->account(id)).outcome, "denied") << "and one that is looked for by its name";
}

TEST_F(ForgedIndexTest, ARequestMissingFromTheIndexIsFoundWhenAnOlderOneIsPrinted) {
    write_some(20);
    const auto id = ask();
    write_some(20, 2);
    forge(naming(id));
    expect_the_log_is_heard("a request");
}

TEST_F(ForgedIndexTest, ARequestStartsWithItsFirstRecord) {
    (void)ask();
    const auto id = ask();
    decide(id, "denied", "alice");
    write("request", {{"requestId", id.str()}, {"agentId", "builder"}, {"toolName", "Bash"}});
    decide(id, "allowed", "mallory");
    forge([&](const Record& record) { return naming(id)(record) && record.seq < 4; });
    expect_the_log_is_heard("a later beginning");
}

TEST_F(ForgedIndexTest, ARecordMissingFromTheIndexIsFoundByItsNumber) {
    write_some(20);
    forge([](const Record& record) { return record.seq == 7; });
    auto log = review(keeping());
    ASSERT_TRUE(log->indexed());
    EXPECT_EQ(log->record(7)->seq, 7U);
    EXPECT_EQ(log->record(21).error().code, Errc::unknown_request);
}

TEST_F(ForgedIndexTest, RecordsMissingAtTheEndOfTheIndexAreReadAsNew) {
    write_some(20);
    forge([](const Record& record) { return record.seq > 10; });
    const auto [found, used] = indexed();
    EXPECT_TRUE(used);
    EXPECT_EQ(found, plain());
}

// A complete index isn't rebuilt because of this check.
TEST_F(ForgedIndexTest, AnIndexThatLeavesNothingOutIsKept) {
    write_some(60);
    forge([](const Record&) { return false; });
    auto log = review(keeping());
    EXPECT_EQ(listed(*log), plain().rows);
    EXPECT_TRUE(log->indexed());
}

TEST_F(IndexTest, ATruncatedIndexIsRebuilt) {
    write_some(20);
    const auto expected = plain();
    ASSERT_EQ(indexed().first, expected);
    const auto good = disk->read(index_path);
    for (std::size_t size = 0; size < good.size(); size += 7) {
        disk->write(index_path, with_digest(good.substr(0, std::max(size, sizeof(security::Digest)))));
        ASSERT_EQ(indexed().first, expected) << size;
    }
    disk->write(index_path, with_digest(good + "x"));
    EXPECT_EQ(indexed(), (std::pair{expected, false}));
}

TEST_F(IndexTest, AnIndexOfAnotherLogIsDiscarded) {
    write_some(40);
    ASSERT_EQ(indexed().first, plain());
    const auto other = disk->read(index_path);
    for (const auto& path : disk->paths()) {
        if (path.starts_with(directory)) ASSERT_TRUE(disk->remove(path));
    }
    log.reset();
    ASSERT_TRUE(open());
    write_some(60, 2);
    disk->write(index_path, other);
    const auto [found, used] = indexed();
    EXPECT_FALSE(used);
    EXPECT_EQ(found, plain());
}

TEST_F(IndexTest, ALogShorterThanItsIndexDiscardsTheIndex) {
    write_some(40);
    ASSERT_EQ(indexed().first, plain());
    const auto last = *count_segments(*disk, directory) - 1;
    log.reset();
    ASSERT_TRUE(disk->remove(directory + "/" + segment_name(last)));
    const auto [found, used] = indexed();
    EXPECT_FALSE(used);
    EXPECT_EQ(found, plain());
}

TEST_F(IndexTest, ARecordChangedAfterIndexingIsReadFromTheLog) {
    const auto id = ask();
    decide(id, "allowed", "alice");
    write_some(10);
    ASSERT_EQ(indexed().first, plain());
    const auto path = directory + "/" + segment_name(0);
    auto bytes = disk->read(path);
    bytes.replace(bytes.find("\"alice\""), 7, "\"malic\"");
    log.reset();
    disk->write(path, bytes);
    const auto found = indexed().first;
    EXPECT_EQ(found.rows, plain().rows) << "what verify will say of it is not hidden by an older index";
    EXPECT_THAT(found.rows.front(), testing::HasSubstr("malic"));
}

TEST_F(IndexTest, ADamagedLogGetsNoIndex) {
    write_some(40);
    log.reset();
    const auto path = directory + "/" + segment_name(0);
    auto bytes = disk->read(path);
    bytes[bytes.find('\n') + 1] = 'x';
    disk->write(path, bytes);
    auto found = review(keeping());
    ASSERT_TRUE(found);
    ASSERT_TRUE(found->damage());
    EXPECT_THAT(*found->damage(), testing::HasSubstr("seg-000000.log"));
    EXPECT_THAT(disk->paths(), Not(Contains(index_path)));
}

TEST_F(IndexTest, AMissingRecordIsDamage) {
    write_some(40);
    log.reset();
    ASSERT_TRUE(disk->remove(directory + "/" + segment_name(0)));
    EXPECT_FALSE(review(keeping())) << "a gap between segments is an error";

    const auto path = directory + "/" + segment_name(1);
    const auto bytes = disk->read(path);
    disk->write(directory + "/" + segment_name(0), bytes);
    const auto found = review(keeping());
    ASSERT_TRUE(found);
    ASSERT_TRUE(found->damage());
    EXPECT_THAT(*found->damage(), testing::HasSubstr("where record 0 should be"));
}

TEST_F(IndexTest, AShortLogGetsNoIndex) {
    write_some(9);  // and the start record
    auto place = keeping();
    place.records_min = 11;
    ASSERT_TRUE(review(place));
    EXPECT_THAT(disk->paths(), Not(Contains(index_path)));
    place.records_min = 10;
    ASSERT_TRUE(review(place));
    EXPECT_THAT(disk->paths(), Contains(index_path));
}

TEST_F(IndexTest, TheIndexIsRewrittenOnlyForManyMoreRecords) {
    write_some(20);
    auto place = keeping();
    ASSERT_TRUE(review(place));
    const auto first = disk->read(index_path);
    place.records_step = 10;
    write_some(9);
    ASSERT_TRUE(review(place));
    EXPECT_EQ(disk->read(index_path), first);
    write_some(1);
    ASSERT_TRUE(review(place));
    EXPECT_NE(disk->read(index_path), first);
}

TEST_F(IndexTest, AnIndexThatIsTooLargeIsNeitherWrittenNorRead) {
    write_some(20);
    ASSERT_TRUE(review(keeping()));
    auto place = keeping();
    place.bytes_max = disk->read(index_path).size();
    EXPECT_TRUE(review(place)->indexed());
    --place.bytes_max;
    EXPECT_FALSE(review(place)->indexed());
    ASSERT_TRUE(disk->remove(index_path));
    ASSERT_TRUE(review(place));
    EXPECT_THAT(disk->paths(), Not(Contains(index_path)));
}

TEST_F(IndexTest, AnIndexThatCannotBeWrittenIsNotAnError) {
    write_some(20);
    const auto expected = plain();
    log.reset();
    // Each call in turn; only failures of calls on the log itself may fail the review.
    for (std::size_t call = 0; call < 200; ++call) {
        auto broken = disk->copy();
        broken->fail(call);
        auto found = Review::open({.files = *broken, .directory = directory, .keeping = keeping()});
        if (found) EXPECT_EQ(listed(*found), expected.rows) << call;
    }
}

TEST_F(IndexTest, NothingIsWrittenIntoTheLogsDirectory) {
    write_some(20);
    const auto before = disk->paths();
    ASSERT_TRUE(review(keeping()));
    for (const auto& path : disk->paths()) {
        EXPECT_TRUE(path.starts_with("cache/") || testing::Value(before, Contains(path))) << path;
    }
}

TEST_F(IndexTest, TheNewestAreListedAndAllAreCounted) {
    for (int i = 0; i < 8; ++i) (void)ask();
    auto log = review();
    std::vector<Ulid> given;
    const auto found = log->each({}, 3, [&](const Account& account) {
        given.push_back(account.life().id);
        return true;
    });
    EXPECT_EQ(found->fitting, 8U);
    EXPECT_EQ(found->given, 3U);
    ASSERT_THAT(given, SizeIs(3));
    EXPECT_EQ(given.back(), log->catalogue().lives().back().id);
    const auto stopped = log->each({}, 0, [](const Account&) { return false; });
    EXPECT_EQ(stopped->given, 1U);
    EXPECT_THAT(listed(*log, {.agent = "nobody"}), IsEmpty());
}

TEST_F(IndexTest, ALineLongerThanTheFirstReadIsComplete) {
    const auto id = ask({.summary = std::string(20'000, 'x')});
    auto log = review();
    EXPECT_EQ(log->account(id)->records.front().text("summary").size(), 20'000U);
    EXPECT_EQ(log->record(1)->text("requestId"), id.str());
    EXPECT_EQ(log->record(2).error().code, Errc::unknown_request);
    EXPECT_EQ(log->account(Ulid{}).error().code, Errc::unknown_request);
}

}  // namespace
}  // namespace countersign::audit::review
