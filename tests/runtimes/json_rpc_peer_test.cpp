// SPDX-License-Identifier: Apache-2.0
// Both ends of an in-memory pipe: the peer under test, and a test that sends anything.
#include "runtimes/json_rpc_peer.hpp"

#include "tests/fakes/message_pipe.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::runtimes {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class JsonRpcPeerTest : public testing::Test {
protected:
    JsonRpcPeerTest() {
        asio::co_spawn(io, peer.run(), [this](const std::exception_ptr& failed, const Error& why) {
            EXPECT_EQ(failed, nullptr);
            ended = why;
        });
    }
    ~JsonRpcPeerTest() override {
        theirs->close();
        settle();
    }
    void settle() {
        io.restart();
        io.poll();
    }
    void say(const std::string& message) {
        theirs->push(message);
        settle();
    }
    std::vector<std::string> heard() {
        std::vector<std::string> arrived;
        for (auto& message : theirs->arrived()) arrived.push_back(*message);
        theirs->arrived().clear();
        return arrived;
    }
    template <class T> std::shared_ptr<std::optional<Result<T>>> start(asio::awaitable<Result<T>> task) {
        auto result = std::make_shared<std::optional<Result<T>>>();
        asio::co_spawn(io, std::move(task),
                       [result](const std::exception_ptr&, Result<T> value) { *result = std::move(value); });
        settle();
        return result;
    }
    template <class T> Result<T> now(asio::awaitable<Result<T>> task) {
        const auto result = start(std::move(task));
        return result->value_or(Error{Errc::timeout, "still waiting"});
    }

    asio::io_context io;
    std::unique_ptr<fakes::MessagePipe> ours;
    std::unique_ptr<fakes::MessagePipe> theirs;
    std::vector<RpcMessage> messages;
    std::vector<Errc> refused;
    std::optional<Error> ended;
    JsonRpcPeer peer = make();

private:
    JsonRpcPeer make() {
        std::tie(ours, theirs) = fakes::MessagePipe::pair(io.get_executor());
        return JsonRpcPeer{*ours,
                           {.message = [this](RpcMessage message) -> asio::awaitable<void> {
                                messages.push_back(std::move(message));
                                co_return;
                            },
                            .refused = [this](const Error& why) { refused.push_back(why.code); }}};
    }
};

TEST_F(JsonRpcPeerTest, ARequestIsReceivedWithItsIdByteForByteAndAnsweredOnce) {
    for (const std::string id : {"0", "9007199254740993", "-1.50", "\"a\\u0062\"", "\"\""}) {
        say(R"({"id": )" + id + R"( ,"method":"ask","params":{ "n":1.0 }})");
        ASSERT_EQ(messages.size(), 1U) << id;
        EXPECT_EQ(messages[0], (RpcMessage{id, "ask", R"({ "n":1.0 })"}));
        messages.clear();
        EXPECT_TRUE(now(peer.respond(id, R"({"ok":true})")));
        EXPECT_THAT(heard(), ElementsAre(R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":{"ok":true}})"));
        EXPECT_EQ(now(peer.respond(id, "{}")).error().code, Errc::unknown_request);
        EXPECT_EQ(now(peer.fail(id, -1, "no")).error().code, Errc::unknown_request);
        EXPECT_THAT(heard(), IsEmpty());
    }
    EXPECT_THAT(refused, IsEmpty());
}

TEST_F(JsonRpcPeerTest, ANotificationHasNoIdAndGetsNoAnswer) {
    say(R"({"jsonrpc":"2.0","method":"turn/over"})");
    EXPECT_THAT(messages, ElementsAre(RpcMessage{"", "turn/over", ""}));
    EXPECT_EQ(now(peer.respond("", "{}")).error().code, Errc::unknown_request);
    EXPECT_THAT(heard(), IsEmpty());
}

TEST_F(JsonRpcPeerTest, ARequestThatThePeerWithdrewGetsNoAnswer) {
    say(R"({"id":1,"method":"ask"})");
    EXPECT_TRUE(peer.forget("1"));
    EXPECT_FALSE(peer.forget("1"));
    EXPECT_EQ(now(peer.respond("1", "{}")).error().code, Errc::unknown_request);
    EXPECT_THAT(heard(), IsEmpty());
    say(R"({"id":1,"method":"ask"})");
    EXPECT_THAT(messages, SizeIs(2)) << "the id can be used again";
}

TEST_F(JsonRpcPeerTest, AnErrorAnswerIsWrittenAsJson) {
    say(R"({"id":"x","method":"ask"})");
    EXPECT_TRUE(now(peer.fail("\"x\"", rpc_method_not_found, "no \"such\"\nmethod")));
    EXPECT_THAT(heard(), ElementsAre(R"({"jsonrpc":"2.0","id":"x","error":{"code":-32601,)"
                                     R"("message":"no \"such\"\nmethod"}})"));
}

TEST_F(JsonRpcPeerTest, I13_ANotificationPastTheBoundIsDroppedAndAnAnswerPastItFailsItsCall) {
    const std::string much(limits::json_bytes_max, ' ');
    say(R"({"method":"m","params":{"a":)" + much + "1}}");
    EXPECT_THAT(heard(), IsEmpty());
    EXPECT_THAT(refused, IsEmpty());
    EXPECT_THAT(messages, IsEmpty());
    const auto call = start(peer.call("thread/start", "", 1h));
    (void)heard();
    say(R"({"id":1,"result":{"a":)" + much + "1}}");
    ASSERT_TRUE(*call);
    EXPECT_EQ((*call)->error().code, Errc::too_large);
    EXPECT_THAT(heard(), IsEmpty()) << "nothing is answered to an answer";
}

TEST_F(JsonRpcPeerTest, OurCallsGetTheirOwnAnswersInAnyOrder) {
    const auto first = start(peer.call("initialize", R"({"v":1})", 1h));
    const auto second = start(peer.call("turn/start", "", 1h));
    EXPECT_THAT(heard(), ElementsAre(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"v":1}})",
                                     R"({"jsonrpc":"2.0","id":2,"method":"turn/start"})"));
    say(R"({"id":2,"error":{"code":-1}})");
    say(R"({"id":1,"result":null})");
    ASSERT_TRUE(*first && *second);
    EXPECT_EQ(***first, (RpcAnswer{false, "null"}));
    EXPECT_EQ(***second, (RpcAnswer{true, R"({"code":-1})"}));
    say(R"({"id":1,"result":{}})");
    EXPECT_THAT(refused, ElementsAre(Errc::unknown_request)) << "it was answered before";
    EXPECT_THAT(heard(), IsEmpty()) << "nothing is answered to an answer";
    EXPECT_TRUE(now(peer.notify("initialized", "")));
    EXPECT_THAT(heard(), ElementsAre(R"({"jsonrpc":"2.0","method":"initialized"})"));
}

TEST_F(JsonRpcPeerTest, AnAnswerWithResultAndErrorIsRefused) {
    const auto call = start(peer.call("initialize", "", 1h));
    say(R"({"id":1,"result":{},"error":{}})");
    ASSERT_TRUE(*call);
    EXPECT_EQ((*call)->error().code, Errc::malformed);
}

TEST_F(JsonRpcPeerTest, ACallWithoutAnAnswerTimesOut) {
    const auto call = start(peer.call("initialize", "", 1ms));
    for (int i = 0; i < 1000 && !*call; ++i) {
        io.restart();
        io.run_one_for(10ms);
    }
    ASSERT_TRUE(*call);
    EXPECT_EQ((*call)->error().code, Errc::timeout);
    say(R"({"id":1,"result":{}})");
    EXPECT_THAT(refused, ElementsAre(Errc::unknown_request));
}

TEST_F(JsonRpcPeerTest, WhenTheStreamEndsCallsFailAndNothingMoreIsAnswered) {
    const auto call = start(peer.call("initialize", "", 1h));
    say(R"({"id":1,"method":"ask"})");
    theirs->close();
    settle();
    ASSERT_TRUE(ended);
    EXPECT_EQ(ended->code, Errc::away);
    ASSERT_TRUE(*call);
    EXPECT_EQ((*call)->error().code, Errc::away);
    EXPECT_EQ(now(peer.respond("1", "{}")).error().code, Errc::unknown_request);
    EXPECT_EQ(now(peer.call("more", "", 1h)).error().code, Errc::away);
}

TEST_F(JsonRpcPeerTest, ACallThatCannotBeWrittenFails) {
    ours->broken = true;
    EXPECT_EQ(now(peer.call("initialize", "", 1h)).error().code, Errc::unavailable);
    ours->broken = false;
    say(R"({"id":1,"result":{}})");
    EXPECT_THAT(refused, ElementsAre(Errc::unknown_request));
}

// Messages that a hostile or broken peer may send. None of them is a request, and reading continues.
TEST_F(JsonRpcPeerTest, AnInvalidRequestIsRefusedAndChangesNothing) {
    struct Case {
        std::string message;
        std::string answer;  // the start of the error that is sent back, or empty if nothing is sent
    };
    const std::string null_id = R"({"jsonrpc":"2.0","id":null,"error":{"code":)";
    const std::vector<Case> cases{
        {"{", null_id + "-32700"},
        {"", null_id + "-32700"},
        {"\xff", null_id + "-32700"},
        {std::string(limits::json_depth_max + 1, '['), null_id + "-32700"},
        {R"({"id":"a","method":"m","params":{"a":)" + std::string(limits::json_bytes_max, ' ') + "1}}",
         R"({"jsonrpc":"2.0","id":"a","error":{"code":-32700)"},
        {R"({"id":"a","method":"m","params":{)", R"({"jsonrpc":"2.0","id":"a","error":{"code":-32700)"},
        {"1", null_id + "-32600"},
        {R"([{"id":1,"method":"m"}])", null_id + "-32600"},
        {"{}", null_id + "-32600"},
        {R"({"id":1,"id":2,"method":"m"})", null_id + "-32600"},
        {R"({"id":1,"method":"m","method":"n"})", null_id + "-32600"},
        {R"({"id":1,"method":"m","params":{},"params":[]})", null_id + "-32600"},
        {R"({"jsonrpc":"1.0","id":1,"method":"m"})", null_id + "-32600"},
        {R"({"id":{},"method":"m"})", null_id + "-32600"},
        {R"({"id":true,"method":"m"})", null_id + "-32600"},
        {R"({"id":null,"method":"m"})", null_id + "-32600"},
        {R"({"id":1,"method":7})", R"({"jsonrpc":"2.0","id":1,"error":{"code":-32600)"},
        {R"({"id":1})", R"({"jsonrpc":"2.0","id":1,"error":{"code":-32600)"},
        {R"({"id":1,"method":"m","params":"x"})", R"({"jsonrpc":"2.0","id":1,"error":{"code":-32600)"},
        {R"({"id":1,"method":"m","result":{}})", R"({"jsonrpc":"2.0","id":1,"error":{"code":-32600)"},
        {R"({"id":7,"result":{}})", ""},
        {R"({"id":null,"error":{}})", ""},
        {R"({"error":{}})", ""},
        {R"({"id":[],"result":1})", ""},
        {R"({"id":1,"id":1,"result":1})", ""},
    };
    const auto call = start(peer.call("initialize", "", 1h));
    heard();
    for (const auto& [message, answer] : cases) {
        const auto before = refused.size();
        say(message);
        const auto answers = heard();
        EXPECT_EQ(refused.size(), before + 1) << message.substr(0, 80);
        EXPECT_EQ(answers.size(), answer.empty() ? 0U : 1U) << message.substr(0, 80);
        if (!answers.empty()) EXPECT_THAT(answers[0], testing::StartsWith(answer)) << message.substr(0, 80);
    }
    EXPECT_THAT(messages, IsEmpty());
    EXPECT_FALSE(*call) << "a call of ours isn't answered by any of them";
    say(R"({"id":1,"method":"ask"})");
    EXPECT_THAT(messages, SizeIs(1));
    EXPECT_FALSE(ended);
}

TEST_F(JsonRpcPeerTest, AMessagePastTheStreamsBoundIsRefusedAndTheNextIsRead) {
    theirs->push(Error{Errc::too_large, "a message"});
    say(R"({"id":1,"method":"ask"})");
    EXPECT_THAT(refused, ElementsAre(Errc::too_large));
    EXPECT_THAT(heard(), ElementsAre(HasSubstr("-32600")));
    EXPECT_THAT(messages, SizeIs(1));
}

// The peer would mistake an error for the answer to its first request, and ignore the real answer.
TEST_F(JsonRpcPeerTest, AnOpenIdGetsNothingButItsAnswer) {
    say(R"({"id":0,"method":"ask"})");
    say(R"({"id":0,"method":"ask"})");
    say(R"({"id":0,"method":7})");
    EXPECT_THAT(refused, ElementsAre(Errc::conflict, Errc::malformed));
    EXPECT_THAT(messages, SizeIs(1));
    EXPECT_THAT(heard(), IsEmpty());
    EXPECT_TRUE(now(peer.respond("0", "{}")));
    EXPECT_THAT(heard(), SizeIs(1));
}

TEST_F(JsonRpcPeerTest, I13_OnePastEachBoundIsRefused) {
    const auto id_of = [](std::size_t bytes) { return "\"" + std::string(bytes - 2, 'x') + "\""; };
    say(R"({"id":)" + id_of(limits::rpc_id_bytes_max) + R"(,"method":")" +
        std::string(limits::rpc_method_bytes_max, 'm') + "\"}");
    EXPECT_THAT(messages, SizeIs(1));
    say(R"({"id":)" + id_of(limits::rpc_id_bytes_max + 1) + R"(,"method":"m"})");
    say(R"({"id":1,"method":")" + std::string(limits::rpc_method_bytes_max + 1, 'm') + "\"}");
    EXPECT_THAT(refused, ElementsAre(Errc::too_large, Errc::too_large));
    refused.clear();
    for (std::size_t i = 1; i < limits::rpc_requests_open_max; ++i) {
        say(R"({"id":)" + std::to_string(i) + R"(,"method":"m"})");
    }
    EXPECT_THAT(refused, IsEmpty());
    heard();
    say(R"({"id":"one more","method":"m"})");
    EXPECT_THAT(refused, ElementsAre(Errc::busy));
    EXPECT_THAT(heard(), ElementsAre(HasSubstr(R"("id":"one more","error":{"code":-32000)")));
    say(R"({"method":"a notification is no request"})");
    EXPECT_THAT(messages, SizeIs(limits::rpc_requests_open_max + 1));

    std::vector<std::shared_ptr<std::optional<Result<RpcAnswer>>>> calls;
    for (std::size_t i = 0; i < limits::rpc_calls_open_max; ++i) calls.push_back(start(peer.call("m", "", 1h)));
    EXPECT_EQ(now(peer.call("m", "", 1h)).error().code, Errc::busy);
    say(R"({"id":1,"result":{}})");
    EXPECT_TRUE(*calls[0]);
    EXPECT_FALSE(*start(peer.call("m", "", 1h))) << "there is room again";
}

}  // namespace
}  // namespace countersign::runtimes
