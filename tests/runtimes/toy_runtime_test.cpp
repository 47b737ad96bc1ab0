// SPDX-License-Identifier: Apache-2.0
// A runtime built from the kit, and the real hub with fake people: asked, allowed, denied, withdrawn, gone.
#include "tests/runtimes/toy_runtime.hpp"

#include "tests/fakes/message_pipe.hpp"
#include "tests/fakes/orphans.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::runtimes {
namespace {

namespace asio = boost::asio;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string asks(const std::string& id, const std::string& command, const std::string& session = "s1") {
    return R"({"id":)" + id + R"(,"method":"ask","params":{"session":")" + session + R"(","command":")" + command +
           "\"}}";
}
std::string answer(const std::string& id, const std::string& decision) {
    return R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":{"decision":")" + decision + "\"}}";
}
std::string withdraws(const std::string& id) { return R"({"method":"withdrawn","params":{"id":)" + id + "}}"; }

class ToyRuntimeTest : public testing::Test {
protected:
    ToyRuntimeTest() {
        std::tie(ours, agent) = fakes::MessagePipe::pair(world.io.get_executor());
        toy = std::make_unique<ToyRuntime>(*ours, world.io.get_executor(), world.hub.asking(), world.ids);
        asio::co_spawn(world.io, toy->run(), [this](const std::exception_ptr& failed) {
            EXPECT_EQ(failed, nullptr);
            ended = true;
        });
    }
    ~ToyRuntimeTest() override {
        world.ledger.hold(false);
        agent->close();
        world.settle();
        EXPECT_TRUE(ended);
    }
    void say(const std::string& message) {
        agent->push(message);
        world.settle();
    }
    std::vector<std::string> heard() {
        std::vector<std::string> messages;
        for (const auto& message : agent->arrived()) messages.push_back(*message);
        return messages;
    }
    void click(std::size_t shown, const std::string& option) {
        EXPECT_TRUE(world.decide(world.click(world.ops.presented.at(shown).request->id, option)));
    }

    fakes::World world;
    std::unique_ptr<fakes::MessagePipe> ours;
    std::unique_ptr<fakes::MessagePipe> agent;
    std::unique_ptr<ToyRuntime> toy;
    bool ended = false;
};

TEST_F(ToyRuntimeTest, ARequestIsAllowedOrDeniedUnderItsOwnId) {
    say(asks("0", "ls"));
    say(asks("\"b\"", "rm"));
    ASSERT_EQ(world.ops.presented.size(), 2U);
    EXPECT_EQ(world.ops.presented[0].request->agent_id, "dev");
    EXPECT_THAT(heard(), IsEmpty());
    click(1, "deny");
    click(0, "allow");
    EXPECT_THAT(heard(), ElementsAre(answer("\"b\"", "deny"), answer("0", "allow")));
    EXPECT_EQ(world.ledger.count("forwarded"), 2U);
}

TEST_F(ToyRuntimeTest, I1_NothingIsAnsweredBeforeItIsLoggedAndReadingContinuesMeanwhile) {
    world.ledger.hold(true);
    say(asks("0", "ls"));
    say(R"({"id":1,"method":"unknown"})");
    EXPECT_THAT(heard(), ElementsAre(HasSubstr("-32601"))) << "it was read though the log hangs";
    EXPECT_THAT(world.ops.presented, IsEmpty());
    world.ledger.hold(false);
    world.settle();
    world.ledger.fail_next();
    EXPECT_FALSE(world.decide(world.click(world.ops.presented.at(0).request->id, "allow")));
    ASSERT_EQ(heard().size(), 2U);
    EXPECT_EQ(heard()[1], answer("0", "deny"));
}

TEST_F(ToyRuntimeTest, AWithdrawnRequestIsConcludedAndNotAnswered) {
    say(asks("0", "ls"));
    say(withdraws("0"));
    ASSERT_EQ(world.ops.concluded.size(), 1U);
    EXPECT_EQ(world.ops.concluded[0].outcome, Outcome::withdrawn);
    EXPECT_THAT(heard(), IsEmpty());
    say(asks("0", "ls -l"));
    click(1, "allow");
    EXPECT_THAT(heard(), ElementsAre(answer("0", "allow"))) << "the id can be used again";
}

TEST_F(ToyRuntimeTest, ARequestWithdrawnBeforeItIsRecordedIsNotShown) {
    world.ledger.hold(true);
    agent->push(asks("0", "ls"));
    say(withdraws("0"));
    world.ledger.hold(false);
    world.settle();
    EXPECT_EQ(world.ledger.text("ended", "outcome"), "withdrawn");
    EXPECT_THAT(world.ops.presented, IsEmpty());
    EXPECT_THAT(heard(), IsEmpty());
}

TEST_F(ToyRuntimeTest, WhenTheAgentIsGoneItsRequestsAreLost) {
    say(asks("0", "ls"));
    agent->close();
    world.settle();
    EXPECT_TRUE(ended);
    ASSERT_EQ(world.ops.concluded.size(), 1U);
    EXPECT_EQ(world.ops.concluded[0].outcome, Outcome::lost);
    EXPECT_EQ(world.hub.pending(), 0U);
}

TEST_F(ToyRuntimeTest, WhenOneSessionIsGoneTheOthersContinue) {
    say(asks("0", "ls", "s1"));
    say(asks("1", "ls", "s2"));
    say(R"({"method":"closed","params":{"session":"s1"}})");
    EXPECT_EQ(world.ledger.text("ended", "outcome"), "lost");
    EXPECT_EQ(world.hub.pending(), 1U);
    click(1, "allow");
    EXPECT_THAT(heard(), ElementsAre(answer("1", "allow")));
}

TEST_F(ToyRuntimeTest, AHaltAnswersItsSessionAndEndsOnlyThatTurn) {
    say(asks("0", "ls", "s1"));
    say(asks("1", "ls", "s2"));
    const auto carried = world.order(world.halt("s1"));
    ASSERT_TRUE(carried);
    EXPECT_EQ(carried->interrupted, 1U);
    EXPECT_THAT(heard(), ElementsAre(answer("0", "deny"),
                                     R"({"jsonrpc":"2.0","method":"interrupt","params":{"session":"s1"}})"));
}

TEST_F(ToyRuntimeTest, I12_ARequestLeftByAnEarlierHubContinuesWhenTheServerListsItAgain) {
    say(asks("0", "ls"));
    const auto left = *world.ops.presented.at(0).request;
    fakes::World next;
    next.hub.remember_earlier({left.id});
    next.hub.await_orphans({fakes::orphan_of(left, next.clock.boot())});
    next.settle();
    auto [stream, server] = fakes::MessagePipe::pair(next.io.get_executor());
    ToyRuntime again{*stream, next.io.get_executor(), next.hub.asking(), next.ids};
    asio::co_spawn(next.io, again.run(), [](const std::exception_ptr&) {});
    server->push(asks("0", "ls"));
    next.settle();
    ASSERT_EQ(next.ops.presented.size(), 1U);
    EXPECT_EQ(next.ops.presented[0].request->id, left.id);
    EXPECT_TRUE(next.decide(next.click(left.id, "allow")));
    ASSERT_EQ(server->arrived().size(), 1U);
    EXPECT_EQ(*server->arrived()[0], answer("0", "allow"));
    server->close();
    next.settle();
}

TEST_F(ToyRuntimeTest, AnUnreadableMessageIsRecordedAndTheNextIsAsked) {
    say("{");
    EXPECT_EQ(world.ledger.count("unreadable"), 1U);
    say(asks("0", "ls"));
    EXPECT_EQ(world.ops.presented.size(), 1U);
}

}  // namespace
}  // namespace countersign::runtimes
