// SPDX-License-Identifier: Apache-2.0
#include "audit/writer_thread.hpp"

#include "tests/audit/log_world.hpp"

#include <gtest/gtest.h>

#include <future>

namespace countersign::audit {
namespace {

// How many results each report brought, and then that all is finished.
class WriterThreadTest : public testing::Test {
protected:
    static Item item(std::string kind) { return {.entry = entry(std::move(kind)), .ts = {}, .mono = {}}; }

    std::vector<std::size_t> written;  // by the thread, until it is finished
    std::promise<void> finished;
    fakes::MemoryFileSystem disk;
    WriterThread writer{
        BatchWriter{
            {.files = disk, .directory = directory, .signer = signer(), .boot_id = "b", .segment_bytes = 64 * 1024},
            {}},
        limits::log_linger_max, [this](const WriterThread::Report& report) {
            if (report.finished) return finished.set_value();
            written.push_back(report.results.size());
        }};
};

TEST_F(WriterThreadTest, WhatIsPushedWhileOthersAreToldGoesOverTogether) {
    {
        const WriterThread::Answering answering{writer};
        for (int i = 0; i < 5; ++i) writer.push(item("n"));
    }
    writer.finish();
    finished.get_future().wait();
    EXPECT_EQ(written, std::vector<std::size_t>{5});
}

TEST_F(WriterThreadTest, WhatWasPushedBeforeTheEndIsWritten) {
    const WriterThread::Answering answering{writer};
    writer.push(item("n"));
    writer.finish();
    finished.get_future().wait();
    EXPECT_EQ(written, std::vector<std::size_t>{1});
}

}  // namespace
}  // namespace countersign::audit
