// SPDX-License-Identifier: Apache-2.0
// The promises of the assembled program, on a real directory with a clock moved by hand.
#include "app/bridge.hpp"

#include "audit/leaves.hpp"
#include "audit/record.hpp"
#include "tests/fakes/fake_clock.hpp"
#include "tests/fakes/world.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <stdlib.h>

namespace countersign::app {
namespace {

namespace asio = boost::asio;
namespace fs = std::filesystem;
using testing::ElementsAre;

class BridgeTest : public testing::Test {
protected:
    BridgeTest() {
        auto name = (fs::temp_directory_path() / "countersign-bridge-XXXXXX").string();
        directory = ::mkdtemp(name.data());
        auto given = std::make_unique<fakes::FakeClock>();
        clock = given.get();
        auto opened =
            Bridge::open(io, {.state = directory / "state",
                              .configuration = std::make_shared<const Configuration>(fakes::small_configuration()),
                              .command = "test",
                              .clock = std::move(given)});
        if (opened) bridge = std::move(*opened);
    }
    ~BridgeTest() override {
        bridge.reset();
        fs::remove_all(directory);
    }
    // Waits until the log has this many records on disk; false if that doesn't happen.
    bool written(std::uint64_t records) {
        io.restart();
        while (bridge->log().checkpoint().tree.size < records) {
            if (io.run_one_for(std::chrono::seconds{10}) == 0) return false;
        }
        io.poll();
        return true;
    }
    bool close() {
        std::optional<bool> closed;
        asio::co_spawn(io, bridge->close(),
                       [&](const std::exception_ptr&, const Result<void>& result) { closed = result.has_value(); });
        io.restart();
        while (!closed) io.run_one();
        return *closed;
    }
    std::vector<std::string> kinds() {
        std::vector<std::string> found;
        const auto read = audit::each_leaf(audit::posix_file_system(), directory / "state" / "audit",
                                           bridge->log().checkpoint().tree.size, [&](std::string_view json) {
                                               found.push_back(audit::parse_record(json)->kind);
                                               return Result<void>{};
                                           });
        EXPECT_TRUE(read);
        return found;
    }
    fs::path directory;
    asio::io_context io;
    fakes::FakeClock* clock = nullptr;
    std::unique_ptr<Bridge> bridge;
};

// Silence is signed: if nothing happens, a running hub still writes a heartbeat within two intervals.
TEST_F(BridgeTest, AnIdleHubWritesHeartbeats) {
    ASSERT_TRUE(bridge);
    ASSERT_TRUE(written(2)) << "start and config";
    for (int i = 0; i < 2; ++i) {
        clock->advance(audit::Log::heartbeat_interval);
        io.poll();
    }
    ASSERT_TRUE(written(3));
    clock->advance(audit::Log::heartbeat_interval);
    ASSERT_TRUE(written(4));
    ASSERT_TRUE(close());
    EXPECT_THAT(kinds(), ElementsAre("start", "config", "heartbeat", "heartbeat", "stop"));
}

}  // namespace
}  // namespace countersign::app
