// SPDX-License-Identifier: Apache-2.0
// Limits on connections to the hub's local socket, over real sockets: an agent that opens as many connections as it can
// must not keep the operator out.
#include "channels/order_words.hpp"
#include "sidecar/server.hpp"
#include "tests/fakes/world.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <filesystem>
#include <optional>
#include <unistd.h>

namespace countersign::sidecar {
namespace {

namespace asio = boost::asio;
using asio::local::stream_protocol;
using fakes::World;
using testing::HasSubstr;

// One connection to the hub, and the messages that it received.
struct Visitor {
    Visitor(World& world, const std::string& path) : connection{connected(world, path)} {
        asio::co_spawn(world.io, connection.run_writer(), asio::detached);
        asio::co_spawn(world.io, listen(), asio::detached);
    }
    static stream_protocol::socket connected(World& world, const std::string& path) {
        stream_protocol::socket socket{world.io};
        socket.connect(stream_protocol::endpoint{path});
        return socket;
    }
    asio::awaitable<void> listen() {
        for (;;) {
            auto message = co_await connection.read();
            if (!message) break;
            heard.push_back(std::move(*message));
        }
        gone = true;
    }
    Connection connection;
    std::vector<Message> heard;
    bool gone = false;
};

class SidecarPlacesTest : public testing::Test {
protected:
    void SetUp() override {
        auto pattern = (std::filesystem::temp_directory_path() / "countersign-XXXXXX").string();
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        directory = pattern;
        auto opened = Server::open(world.io.get_executor(), directory + "/hub.sock", world.hub.asking(), world.clock,
                                   "rules", [this](const std::string& what) { complaints.push_back(what); });
        ASSERT_TRUE(opened) << describe(opened.error());
        server = std::move(*opened);
        server->take_orders(world.hub, [](const Order& order, const Result<Carried>& carried) {
            return channels::order_words(order, carried, {}).text();
        });
        server->on_list_outbox([] { return json::Value{json::Object{}}; });
        asio::co_spawn(world.io, server->run(), asio::detached);
    }
    void TearDown() override {
        for (auto& visitor : visitors) visitor.connection.close();
        server->close();
        settle();
        visitors.clear();
        std::filesystem::remove_all(directory);
    }
    void settle() {
        for (int turn = 0; turn < 20; ++turn) world.settle();
    }
    Visitor& comes() {
        auto& visitor = visitors.emplace_back(world, directory + "/hub.sock");
        settle();
        return visitor;
    }
    Visitor& says(const Message& message) {
        auto& visitor = comes();
        EXPECT_TRUE(visitor.connection.write(message));
        settle();
        return visitor;
    }
    void comes_and_is_silent(std::size_t times) {
        for (std::size_t i = 0; i < times; ++i) comes();
    }
    bool halt_works() {
        const auto& halted = says(Message{GiveOrder{.resume = false, .target = "dev"}});
        if (halted.heard.size() != 1) return false;
        const auto* carried = std::get_if<OrderCarried>(&halted.heard.front());
        return carried != nullptr && !carried->failed && world.hub.halts().of({"dev", ""}) != nullptr;
    }

    World world;
    std::string directory;
    std::unique_ptr<Server> server;
    std::deque<Visitor> visitors;
    std::vector<std::string> complaints;
};

TEST_F(SidecarPlacesTest, I13_SilentConnectionsDoNotKeepAHaltOut) {
    comes_and_is_silent(2 * static_cast<std::size_t>(limits::sidecars_max));
    EXPECT_EQ(server->connections(), unintroduced_max) << "the older ones made room";
    EXPECT_TRUE(visitors.front().gone);
    EXPECT_FALSE(visitors.back().gone);
    EXPECT_TRUE(halt_works());
    EXPECT_EQ(world.ledger.text("halt", "person"), "uid " + std::to_string(::geteuid()) + " (local)");
}

TEST_F(SidecarPlacesTest, I13_OneSilentConnectionTooManyClosesTheOldest) {
    comes_and_is_silent(unintroduced_max);
    EXPECT_FALSE(visitors.front().gone);
    comes();
    EXPECT_TRUE(visitors.front().gone);
    EXPECT_FALSE(visitors[1].gone);
}

TEST_F(SidecarPlacesTest, I13_AConnectionThatSaysNothingEnds) {
    const auto& silent = comes();
    const auto& sidecar = says(Message{Hello{"rules"}});
    world.advance(introduction_max - std::chrono::milliseconds{1});
    settle();
    EXPECT_FALSE(silent.gone);
    world.advance(std::chrono::milliseconds{1});
    settle();
    EXPECT_TRUE(silent.gone);
    EXPECT_FALSE(sidecar.gone) << "it said what it is";
    EXPECT_EQ(server->sidecars(), 1U);
}

TEST_F(SidecarPlacesTest, I13_CommandsThatDoNotLeaveMakeRoomForOthersAndEnd) {
    for (std::size_t i = 0; i < local_commands_max; ++i) says(Message{ListOutbox{}});
    EXPECT_EQ(server->connections(), local_commands_max);
    EXPECT_FALSE(visitors.front().gone);
    EXPECT_TRUE(halt_works());
    EXPECT_TRUE(visitors.front().gone) << "one past the bound, the oldest goes";
    EXPECT_FALSE(visitors[1].gone);
    world.advance(answer_read_max);
    settle();
    EXPECT_EQ(server->connections(), 0U);
}

TEST_F(SidecarPlacesTest, I13_OneSidecarTooManyIsToldWhyAndACommandIsStillAccepted) {
    for (int i = 0; i < limits::sidecars_max; ++i) says(Message{Hello{"rules"}});
    EXPECT_EQ(server->sidecars(), static_cast<std::size_t>(limits::sidecars_max));
    const auto& refused = says(Message{Hello{"rules"}});
    ASSERT_EQ(refused.heard.size(), 1U);
    EXPECT_EQ(std::get<Welcome>(refused.heard[0]).failed, Errc::busy);
    EXPECT_EQ(std::get<Welcome>(refused.heard[0]).detail, "the hub already serves 256 agents, its limit");
    EXPECT_TRUE(halt_works());
    EXPECT_EQ(server->sidecars(), static_cast<std::size_t>(limits::sidecars_max)) << "none of them was closed";
}

TEST_F(SidecarPlacesTest, AnOrderIsCarriedOutEvenIfItsConnectionWasClosed) {
    world.ledger.hold(true);
    const auto& first = says(Message{GiveOrder{.resume = false, .target = "dev"}});
    for (std::size_t i = 0; i < local_commands_max; ++i) says(Message{ListOutbox{}});
    EXPECT_TRUE(first.gone);
    world.ledger.hold(false);
    settle();
    EXPECT_NE(world.hub.halts().of({"dev", ""}), nullptr);
    EXPECT_EQ(world.ledger.count("halt"), 2U) << "nobody has that name yet: an agent's, and a session's";
}

}  // namespace
}  // namespace countersign::sidecar
