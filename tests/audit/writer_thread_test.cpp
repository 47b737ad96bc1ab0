// SPDX-License-Identifier: Apache-2.0
#include "audit/writer_thread.hpp"

#include "tests/audit/log_world.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

namespace countersign::audit {
namespace {

// The number of results in each report, and a signal that everything is finished.
class WriterThreadTest : public testing::Test {
protected:
    static Item item(std::string kind) { return {.entry = entry(std::move(kind)), .ts = {}, .mono = {}}; }

    std::vector<std::size_t> written;  // by the thread, until it is finished
    std::promise<void> finished;
    std::atomic<bool> any_written = false;
    fakes::MemoryFileSystem disk;
    WriterThread writer{
        BatchWriter{
            {.files = disk, .directory = directory, .signer = signer(), .boot_id = "b", .segment_bytes = 64 * 1024},
            {}},
        limits::log_linger_max, [this](const WriterThread::Report& report) {
            if (report.finished) return finished.set_value();
            written.push_back(report.results.size());
            any_written = true;
        }};
};

TEST_F(WriterThreadTest, RecordsPushedWhileOthersAreReportedAreWrittenTogether) {
    {
        const WriterThread::Answering answering{writer};
        for (int i = 0; i < 5; ++i) writer.push(item("n"));
    }
    writer.finish();
    finished.get_future().wait();
    EXPECT_EQ(written, std::vector<std::size_t>{5});
}

TEST_F(WriterThreadTest, I13_ConsecutiveRecordsAreHeldBackExceptTheEighth) {
    const WriterThread::Answering answering{writer};
    for (int i = 0; i < 8; ++i) {
        EXPECT_FALSE(any_written);
        writer.push(item("n"));
    }
    while (!any_written) std::this_thread::yield();
    EXPECT_EQ(written, std::vector<std::size_t>{8});
}

TEST_F(WriterThreadTest, ALingeringRecordIsWrittenEvenIfAnotherIsAlwaysExpected) {
    auto lingers = item("n");
    lingers.haste = Haste::soon;
    writer.push(std::move(lingers));
    const auto last = std::chrono::steady_clock::now() + std::chrono::seconds{10};
    while (!any_written && std::chrono::steady_clock::now() < last) writer.stir();
    EXPECT_TRUE(any_written) << "the others never come";
}

TEST_F(WriterThreadTest, RecordsPushedBeforeTheEndAreWritten) {
    const WriterThread::Answering answering{writer};
    writer.push(item("n"));
    writer.finish();
    finished.get_future().wait();
    EXPECT_EQ(written, std::vector<std::size_t>{1});
}

}  // namespace
}  // namespace countersign::audit
