// SPDX-License-Identifier: Apache-2.0
// The adapter over a pipe in memory, and the hub with fake people.
#include "runtimes/acp/adapter.hpp"

#include "core/limits.hpp"
#include "tests/fakes/message_pipe.hpp"
#include "tests/fakes/world.hpp"
#include "tests/runtimes/acp_sample.hpp"

#include <boost/asio/detached.hpp>

#include <gmock/gmock.h>

namespace countersign::runtimes::acp {
namespace {

namespace asio = boost::asio;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string request(const std::string& id, const std::string& method, const std::string& params) {
    return R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + method + R"(","params":)" + params + "}";
}
std::string notification(const std::string& method, const std::string& params) {
    return R"({"jsonrpc":"2.0","method":")" + method + R"(","params":)" + params + "}";
}
std::string result(const std::string& id, const std::string& body) {
    return R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":)" + body + "}";
}
std::string update(const std::string& members, const std::string& session = "s1") {
    return notification("session/update", R"({"sessionId":")" + session + R"(","update":{)" + members + "}}");
}
std::string call_update(const std::string& kind, const std::string& members, const std::string& id = "call_1") {
    return update(R"("sessionUpdate":")" + kind + R"(","toolCallId":")" + id + R"(",)" + members);
}
std::string runs(const std::string& id, const std::string& command, const std::string& call = "call_1") {
    auto params = permission_params(command_call(command));
    params.replace(params.find("call_1"), 6, call);
    return request(id, "session/request_permission", params);
}
std::string chunk(const std::string& text) {
    return update(R"("sessionUpdate":"agent_message_chunk","content":{"type":"text","text":")" + text + "\"}");
}
const std::string hello = R"({"protocolVersion":1,"agentInfo":{"name":"test"},"authMethods":[{"id":"key"}]})";
const std::string ended = R"({"stopReason":"end_turn"})";
const std::string session_cancel = R"({"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s1"}})";

class AcpAdapterTest : public testing::Test {
protected:
    AcpAdapterTest() {
        make([](Adapter::Options&) {});
    }
    ~AcpAdapterTest() override {
        world.ledger.hold(false);
        agent->close();
        world.settle();
        EXPECT_TRUE(over || !running);
    }
    void make(const std::function<void(Adapter::Options&)>& change) {
        auto [stream, server] = fakes::MessagePipe::pair(world.io.get_executor());
        agent = std::move(server);
        Adapter::Options options;
        options.agent_id = "dev";
        options.session_key = "before";
        options.version = "0";
        options.cwd = "/w";
        options.rules = [this] { return rules; };
        options.end = [this] { ++closed; };
        options.message = [this](const std::string& text) { messages.push_back(text); };
        options.turn_ended = [this](const TurnEnd& end) { turns.push_back(end.why + (end.failed ? "!" : "")); };
        options.unasked = [this](const UnaskedCall& call) { unasked.push_back(call); };
        options.refused = [this](const Error& why) { refused.push_back(describe(why)); };
        change(options);
        adapter = std::make_unique<Adapter>(std::move(options), std::move(stream), world.io.get_executor(),
                                            world.hub.asking(), world.ids, redactor);
    }
    void run() {
        running = true;
        asio::co_spawn(world.io, adapter->run(), [this](const std::exception_ptr& failed) {
            EXPECT_EQ(failed, nullptr);
            over = true;
        });
        world.settle();
    }
    void start(const std::string& session = R"({"sessionId":"s1"})") {
        run();
        say(result("1", hello));
        say(result("2", session));
    }
    // The same, and a running turn.
    void start_turn() {
        start();
        prompt("go");
        (void)heard();
    }
    void say(const std::string& message) {
        agent->push(message);
        world.settle();
    }
    void prompt(const std::string& text) {
        asio::co_spawn(world.io, adapter->say(text), [](const std::exception_ptr&, const Result<void>& said) {
            EXPECT_TRUE(said) << describe(said.error());
        });
        world.settle();
    }
    std::vector<std::string> heard() {
        std::vector<std::string> lines;
        for (const auto& message : std::exchange(agent->arrived(), {})) lines.push_back(*message);
        return lines;
    }
    [[nodiscard]] const Request& shown(std::size_t index = 0) const { return *world.ops.presented.at(index).request; }
    void click(std::size_t index, const std::string& option) {
        EXPECT_TRUE(world.decide(world.click(shown(index).id, option)));
        world.settle();
    }

    fakes::World world;
    Rules rules;
    security::CurrentRedactor redactor{test_key(), {}};
    std::unique_ptr<fakes::MessagePipe> agent;
    std::unique_ptr<Adapter> adapter;
    std::vector<std::string> messages;
    std::vector<std::string> turns;
    std::vector<UnaskedCall> unasked;
    std::vector<std::string> refused;
    int closed = 0;
    bool running = false;
    bool over = false;
};

TEST_F(AcpAdapterTest, ASessionIsStartedWithoutFilesAndTerminalAndPromptsAreSentOnePerTurn) {
    start();
    EXPECT_THAT(heard(),
                ElementsAre(request("1", "initialize",
                                    R"({"clientCapabilities":{"elicitation":{"form":{},"url":{}},"fs":)"
                                    R"({"readTextFile":false,"writeTextFile":false},"terminal":false},)"
                                    R"("clientInfo":{"name":"countersign","title":"Countersign","version":"0"},)"
                                    R"("protocolVersion":1})"),
                            request("2", "session/new", R"({"cwd":"/w","mcpServers":[]})")));
    prompt("one");
    prompt("two");
    adapter->no_more_prompts();
    EXPECT_THAT(heard(), ElementsAre(request("3", "session/prompt",
                                             R"({"prompt":[{"text":"one","type":"text"}],"sessionId":"s1"})")));
    say(result("3", ended));
    EXPECT_THAT(heard(), ElementsAre(HasSubstr(R"("text":"two")")));
    EXPECT_EQ(closed, 0);
    say(R"({"jsonrpc":"2.0","id":4,"error":{"code":-32603,"message":"the model is away"}})");
    EXPECT_EQ(closed, 1);
    EXPECT_THAT(turns, ElementsAre("end_turn", "the model is away!"));
    EXPECT_THAT(refused, IsEmpty());
}

TEST_F(AcpAdapterTest, I2_AnotherVersionOfTheProtocolGetsNoSession) {
    run();
    prompt("go");
    say(result("1", R"({"protocolVersion":2,"info":{"name":"x"}})"));
    EXPECT_THAT(refused, ElementsAre(HasSubstr("speaks version 2")));
    EXPECT_THAT(heard(), ElementsAre(HasSubstr("initialize")));
    EXPECT_EQ(closed, 1);
}

TEST_F(AcpAdapterTest, I2_AModeThatAsksNoPersonGetsNoPrompt) {
    start(R"({"sessionId":"s1","modes":{"currentModeId":"yolo","availableModes":[]}})");
    prompt("go");
    EXPECT_THAT(refused, ElementsAre(HasSubstr("\"yolo\"")));
    for (const auto& line : heard()) EXPECT_THAT(line, Not(HasSubstr("session/prompt")));
    EXPECT_EQ(closed, 1);
}

TEST_F(AcpAdapterTest, AChangeToSuchAModeIsReported) {
    start_turn();
    say(update(R"("sessionUpdate":"current_mode_update","currentModeId":"plan")"));
    EXPECT_THAT(refused, IsEmpty());
    say(update(R"("sessionUpdate":"current_mode_update","currentModeId":"yolo")"));
    EXPECT_THAT(refused, ElementsAre(HasSubstr("\"yolo\"")));
}

TEST_F(AcpAdapterTest, AnAgentThatIsNotLoggedInEndsWithWhatToDo) {
    run();
    say(result("1", hello));
    say(R"({"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"Authentication required"}})");
    EXPECT_THAT(refused,
                ElementsAre(AllOf(HasSubstr("Authentication required"), HasSubstr("--auth-method"), HasSubstr("key"))));
    EXPECT_EQ(closed, 1);
}

TEST_F(AcpAdapterTest, TheAgentLogsInFirstIfItWasTold) {
    make([](Adapter::Options& options) { options.auth_method = "key"; });
    run();
    say(result("1", hello));
    say(result("2", "{}"));
    EXPECT_THAT(heard(), ElementsAre(HasSubstr("initialize"), request("2", "authenticate", R"({"methodId":"key"})"),
                                     HasSubstr("session/new")));
}

TEST_F(AcpAdapterTest, SeveralCallsWaitAtOnceUnderIdsThatBeginWithZero) {
    start_turn();
    say(runs("0", "one", "call_1"));
    say(runs("\"1\"", "two", "call_2"));
    ASSERT_EQ(world.ops.presented.size(), 2U);
    EXPECT_EQ(shown().session_key, "s1");
    EXPECT_EQ(shown().agent_id, "dev");
    click(1, "reject");
    click(0, "once");
    EXPECT_THAT(heard(), ElementsAre(result("\"1\"", selected("reject")), result("0", selected("once"))));
    EXPECT_EQ(world.ledger.count("forwarded"), 2U);
    EXPECT_THAT(refused, IsEmpty());
}

TEST_F(AcpAdapterTest, I1_NothingIsAllowedBeforeItIsLogged) {
    start_turn();
    say(runs("0", "ls"));
    world.ledger.fail_next();
    EXPECT_FALSE(world.decide(world.click(shown().id, "once")));
    world.settle();
    EXPECT_THAT(heard(), ElementsAre(result("0", selected("reject"))));
}

TEST_F(AcpAdapterTest, WhatTheRequestLeavesOutComesFromEarlierUpdates) {
    start_turn();
    say(call_update("tool_call", R"("title":"mcp.demo.ask","kind":"execute","status":"in_progress","rawInput":)"
                                 R"({"server":"demo","tool":"ask","arguments":{"text":"hi"}})"));
    say(request("0", "session/request_permission", permission_params(R"("kind":"execute","status":"pending")")));
    EXPECT_EQ(tool_name_of(shown()), "mcp__demo__ask");
    EXPECT_THAT(shown().approval()->display_text, HasSubstr("\"hi\""));
    EXPECT_FALSE(shown().args_hash.partial);
}

TEST_F(AcpAdapterTest, ALaterUpdateReplacesAMemberAndNullKeepsIt) {
    start_turn();
    say(call_update("tool_call", R"("title":"Editing files","kind":"edit","content":[])"));
    say(call_update("tool_call_update", R"("title":null,"content":[{"type":"diff","path":"/w/a","oldText":"one\n",)"
                                        R"("newText":"two\n"}])"));
    auto other = call_update("tool_call", R"("title":"Other","content":[{"type":"diff","path":"/w/b","newText":"x"}])");
    other.replace(other.find("s1"), 2, "s2");  // the same id in another session
    say(other);
    say(request("0", "session/request_permission", permission_params(R"("locations":[{"path":"/w/a"}])")));
    EXPECT_EQ(shown().approval()->diff, "-one\n+two\n");
    EXPECT_THAT(shown().approval()->display_text, HasSubstr("Editing files"));
    EXPECT_TRUE(shown().args_hash.partial);
}

TEST_F(AcpAdapterTest, ACancelledRequestIsAnsweredAndWithdrawn) {
    start_turn();
    say(runs("0", "ls"));
    say(notification("$/cancel_request", R"({"requestId":0})"));
    ASSERT_EQ(world.ops.concluded.size(), 1U);
    EXPECT_EQ(world.ops.concluded[0].outcome, Outcome::withdrawn);
    EXPECT_FALSE(world.decide(world.click(shown().id, "once")));
    EXPECT_THAT(heard(), ElementsAre(result("0", cancelled)));
    say(notification("$/cancel_request", R"({"requestId":0})"));
    say(notification("$/cancel_request", R"({"requestId":"0"})"));
    EXPECT_THAT(heard(), IsEmpty());
    EXPECT_THAT(refused, IsEmpty());
}

TEST_F(AcpAdapterTest, AHaltAnswersOpenRequestsBeforeItCancelsTheTurn) {
    start_turn();
    prompt("waits");
    say(runs("0", "one"));
    say(request("1", "elicitation/create", form_params(R"("name":{"type":"string"})")));
    asio::co_spawn(world.io, adapter->interrupt({.agent_id = "dev", .session_key = "s1"}, "halted by alice"),
                   [](const std::exception_ptr&, const Result<void>& done) { EXPECT_TRUE(done); });
    world.settle();
    EXPECT_THAT(heard(), ElementsAre(result("0", cancelled), result("1", R"({"action":"cancel"})"), session_cancel));
    EXPECT_EQ(world.hub.pending(), 0U);
    EXPECT_EQ(adapter->interrupted_because(), "halted by alice");
    say(runs("4", "two"));
    EXPECT_EQ(adapter->interrupted_because(), "halted by alice") << "the agent asked before it read the cancellation";
    EXPECT_THAT(heard(), IsEmpty());
    say(result("3", R"({"stopReason":"cancelled"})"));
    EXPECT_THAT(heard(), ElementsAre(result("4", cancelled)));
    EXPECT_THAT(turns, ElementsAre("cancelled"));
}

TEST_F(AcpAdapterTest, AHaltOfAnotherSessionChangesNothing) {
    start_turn();
    say(runs("0", "one"));
    asio::co_spawn(world.io, adapter->interrupt({.agent_id = "dev", .session_key = "other"}, "no"),
                   [](const std::exception_ptr&, const Result<void>& done) {
                       ASSERT_FALSE(done);
                       EXPECT_EQ(done.error().code, Errc::unsupported);
                   });
    world.settle();
    EXPECT_THAT(heard(), IsEmpty());
    EXPECT_EQ(world.hub.pending(), 1U);
}

TEST_F(AcpAdapterTest, TheEndOfATurnWithdrawsWhatItAskedAndNothingOfOtherSessions) {
    start_turn();
    say(runs("0", "one"));
    auto other = runs("1", "two");
    other.replace(other.find("s1"), 2, "s2");
    say(other);
    say(result("3", R"({"stopReason":"cancelled"})"));
    EXPECT_EQ(world.hub.pending(), 1U);
    EXPECT_EQ(world.ledger.text("ended", "outcome"), "withdrawn");
    EXPECT_THAT(heard(), ElementsAre(result("0", cancelled)));
    click(1, "once");
    EXPECT_THAT(heard(), ElementsAre(result("1", selected("once"))));
    EXPECT_EQ(shown(1).session_key, "s2");
}

TEST_F(AcpAdapterTest, I2_WhenTheAgentEndsItsRequestsAreLost) {
    start_turn();
    say(runs("0", "one"));
    adapter->ends_because("stopped: by the test");
    agent->close();
    world.settle();
    EXPECT_TRUE(over);
    ASSERT_EQ(world.ops.concluded.size(), 1U);
    EXPECT_EQ(world.ops.concluded[0].outcome, Outcome::lost);
    EXPECT_THAT(turns, IsEmpty());
}

TEST_F(AcpAdapterTest, I2_FilesTerminalsAndUnknownRequestsAreRefusedAndNeverDone) {
    start_turn();
    for (const auto* method : {"fs/write_text_file", "fs/read_text_file", "terminal/create", "later/approve"}) {
        say(request("7", method, R"({"sessionId":"s1","path":"/w/x","content":"x"})"));
        EXPECT_THAT(heard(), ElementsAre(R"({"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":)"
                                         R"("not supported by Countersign"}})"));
    }
    EXPECT_THAT(refused, testing::SizeIs(4));
    EXPECT_THAT(refused.front(), HasSubstr("fs/write_text_file"));
    EXPECT_THAT(world.ops.presented, IsEmpty());
}

TEST_F(AcpAdapterTest, I2_RequestsThatCannotBeShownAreCancelledAtOnce) {
    start_turn();
    say(request("0", "session/request_permission", R"({"sessionId":"s1","subject":{"type":"command"}})"));
    say(request("1", "session/request_permission", permission_params(command_call(), "")));
    say(request("2", "elicitation/create", R"({"mode":"voice","message":"x"})"));
    say(request("3", "elicitation/create", R"({"mode":"form","message":"x","message":"y"})"));
    EXPECT_THAT(heard(), ElementsAre(result("0", cancelled), result("1", cancelled),
                                     result("2", R"({"action":"cancel"})"), result("3", R"({"action":"cancel"})")));
    EXPECT_THAT(refused, testing::SizeIs(4));
    EXPECT_THAT(world.ops.presented, IsEmpty());
}

TEST_F(AcpAdapterTest, APageIsWithdrawnWhenTheAgentSaysThatItIsDone) {
    start_turn();
    say(request("0", "elicitation/create", page_params));
    say(notification("elicitation/complete", R"({"elicitationId":"other"})"));
    say(notification("elicitation/complete", "{}"));
    EXPECT_EQ(world.hub.pending(), 1U);
    say(notification("elicitation/complete", R"({"elicitationId":"e1"})"));
    EXPECT_EQ(world.hub.pending(), 0U);
    EXPECT_THAT(heard(), ElementsAre(result("0", R"({"action":"cancel"})")));
}

TEST_F(AcpAdapterTest, CallsThatRanWithoutAskingAreReportedOnce) {
    start_turn();
    say(call_update("tool_call", R"("title":"Read","kind":"read","status":"in_progress","rawInput":{"path":"/w/a"})"));
    say(call_update("tool_call_update", R"("status":"completed","content":[])"));
    say(call_update("tool_call_update", R"("status":"completed")"));
    ASSERT_EQ(unasked.size(), 1U);
    EXPECT_EQ(unasked[0].tool_name, "read");
    EXPECT_EQ(unasked[0].summary, "/w/a");
    EXPECT_EQ(unasked[0].session_key, "s1");
    EXPECT_FALSE(unasked[0].failed);
    say(call_update("tool_call", R"("kind":"execute","rawInput":{"command":"false"})"));  // the id is used again
    say(call_update("tool_call_update", R"("status":"failed")"));
    ASSERT_EQ(unasked.size(), 2U);
    EXPECT_EQ(unasked[1].summary, "false");
    EXPECT_TRUE(unasked[1].failed);
}

TEST_F(AcpAdapterTest, CallsThatWereAskedOrNeverRanAreNotReported) {
    start_turn();
    say(runs("0", "ls"));
    click(0, "once");
    say(call_update("tool_call_update", R"("status":"completed")"));
    say(call_update("tool_call", R"("kind":"read","rawInput":{"path":"/none"},"status":"failed")", "call_2"));
    say(call_update("tool_call",
                    R"("kind":"execute","rawInput":{"command":"x"},"status":"failed",)"
                    R"("_meta":{"claudeCode":{"nonExecutionKind":"user-rejected"}})",
                    "call_3"));
    EXPECT_THAT(unasked, IsEmpty());
}

TEST_F(AcpAdapterTest, ACallThatCompletesAfterItsRequestWasWithdrawnIsReported) {
    start_turn();
    say(runs("0", "ls"));
    say(notification("$/cancel_request", R"({"requestId":0})"));
    say(call_update("tool_call_update", R"("title":"ls","kind":"execute","status":"completed")"));
    EXPECT_THAT(unasked, testing::SizeIs(1));
}

TEST_F(AcpAdapterTest, TheAgentsTextIsPutTogetherBeforeItIsShown) {
    start_turn();
    say(chunk("the key is ghp_0123456789abcdefghij"));
    say(chunk("ABCDEFGHIJ012345"));
    EXPECT_THAT(messages, IsEmpty());
    say(call_update("tool_call", R"("title":"x","status":"pending")"));
    ASSERT_EQ(messages.size(), 1U);
    EXPECT_THAT(messages[0], AllOf(HasSubstr("the key is"), Not(HasSubstr("0123456789abcdefghij"))));
    say(chunk("bye"));
    say(result("3", ended));
    EXPECT_EQ(messages.back(), "bye");
}

TEST_F(AcpAdapterTest, I13_TextPastItsBoundIsCut) {
    start_turn();
    const std::string part(said_bytes_max / 4, 'x');
    for (int i = 0; i < 5; ++i) say(chunk(part));
    say(result("3", ended));
    ASSERT_EQ(messages.size(), 1U);
    EXPECT_EQ(messages[0].size(), said_bytes_max + std::string_view{"\n(more text than can be shown)"}.size());
}

TEST_F(AcpAdapterTest, AnAgentIsNotStoppedAtOnceWhenItsInputEnds) {
    bool stopped = false;
    make([&](Adapter::Options& options) { options.stop = [&] { stopped = true; }; });
    start();
    adapter->no_more_prompts();
    world.settle();
    EXPECT_EQ(closed, 1);
    EXPECT_FALSE(stopped);  // not at once: it may still be writing its history
}

TEST(AcpToolCalls, I13_CallsAndTheirBytesAreBounded) {
    ToolCalls calls;
    const auto announce = [&](const std::string& id, std::size_t bytes) {
        const auto text = R"({"title":")" + std::string(bytes, 'x') + "\"}";
        const auto read = json::read(text, 2 * tool_calls_bytes_max);
        CallUpdate made;
        made.session_id = "s";
        made.call_id = id;
        made.call = ToolCall{*read->value.object(), text};
        made.announces = true;
        EXPECT_FALSE(calls.updated(made));
    };
    for (std::size_t i = 0; i <= limits::tool_uses_kept_max; ++i) announce(std::to_string(i), 1);
    EXPECT_EQ(calls.size(), limits::tool_uses_kept_max);
    EXPECT_EQ(calls.known("s", "0"), ToolCall{});
    EXPECT_NE(calls.known("s", "1"), ToolCall{});
    announce("large", tool_calls_bytes_max - 100);
    announce("larger", 200);
    EXPECT_LE(calls.bytes(), tool_calls_bytes_max);
    EXPECT_EQ(calls.known("s", "large"), ToolCall{});
    EXPECT_NE(calls.known("s", "larger"), ToolCall{});
    announce("too large", tool_calls_bytes_max + 1);
    EXPECT_EQ(calls.known("s", "too large"), ToolCall{});
    EXPECT_EQ(calls.bytes(), 0U);
}

}  // namespace
}  // namespace countersign::runtimes::acp
