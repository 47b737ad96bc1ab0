// SPDX-License-Identifier: Apache-2.0
#include "app/host.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::app {
namespace {

namespace asio = boost::asio;
using testing::ElementsAre;

struct World {
    std::vector<std::string> heard;
    int running = 0;       // starts that are running
    int most_running = 0;  // at the same time
};

struct FakePart final : Part {
    FakePart(World& of, std::string called, Result<void> result) : world{of}, name{std::move(called)}, starts{result} {}
    ~FakePart() override { hear("destroyed"); }
    asio::awaitable<Result<void>> start() override {
        world.most_running = std::max(world.most_running, ++world.running);
        co_await asio::post(co_await asio::this_coro::executor, asio::use_awaitable);
        --world.running;
        hear("started");
        co_return starts;
    }
    asio::awaitable<void> stop_front() override { co_return hear("front stopped"); }
    asio::awaitable<void> finish() override { co_return hear("finished"); }
    void hear(const std::string& what) { world.heard.push_back(name + " " + what); }
    World& world;
    std::string name;
    Result<void> starts;
};

struct HostTest : testing::Test {
    void add(const std::string& name, const Result<void>& starts = {}) {
        host->parts.push_back(std::make_unique<FakePart>(world, name, starts));
    }
    Result<void> run(asio::awaitable<Result<void>> work) {
        Result<void> result = Error{Errc::internal, "no result"};
        asio::co_spawn(host->io, std::move(work),
                       [&](const std::exception_ptr&, const Result<void>& came_of_it) { result = came_of_it; });
        host->io.run();
        host->io.restart();
        return result;
    }
    World world;
    std::unique_ptr<Host> host = std::make_unique<Host>();
};

TEST_F(HostTest, PartsStartConcurrentlyAndOnce) {
    add("one");
    add("two");
    EXPECT_TRUE(run(start_parts(*host)));
    EXPECT_EQ(world.most_running, 2);
    add("three");
    EXPECT_TRUE(run(start_parts(*host)));
    EXPECT_TRUE(run(start_parts(*host)));
    EXPECT_THAT(world.heard, ElementsAre("one started", "two started", "three started"));
}

TEST_F(HostTest, TheFirstPartOfTheListThatCannotStartGivesTheError) {
    add("one");
    add("two", Error{Errc::missing_secret, "two is unknown"});
    add("three", Error{Errc::unavailable, "three is away"});
    const auto started = run(start_parts(*host));
    ASSERT_FALSE(started);
    EXPECT_EQ(started.error().detail, "two is unknown");
}

TEST_F(HostTest, AllFrontsStopBeforeAnyPartFinishesAndTheLastIsDestroyedFirst) {
    add("one");
    add("two");
    EXPECT_TRUE(run(close_all(*host)));
    host.reset();
    EXPECT_THAT(world.heard, ElementsAre("one front stopped", "two front stopped", "one finished", "two finished",
                                         "two destroyed", "one destroyed"));
}

}  // namespace
}  // namespace countersign::app
