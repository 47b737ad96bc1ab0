// SPDX-License-Identifier: Apache-2.0
// A sidecar and its hub over a real socket: what an adapter asks in one process is decided in another.
#include "app/sidecar/client.hpp"
#include "app/sidecar/server.hpp"
#include "tests/fakes/world.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/write.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace countersign::app::sidecar {
namespace {

namespace asio = boost::asio;
using fakes::FakeRuntime;
using fakes::shell_request;
using fakes::World;
using testing::HasSubstr;

class SidecarTest : public testing::Test {
protected:
    void SetUp() override {
        auto pattern = (std::filesystem::temp_directory_path() / "countersign-XXXXXX").string();
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        directory = pattern;
        auto opened = Server::open(world.io.get_executor(), directory + "/hub.sock", world.hub, complain());
        ASSERT_TRUE(opened) << describe(opened.error());
        server = std::move(*opened);
        asio::co_spawn(world.io, server->run(), asio::detached);
        client = connect();
    }
    void TearDown() override {
        if (server) server->close();
        settle();
        std::filesystem::remove_all(directory);
    }
    std::function<void(const std::string&)> complain() {
        return [this](const std::string& what) { complaints.push_back(what); };
    }
    std::unique_ptr<Client> connect() {
        auto opened = Client::open(world.io.get_executor(), directory + "/hub.sock", complain());
        EXPECT_TRUE(opened);
        return opened ? std::move(*opened) : nullptr;
    }
    // Until nothing is left to do: what one side wrote, the other reads on the next turn.
    void settle() {
        for (int turn = 0; turn < 20; ++turn) world.settle();
    }
    void begin_ask(Request request, FakeRuntime& from, std::optional<Result<Ulid>>& answer) {
        asio::co_spawn(world.io, client->ask(std::move(request), from),
                       [&](const std::exception_ptr&, Result<Ulid> asked) { answer = std::move(asked); });
        settle();
    }
    Result<Ulid> ask(Request request, FakeRuntime& from) {
        std::optional<Result<Ulid>> answer;
        begin_ask(std::move(request), from, answer);
        return answer.value_or(Error{Errc::timeout, "no answer"});
    }

    World world;
    std::string directory;
    std::unique_ptr<Server> server;
    std::unique_ptr<Client> client;
    FakeRuntime agent;
    std::vector<std::string> complaints;
};

TEST_F(SidecarTest, WhatItAsksIsDecidedInTheHubAndAnsweredHere) {
    const auto id = world.ids.next();
    ASSERT_TRUE(ask(shell_request(id), agent));
    EXPECT_EQ(world.ops.presented.size(), 1U);
    ASSERT_TRUE(world.ask(shell_request(world.ids.next()))) << "the hub's own agent at the same time";
    world.hub.submit(world.click(id, "allow"), {});
    settle();
    ASSERT_EQ(agent.forwarded.size(), 1U);
    EXPECT_EQ(agent.forwarded[0].outcome, Outcome::allowed);
    EXPECT_EQ(agent.forwarded[0].args_hash, "hash-of-ls");
    EXPECT_TRUE(world.agent.forwarded.empty());
    EXPECT_EQ(world.ledger.count("forwarded"), 1U) << "recorded once the sidecar's agent has it";
}

TEST_F(SidecarTest, AnAgentThatCannotBeAnsweredIsRecordedAsSuch) {
    const auto id = world.ids.next();
    ASSERT_TRUE(ask(shell_request(id), agent));
    agent.broken = true;
    world.hub.submit(world.click(id, "allow"), {});
    settle();
    EXPECT_EQ(world.ledger.count("forward_failed"), 1U);
    EXPECT_EQ(world.ledger.count("forwarded"), 0U);
}

TEST_F(SidecarTest, AWithdrawalAndAGoneAgentReachTheHub) {
    const auto first = world.ids.next();
    const auto second = world.ids.next();
    ASSERT_TRUE(ask(shell_request(first), agent));
    ASSERT_TRUE(ask(shell_request(second), agent));
    client->withdraw("dev", first, "changed its mind");
    settle();
    EXPECT_EQ(world.ledger.text("ended", "outcome"), "withdrawn");
    client->gone(agent, "it ended");
    settle();
    EXPECT_EQ(world.ledger.text("ended", "outcome"), "lost");
    EXPECT_EQ(world.hub.pending(), 0U);
    EXPECT_TRUE(agent.forwarded.empty());
}

TEST_F(SidecarTest, I12_ASidecarThatDiesLosesItsRequestsOnly) {
    ASSERT_TRUE(ask(shell_request(world.ids.next()), agent));
    ASSERT_TRUE(world.ask(shell_request(world.ids.next())));
    asio::co_spawn(world.io, client->close(), asio::detached);
    settle();
    EXPECT_EQ(world.hub.pending(), 1U);
    EXPECT_EQ(world.ledger.text("ended", "outcome"), "lost");
}

TEST_F(SidecarTest, I2_AHubThatDiesAllowsNothing) {
    ASSERT_TRUE(ask(shell_request(world.ids.next()), agent));
    server->close();
    settle();
    ASSERT_EQ(agent.forwarded.size(), 1U);
    EXPECT_EQ(agent.forwarded[0].outcome, Outcome::lost);
    EXPECT_EQ(agent.forwarded[0].option_id, "deny");
    server.reset();
    EXPECT_EQ(ask(shell_request(world.ids.next()), agent).error().code, Errc::unavailable);
    EXPECT_EQ(agent.forwarded.at(1).outcome, Outcome::lost) << "what is asked later is answered too";
}

TEST_F(SidecarTest, AHubThatComesBackIsFoundAgain) {
    server->close();
    settle();
    server.reset();
    auto opened = Server::open(world.io.get_executor(), directory + "/hub.sock", world.hub, complain());
    ASSERT_TRUE(opened);
    server = std::move(*opened);
    asio::co_spawn(world.io, server->run(), asio::detached);
    EXPECT_TRUE(ask(shell_request(world.ids.next()), agent));
    EXPECT_EQ(world.ops.presented.size(), 1U);
}

TEST_F(SidecarTest, WhatTheHubTurnsAwayIsAnsweredAndSaid) {
    const auto id = world.ids.next();
    ASSERT_TRUE(ask(shell_request(id), agent));
    EXPECT_EQ(ask(shell_request(id), agent).value(), id) << "asked twice is asked once";
    auto other = connect();
    std::swap(client, other);
    EXPECT_EQ(ask(shell_request(id, "rm -rf /"), agent).error().code, Errc::conflict);
    client->unreadable("dev", {Errc::malformed, "no JSON"});
    settle();
    EXPECT_EQ(world.ledger.text("unreadable", "detail"), "no JSON");
    asio::co_spawn(world.io, other->close(), asio::detached);
    asio::co_spawn(world.io, client->close(), asio::detached);
    settle();
}

TEST_F(SidecarTest, WhoSendsGarbageLosesTheConnection) {
    asio::local::stream_protocol::socket raw{world.io};
    raw.connect(asio::local::stream_protocol::endpoint{directory + "/hub.sock"});
    settle();
    const auto before = server->connections();
    asio::write(raw, asio::buffer(std::string{"{\"type\":\"verdict\"}\n"}));
    settle();
    EXPECT_EQ(server->connections(), before - 1);
    EXPECT_THAT(complaints.at(0), HasSubstr("id"));
}

TEST_F(SidecarTest, I13_ALineOnePastTheBoundEndsTheConnection) {
    asio::local::stream_protocol::socket raw{world.io};
    raw.connect(asio::local::stream_protocol::endpoint{directory + "/hub.sock"});
    raw.non_blocking(true);
    settle();
    const auto before = server->connections();
    std::string line(limits::sidecar_line_bytes_max + 1, 'x');
    line += '\n';
    std::size_t sent = 0;
    while (sent < line.size()) {
        boost::system::error_code failed;
        sent += raw.write_some(asio::buffer(line.data() + sent, line.size() - sent), failed);
        if (failed && failed != asio::error::would_block) break;
        world.settle();
    }
    settle();
    EXPECT_EQ(server->connections(), before - 1);
}

TEST_F(SidecarTest, TheSocketIsForItsOwnerAloneAndAnOldOneIsReplaced) {
    struct stat status{};
    ASSERT_EQ(::stat((directory + "/hub.sock").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0600U);
    const std::string left = directory + "/left.sock";
    std::ofstream{left} << "x";
    EXPECT_TRUE(Server::open(world.io.get_executor(), left, world.hub, complain()));
    EXPECT_FALSE(std::filesystem::exists(left)) << "and it goes with its server";
    const auto long_path = directory + "/" + std::string(sizeof(sockaddr_un::sun_path), 'x');
    EXPECT_EQ(Server::open(world.io.get_executor(), long_path, world.hub, complain()).error().code, Errc::bad_config);
}

}  // namespace
}  // namespace countersign::app::sidecar
