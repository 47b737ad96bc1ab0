// SPDX-License-Identifier: Apache-2.0
// A sidecar and its hub over a real socket: requests of an adapter in one process are decided in another.
#include "channels/order_words.hpp"
#include "sidecar/client.hpp"
#include "sidecar/server.hpp"
#include "tests/fakes/orphans.hpp"
#include "tests/fakes/world.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

namespace countersign::sidecar {
namespace {

namespace asio = boost::asio;
using fakes::FakeRuntime;
using fakes::orphan_of;
using fakes::shell_request;
using fakes::World;
using testing::HasSubstr;

using namespace std::chrono_literals;

// A hub that counts how often it was told that a session has ended.
struct Overheard final : Asking {
    explicit Overheard(Asking& heard) : hub{heard} {}
    asio::awaitable<Result<Ulid>> ask(Request request, Runtime& from) override {
        return hub.ask(std::move(request), from);
    }
    void withdraw(const Ulid& id, const Runtime& from, std::string why) override {
        hub.withdraw(id, from, std::move(why));
    }
    void gone(Runtime& from, const Asker& who, std::string why) override { hub.gone(from, who, std::move(why)); }
    void session_ended(const Runtime& from, const Asker& who, std::string failure) override {
        ++sessions_ended;
        hub.session_ended(from, who, std::move(failure));
    }
    void unreadable(const std::string& agent_id, const Error& why) override { hub.unreadable(agent_id, why); }
    void unasked(const UnaskedCall& call) override { hub.unasked(call); }

    Asking& hub;
    int sessions_ended = 0;
};

class SidecarTest : public testing::Test {
protected:
    void SetUp() override {
        auto pattern = (std::filesystem::temp_directory_path() / "countersign-XXXXXX").string();
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        directory = pattern;
        auto opened = Server::open(world.io.get_executor(), directory + "/hub.sock", world.hub.asking(), world.clock,
                                   rules, complain());
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
    std::unique_ptr<SidecarClient> connect(const std::string& own_rules = rules) {
        return connect(own_rules, world.clock);
    }
    std::unique_ptr<SidecarClient> connect(const std::string& own_rules, Clock& own_clock) {
        auto opened =
            SidecarClient::open(world.io.get_executor(), directory + "/hub.sock", own_rules, own_clock, complain());
        EXPECT_TRUE(opened);
        return opened ? std::move(*opened) : nullptr;
    }
    // Until nothing is left to do: data that one side wrote is read by the other on the next turn.
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

    Result<void> joined(SidecarClient& one, std::chrono::milliseconds deadline = limits::sidecar_join_max) {
        Result<void> answer = Error{Errc::internal, "no answer"};
        asio::co_spawn(world.io, one.joined(deadline),
                       [&](const std::exception_ptr&, Result<void> said) { answer = std::move(said); });
        settle();
        return answer;
    }
    void end(std::unique_ptr<SidecarClient> one) {
        asio::co_spawn(world.io, one->close(), asio::detached);
        settle();
    }

    inline static const std::string rules = "fingerprint-of-the-hub";
    World world;
    fakes::FakeClock later;  // the clock of a sidecar that was stopped for a while
    std::string directory;
    std::unique_ptr<Server> server;
    std::unique_ptr<SidecarClient> client;
    FakeRuntime agent;
    std::vector<std::string> complaints;
};

TEST_F(SidecarTest, ItsRequestsAreDecidedInTheHubAndAnsweredHere) {
    const auto id = world.ids.next();
    ASSERT_TRUE(ask(shell_request(id), agent));
    EXPECT_EQ(world.ops.presented.size(), 1U);
    ASSERT_TRUE(world.ask(shell_request(world.ids.next(), "pwd"))) << "the hub's own agent at the same time";
    world.hub.submit(world.click(id, "allow"), {});
    settle();
    ASSERT_EQ(agent.forwarded.size(), 1U);
    EXPECT_EQ(agent.forwarded[0].outcome, Outcome::allowed);
    EXPECT_EQ(agent.forwarded[0].args_hash, "hash-of-ls");
    EXPECT_TRUE(world.agent.forwarded.empty());
    EXPECT_EQ(world.ledger.count("forwarded"), 1U) << "recorded once the sidecar's agent has it";
}

TEST_F(SidecarTest, I8_AnAllowForASessionOutlivesTheHooksThatAskAndEndsWithTheSession) {
    const Asker session{.agent_id = "dev", .session_key = "s1"};
    const auto hook = [&] {
        auto opened = SidecarClient::open(world.io.get_executor(), directory + "/hub.sock", rules, world.clock,
                                          complain(), session, true);
        EXPECT_TRUE(opened);
        return std::move(*opened);
    };
    end(std::exchange(client, hook()));
    const auto id = world.ids.next();
    ASSERT_TRUE(ask(shell_request(id), agent));
    world.hub.submit(world.click(id, "session"), {});
    settle();
    ASSERT_EQ(world.hub.grants().all().size(), 1U);
    end(std::exchange(client, hook()));
    ASSERT_EQ(world.hub.grants().all().size(), 1U) << "only the process has ended";

    FakeRuntime again;
    ASSERT_TRUE(ask(shell_request(world.ids.next()), again));
    settle();
    ASSERT_EQ(again.forwarded.size(), 1U);
    EXPECT_EQ(again.forwarded[0].outcome, Outcome::allowed);

    end(std::exchange(client, hook()));
    client->session_over({.agent_id = "dev", .session_key = "s2"}, "the session ended");
    settle();
    EXPECT_EQ(world.hub.grants().all().size(), 1U) << "another session has ended";
    client->session_over(session, "the session ended");
    settle();
    EXPECT_TRUE(world.hub.grants().all().empty());
    EXPECT_EQ(world.ledger.text("revoke", "principal"), "session:ended");
}

TEST_F(SidecarTest, WhatWasQueuedIsSentBeforeTheConnectionCloses) {
    const auto id = world.ids.next();
    ASSERT_TRUE(ask(shell_request(id), agent));
    // More than the socket takes at once.
    for (int i = 0; i < 8; ++i) client->unreadable("dev", {Errc::malformed, std::string(400'000, 'x')});
    client->withdraw(id, agent, "answered at the terminal");
    end(std::move(client));
    for (int turn = 0; turn < 20; ++turn) settle();
    EXPECT_EQ(world.ledger.text("ended", "outcome"), "withdrawn");
    client = connect();
}

TEST_F(SidecarTest, AListingOfTheOutboxIsAnsweredAndItsClientIsNotASidecar) {
    end(std::move(client));
    server->on_list_outbox([] { return json::Value{json::Object{{"deadLettersTotal", 3}}}; });
    Result<Message> answer = Error{Errc::internal, "no answer"};
    asio::local::stream_protocol::socket socket{world.io};
    socket.connect(asio::local::stream_protocol::endpoint{directory + "/hub.sock"});
    Connection connection{std::move(socket)};
    ASSERT_TRUE(connection.write(Message{ListOutbox{}}));
    asio::co_spawn(world.io, connection.run_writer(), asio::detached);
    asio::co_spawn(world.io, connection.read(),
                   [&](const std::exception_ptr&, Result<Message> said) { answer = std::move(said); });
    settle();
    ASSERT_TRUE(answer) << describe(answer.error());
    EXPECT_EQ(std::get<OutboxListed>(*answer).listing, (json::Value{json::Object{{"deadLettersTotal", 3}}}));
    EXPECT_EQ(server->sidecars(), 0U);
    EXPECT_EQ(server->connections(), 1U);
    connection.close();
    settle();
    EXPECT_EQ(server->connections(), 0U);
    EXPECT_TRUE(complaints.empty());
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

TEST_F(SidecarTest, I1_AnAnswerThatReachesASidecarTooLateIsNotGiven) {
    later.advance(world.clock.boot() - later.boot() + limits::sidecar_verdict_max);
    end(std::move(client));
    client = connect(rules, later);
    const auto id = world.ids.next();
    ASSERT_TRUE(ask(shell_request(id), agent));
    world.hub.submit(world.click(id, "allow"), {});
    settle();
    ASSERT_EQ(agent.forwarded.size(), 1U);
    EXPECT_EQ(agent.forwarded[0].outcome, Outcome::lost);
    EXPECT_EQ(agent.forwarded[0].option_id, "deny");
    EXPECT_EQ(world.ledger.count("forwarded"), 0U);
    EXPECT_EQ(world.ledger.count("forward_failed"), 1U);
}

TEST_F(SidecarTest, I15_AnotherSidecarCannotWithdrawIt) {
    const auto id = world.ids.next();
    ASSERT_TRUE(ask(shell_request(id), agent));
    auto other = connect();
    settle();
    const FakeRuntime stranger;
    other->withdraw(id, stranger, "mine");
    client->withdraw(id, stranger, "mine");
    settle();
    EXPECT_EQ(world.hub.pending(), 1U);
    end(std::move(other));
}

TEST_F(SidecarTest, AWithdrawalAndTheEndOfAnAgentReachTheHub) {
    const auto first = world.ids.next();
    const auto second = world.ids.next();
    ASSERT_TRUE(ask(shell_request(first), agent));
    ASSERT_TRUE(ask(shell_request(second), agent));
    client->withdraw(first, agent, "changed its mind");
    settle();
    EXPECT_EQ(world.ledger.text("ended", "outcome"), "withdrawn");
    client->gone(agent, {}, "it ended");
    settle();
    EXPECT_EQ(world.ledger.text("ended", "outcome"), "lost");
    EXPECT_EQ(world.hub.pending(), 0U);
    EXPECT_TRUE(agent.forwarded.empty());
}

TEST_F(SidecarTest, TheEndOfAnAgentIsReportedWhereItsSessionWasShown) {
    ASSERT_TRUE(ask(shell_request(world.ids.next()), agent));
    client->gone(agent, {}, "it ended");
    client->session_ended(agent, {}, "exited with 1");
    settle();
    ASSERT_EQ(world.ops.sessions_ended.size(), 1U);
    EXPECT_EQ(world.ops.sessions_ended[0].failure, "exited with 1");
    EXPECT_EQ(world.ops.sessions_ended[0].session_key, "s1");
}

// The hub identifies a sidecar by its address, and a sidecar that is gone may have had the same address.
TEST_F(SidecarTest, ASidecarThatNeverAskedHasNoSessionToEnd) {
    Overheard overheard{world.hub.asking()};
    server->close();
    settle();
    server.reset();
    auto opened =
        Server::open(world.io.get_executor(), directory + "/hub.sock", overheard, world.clock, rules, complain());
    ASSERT_TRUE(opened);
    server = std::move(*opened);
    asio::co_spawn(world.io, server->run(), asio::detached);
    client = connect();
    client->session_ended(agent, {}, "exited with 1");
    settle();
    EXPECT_EQ(overheard.sessions_ended, 0);
    ASSERT_TRUE(ask(shell_request(world.ids.next()), agent));
    client->session_ended(agent, {}, "exited with 1");
    settle();
    EXPECT_EQ(overheard.sessions_ended, 1);
    end(std::move(client));
    server->close();
    settle();
    server.reset();
}

TEST_F(SidecarTest, I12_ASidecarThatDiesLosesOnlyItsOwnRequests) {
    ASSERT_TRUE(ask(shell_request(world.ids.next()), agent));
    ASSERT_TRUE(world.ask(shell_request(world.ids.next())));
    asio::co_spawn(world.io, client->close(), asio::detached);
    settle();
    EXPECT_EQ(world.hub.pending(), 1U);
    EXPECT_EQ(world.ledger.text("ended", "outcome"), "lost");
}

TEST_F(SidecarTest, AHubThatComesBackIsFoundAgain) {
    server->close();
    settle();
    server.reset();
    auto opened = Server::open(world.io.get_executor(), directory + "/hub.sock", world.hub.asking(), world.clock, rules,
                               complain());
    ASSERT_TRUE(opened);
    server = std::move(*opened);
    asio::co_spawn(world.io, server->run(), asio::detached);
    EXPECT_TRUE(ask(shell_request(world.ids.next()), agent));
    EXPECT_EQ(world.ops.presented.size(), 1U);
}

// The hub dies, and a later one starts with the data that the log of the first one contains.
class SidecarRestartTest : public SidecarTest {
protected:
    void TearDown() override {
        if (again) again->close();
        settle_both();
        SidecarTest::TearDown();
    }
    void kill_hub() {
        server->close();
        settle();
        server.reset();
    }
    void start_next(const std::string& own_rules = rules) {
        auto opened = Server::open(next.io.get_executor(), directory + "/hub.sock", next.hub.asking(), next.clock,
                                   own_rules, complain());
        ASSERT_TRUE(opened) << describe(opened.error());
        again = std::move(*opened);
        asio::co_spawn(next.io, again->run(), asio::detached);
        settle_both();
    }
    void settle_both() {
        for (int turn = 0; turn < 20; ++turn) {
            world.settle();
            next.settle();
        }
    }
    void pass(std::chrono::milliseconds time) {
        world.clock.advance(time);
        next.clock.advance(time);
        settle_both();
    }

    World next;
    std::unique_ptr<Server> again;
};

TEST_F(SidecarRestartTest, I12_ADeadHubIsWaitedForAndNothingRuns) {
    ASSERT_TRUE(ask(shell_request(world.ids.next()), agent));
    kill_hub();
    EXPECT_THAT(complaints.at(0), HasSubstr("nothing runs until one is back"));
    EXPECT_THAT(complaints.at(0), HasSubstr("1 request waits"));
    pass(24h);
    EXPECT_TRUE(agent.forwarded.empty());
    const auto id = world.ids.next();
    EXPECT_EQ(ask(shell_request(id), agent).value(), id) << "what is asked now waits too, and whoever asks goes on";
    pass(24h);
    EXPECT_TRUE(agent.forwarded.empty());
    EXPECT_EQ(client->open(), 2U);
    EXPECT_EQ(complaints.size(), 1U) << "said once";
}

TEST_F(SidecarRestartTest, I12_AnOpenRequestContinuesInTheNextHubAndIsAnsweredOnce) {
    const auto request = shell_request(world.ids.next());
    ASSERT_TRUE(ask(request, agent));
    kill_hub();
    next.hub.await_orphans({orphan_of(request, {})});
    start_next();
    EXPECT_EQ(next.hub.pending(), 0U) << "it looks again only after a pause";
    pass(limits::sidecar_retry_first);
    EXPECT_EQ(next.ledger.count("resumed"), 1U);
    EXPECT_THAT(complaints.back(), HasSubstr("the hub is back; 1 request goes on there"));
    next.hub.submit(next.click(request.id, "allow"), {});
    settle_both();
    ASSERT_EQ(agent.forwarded.size(), 1U);
    EXPECT_EQ(agent.forwarded[0].outcome, Outcome::allowed);
    EXPECT_EQ(next.ledger.count("forwarded"), 1U);
    EXPECT_EQ(client->open(), 0U);
    EXPECT_FALSE(client->went_without_hub());
}

TEST_F(SidecarRestartTest, I12_ARequestThatTheDeadHubHadNotRecordedIsAskedAgain) {
    world.ledger.hold(true);
    std::optional<Result<Ulid>> answer;
    const auto id = world.ids.next();
    begin_ask(shell_request(id), agent, answer);
    ASSERT_FALSE(answer);
    kill_hub();
    EXPECT_EQ(answer.value().value(), id) << "nobody is left waiting in ask";
    ASSERT_TRUE(ask(shell_request(world.ids.next(), "make"), agent)) << "and this one the dead hub never heard of";
    start_next();
    pass(limits::sidecar_retry_first);
    EXPECT_EQ(next.ledger.count("request"), 2U);
    EXPECT_EQ(next.hub.pending(), 2U);
}

TEST_F(SidecarRestartTest, I12_AnAllowLostInTheCrashIsNeverGivenAndTheAgentIsToldSo) {
    const auto request = shell_request(world.ids.next());
    ASSERT_TRUE(ask(request, agent));
    kill_hub();
    const Winner winner{Outcome::allowed, "alice", "ops", next.clock.wall()};
    next.hub.remember_earlier({request.id});
    next.hub.remember_ended({{request.id, request.agent_id, request.args_hash.hex, winner}});
    start_next();
    pass(limits::sidecar_retry_first);
    ASSERT_EQ(agent.forwarded.size(), 1U);
    EXPECT_EQ(agent.forwarded[0].outcome, Outcome::lost);
    EXPECT_EQ(agent.forwarded[0].option_id, "deny");
    EXPECT_THAT(agent.forwarded[0].reason, HasSubstr("already allowed by alice"));
    EXPECT_THAT(agent.forwarded[0].reason, HasSubstr("not run, please retry"));
    EXPECT_EQ(next.ledger.count("request"), 0U);
    EXPECT_EQ(client->open(), 0U);
}

// An agent that reads slowly.
class SlowAgent final : public Runtime {
public:
    explicit SlowAgent(asio::io_context& io) : reads_{io, asio::steady_timer::time_point::max()} {}
    asio::awaitable<Result<void>> forward(Verdict verdict) override {
        heard.push_back(std::move(verdict));
        boost::system::error_code ignored;
        co_await reads_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        co_return Result<void>{};
    }
    void read() { reads_.cancel(); }
    std::vector<Verdict> heard;

private:
    asio::steady_timer reads_;
};

TEST_F(SidecarRestartTest, I1_AnAnswerThatIsBeingGivenWhenTheHubDiesIsNotRequestedAgain) {
    SlowAgent slow{world.io};
    const auto id = world.ids.next();
    asio::co_spawn(world.io, client->ask(shell_request(id), slow), asio::detached);
    settle();
    world.hub.submit(world.click(id, "allow"), {});
    settle();
    ASSERT_EQ(slow.heard.size(), 1U);
    kill_hub();
    start_next();
    pass(limits::sidecar_retry_first);
    EXPECT_TRUE(client->connected());
    EXPECT_EQ(next.ledger.count("request"), 0U);
    slow.read();
    settle_both();
    EXPECT_EQ(slow.heard.size(), 1U);
    EXPECT_EQ(client->open(), 0U);
    client->gone(slow, {}, "it ended");
}

TEST_F(SidecarRestartTest, I12_AHubThatComesBackLateIsFoundWithinTheLongestPause) {
    ASSERT_TRUE(ask(shell_request(world.ids.next()), agent));
    kill_hub();
    for (int i = 0; i < 100; ++i) pass(1s);
    start_next();
    pass(limits::sidecar_retry_max);
    EXPECT_EQ(next.hub.pending(), 1U);
}

TEST_F(SidecarRestartTest, I12_AnOrderlyStopOfTheHubLosesNothingAndRefusesNothing) {
    const auto request = shell_request(world.ids.next());
    ASSERT_TRUE(ask(request, agent));
    world.stop();
    std::optional<Result<Ulid>> late;
    begin_ask(shell_request(world.ids.next(), "make"), agent, late);
    kill_hub();
    settle();
    EXPECT_TRUE(agent.forwarded.empty());
    EXPECT_TRUE(late.value());
    EXPECT_EQ(world.ledger.count("ended"), 0U) << "the next hub finds it open";
    next.hub.await_orphans({orphan_of(request, {})});
    start_next();
    pass(limits::sidecar_retry_first);
    EXPECT_EQ(next.hub.pending(), 2U);
    EXPECT_EQ(next.ledger.count("resumed"), 1U);
    EXPECT_EQ(next.ledger.count("request"), 1U);
}

TEST_F(SidecarRestartTest, I15_ANextHubWithOtherRulesIsAskedNothingAndTheAgentIsToldSo) {
    ASSERT_TRUE(ask(shell_request(world.ids.next()), agent));
    kill_hub();
    start_next("fingerprint-of-other-rules");
    pass(limits::sidecar_retry_first);
    ASSERT_EQ(agent.forwarded.size(), 1U);
    EXPECT_EQ(agent.forwarded[0].outcome, Outcome::lost);
    EXPECT_THAT(complaints.back(), HasSubstr("does not take us"));
    EXPECT_EQ(next.ledger.count("request"), 0U);
    EXPECT_TRUE(client->went_without_hub());
}

TEST_F(SidecarRestartTest, I12_ARequestsOwnTimeoutRunsWhileTheHubIsAway) {
    auto request = shell_request(world.ids.next());
    request.timeout = std::chrono::minutes{5};
    ASSERT_TRUE(ask(request, agent));
    kill_hub();
    pass(std::chrono::minutes{5} - 1ms);
    EXPECT_TRUE(agent.forwarded.empty());
    pass(limits::sidecar_retry_max);
    ASSERT_EQ(agent.forwarded.size(), 1U);
    EXPECT_EQ(agent.forwarded[0].outcome, Outcome::lost);
    EXPECT_THAT(agent.forwarded[0].reason, HasSubstr("its time is over"));
    EXPECT_EQ(client->open(), 0U);
}

TEST_F(SidecarRestartTest, RequestsWithdrawnOrAbandonedWhileTheHubIsAwayAreNotAskedAgain) {
    const auto withdrawn = world.ids.next();
    ASSERT_TRUE(ask(shell_request(withdrawn), agent));
    ASSERT_TRUE(ask(shell_request(world.ids.next(), "make"), agent));
    kill_hub();
    client->withdraw(withdrawn, agent, "changed its mind");
    EXPECT_EQ(client->open(), 1U);
    EXPECT_FALSE(client->went_without_hub());
    client->gone(agent, {}, "it ended");
    EXPECT_EQ(client->open(), 0U);
    EXPECT_TRUE(client->went_without_hub());
    start_next();
    pass(limits::sidecar_retry_first);
    EXPECT_TRUE(client->connected());
    EXPECT_EQ(next.ledger.count("request"), 0U);
    EXPECT_TRUE(agent.forwarded.empty());
}

TEST_F(SidecarRestartTest, I13_OnePastTheBoundOfWaitingRequestsIsRefused) {
    settle();
    kill_hub();
    for (std::size_t i = 0; i < limits::sidecar_open_max; ++i) {
        auto id = world.ids.next();
        asio::co_spawn(world.io, client->ask(shell_request(id), agent), asio::detached);
    }
    settle();
    EXPECT_TRUE(agent.forwarded.empty());
    EXPECT_EQ(ask(shell_request(world.ids.next()), agent).error().code, Errc::busy);
    ASSERT_EQ(agent.forwarded.size(), 1U);
    EXPECT_EQ(agent.forwarded[0].outcome, Outcome::lost);
    EXPECT_EQ(client->open(), limits::sidecar_open_max);
}

TEST_F(SidecarRestartTest, I13_MoreRequestsThanTheSocketTakesAtOnceAreSentGradually) {
    settle();
    kill_hub();
    constexpr std::size_t count = 60;
    constexpr std::size_t bytes = 100 * 1024;
    static_assert(count * bytes > limits::sidecar_outgoing_bytes_max);
    for (std::size_t i = 0; i < count; ++i) {
        auto request = shell_request(world.ids.next());
        std::get<Approval>(request.body).display_text = std::string(bytes, 'x');
        ASSERT_TRUE(ask(request, agent));
    }
    start_next();
    for (int i = 0; i < 20; ++i) pass(limits::sidecar_retry_first);
    EXPECT_EQ(next.hub.pending(), count);
    EXPECT_TRUE(agent.forwarded.empty());
}

TEST_F(SidecarRestartTest, I13_ARequestThatNoHubCouldReadIsRefusedAndDelaysNoOther) {
    auto unreadable = shell_request(world.ids.next());
    unreadable.args_hash.hex = std::string(limits::session_key_bytes_max + 1, 'a');
    settle();
    EXPECT_EQ(ask(unreadable, agent).error().code, Errc::malformed);
    EXPECT_EQ(agent.forwarded.at(0).outcome, Outcome::lost);
    EXPECT_TRUE(client->connected());
    kill_hub();
    unreadable.id = world.ids.next();
    ASSERT_TRUE(ask(shell_request(world.ids.next()), agent));
    ASSERT_TRUE(ask(unreadable, agent));
    start_next();
    pass(limits::sidecar_retry_first);
    EXPECT_EQ(next.hub.pending(), 1U);
    ASSERT_EQ(agent.forwarded.size(), 2U);
    EXPECT_EQ(agent.forwarded[1].request_id, unreadable.id);
    EXPECT_EQ(agent.forwarded[1].outcome, Outcome::lost);
}

TEST_F(SidecarTest, ARequestThatTheHubTurnsAwayIsAnsweredAndReported) {
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

TEST_F(SidecarTest, I15_ASidecarWithOtherRulesIsTurnedAwayAndAsksNothing) {
    EXPECT_TRUE(joined(*client));
    auto other = connect("fingerprint-of-allow-everything");
    std::swap(client, other);
    std::optional<Result<Ulid>> answer;
    auto allowed = shell_request(world.ids.next());
    allowed.judgement.policy = {PolicyEffect::allow, "everything"};
    begin_ask(allowed, agent, answer);
    EXPECT_EQ(joined(*client).error().code, Errc::conflict);
    ASSERT_EQ(agent.forwarded.size(), 1U);
    EXPECT_EQ(agent.forwarded[0].outcome, Outcome::lost);
    EXPECT_EQ(world.ledger.count("request"), 0U);
    EXPECT_EQ(world.ledger.count("decision"), 0U);
    end(std::move(client));
    client = std::move(other);
    ASSERT_TRUE(ask(shell_request(world.ids.next()), agent)) << "the others are served";
}

TEST_F(SidecarTest, I15_AClientThatDoesNotSendItsRulesCannotAsk) {
    asio::local::stream_protocol::socket raw{world.io};
    raw.connect(asio::local::stream_protocol::endpoint{directory + "/hub.sock"});
    asio::write(raw, asio::buffer(print(Message{Ask{shell_request(world.ids.next())}}) + "\n"));
    settle();
    EXPECT_EQ(world.hub.pending(), 0U);
    EXPECT_THAT(complaints.at(0), HasSubstr("did not say by which rules"));
}

TEST_F(SidecarTest, I15_TheSameIdForAnotherCallIsAConflict) {
    const auto id = world.ids.next();
    ASSERT_TRUE(ask(shell_request(id), agent));
    EXPECT_EQ(ask(shell_request(id), agent).value(), id);
    EXPECT_EQ(ask(shell_request(id, "rm -rf /"), agent).error().code, Errc::conflict);
    auto another = shell_request(id);
    another.agent_id = "somebody-else";
    EXPECT_EQ(ask(another, agent).error().code, Errc::conflict);
    world.hub.submit(world.click(id, "allow"), {});
    settle();
    ASSERT_EQ(agent.forwarded.size(), 1U) << "the first one stands";
    EXPECT_EQ(agent.forwarded[0].args_hash, "hash-of-ls");
}

TEST_F(SidecarTest, AWithdrawalCompletesACallOfAskThatIsStillWaiting) {
    settle();
    world.ledger.hold(true);
    const auto id = world.ids.next();
    std::optional<Result<Ulid>> answer;
    begin_ask(shell_request(id), agent, answer);
    ASSERT_FALSE(answer) << "it is being recorded";
    client->withdraw(id, agent, "changed its mind");
    settle();
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->value(), id);
    world.ledger.hold(false);
    settle();
    EXPECT_EQ(world.hub.pending(), 0U);
}

TEST_F(SidecarTest, I13_ASilentHubIsNotWaitedFor) {
    const auto silent = directory + "/silent.sock";
    asio::local::stream_protocol::acceptor acceptor{world.io, asio::local::stream_protocol::endpoint{silent}};
    auto opened = SidecarClient::open(world.io.get_executor(), silent, rules, world.clock, complain());
    ASSERT_TRUE(opened);
    Result<void> answer;
    bool said = false;
    asio::co_spawn(world.io, (*opened)->joined(std::chrono::milliseconds{1}),
                   [&](const std::exception_ptr&, Result<void> result) {
                       answer = std::move(result);
                       said = true;
                   });
    while (!said) world.io.run_one();
    EXPECT_EQ(answer.error().code, Errc::timeout);
    end(std::move(*opened));
}

// A child process that became another user and gets a socket with the address of that path. Its exit code reports the
// result.
pid_t as_another_user(const std::string& path, const std::function<int(int socket, const sockaddr_un& address)>& act) {
    const pid_t child = ::fork();
    if (child != 0) return child;
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    if (::setgid(65534) != 0 || ::setuid(65534) != 0) ::_exit(2);
    ::_exit(act(::socket(AF_UNIX, SOCK_STREAM, 0), address));
}

// 4 if it received a byte, which none of the other codes is.
int heard(int socket) {
    char byte = 0;
    return ::read(socket, &byte, 1) == 1 ? 4 : 0;
}

// Only root can become another user. The file modes are opened, so that only the kernel's answer protects the hub.
TEST_F(SidecarTest, I15_APeerOfAnotherUserIsRefused) {
    if (::geteuid() != 0) GTEST_SKIP() << "needs root";
    settle();
    const auto path = directory + "/hub.sock";
    ASSERT_EQ(::chmod(directory.c_str(), 0755), 0);
    ASSERT_EQ(::chmod(path.c_str(), 0666), 0);
    const auto hello = print(Message{Hello{rules}}) + "\n";
    const auto before = server->connections();
    const pid_t child = as_another_user(path, [&](int peer, const sockaddr_un& address) {
        if (::connect(peer, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return 3;
        (void)!::write(peer, hello.data(), hello.size());
        return heard(peer);
    });
    ASSERT_GT(child, 0);
    int status = 0;
    while (::waitpid(child, &status, WNOHANG) == 0) settle();
    EXPECT_EQ(WEXITSTATUS(status), 0);
    settle();
    EXPECT_EQ(server->connections(), before);
}

TEST_F(SidecarTest, I15_AHubOfAnotherUserIsAskedNothing) {
    if (::geteuid() != 0) GTEST_SKIP() << "needs root";
    const auto path = directory + "/foreign.sock";
    ASSERT_EQ(::chmod(directory.c_str(), 0777), 0);
    int listens[2];
    ASSERT_EQ(::pipe(listens), 0);
    const pid_t child = as_another_user(path, [&](int hub, const sockaddr_un& address) {
        if (::bind(hub, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 || ::listen(hub, 1) != 0) {
            return 3;
        }
        ::alarm(20);
        (void)!::write(listens[1], "1", 1);
        return heard(::accept(hub, nullptr, nullptr));
    });
    ASSERT_GT(child, 0);
    char byte = 0;
    ASSERT_EQ(::read(listens[0], &byte, 1), 1);
    const auto opened = SidecarClient::open(world.io.get_executor(), path, rules, world.clock, complain());
    settle();
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(WEXITSTATUS(status), 0);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, Errc::not_authorised);
    EXPECT_THAT(opened.error().detail, HasSubstr(path + " belongs to uid 65534; it must be yours or root's"));
    for (const int end : listens) ::close(end);
}

// Sends one line to the hub and returns its answer.
Message said_to(World& world, const std::string& path, const Message& message) {
    asio::local::stream_protocol::socket raw{world.io};
    raw.connect(asio::local::stream_protocol::endpoint{path});
    asio::write(raw, asio::buffer(print(message) + "\n"));
    raw.non_blocking(true);
    std::string line;
    for (int turn = 0; turn < 40 && line.find('\n') == std::string::npos; ++turn) {
        world.settle();
        char bytes[4096];
        boost::system::error_code failed;
        line.append(bytes, raw.read_some(asio::buffer(bytes), failed));
    }
    const auto answer = parse(std::string_view{line}.substr(0, line.find('\n')));
    EXPECT_TRUE(answer) << line;
    return answer ? *answer : Message{};
}

TEST_F(SidecarTest, AHaltAnswersTheSidecarsAgentAndThenEndsItsTurn) {
    ASSERT_TRUE(ask(shell_request(world.ids.next()), agent));
    std::optional<Result<Carried>> carried;
    world.hub.order(world.halt("dev"), [&](const Result<Carried>& got) { carried = got; });
    settle();
    ASSERT_TRUE(carried && *carried);
    EXPECT_EQ((*carried)->denied, 1U);
    EXPECT_EQ((*carried)->interrupted, 1U);
    ASSERT_EQ(agent.forwarded.size(), 1U);
    EXPECT_EQ(agent.forwarded[0].reason, "halted by alice");
    EXPECT_THAT(agent.interrupted, testing::ElementsAre("halted by alice, after 1"));
    EXPECT_FALSE(ask(shell_request(world.ids.next(), "rm"), agent));
    EXPECT_EQ(agent.forwarded.at(1).outcome, Outcome::denied);
}

TEST_F(SidecarTest, TheTurnOfEachHaltedSessionIsEndedSeparately) {
    for (const auto* session : {"s1", "s2", "s3"}) {
        auto request = shell_request(world.ids.next());
        request.session_key = session;
        ASSERT_TRUE(ask(std::move(request), agent));
    }
    std::size_t ended = 0;
    for (const auto* session : {"s1", "s2"}) {
        world.hub.order(world.halt(session), [&](const Result<Carried>& got) { ended += got->interrupted; });
    }
    settle();
    EXPECT_EQ(ended, 2U);
    EXPECT_THAT(agent.interrupted_in, testing::UnorderedElementsAre(Asker{"dev", "s1"}, Asker{"dev", "s2"}));
}

TEST_F(SidecarTest, ASessionThatIsGoneLosesOnlyItsOwnRequests) {
    auto other = shell_request(world.ids.next());
    other.session_key = "s2";
    ASSERT_TRUE(ask(shell_request(world.ids.next()), agent));
    ASSERT_TRUE(ask(other, agent));
    client->gone(agent, {"dev", "s1"}, "the session was deleted");
    settle();
    ASSERT_EQ(world.hub.pending(), 1U);
    EXPECT_TRUE(world.decide(world.click(other.id, "allow")));
    settle();
    ASSERT_EQ(agent.forwarded.size(), 1U);
    EXPECT_EQ(agent.forwarded[0].request_id, other.id);
}

// The answer to an interrupt that timed out in the hub may arrive while the next one is on its way.
TEST_F(SidecarTest, AnAnswerToAnEarlierInterruptIsNotMistakenForThisOnes) {
    end(std::move(client));
    asio::local::stream_protocol::socket socket{world.io};
    socket.connect(asio::local::stream_protocol::endpoint{directory + "/hub.sock"});
    Connection connection{std::move(socket)};
    asio::co_spawn(world.io, connection.run_writer(), asio::detached);
    const auto request = shell_request(world.ids.next());
    ASSERT_TRUE(connection.write(Message{Hello{rules}}));
    ASSERT_TRUE(connection.write(Message{Ask{request}}));
    ASSERT_TRUE(connection.write(Message{Withdraw{request.id, "no longer"}}));
    settle();
    std::optional<Result<Carried>> carried;
    world.hub.order(world.halt("dev"), [&](const Result<Carried>& got) { carried = got; });
    settle();
    ASSERT_TRUE(connection.write(Message{Interrupted{.number = 99, .failed = std::nullopt, .detail = {}}}));
    settle();
    EXPECT_FALSE(carried) << "nobody knows yet";
    ASSERT_TRUE(connection.write(Message{Interrupted{.number = 1, .failed = Errc::unsupported, .detail = "no way"}}));
    settle();
    ASSERT_TRUE(carried && *carried);
    EXPECT_EQ((*carried)->interrupted, 0U);
    EXPECT_EQ((*carried)->not_interrupted, 1U);
    connection.close();
    settle();
}

TEST_F(SidecarTest, AnAgentWhoseTurnCannotBeEndedIsReported) {
    agent.interruptible = false;
    ASSERT_TRUE(ask(shell_request(world.ids.next()), agent));
    std::optional<Result<Carried>> carried;
    world.hub.order(world.halt("dev"), [&](const Result<Carried>& got) { carried = got; });
    settle();
    ASSERT_TRUE(carried && *carried);
    EXPECT_EQ((*carried)->not_interrupted, 1U);
}

TEST_F(SidecarTest, I4_AnOrderOfTheCommandLineIsFromTheHubsUserAndIsAuthorised) {
    const auto path = directory + "/hub.sock";
    const auto none = said_to(world, path, GiveOrder{.resume = false, .target = "dev"});
    ASSERT_TRUE(std::holds_alternative<OrderCarried>(none));
    EXPECT_EQ(std::get<OrderCarried>(none).failed, Errc::unsupported) << "nobody takes them here";
    server->take_orders(world.hub, [](const Order& order, const Result<Carried>& carried) {
        return channels::order_words(order, carried, {}).text();
    });
    const auto local = said_to(world, path, GiveOrder{.resume = false, .target = "dev"});
    EXPECT_THAT(std::get<OrderCarried>(local).said, HasSubstr("Halted: dev.")) << "the local operator may always halt";
    const auto refused = said_to(world, path, GiveOrder{.resume = true, .target = "dev"});
    ASSERT_TRUE(std::holds_alternative<OrderCarried>(refused));
    EXPECT_EQ(std::get<OrderCarried>(refused).failed, Errc::not_authorised) << "and may not resume";
    const auto principal = "terminal:" + std::to_string(::geteuid());
    EXPECT_EQ(world.ledger.text("refused", "principal"), principal);
    auto configuration = fakes::small_configuration();
    configuration.people["alice"].principals.push_back(principal);
    world.hub.reconfigure(std::make_shared<const Configuration>(configuration));
    EXPECT_NE(world.hub.halts().of({"dev", ""}), nullptr);
    const auto resumed = said_to(world, path, GiveOrder{.resume = true, .target = "dev"});
    EXPECT_EQ(std::get<OrderCarried>(resumed).said, "dev may ask again.");
    EXPECT_EQ(world.hub.halts().of({"dev", ""}), nullptr);
    EXPECT_EQ(world.ledger.text("halt", "channel"), "command line");
}

TEST_F(SidecarTest, InvalidInputClosesTheConnection) {
    asio::local::stream_protocol::socket raw{world.io};
    raw.connect(asio::local::stream_protocol::endpoint{directory + "/hub.sock"});
    settle();
    const auto before = server->connections();
    asio::write(raw, asio::buffer(std::string{"{\"type\":\"verdict\"}\n"}));
    settle();
    EXPECT_EQ(server->connections(), before - 1);
    EXPECT_THAT(complaints.at(0), HasSubstr("id"));
}

TEST_F(SidecarTest, I13_ALineOnePastTheBoundClosesTheConnection) {
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

TEST_F(SidecarTest, TheSocketIsOnlyForItsOwnerAndAnOldOneIsReplaced) {
    struct stat status{};
    ASSERT_EQ(::stat((directory + "/hub.sock").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0600U);
    const std::string left = directory + "/left.sock";
    std::ofstream{left} << "x";
    EXPECT_TRUE(Server::open(world.io.get_executor(), left, world.hub.asking(), world.clock, rules, complain()));
    EXPECT_FALSE(std::filesystem::exists(left)) << "and it goes with its server";
    const auto long_path = directory + "/" + std::string(sizeof(sockaddr_un::sun_path), 'x');
    EXPECT_EQ(Server::open(world.io.get_executor(), long_path, world.hub.asking(), world.clock, rules, complain())
                  .error()
                  .code,
              Errc::bad_config);
}

}  // namespace
}  // namespace countersign::sidecar
