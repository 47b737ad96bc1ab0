// SPDX-License-Identifier: Apache-2.0
#include "audit/log.hpp"

#include "audit/layout.hpp"
#include "audit/segment.hpp"
#include "security/encoding.hpp"
#include "tests/audit/log_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/detached.hpp>

#include <algorithm>
#include <functional>
#include <span>
#include <thread>

namespace countersign::audit {
namespace {

using testing::ElementsAre;

class LogTest : public testing::Test, public LogWorld {
protected:
    void SetUp() override { ASSERT_TRUE(open()); }
};

TEST_F(LogTest, AnAppendedRecordIsStoredWithEveryFieldThatTheLogAdds) {
    clock.advance(std::chrono::milliseconds{1500});
    const auto receipt = append(entry("vote", {{"person", "alice"}}));
    ASSERT_TRUE(receipt) << describe(receipt.error());
    EXPECT_EQ(receipt->seq, 1U);
    ASSERT_TRUE(close());
    const auto found = records();
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found[0].kind, "start");
    EXPECT_EQ(found[0].text("version"), "0.1.0");
    EXPECT_EQ(found[1].text("person"), "alice");
    EXPECT_EQ(found[1].text("ts"), "2025-11-16T02:00:01.500Z");
    EXPECT_EQ(found[1].text("bootId"), "boot-1");
    EXPECT_EQ(found[1].members.find("mono")->number()->lexeme, "1001500");
    EXPECT_EQ(found[1].synced, 1U);
    EXPECT_EQ(found[2].kind, "stop");
    EXPECT_EQ(receipt->root, security::base64(found[2].prev_root));
}

TEST_F(LogTest, TwoRunsOfTheSameEventsGiveTheSameBytes) {
    LogWorld other;
    ASSERT_TRUE(other.open());
    for (auto* world : {static_cast<LogWorld*>(this), &other}) {
        ASSERT_TRUE(world->append(entry("grant", {{"uses", 3}, {"agentId", "claude"}})));
        world->clock.advance(std::chrono::hours{24 * 7});
        ASSERT_TRUE(world->append(entry("revoke")));
        ASSERT_TRUE(world->close());
    }
    EXPECT_EQ(disk->paths(), other.disk->paths());
    for (const auto& path : disk->paths()) EXPECT_EQ(disk->read(path), other.disk->read(path)) << path;
}

TEST_F(LogTest, WaitingRecordsAreWrittenWithOneSync) {
    LogWorld world;
    world.segment_bytes = 256 * 1024;  // so that no other sync is due
    ASSERT_TRUE(world.open());
    world.disk->hang(true);
    std::vector<std::shared_ptr<std::optional<Result<Receipt>>>> waiting{
        world.start(world.log->append(entry("first")))};
    world.disk->wait_for_hanging();
    for (int i = 0; i < 64; ++i) waiting.push_back(world.start(world.log->append(entry("n", {{"i", i}}))));
    const auto syncs = world.disk->syncs();
    world.disk->hang(false);
    for (std::size_t i = 0; i < waiting.size(); ++i) {
        const auto receipt = world.await(waiting[i]);
        ASSERT_TRUE(receipt);
        EXPECT_EQ(receipt->seq, i + 1) << "records are in the order of the calls";
    }
    EXPECT_EQ(world.disk->syncs() - syncs, 1U);
    ASSERT_TRUE(world.close());
    EXPECT_EQ(world.verified().signatures, 4U) << "one for each batch: start, first, the rest, stop";
    EXPECT_TRUE(world.verified().ok());
}

TEST_F(LogTest, RecordsWithoutAWaiterAreWrittenWithTheNextOneThatHasOne) {
    LogWorld patient;
    patient.linger = std::chrono::hours{1};
    ASSERT_TRUE(patient.open());
    const auto syncs = patient.disk->syncs();
    const auto note = patient.start(patient.log->append(entry("forwarded"), Log::Room::ordinary, Haste::soon));
    const auto decision = patient.start(patient.log->append(entry("decision")));
    ASSERT_TRUE(patient.await(decision));
    ASSERT_TRUE(patient.await(note));
    EXPECT_EQ(patient.disk->syncs() - syncs, 1U) << "both in one batch";
    EXPECT_LT((**note)->seq, (**decision)->seq) << "records are in the order of the calls";
    const auto last = patient.start(patient.log->append(entry("concluded"), Log::Room::ordinary, Haste::soon));
    ASSERT_TRUE(patient.close()) << "an end waits for nobody";
    EXPECT_TRUE(last->value().has_value());
}

TEST_F(LogTest, I13_ARecordWithoutAWaiterIsStillOnDiskSoon) {
    EXPECT_TRUE(await(start(log->append(entry("forwarded"), Log::Room::ordinary, Haste::soon))));
}

TEST_F(LogTest, I1_NothingResolvesBeforeTheSyncReturned) {
    disk->hang(true);
    const auto waiting = start(log->append(entry("decision")));
    disk->wait_for_hanging();
    poll();
    EXPECT_FALSE(waiting->has_value());
    disk->hang(false);
    EXPECT_TRUE(await(waiting));
}

TEST_F(LogTest, I1_ALogWhoseFileWasRemovedReplacedOrTruncatedFailsFurtherAppends) {
    const auto segment = directory + "/" + segment_name(0);
    const std::vector<std::function<void(fakes::MemoryFileSystem&)>> deeds{
        [&](auto& disk) { ASSERT_TRUE(disk.remove(segment)); },
        [&](auto& disk) { ASSERT_TRUE(disk.rename(segment, directory + "/elsewhere")); },
        [&](auto& disk) {
            auto file = disk.open(segment, FileSystem::Mode::write);
            ASSERT_TRUE((*file)->truncate(10));
        }};
    for (const auto& deed : deeds) {
        LogWorld world;
        ASSERT_TRUE(world.open());
        ASSERT_TRUE(world.append(entry("request")));
        deed(*world.disk);
        EXPECT_EQ(world.append(entry("decision")).error().code, Errc::unavailable);
        EXPECT_FALSE(world.log->health());
        EXPECT_FALSE(world.close());
    }
}

TEST_F(LogTest, I1_AnOverdueSyncPoisonsTheLogWithoutTheWriter) {
    std::vector<Error> told;
    log->on_poisoned([&](const Error& why) { told.push_back(why); });
    disk->hang(true);
    const auto first = start(log->append(entry("decision")));
    const auto second = start(log->append(entry("decision")));
    const auto piece = std::chrono::milliseconds{limits::log_sync_max} / 5;
    for (int i = 0; i < 4; ++i) {
        clock.advance(piece);
        poll();
    }
    clock.advance(piece - std::chrono::milliseconds{1});
    poll();
    EXPECT_FALSE(first->has_value()) << "one millisecond is left";
    EXPECT_TRUE(log->health());
    clock.advance(std::chrono::milliseconds{1});
    poll();
    ASSERT_TRUE(first->has_value() && second->has_value());
    EXPECT_EQ((**first).error().code, Errc::unavailable);
    EXPECT_EQ((**second).error().code, Errc::unavailable);
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told.front().code, Errc::timeout);
    EXPECT_EQ(append(entry("later")).error().code, Errc::unavailable);

    // The disk recovers: too late, and no caller is answered twice.
    disk->hang(false);
    EXPECT_EQ(close().error().code, Errc::timeout);
    EXPECT_EQ(append(entry("later")).error().code, Errc::unavailable);
    EXPECT_EQ(told.size(), 1U);
}

TEST_F(LogTest, ASlowDiskThatAnswersDoesNotPoisonTheLog) {
    const auto piece = std::chrono::milliseconds{limits::log_sync_max} / 5;
    for (int batch = 0; batch < 10; ++batch) {
        disk->hang(true);
        const auto waiting = start(log->append(entry("slow")));
        for (int i = 0; i < 3; ++i) {
            clock.advance(piece);
            poll();
        }
        disk->hang(false);
        EXPECT_TRUE(await(waiting));
    }
    EXPECT_TRUE(close());
}

TEST_F(LogTest, ASuspendedLaptopDoesNotPoisonTheLog) {
    disk->hang(true);
    const auto waiting = start(log->append(entry("decision")));
    clock.advance(std::chrono::hours{9});
    poll();
    EXPECT_TRUE(log->health());
    disk->hang(false);
    EXPECT_TRUE(await(waiting));
    EXPECT_TRUE(close());
}

TEST_F(LogTest, I13_ARecordOneByteTooLongIsRefusedAndDoesNoHarm) {
    const auto bytes_around = [] {
        const Stamp stamp{.seq = 1,
                          .synced = 1,
                          .ts = fakes::FakeClock{}.wall(),
                          .mono = fakes::FakeClock{}.boot(),
                          .boot_id = "boot-1"};
        return encode_record(entry("big", {{"text", ""}}), stamp)->size();
    }();
    const auto fits = limits::record_bytes_max - bytes_around;
    EXPECT_EQ(append(entry("big", {{"text", std::string(fits + 1, 'x')}})).error().code, Errc::too_large);
    EXPECT_TRUE(append(entry("big", {{"text", std::string(fits, 'x')}})));
    EXPECT_TRUE(log->health());
    EXPECT_TRUE(close());
    EXPECT_TRUE(verified().ok());
    EXPECT_THAT(kinds(), ElementsAre("start", "big", "stop"));
}

TEST_F(LogTest, ARecordThatCouldNotBeReadBackIsRefusedAndDoesNoHarm) {
    EXPECT_FALSE(append(entry("bad", {{"seq", 7}}))) << "the log's own names are taken";
    EXPECT_FALSE(append(entry("")));
    EXPECT_TRUE(append(entry("good")));
    EXPECT_TRUE(close());
    EXPECT_TRUE(verified().ok());
}

TEST_F(LogTest, I13_AFullQueueRefusesOrdinaryRecordsButKeepsRoomForEndings) {
    disk->hang(true);
    std::vector<std::shared_ptr<std::optional<Result<Receipt>>>> waiting;
    for (std::size_t i = 0; i < limits::log_queue_records_max; ++i) waiting.push_back(start(log->append(entry("n"))));
    EXPECT_EQ(append(entry("n")).error().code, Errc::busy);
    for (std::size_t i = 0; i < limits::log_queue_terminals_max; ++i) {
        waiting.push_back(start(log->append(entry("ended"), Log::Room::terminal)));
    }
    EXPECT_EQ(run(log->append(entry("ended"), Log::Room::terminal)).error().code, Errc::busy);
    disk->hang(false);
    for (const auto& one : waiting) ASSERT_TRUE(await(one));
    EXPECT_TRUE(append(entry("n")));
    EXPECT_TRUE(close());
}

TEST_F(LogTest, I13_OneSyncWritesAtMostOneBatch) {
    disk->hang(true);
    std::vector<std::shared_ptr<std::optional<Result<Receipt>>>> waiting{start(log->append(entry("first")))};
    disk->wait_for_hanging();
    const std::string text(60'000, 'x');
    constexpr std::size_t records = 2 * limits::log_batch_bytes_max / 60'000;
    for (std::size_t i = 0; i < records; ++i) waiting.push_back(start(log->append(entry("big", {{"text", text}}))));
    disk->hang(false);
    for (const auto& one : waiting) ASSERT_TRUE(await(one));
    ASSERT_TRUE(close());
    EXPECT_TRUE(verified().ok());
    EXPECT_EQ(verified().signatures, 3U + 2U);
    for (const auto& path : disk->paths()) EXPECT_LT(disk->read(path).size(), limits::segment_file_bytes_max);
}

// Each long text is a separate file with its own syncs: on a slow disk many of them would take longer than the limit
// for a sync.
TEST_F(LogTest, I13_OneSyncWritesAtMostABatchOfLongTexts) {
    const auto batches_of = [](std::size_t texts, std::size_t bytes) {
        LogWorld world;
        world.segment_bytes = 256 * 1024;
        EXPECT_TRUE(world.open());
        world.disk->hang(true);
        std::vector<std::shared_ptr<std::optional<Result<Receipt>>>> waiting{
            world.start(world.log->append(entry("n")))};
        world.disk->wait_for_hanging();
        for (std::size_t i = 0; i < texts; ++i) {
            auto request = entry("request");
            const auto text = std::to_string(i) + std::string(bytes, 'x');
            request.long_text = LogEntry::LongText{.hash = security::hex(security::sha256(text)), .text = text};
            waiting.push_back(world.start(world.log->append(request)));
        }
        world.disk->hang(false);
        for (const auto& one : waiting) EXPECT_TRUE(world.await(one));
        EXPECT_TRUE(world.close());
        EXPECT_TRUE(world.verified().ok());
        return world.verified().signatures - 3;  // without the start, the first and the stop
    };
    EXPECT_EQ(batches_of(limits::log_batch_texts_max, 10), 1U);
    EXPECT_EQ(batches_of(limits::log_batch_texts_max + 1, 10), 2U);
    EXPECT_EQ(batches_of(2, limits::log_batch_bytes_max / 2 - 5000), 1U);
    EXPECT_EQ(batches_of(2, limits::log_batch_bytes_max), 2U);
}

TEST_F(LogTest, SegmentsRotateBySizeAndLeaveNoZeros) {
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(append(entry("n", {{"text", std::string(500, 'x')}})));
    ASSERT_TRUE(close());
    const auto count = count_segments(*disk, directory);
    ASSERT_TRUE(count);
    EXPECT_GT(*count, 3U);
    for (std::uint64_t i = 0; i < *count; ++i) {
        const auto bytes = disk->read(directory + "/" + segment_name(i));
        EXPECT_LE(bytes.size(), segment_bytes);
        EXPECT_EQ(bytes.find('\0'), std::string::npos) << "grep and jq must work";
        EXPECT_TRUE(bytes.ends_with('\n'));
    }
    EXPECT_TRUE(verified().ok());
    EXPECT_EQ(verified().records, 102U);
    EXPECT_EQ(verified().checkpoint, 102U);
}

bool has_spare(fakes::MemoryFileSystem& disk) { return *disk.exists(directory + "/" + spare_name); }

std::size_t spare_bytes(fakes::MemoryFileSystem& disk) {
    return has_spare(disk) ? disk.read(directory + "/" + spare_name).size() : 0;
}

// Allocating all of it at once would delay the syncs of a hundred batches.
TEST_F(LogTest, TheNextSegmentIsAllocatedStepByStepWhileRecordsAreWritten) {
    std::vector<std::size_t> sizes;
    while (*count_segments(*disk, directory) == 1) {
        ASSERT_TRUE(append(entry("n"))) << "what is due after a batch is done before the next";
        if (const auto size = spare_bytes(*disk); sizes.empty() || sizes.back() != size) sizes.push_back(size);
    }
    ASSERT_GT(sizes.size(), 3U);
    EXPECT_TRUE(std::ranges::all_of(std::span{sizes}.first(sizes.size() - 1),
                                    [](std::size_t size) { return size % 4096 == 0 && size <= 16 * 1024; }));
    EXPECT_EQ(sizes.back(), 0U) << "it is a segment now";
    ASSERT_TRUE(close());
    EXPECT_TRUE(verified().ok());
}

TEST_F(LogTest, ANextSegmentThatIsNeededEarlyIsFirstCompleted) {
    LogWorld world;
    world.segment_bytes = 64 * 1024;
    ASSERT_TRUE(world.open());
    ASSERT_TRUE(world.append(entry("n", {{"text", std::string(20'000, 'x')}})));
    ASSERT_TRUE(world.append(entry("n")));
    EXPECT_GT(spare_bytes(*world.disk), 25'000U) << "it grows faster than what it comes after";
    EXPECT_LT(spare_bytes(*world.disk), world.segment_bytes);
    ASSERT_TRUE(world.append(entry("n", {{"text", std::string(60'000, 'x')}})));
    EXPECT_EQ(world.disk->read(directory + "/" + segment_name(1)).size(), world.segment_bytes);
    ASSERT_TRUE(world.close());
    EXPECT_TRUE(world.verified().ok());
}

TEST_F(LogTest, TheNextSegmentIsPreparedEarlyAndIsNotASegmentUntilNeeded) {
    const auto fill = [&](const auto& until) {
        for (int i = 0; i < 100 && !until(); ++i) {
            ASSERT_TRUE(append(entry("n", {{"text", std::string(500, 'x')}})));
            ASSERT_TRUE(append(entry("n"))) << "what is due after a batch is done before the next";
        }
        ASSERT_TRUE(until());
    };
    fill([&] { return spare_bytes(*disk) == segment_bytes; });
    EXPECT_EQ(*count_segments(*disk, directory), 1U);
    EXPECT_EQ(disk->read(directory + "/" + spare_name), std::string(segment_bytes, '\0'));
    fill([&] { return *count_segments(*disk, directory) == 2; });
    EXPECT_FALSE(has_spare(*disk)) << "it has its own name now";
    EXPECT_EQ(disk->read(directory + "/" + segment_name(1)).size(), segment_bytes);
    fill([&] { return has_spare(*disk); });
    ASSERT_TRUE(close());
    EXPECT_FALSE(has_spare(*disk)) << "nobody needs it any more";
    EXPECT_TRUE(verified().ok());
}

// The errand could be retried, but a disk that fails there can't be trusted with records either.
TEST_F(LogTest, I1_ANextSegmentThatCannotBeSyncedPoisonsTheLog) {
    std::vector<std::string> told;
    log->on_poisoned([&](const Error& why) { told.push_back(why.detail); });
    disk->fail_next("begin_sync");
    std::uint64_t promised = 0;
    for (int i = 0; i < 100 && !disk->has_failed(); ++i) {
        const auto receipt = append(entry("n", {{"text", std::string(500, 'x')}}));
        if (receipt) promised = receipt->seq;
    }
    ASSERT_TRUE(disk->has_failed());
    EXPECT_EQ(append(entry("after")).error().code, Errc::unavailable) << "nothing is promised after it";
    ASSERT_EQ(told.size(), 1U);
    EXPECT_NE(told[0].find("injected: begin_sync"), std::string::npos) << told[0];
    EXPECT_FALSE(close());

    kill();
    ASSERT_TRUE(open());
    const auto found = records();
    ASSERT_GT(found.size(), promised) << "what was promised before is there";
    EXPECT_EQ(found[promised].kind, "n");
    EXPECT_EQ(std::ranges::count(found, "after", &Record::kind), 0);
    EXPECT_FALSE(has_spare(*disk)) << "what was left half made is no segment";
    EXPECT_TRUE(append(entry("n")));
}

// Its bytes may already be on disk, but without its name they can't be found.
TEST_F(LogTest, I1_TheFirstBatchOfASegmentIsNotPromisedBeforeItsNameIsOnDisk) {
    for (const auto on : {Errands::On::callers_thread, Errands::On::when_heard, Errands::On::own_thread}) {
        LogWorld world;
        world.errands = on;
        ASSERT_TRUE(world.open());
        std::uint64_t promised = 0;
        world.disk->fail_next("sync_directory");
        for (int i = 0; i < 200 && !world.disk->has_failed(); ++i) {
            const auto receipt = world.append(entry("n", {{"text", std::string(500, 'x')}}));
            ASSERT_EQ(receipt.has_value(), !world.disk->has_failed());
            if (receipt) promised = receipt->seq + 1;
        }
        ASSERT_TRUE(world.disk->has_failed());
        EXPECT_GT(promised, 10U);
        EXPECT_EQ(world.append(entry("after")).error().code, Errc::unavailable);
        for (std::uint64_t seed = 0; seed < 16; ++seed) {
            LogWorld next;
            next.disk = world.disk->after_power_cut(seed);
            ASSERT_TRUE(next.open()) << seed;
            EXPECT_GE(next.records().size(), promised) << seed;
        }
    }
}

TEST_F(LogTest, ErrandsOnTheirOwnThreadLeaveTheSameLog) {
    LogWorld busy;
    busy.errands = Errands::On::own_thread;
    ASSERT_TRUE(busy.open());
    for (int i = 0; i < 300; ++i) ASSERT_TRUE(busy.append(entry("n", {{"text", std::string(500, 'x')}})));
    ASSERT_TRUE(busy.close());
    const auto count = count_segments(*busy.disk, directory);
    ASSERT_TRUE(count);
    EXPECT_GT(*count, 8U);
    for (std::uint64_t i = 0; i < *count; ++i) {
        EXPECT_EQ(busy.disk->read(directory + "/" + segment_name(i)).find('\0'), std::string::npos) << i;
    }
    EXPECT_FALSE(has_spare(*busy.disk));
    EXPECT_TRUE(busy.verified().ok());
    EXPECT_EQ(busy.verified().records, 302U);
}

std::uint64_t checkpoint_size(fakes::MemoryFileSystem& disk) {
    const auto text = open_note(disk.read(directory + "/checkpoint"), signer().key());
    return text ? parse_checkpoint(*text, origin)->size : 0;
}

TEST_F(LogTest, I13_TheCheckpointFileIsABoundedNumberOfBatchesBehind) {
    const auto path = directory + "/checkpoint";
    const auto at_start = disk->read(path);
    EXPECT_EQ(checkpoint_size(*disk), 1U);
    for (std::size_t i = 1; i < limits::checkpoint_batches_max; ++i) ASSERT_TRUE(append(entry("n")));
    EXPECT_EQ(disk->read(path), at_start);
    ASSERT_TRUE(append(entry("n")));
    ASSERT_TRUE(append(entry("n"))) << "written before the batch after it, and after its own sync";
    EXPECT_EQ(checkpoint_size(*disk), 1 + limits::checkpoint_batches_max);
}

TEST_F(LogTest, I13_BetweenTwoCheckpointFilesThereIsAPauseForAnyNumberOfBatches) {
    LogWorld busy;
    busy.checkpoint_pause = std::chrono::hours{1};
    ASSERT_TRUE(busy.open());
    for (std::size_t i = 0; i < 3 * limits::checkpoint_batches_max; ++i) ASSERT_TRUE(busy.append(entry("n")));
    EXPECT_EQ(checkpoint_size(*busy.disk), 1U) << "the one that the start wrote";
    ASSERT_TRUE(busy.close());
    EXPECT_EQ(busy.verified().checkpoint, 3 * limits::checkpoint_batches_max + 2);
}

TEST_F(LogTest, I13_ADueCheckpointFileIsWrittenEvenIfNoMoreRecordsCome) {
    const auto path = directory + "/checkpoint";
    LogWorld quiet;
    quiet.checkpoint_pause = std::chrono::milliseconds{100};
    ASSERT_TRUE(quiet.open());
    for (std::size_t i = 0; i < limits::checkpoint_batches_max; ++i) ASSERT_TRUE(quiet.append(entry("n")));
    const auto first = quiet.disk->read(path);
    for (std::size_t i = 0; i < limits::checkpoint_batches_max; ++i) ASSERT_TRUE(quiet.append(entry("n")));
    while (quiet.disk->read(path) == first) std::this_thread::yield();
    EXPECT_TRUE(quiet.close());
}

TEST_F(LogTest, AShortWriteIsContinued) {
    disk->write_at_most(7);
    EXPECT_TRUE(append(entry("n")));
    EXPECT_TRUE(close());
    EXPECT_TRUE(verified().ok());
}

TEST_F(LogTest, ClosingWritesWaitingRecordsAndRefusesLaterOnes) {
    disk->hang(true);
    const auto before = start(log->append(entry("before")));
    const auto closing = start(log->close());
    const auto after = start(log->append(entry("after")));
    disk->hang(false);
    EXPECT_TRUE(await(closing));
    EXPECT_TRUE(**before);
    EXPECT_EQ((**after).error().code, Errc::unavailable);
    EXPECT_THAT(kinds(), ElementsAre("start", "before", "stop"));
}

TEST_F(LogTest, ClosingWaitsForTheBatchBeingWrittenAndTheNextOne) {
    disk->hang(true);
    std::vector<std::shared_ptr<std::optional<Result<Receipt>>>> waiting{start(log->append(entry("on its way")))};
    disk->wait_for_hanging();
    for (int i = 0; i < 3; ++i) waiting.push_back(start(log->append(entry("made"))));
    const auto closing = start(log->close());
    disk->hang(false);
    EXPECT_TRUE(await(closing));
    for (const auto& one : waiting) EXPECT_TRUE(one->value().has_value());
    EXPECT_THAT(kinds(), ElementsAre("start", "on its way", "made", "made", "made", "stop"));
    EXPECT_TRUE(verified().ok());
}

TEST_F(LogTest, ARecordSaysHowMuchWasOnDiskWhenItWasMade) {
    disk->hang(true);
    const auto first = start(log->append(entry("first")));
    disk->wait_for_hanging();
    const auto second = start(log->append(entry("second")));
    disk->hang(false);
    ASSERT_TRUE(await(first) && await(second));
    ASSERT_TRUE(append(entry("third")));
    const auto found = records();
    ASSERT_EQ(found.size(), 4U);
    EXPECT_EQ(found[1].synced, 1U);
    EXPECT_EQ(found[2].synced, 2U) << "it waited for the first one's sync";
    EXPECT_EQ(found[3].synced, 3U);
}

// Batches of every size, across segments and checkpoint files, each made while the previous one is written.
TEST_F(LogTest, UnderLoadRecordsAreInTheOrderOfTheCallsAndVerify) {
    constexpr int waiters = 64;
    constexpr int rounds = 40;
    int called = 0;
    int done = 0;
    std::vector<int> answered_for(waiters * rounds, -1);
    const auto appending = [&]() -> boost::asio::awaitable<void> {
        for (int round = 0; round < rounds; ++round) {
            const int call = called++;
            const auto receipt = co_await log->append(entry("n", {{"call", call}}));
            if (receipt) answered_for[static_cast<std::size_t>(call)] = static_cast<int>(receipt->seq);
        }
        ++done;
    };
    for (int i = 0; i < waiters; ++i) boost::asio::co_spawn(context(), appending(), boost::asio::detached);
    while (done < waiters) context().run_one();
    ASSERT_TRUE(close());
    for (int call = 0; call < waiters * rounds; ++call) {
        ASSERT_EQ(answered_for[static_cast<std::size_t>(call)], call + 1);
    }
    EXPECT_TRUE(verified().ok());
    const auto found = records();
    ASSERT_EQ(found.size(), waiters * rounds + 2U);
    for (std::size_t i = 1; i + 1 < found.size(); ++i) ASSERT_EQ(found[i].number("call"), i - 1);
}

// Expecting a record changes nothing that is written, no matter how often it is done and whether the record comes. This
// test shows only that; the benchmark shows whether it is faster.
TEST_F(LogTest, AnExpectedRecordIsWrittenLikeAnyOther) {
    for (int call = 0; call < 100; ++call) {
        log->expect();
        if (call % 3 == 0) log->expect();
        if (call % 4 == 0) std::this_thread::sleep_for(2 * limits::log_stir_max);  // it comes late
        ASSERT_TRUE(append(entry("n", {{"call", call}})));
    }
    log->expect();  // and it never comes
    ASSERT_TRUE(close());
    log->expect();
    EXPECT_TRUE(verified().ok());
    const auto found = records();
    ASSERT_EQ(found.size(), 102U);
    for (std::size_t i = 1; i + 1 < found.size(); ++i) ASSERT_EQ(found[i].number("call"), i - 1);
}

TEST_F(LogTest, ALingeringRecordIsWrittenTogetherWithAnExpectedOne) {
    LogWorld world;
    world.linger = std::chrono::hours{1};
    ASSERT_TRUE(world.open());
    for (int call = 0; call < 20; ++call) {
        const auto lingers = world.start(world.log->append(entry("note"), Log::Room::ordinary, Haste::soon));
        world.log->expect();
        ASSERT_TRUE(world.append(entry("n")));
        ASSERT_TRUE(world.await(lingers));
    }
    ASSERT_TRUE(world.close());
    EXPECT_EQ(world.verified().signatures, 1U + 20U + 1U);
}

TEST_F(LogTest, I1_RecordsMadeWhileASyncFailsAreRefusedAndNeverWritten) {
    disk->hang(true);
    std::vector<std::shared_ptr<std::optional<Result<Receipt>>>> waiting{start(log->append(entry("first")))};
    disk->wait_for_hanging();
    for (int i = 0; i < 10; ++i) waiting.push_back(start(log->append(entry("behind"))));
    disk->fail(0);  // the sync that hangs
    const auto calls = disk->calls();
    disk->hang(false);
    for (const auto& one : waiting) EXPECT_EQ(await(one).error().code, Errc::unavailable);
    EXPECT_FALSE(close());
    log.reset();
    EXPECT_EQ(disk->calls(), calls + 1) << "the sync was the last call";
    for (const auto& path : disk->paths()) EXPECT_EQ(disk->read(path).find("behind"), std::string::npos);
}

TEST_F(LogTest, AHandlerAddedAfterThePoisoningIsCalledToo) {
    disk->fail(0, true);
    EXPECT_EQ(append(entry("n")).error().code, Errc::unavailable);
    EXPECT_EQ(log->health().error().code, Errc::unavailable);
    int told = 0;
    log->on_poisoned([&](const Error&) { ++told; });
    poll();
    EXPECT_EQ(told, 1);
    EXPECT_FALSE(close());
}

TEST_F(LogTest, ALongTextIsStoredBeforeItsRecord) {
    const std::string text(limits::record_display_bytes_max + 1, 'x');
    const auto hash = security::hex(security::sha256(text));
    auto request = entry("request", {{"requestId", "r"}, {"displayHash", hash}});
    request.long_text = LogEntry::LongText{.hash = hash, .text = text};
    ASSERT_TRUE(append(request));
    ASSERT_TRUE(append(request)) << "the same text is kept once";
    auto wrong = request;
    wrong.long_text->hash = "../../etc/passwd";
    EXPECT_EQ(append(wrong).error().code, Errc::internal);
    auto large = request;
    large.long_text->text.assign(limits::record_text_bytes_max + 1, 'x');
    EXPECT_EQ(append(large).error().code, Errc::too_large);
    auto largest = request;
    largest.long_text->text.assign(limits::record_text_bytes_max, 'x');
    largest.long_text->hash = security::hex(security::sha256(largest.long_text->text));
    EXPECT_TRUE(append(largest));
    ASSERT_TRUE(close());
    const auto path = directory + "/text/" + hash;
    EXPECT_EQ(disk->read(path), text);
    EXPECT_EQ(verified().texts, 3U);
    EXPECT_TRUE(verified().ok());

    disk->write(path, text + "y");
    EXPECT_FALSE(verified().ok());
    EXPECT_EQ(verified().first_bad_seq, 1U);
    ASSERT_TRUE(disk->remove(path));
    EXPECT_FALSE(verified().ok());
}

// Fails each call of the file system in turn, once and permanently, from the first call of open() to the last of
// close().
TEST(LogFaults, I1_AfterAnyFailedCallNothingIsPromisedAndEarlierPromisesAreKept) {
    std::size_t calls_needed = 0;
    for (const bool forever : {false, true}) {
        for (std::size_t nth = 0;; nth += forever ? 7 : 1) {
            LogWorld world;
            world.segment_bytes = 2048;
            world.disk->fail(nth, forever);
            std::vector<std::uint64_t> promised;
            int poisoned = 0;
            if (world.open()) {
                world.log->on_poisoned([&](const Error&) { ++poisoned; });
                for (int i = 0; i < 70; ++i) {
                    const bool failed_before = world.disk->has_failed();
                    const auto receipt = world.append(entry("n", {{"i", i}}));
                    ASSERT_FALSE(failed_before && receipt) << "call " << nth << ", append " << i;
                    if (receipt) promised.push_back(receipt->seq);
                }
                const bool closed = world.close().has_value();
                EXPECT_NE(closed, world.disk->has_failed());
                EXPECT_EQ(poisoned, world.disk->has_failed() ? 1 : 0);
            } else {
                EXPECT_TRUE(world.disk->has_failed());
            }
            const bool all_calls_done = !world.disk->has_failed();

            // Restarted from the data that a reader sees, and then from the data that a power cut leaves of it.
            world.kill();
            ASSERT_TRUE(world.open()) << "call " << nth;
            ASSERT_TRUE(world.append(entry("after")));
            world.log.reset();
            for (std::uint64_t seed = 0; seed < 2; ++seed) {
                LogWorld later;
                later.disk = world.disk->after_power_cut(seed);
                const auto opened = later.open();
                ASSERT_TRUE(opened) << "call " << nth << ": " << describe(opened.error());
                const auto found = later.records();
                for (const auto seq : promised) {
                    ASSERT_LT(seq, found.size()) << "call " << nth;
                    EXPECT_EQ(found[seq].kind, "n");
                }
                EXPECT_EQ(std::ranges::count(found, "after", &Record::kind), 1);
                ASSERT_TRUE(later.close());
            }
            if (all_calls_done) {
                calls_needed = nth;
                break;
            }
        }
    }
    EXPECT_GT(calls_needed, 150U);
}

TEST_F(LogTest, SilenceIsSignedToo) {
    const std::chrono::milliseconds interval = std::chrono::minutes{15};
    log->beat(interval);
    poll();
    clock.advance(interval / 2);
    ASSERT_TRUE(append(entry("n")));
    clock.advance(interval / 2);
    poll();
    EXPECT_THAT(kinds(), ElementsAre("start", "n")) << "something was written meanwhile";
    for (int beats = 1; beats <= 2; ++beats) {
        clock.advance(interval);
        // Until the heartbeat timer and the watchdog of its write are waiting again.
        do {
            poll();
        } while (clock.sleepers() < 2);
        EXPECT_EQ(std::ranges::count(kinds(), "heartbeat"), beats);
    }
    poll();
    ASSERT_TRUE(close());
    EXPECT_THAT(kinds(), ElementsAre("start", "n", "heartbeat", "heartbeat", "stop"));
}

TEST_F(LogTest, TheCheckpointCoversTheRecordsOnDisk) {
    const auto check = [&](std::uint64_t size) {
        const auto& [tree, note] = log->checkpoint();
        EXPECT_EQ(tree.size, size);
        const auto text = open_note(note, signer().key());
        ASSERT_TRUE(text);
        EXPECT_EQ(parse_checkpoint(*text, origin)->root, tree.root);
        EXPECT_EQ(parse_checkpoint(*text, origin)->size, size);
    };
    check(1);
    const auto receipt = append(entry("n"));
    ASSERT_TRUE(receipt);
    check(2);
    EXPECT_EQ(receipt->size, 2U);
    EXPECT_EQ(receipt->root, security::base64(log->checkpoint().tree.root));
    disk->hang(true);
    const auto waiting = start(log->append(entry("n")));
    check(2);
    disk->hang(false);
    ASSERT_TRUE(await(waiting));
    check(3);
    ASSERT_TRUE(close());
    check(4);
}

TEST_F(LogTest, AReceiptNamesTheTreeOfItsRoot) {
    ASSERT_TRUE(close());
    linger = std::chrono::hours{1};
    ASSERT_TRUE(open());
    const auto first = start(log->append(entry("n"), Log::Room::ordinary, Haste::soon));
    const auto second = start(log->append(entry("n"), Log::Room::ordinary, Haste::soon));
    const auto third = start(log->append(entry("n")));
    const std::vector<Result<Receipt>> receipts{await(first), await(second), await(third)};
    for (const auto& receipt : receipts) {
        ASSERT_TRUE(receipt);
        const Anchor anchor{.size = receipt->size,
                            .root = security::hex(*security::base64_decode(receipt->root)).substr(0, 16)};
        const auto found = verify(*disk, directory, {.key = signer().key(), .anchors = {anchor}});
        ASSERT_TRUE(found);
        EXPECT_NE(found->verdict, Verification::Verdict::broken) << found->why;
        EXPECT_EQ(receipt->size, receipts[2]->seq + 1) << "they went along together, under one root";
    }
}

TEST_F(LogTest, AnchorAndHeartbeatRecordsAreNotCountedAsEvents) {
    int heard = 0;
    log->on_written([&] { ++heard; });
    EXPECT_EQ(log->happened(), 1U) << "the start";
    ASSERT_TRUE(append(entry("n")));
    EXPECT_EQ(log->happened(), 2U);
    EXPECT_EQ(heard, 1);
    ASSERT_TRUE(append(entry("anchor")));
    ASSERT_TRUE(append(entry("heartbeat")));
    EXPECT_EQ(log->happened(), 2U);
    EXPECT_EQ(heard, 3);
    EXPECT_FALSE(append(entry("n", {{"text", std::string(limits::record_bytes_max, 'x')}})));
    EXPECT_EQ(log->happened(), 2U) << "it was no record";
}

}  // namespace
}  // namespace countersign::audit
