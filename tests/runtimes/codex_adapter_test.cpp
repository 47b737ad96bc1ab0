// SPDX-License-Identifier: Apache-2.0
// The adapter over a pipe in memory, and the hub with fake people.
#include "runtimes/codex/adapter.hpp"

#include "core/limits.hpp"
#include "tests/fakes/message_pipe.hpp"
#include "tests/fakes/world.hpp"
#include "tests/runtimes/codex_sample.hpp"

#include <boost/asio/detached.hpp>

#include <gmock/gmock.h>

namespace countersign::runtimes::codex {
namespace {

namespace asio = boost::asio;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string asks(const std::string& id, AskKind kind, const std::string& params) {
    return R"({"method":")" + method_of(kind) + R"(","id":)" + id + R"(,"params":)" + params + "}";
}
std::string runs(const std::string& id, const std::string& command, const std::string& item = "call_1") {
    auto params = command_params(command);
    params.replace(params.find("call_1"), 6, item);
    return asks(id, AskKind::command, params);
}
std::string result(const std::string& id, const std::string& body) {
    return R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":)" + body + "}";
}
std::string decision(const std::string& id, const std::string& word) {
    return result(id, R"({"decision":")" + word + "\"}");
}
std::string resolved(const std::string& id) {
    return R"({"method":"serverRequest/resolved","params":{"threadId":"t1","requestId":)" + id + "}}";
}
std::string item(const std::string& what, const std::string& members) {
    return R"({"method":"item/)" + what + R"(","params":{"item":{)" + members + R"(},"threadId":"t1","turnId":"u1"}})";
}
std::string command_item(const std::string& id, const std::string& command, const std::string& status) {
    return R"("type":"commandExecution","id":")" + id + R"(","command":")" + command + R"(","cwd":"/w","status":")" +
           status + "\"";
}
const std::string turn_started =
    R"({"method":"turn/started","params":{"threadId":"t1","turn":{"id":"u1","status":"inProgress"}}})";
std::string turn_over(const std::string& status = "completed", const std::string& thread = "t1") {
    return R"({"method":"turn/completed","params":{"threadId":")" + thread + R"(","turn":{"id":"u1","status":")" +
           status + R"(","error":null}}})";
}
const std::string initialize =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{"experimentalApi":true,)"
    R"("requestAttestation":false,"requiredHumanApproval":true},"clientInfo":{"name":"countersign",)"
    R"("title":"Countersign","version":"0"}}})";

class CodexAdapterTest : public testing::Test {
protected:
    CodexAdapterTest() {
        auto [stream, server] = fakes::MessagePipe::pair(world.io.get_executor());
        agent = std::move(server);
        Adapter::Options options;
        options.agent_id = "dev";
        options.session_key = "before";
        options.version = "0";
        options.thread = {.cwd = "/w", .approval_policy = "untrusted", .sandbox = "workspace-write"};
        options.rules = [this] { return rules; };
        options.end = [this] { closed = true; };
        options.message = [this](const std::string& text) { messages.push_back(text); };
        options.turn_ended = [this](const TurnEnded& end) { turns.push_back(end.status + end.error); };
        options.unasked = [this](const UnaskedCall& call) { unasked.push_back(call); };
        options.refused = [this](const Error& why) { refused.push_back(describe(why)); };
        adapter = std::make_unique<Adapter>(std::move(options), std::move(stream), world.io.get_executor(),
                                            world.hub.asking(), world.ids, redactor);
    }
    ~CodexAdapterTest() override {
        world.ledger.hold(false);
        agent->close();
        world.settle();
        EXPECT_TRUE(ended || !running);
    }
    void run() {
        running = true;
        asio::co_spawn(world.io, adapter->run(), [this](const std::exception_ptr& failed) {
            EXPECT_EQ(failed, nullptr);
            ended = true;
        });
        world.settle();
    }
    // Codex's side of the start, up to a thread in /w.
    void start(const std::string& policy = "untrusted", const std::string& reviewer = "user") {
        run();
        EXPECT_THAT(heard(), ElementsAre(initialize));
        say(result("1", R"({"userAgent":"codex"})"));
        say(result("2", R"({"thread":{"id":"t1"},"cwd":"/w","approvalPolicy":")" + policy +
                            R"(","approvalsReviewer":")" + reviewer + "\"}"));
    }
    // The same, and a running turn.
    void start_turn() {
        start();
        prompt("go");
        say(result("3", R"({"turn":{"id":"u1"}})"));
        say(turn_started);
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
    // What was sent since the last call.
    std::vector<std::string> heard() {
        std::vector<std::string> lines;
        const auto all = agent->arrived();
        for (; heard_ < all.size(); ++heard_) lines.push_back(*all[heard_]);
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
    bool running = false;
    bool closed = false;
    bool ended = false;

private:
    std::size_t heard_ = 0;
};

TEST_F(CodexAdapterTest, AThreadIsStartedAndPromptsAreSentOnePerTurn) {
    start();
    EXPECT_THAT(heard(),
                ElementsAre(R"({"jsonrpc":"2.0","method":"initialized"})",
                            R"({"jsonrpc":"2.0","id":2,"method":"thread/start","params":{"approvalPolicy":)"
                            R"("untrusted","approvalsReviewer":"user","cwd":"/w","sandbox":"workspace-write"}})"));
    prompt("one");
    prompt("two");
    adapter->no_more_prompts();
    EXPECT_THAT(heard(),
                ElementsAre(R"({"jsonrpc":"2.0","id":3,"method":"turn/start","params":{"input":[{"text":"one",)"
                            R"("type":"text"}],"threadId":"t1"}})"));
    say(result("3", R"({"turn":{"id":"u1"}})"));
    say(turn_over("completed", "another thread"));
    EXPECT_THAT(heard(), IsEmpty());
    say(turn_over());
    EXPECT_THAT(heard(), ElementsAre(HasSubstr(R"("text":"two")")));
    EXPECT_FALSE(closed);
    say(result("4", R"({"turn":{"id":"u1"}})"));
    say(turn_over("failed"));
    EXPECT_TRUE(closed);
    EXPECT_THAT(turns, ElementsAre("completed", "failed"));
    EXPECT_THAT(refused, IsEmpty());
}

TEST_F(CodexAdapterTest, I2_AThreadWithAnotherPolicyOrReviewerGetsNoPrompt) {
    start("never");
    prompt("go");
    EXPECT_TRUE(closed);
    EXPECT_THAT(refused, ElementsAre(HasSubstr("another approval policy")));
    for (const auto& line : heard()) EXPECT_THAT(line, Not(HasSubstr("turn/start")));
}

TEST_F(CodexAdapterTest, I2_AThreadThatAModelReviewsGetsNoPrompt) {
    start("untrusted", "guardian_subagent");
    prompt("go");
    EXPECT_TRUE(closed);
    EXPECT_THAT(refused, ElementsAre(HasSubstr("than a person")));
    for (const auto& line : heard()) EXPECT_THAT(line, Not(HasSubstr("turn/start")));
}

TEST_F(CodexAdapterTest, AThreadThatCannotStartEndsTheSessionWithTheReason) {
    run();
    say(result("1", "{}"));
    say(R"({"id":2,"error":{"code":-32600,"message":"no such sandbox"}})");
    EXPECT_TRUE(closed);
    EXPECT_THAT(refused, ElementsAre(HasSubstr("no such sandbox")));
}

TEST_F(CodexAdapterTest, SeveralCommandsWaitAtOnceUnderIdsThatBeginWithZero) {
    start_turn();
    say(runs("0", "one", "call_1"));
    say(runs("1", "two", "call_2"));
    ASSERT_EQ(world.ops.presented.size(), 2U);
    EXPECT_EQ(shown().session_key, "t1");
    EXPECT_EQ(shown().agent_id, "dev");
    click(1, "decline");
    click(0, "accept");
    EXPECT_THAT(heard(), ElementsAre(decision("1", "decline"), decision("0", "accept")));
    say(resolved("1"));
    say(resolved("0"));
    EXPECT_THAT(world.ops.concluded, testing::SizeIs(2));
    EXPECT_EQ(world.ledger.count("forwarded"), 2U);
    EXPECT_THAT(refused, IsEmpty());
}

TEST_F(CodexAdapterTest, I1_NothingIsAnsweredBeforeItIsLogged) {
    start_turn();
    say(runs("0", "ls"));
    world.ledger.fail_next();
    EXPECT_FALSE(world.decide(world.click(shown().id, "accept")));
    world.settle();
    EXPECT_THAT(heard(), ElementsAre(decision("0", "decline")));
}

TEST_F(CodexAdapterTest, ARequestResolvedElsewhereIsWithdrawnAndNotAnswered) {
    start_turn();
    say(runs("0", "ls"));
    say(resolved("0"));
    ASSERT_EQ(world.ops.concluded.size(), 1U);
    EXPECT_EQ(world.ops.concluded[0].outcome, Outcome::withdrawn);
    EXPECT_FALSE(world.decide(world.click(shown().id, "accept")));
    EXPECT_THAT(heard(), IsEmpty());
    say(resolved("\"0\""));
    EXPECT_THAT(refused, IsEmpty());
}

TEST_F(CodexAdapterTest, TheEndOfATurnWithdrawsWhatItAskedAndNothingOfOtherThreads) {
    start_turn();
    say(runs("0", "one"));
    auto other = runs("1", "two");
    other.replace(other.find("t1"), 2, "t2");
    say(other);
    say(turn_over("interrupted"));
    EXPECT_EQ(world.hub.pending(), 1U);
    EXPECT_EQ(world.ledger.text("ended", "outcome"), "withdrawn");
    say(resolved("0"));
    click(1, "accept");
    EXPECT_THAT(heard(), ElementsAre(decision("1", "accept")));
}

TEST_F(CodexAdapterTest, ASubAgentBelongsToTheSessionAndKeepsItsInputOpen) {
    start_turn();
    adapter->no_more_prompts();
    auto turn_of_other = turn_started;
    turn_of_other.replace(turn_of_other.find("t1"), 2, "t2");
    say(turn_of_other);
    auto other = runs("0", "two");
    other.replace(other.find("t1"), 2, "t2");
    say(other);
    EXPECT_EQ(shown().session_key, "t1");
    EXPECT_EQ(shown().approval()->untrusted_reason, "asked by a sub-agent");
    click(0, "accept");
    (void)heard();
    say(turn_over());
    EXPECT_FALSE(closed) << "the sub-agent still works";
    asio::co_spawn(world.io, adapter->interrupt({"dev", "t1"}, "halted"), asio::detached);
    world.settle();
    EXPECT_THAT(heard(), ElementsAre(HasSubstr(R"("params":{"threadId":"t2","turnId":"u1"})")));
    say(result("4", "{}"));
    say(turn_over("interrupted", "t2"));
    EXPECT_TRUE(closed);
}

TEST_F(CodexAdapterTest, I13_TheTurnsThatAreFollowedAreBounded) {
    start_turn();
    adapter->no_more_prompts();
    const auto thread = [](std::size_t number) { return "sub" + std::to_string(number); };
    for (std::size_t i = 1; i <= limits::sessions_per_runtime_max; ++i) {
        auto started = turn_started;
        say(started.replace(started.find("t1"), 2, thread(i)));
    }
    for (std::size_t i = 2; i < limits::sessions_per_runtime_max; ++i) say(turn_over("completed", thread(i)));
    say(turn_over());
    EXPECT_FALSE(closed) << "the first sub-agent still works";
    say(turn_over("completed", thread(1)));
    EXPECT_TRUE(closed) << "the last one is past the bound";
}

TEST_F(CodexAdapterTest, AClosedThreadWithdrawsItsRequests) {
    start_turn();
    say(runs("0", "one"));
    say(R"({"method":"thread/closed","params":{"threadId":"t1"}})");
    EXPECT_EQ(world.hub.pending(), 0U);
    EXPECT_THAT(heard(), IsEmpty());
}

TEST_F(CodexAdapterTest, I2_WhenCodexEndsItsRequestsAreLost) {
    start_turn();
    say(runs("0", "one"));
    adapter->ends_because("stopped: by the test");
    agent->close();
    world.settle();
    EXPECT_TRUE(ended);
    ASSERT_EQ(world.ops.concluded.size(), 1U);
    EXPECT_EQ(world.ops.concluded[0].outcome, Outcome::lost);
}

TEST_F(CodexAdapterTest, AFileChangeIsShownWithTheDiffOfItsItem) {
    start_turn();
    say(item("started", R"("type":"fileChange","id":"call_1","changes":)" + added_file + R"(,"status":"inProgress")"));
    say(asks("0", AskKind::file_change, change_params));
    ASSERT_EQ(world.ops.presented.size(), 1U);
    EXPECT_EQ(shown().approval()->diff, "+hello\n");
    click(0, "accept");
    EXPECT_THAT(heard(), ElementsAre(decision("0", "accept")));
}

TEST_F(CodexAdapterTest, I7_AFileChangeWithoutItsItemIsDeclinedUnseen) {
    start_turn();
    say(asks("0", AskKind::file_change, change_params));
    EXPECT_THAT(world.ops.presented, IsEmpty());
    EXPECT_THAT(heard(), ElementsAre(decision("0", "decline")));
    EXPECT_EQ(world.ledger.count("unreadable"), 1U);
}

TEST_F(CodexAdapterTest, AnMcpToolIsNamedByTheItemWithItsArguments) {
    start_turn();
    say(item("started", R"("type":"mcpToolCall","id":"call_9","server":"demo","tool":"ask","arguments":{"text":"hi"},)"
                        R"("status":"inProgress")"));
    say(asks("0", AskKind::elicitation, tool_params));
    ASSERT_EQ(world.ops.presented.size(), 1U);
    EXPECT_EQ(tool_name_of(shown()), "mcp__demo__ask");
    click(0, "accept");
    EXPECT_THAT(heard(), ElementsAre(result("0", R"({"action":"accept","content":{},"_meta":null})")));
    say(item("completed", R"("type":"mcpToolCall","id":"call_9","server":"demo","tool":"ask",)"
                          R"("arguments":{"text":"hi"},"status":"completed")"));
    EXPECT_THAT(unasked, IsEmpty());
}

TEST_F(CodexAdapterTest, AnMcpToolThatCouldBeOneOfTwoHasNoName) {
    start_turn();
    for (const auto* tool : {"ask", "erase"}) {
        say(item("started", std::string{R"("type":"mcpToolCall","id":"call_)"} + tool +
                                R"(","server":"demo","tool":")" + tool + R"(","arguments":{"text":"hi"})"));
    }
    say(asks("0", AskKind::elicitation, tool_params));
    EXPECT_EQ(tool_name_of(shown()), "mcp__demo");
    auto named = tool_params;
    named.replace(named.find(R"("persist")"), 9, R"("tool_name":"erase","persist")");
    say(asks("1", AskKind::elicitation, named));
    EXPECT_EQ(tool_name_of(shown(1)), "mcp__demo__erase") << "newer releases name it";
}

TEST_F(CodexAdapterTest, I2_UnknownRequestsGetAnErrorAndNeverAnApproval) {
    start_turn();
    say(R"({"method":"item/tool/call","id":0,"params":{}})");
    say(R"({"method":"item/newThing/requestApproval","id":1,"params":)" + command_params() + "}");
    say(R"({"method":"item/commandExecution/requestApproval","id":2,"params":[]})");
    auto url = form_params("");
    url.replace(url.find(R"("mode":"form")"), 13, R"("mode":"url")");
    say(asks("3", AskKind::elicitation, url));
    const auto lines = heard();
    ASSERT_EQ(lines.size(), 4U);
    EXPECT_THAT(lines[0], HasSubstr(R"("id":0,"error":{"code":-32601)"));
    EXPECT_THAT(lines[1], HasSubstr(R"("id":1,"error":{"code":-32601)"));
    EXPECT_EQ(lines[2], decision("2", "decline"));
    EXPECT_EQ(lines[3], result("3", R"({"action":"cancel","content":null,"_meta":null})"));
    EXPECT_THAT(world.ops.presented, IsEmpty());
    EXPECT_EQ(world.ledger.count("unreadable"), 4U);
    say(runs("4", "ls"));
    EXPECT_EQ(world.ops.presented.size(), 1U) << "it goes on";
}

TEST_F(CodexAdapterTest, I13_ARequestTooLargeToReadGetsAnErrorAndALargeNotificationIsDropped) {
    start_turn();
    const std::string much(limits::json_bytes_max, 'x');
    say(R"({"method":"item/completed","params":{"text":")" + much + "\"}}");
    EXPECT_THAT(heard(), IsEmpty());
    EXPECT_THAT(refused, IsEmpty());
    say(runs("0", much));
    EXPECT_THAT(heard(), ElementsAre(HasSubstr(R"("id":0,"error")")));
}

TEST_F(CodexAdapterTest, I8_AGrantAnswersTheSameCommandAndAnotherOneAsksAgain) {
    start_turn();
    say(runs("0", "make"));
    click(0, "session");
    ASSERT_EQ(world.hub.grants().all().size(), 1U);
    say(runs("1", "make", "call_2"));
    EXPECT_THAT(heard(), ElementsAre(decision("0", "accept"), decision("1", "accept")));
    say(runs("2", "make all", "call_3"));
    ASSERT_EQ(world.ops.presented.size(), 2U);
    EXPECT_EQ(shown(1).approval()->display_text, "make all");
}

TEST_F(CodexAdapterTest, I8_AGrantForACommandDoesNotAnswerAHumanCommand) {
    rules.policy = {{.name = "all", .effect = PolicyEffect::ask, .command = "*"}};
    start_turn();
    say(asks("0", AskKind::command,
             command_params("/bin/bash -lc 'touch /w/x'", R"(,"availableDecisions":["accept"])")));
    click(0, "session");
    ASSERT_EQ(world.hub.grants().all().size(), 1U);
    (void)heard();
    say(asks("1", AskKind::command, human_params));
    auto again = human_params;
    again.replace(again.find("a-1"), 3, "a-2");
    say(asks("2", AskKind::command, again));
    EXPECT_THAT(heard(), IsEmpty());
    ASSERT_EQ(world.ops.presented.size(), 3U) << "each has a card of its own";
    EXPECT_FALSE(world.decide(world.click(shown(1).id, "session")));
    click(1, "accept");
    EXPECT_THAT(heard(), ElementsAre(decision("1", "accept")));
    EXPECT_EQ(world.hub.pending(), 1U) << "one tap answers one of them";
    EXPECT_EQ(world.hub.grants().all().size(), 1U);
}

TEST_F(CodexAdapterTest, WhatRanUnaskedIsReportedAndWhatDidNotRunIsNot) {
    start_turn();
    say(item("started", command_item("call_5", "ls -l", "inProgress")));
    say(item("completed", command_item("call_5", "/bin/bash -lc 'ls -l'", "completed")));
    say(item("completed", command_item("call_6", "false", "failed")));
    say(item("completed", command_item("call_7", "rm x", "declined")));
    say(item("completed", R"("type":"fileChange","id":"call_8","changes":)" + added_file + R"(,"status":"completed")"));
    say(item("completed", R"("type":"webSearch","id":"ws_1","query":"weather")"));
    say(item("completed", R"("type":"reasoning","id":"rs_1","summary":["…"])"));
    say(R"({"method":"item/commandExecution/terminalInteraction","params":{"threadId":"t1","stdin":"yes\n"}})");
    say(R"({"method":"item/commandExecution/terminalInteraction","params":{"threadId":"t1","stdin":""}})");
    std::vector<std::string> seen;
    for (const auto& call : unasked)
        seen.push_back(call.tool_name + " " + call.summary + (call.failed ? " failed" : ""));
    EXPECT_THAT(seen, ElementsAre("shell ls -l", "shell false failed", "apply_patch /w/new.txt", "web_search weather",
                                  HasSubstr("write_stdin yes")));
    EXPECT_EQ(unasked[0].session_key, "t1");
    EXPECT_EQ(unasked[2].display_text, "add /w/new.txt\n+hello\n");
}

TEST_F(CodexAdapterTest, WhatWasAskedIsNotReportedAsUnasked) {
    start_turn();
    say(runs("0", "one", "call_1"));
    click(0, "accept");
    say(item("completed", command_item("call_1", "one", "completed")));
    say(runs("1", "two", "call_2"));
    say(resolved("1"));
    say(item("completed", command_item("call_2", "two", "failed")));
    EXPECT_THAT(unasked, IsEmpty());
    say(runs("2", "three", "call_3"));
    say(resolved("2"));
    say(item("completed", command_item("call_3", "three", "completed")));
    ASSERT_EQ(unasked.size(), 1U) << "another client allowed it";
    EXPECT_EQ(unasked[0].summary, "three");
}

TEST_F(CodexAdapterTest, AHaltAnswersWhatIsOpenAndInterruptsTheTurn) {
    start_turn();
    say(runs("0", "one"));
    prompt("never said");
    std::optional<Result<void>> ended_turn;
    asio::co_spawn(world.io, adapter->interrupt({"dev", "t1"}, "halted by alice"),
                   [&](const std::exception_ptr&, const Result<void>& done) { ended_turn = done; });
    world.settle();
    EXPECT_THAT(heard(), ElementsAre(R"({"jsonrpc":"2.0","id":4,"method":"turn/interrupt","params":{"threadId":"t1",)"
                                     R"("turnId":"u1"}})"));
    say(result("4", "{}"));
    EXPECT_TRUE(ended_turn && *ended_turn);
    EXPECT_EQ(adapter->interrupted_because(), "halted by alice");
    say(turn_over("interrupted"));
    EXPECT_EQ(world.hub.pending(), 0U);
    EXPECT_THAT(heard(), IsEmpty()) << "the waiting prompt was dropped";
}

TEST_F(CodexAdapterTest, AHaltOfAnotherSessionChangesNothing) {
    start_turn();
    std::optional<Result<void>> answer;
    asio::co_spawn(world.io, adapter->interrupt({"dev", "another"}, "halted"),
                   [&](const std::exception_ptr&, const Result<void>& done) { answer = done; });
    world.settle();
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->error().code, Errc::unsupported);
    EXPECT_EQ(adapter->interrupted_because(), "");
    EXPECT_THAT(heard(), IsEmpty());
}

TEST_F(CodexAdapterTest, AHaltWhileATurnStartsEndsItAsSoonAsItHasAnId) {
    start();
    prompt("go");
    (void)heard();
    asio::co_spawn(world.io, adapter->interrupt({"dev", ""}, "halted"), asio::detached);
    world.settle();
    say(result("3", R"({"turn":{"id":"u1"}})"));
    EXPECT_THAT(heard(),
                ElementsAre(HasSubstr(R"("method":"turn/interrupt","params":{"threadId":"t1","turnId":"u1"})")));
}

TEST_F(CodexAdapterTest, AHaltWhileATurnFailsToStartDoesNotEndTheNextOne) {
    start();
    prompt("go");
    asio::co_spawn(world.io, adapter->interrupt({"dev", ""}, "halted"), asio::detached);
    world.settle();
    say(R"({"id":3,"error":{"code":-1,"message":"no model"}})");
    EXPECT_THAT(refused, ElementsAre(HasSubstr("no model")));
    (void)heard();
    prompt("again");
    say(result("4", R"({"turn":{"id":"u2"}})"));
    EXPECT_THAT(heard(), ElementsAre(HasSubstr("turn/start")));
}

TEST_F(CodexAdapterTest, QuestionsAreAnsweredAndASecretAnswerIsNotRecorded) {
    start_turn();
    say(asks("0", AskKind::question, question_params));
    ASSERT_EQ(world.ops.presented.size(), 1U);
    EXPECT_TRUE(world.decide(world.submit(shown().id, {{.question_id = "q0", .choices = {"Blue"}, .text = {}},
                                                       {.question_id = "q1", .choices = {}, .text = "hunter2"}})));
    world.settle();
    EXPECT_THAT(heard(), ElementsAre(result(
                             "0", R"({"answers":{"color":{"answers":["Blue"]},"key":{"answers":["hunter2"]}}})")));
    for (const auto& entry : world.ledger.written)
        EXPECT_THAT(json::canonical(entry.fields), Not(HasSubstr("hunter2")));
}

TEST_F(CodexAdapterTest, TheInputStaysOpenWhileAnAnswerIsPending) {
    start_turn();
    say(asks("0", AskKind::question, [] {
        auto params = question_params;
        params.replace(params.find(R"("isBlocking":true)"), 17, R"("isBlocking":false)");
        return params;
    }()));
    adapter->no_more_prompts();
    say(turn_over());
    EXPECT_EQ(world.hub.pending(), 1U) << "the agent does not wait for this question";
    EXPECT_FALSE(closed);
    say(resolved("0"));
    EXPECT_TRUE(closed);
}

TEST(CodexItems, I13_ItemsAreBoundedInNumberAndBytes) {
    const auto started = [](std::size_t number, const std::string& diff) {
        const auto text =
            R"({"type":"fileChange","id":"c)" + std::to_string(number) + R"(","changes":[")" + diff + "\"]}";
        return Item{.thread_id = "t",
                    .turn_id = "u",
                    .id = "c" + std::to_string(number),
                    .type = "fileChange",
                    .status = "inProgress",
                    .text = text,
                    .value = json::read(text)->value};
    };
    Items items;
    for (std::size_t i = 0; i <= limits::tool_uses_kept_max; ++i) items.started(started(i, "x"));
    EXPECT_EQ(items.size(), limits::tool_uses_kept_max);
    EXPECT_EQ(items.changes_of("t", "c0"), "");
    EXPECT_EQ(items.changes_of("t", "c1"), R"(["x"])");
    Items large;
    const std::string half_mebibyte(512 * 1024, 'x');
    for (std::size_t i = 0; i < 20; ++i) large.started(started(i, half_mebibyte));
    EXPECT_LE(large.bytes(), items_bytes_max);
    EXPECT_EQ(large.changes_of("t", "c0"), "");
    EXPECT_NE(large.changes_of("t", "c19"), "");
    for (std::size_t i = 0; i < 20; ++i) (void)large.ran_unasked(started(i, ""));
    EXPECT_EQ(large.bytes(), 0U);
}

TEST(CodexItems, AnIdThatIsUsedAgainIsANewItem) {
    const auto item = [](const std::string& id) {
        const std::string text = R"({"changes":["x"]})";
        return Item{.thread_id = "t",
                    .turn_id = "u",
                    .id = id,
                    .type = "fileChange",
                    .status = "completed",
                    .text = text,
                    .value = json::read(text)->value};
    };
    Items items;
    for (std::size_t i = 0; i < 3 * limits::tool_uses_kept_max; ++i) {
        items.started(item("again"));
        EXPECT_EQ(items.changes_of("t", "again"), R"(["x"])");
        items.asked("t", "again");
        EXPECT_FALSE(items.ran_unasked(item("again")));
        EXPECT_TRUE(items.ran_unasked(item("again"))) << "it was not asked this time";
    }
    EXPECT_EQ(items.size(), 0U);
}

}  // namespace
}  // namespace countersign::runtimes::codex
