// SPDX-License-Identifier: Apache-2.0
// The adapter with a real child on real pipes (a script that speaks the CLI's protocol) and the hub with fake people.
#include "runtimes/claude/adapter.hpp"

#include "core/limits.hpp"
#include "security/args_hash.hpp"
#include "tests/fakes/orphans.hpp"
#include "tests/fakes/world.hpp"
#include "tests/runtimes/claude_sample.hpp"
#include "tests/runtimes/held_looks.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace countersign::runtimes::claude {
namespace {

namespace asio = boost::asio;
namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

std::string asks_as(const std::string& id, const std::string& command) {
    return R"({"type":"control_request","request_id":")" + id +
           R"(","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":")" + command +
           R"("},"tool_use_id":"tool_)" + id + "\"}}";
}
std::string allow_of(const std::string& id, const std::string& command) {
    return R"({"type":"control_response","response":{"subtype":"success","request_id":")" + id +
           R"(","response":{"behavior":"allow","updatedInput":{"command":")" + command + R"("}}}})";
}
const std::string init = R"({"type":"system","subtype":"init","cwd":"/work","session_id":"s-of-the-cli"})";
const std::string turn_over = R"({"type":"result","subtype":"success","is_error":false})";
const std::string initialize =
    R"({"type":"control_request","request_id":"countersign-initialize","request":{"subtype":"initialize"}})";

class ClaudeAdapterTest : public testing::Test {
protected:
    ClaudeAdapterTest() {
        auto name = (fs::temp_directory_path() / "countersign-claude-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error{"mkdtemp"};
        directory_ = name;
    }
    ~ClaudeAdapterTest() override {
        if (child != nullptr) child->close_output();
        until([this] { return ended || adapter == nullptr; });
        fs::remove_all(directory_);
    }

    // Script lines that print `line`. The initialize message is read automatically.
    std::string says(const std::string& line) {
        const auto path = directory_ / ("line" + std::to_string(++files_));
        std::ofstream{path} << line << "\n";
        return "cat " + path.string() + "\n";
    }
    [[nodiscard]] std::string hears(int lines = 1) const {
        std::string script;
        for (int i = 0; i < lines; ++i) {
            script += "IFS= read -r line && printf '%s\\n' \"$line\" >> " + (directory_ / "heard").string() + "\n";
        }
        return script;
    }
    // Reads until the input is closed; then one more line says so.
    [[nodiscard]] std::string hears_all() const {
        const auto heard = (directory_ / "heard").string();
        return "cat >> " + heard + "; echo closed >> " + heard + "\n";
    }
    void start(const std::string& script) {
        const auto path = directory_ / "claude";
        std::ofstream{path} << hears() << script;
        auto started = net::Child::start(world.io.get_executor(), {.argv = {"sh", path.string()}});
        ASSERT_TRUE(started) << describe(started.error());
        child = std::move(*started);
        Adapter::Options options;
        options.agent_id = "dev";
        options.session_key = "before";
        options.cwd = "/w";
        options.look = look;
        options.rules = [this] { return rules; };
        options.message = [this](const std::string& text) { messages.push_back(text); };
        options.turn_ended = [this](const TurnEnd& end) { turns.push_back(end.subtype); };
        options.unasked = [this](const UnaskedCall& call) { unasked.push_back(call); };
        options.refused = [this](const Error& why) { refused.push_back(describe(why)); };
        adapter = std::make_unique<Adapter>(std::move(options), *child, world.hub.asking(), world.ids, redactor);
    }
    void go(const std::string& script) {
        start(script);
        asio::co_spawn(world.io, adapter->run(), [this](const std::exception_ptr& failed) {
            EXPECT_EQ(failed, nullptr);
            ended = true;
        });
    }
    template <class Task> auto await(Task task) {
        std::optional<Result<void>> result;
        asio::co_spawn(world.io, std::move(task),
                       [&](const std::exception_ptr&, const Result<void>& value) { result = value; });
        until([&] { return result.has_value(); });
        return result.value_or(Error{Errc::timeout, "still waiting"});
    }
    // Bounded: if the condition never becomes true, the test fails instead of hanging.
    template <class Condition> bool until(Condition holds) {
        for (int i = 0; i < 3000 && !holds(); ++i) {
            world.io.restart();
            world.io.run_for(10ms);
        }
        return holds();
    }
    bool until_shown(std::size_t number = 1) {
        return until([&] { return world.ops.presented.size() >= number; });
    }
    bool until_heard(std::size_t lines) {
        return until([&] { return heard().size() >= lines; });
    }
    [[nodiscard]] const Request& shown(std::size_t index = 0) const { return *world.ops.presented.at(index).request; }
    void click(std::size_t index, const std::string& option, const std::string& reason = {}) {
        auto attempt = world.click(shown(index).id, option);
        attempt.reason = reason;
        submit(std::move(attempt));
    }
    void submit(Attempt attempt) {
        std::optional<Result<Receipt>> decided;
        world.hub.submit(std::move(attempt), [&](const Result<Receipt>& receipt) { decided = receipt; });
        until([&] { return decided.has_value(); });
        ASSERT_TRUE(decided && *decided) << (decided ? describe(decided->error()) : "no answer");
    }
    [[nodiscard]] std::vector<std::string> heard() const {
        std::vector<std::string> lines;
        std::ifstream file{directory_ / "heard"};
        for (std::string line; std::getline(file, line) && !file.eof();) lines.push_back(line);
        return lines;
    }

    fakes::World world;
    Rules rules;
    LookAtFiles look;
    security::CurrentRedactor redactor{test_key(), {}};
    std::unique_ptr<net::Child> child;
    std::unique_ptr<Adapter> adapter;
    std::vector<std::string> messages;
    std::vector<std::string> turns;
    std::vector<UnaskedCall> unasked;
    std::vector<std::string> refused;
    bool ended = false;

private:
    fs::path directory_;
    int files_ = 0;
};

TEST_F(ClaudeAdapterTest, OnePromptIsAskedAnsweredAndEndsTheSession) {
    start(hears() + says(init) + says(asks_as("r1", "ls")) + hears() + says(turn_over) + hears_all());
    ASSERT_TRUE(await(adapter->say("go \"now\"")));
    adapter->no_more_prompts();
    asio::co_spawn(world.io, adapter->run(), [this](const std::exception_ptr&) { ended = true; });
    ASSERT_TRUE(until_shown());
    EXPECT_EQ(shown().session_key, "s-of-the-cli");
    EXPECT_EQ(shown().cwd, "/work");
    EXPECT_EQ(shown().agent_id, "dev");
    click(0, "allow");
    ASSERT_TRUE(until([this] { return ended; }));
    EXPECT_THAT(heard(), ElementsAre(initialize,
                                     R"({"type":"user","message":{"role":"user","content":[{"type":"text",)"
                                     R"("text":"go \"now\""}]},"parent_tool_use_id":null,"session_id":""})",
                                     allow_of("r1", "ls"), "closed"));
    EXPECT_THAT(turns, ElementsAre("success"));
    EXPECT_THAT(refused, IsEmpty());
    EXPECT_EQ(world.ledger.count("forwarded"), 1U);
}

TEST_F(ClaudeAdapterTest, ADenyCarriesThePersonsReason) {
    go(says(asks_as("r1", "ls")) + hears());
    ASSERT_TRUE(until_shown());
    click(0, "deny", "not today");
    ASSERT_TRUE(until_heard(2));
    EXPECT_THAT(heard()[1], HasSubstr(R"({"behavior":"deny","message":"This was denied: not today"})"));
}

TEST_F(ClaudeAdapterTest, SeveralCallsAreOpenAtOnceAndEachGetsItsOwnAnswer) {
    go(says(asks_as("r1", "one")) + says(asks_as("r2", "two")) + hears(2));
    ASSERT_TRUE(until_shown(2));
    click(1, "allow");
    click(0, "allow");
    ASSERT_TRUE(until_heard(3));
    EXPECT_THAT(heard(), ElementsAre(initialize, allow_of("r2", "two"), allow_of("r1", "one")));
    ASSERT_TRUE(until([this] { return ended; }));
}

TEST_F(ClaudeAdapterTest, AWithdrawnCallIsConcludedAndNotAnswered) {
    go(says(asks_as("r1", "ls")) + says(R"({"type":"control_cancel_request","request_id":"nobody"})") +
       says(R"({"type":"control_cancel_request","request_id":"r1"})") + says(asks_as("r2", "two")) + hears());
    ASSERT_TRUE(until([this] { return !world.ops.concluded.empty(); }));
    EXPECT_EQ(world.ops.concluded[0].outcome, Outcome::withdrawn);
    ASSERT_TRUE(until_shown(2));
    click(1, "allow");
    ASSERT_TRUE(until([this] { return ended; }));
    EXPECT_THAT(heard(), ElementsAre(initialize, allow_of("r2", "two")));
}

TEST_F(ClaudeAdapterTest, I2_AnAgentThatEndsLosesItsOpenRequests) {
    go(says(asks_as("r1", "ls")));
    ASSERT_TRUE(until([this] { return ended && !world.ops.concluded.empty(); }));
    EXPECT_EQ(world.ops.concluded[0].outcome, Outcome::lost);
    EXPECT_EQ(world.ledger.text("ended", "outcome"), "lost");
}

TEST_F(ClaudeAdapterTest, AnUnreadableMessageIsAnsweredOnceAndTheNextCallWorks) {
    const auto deep = R"({"type":"control_request","request_id":"deep","request":{"subtype":"can_use_tool",)"
                      R"("tool_name":"Bash","input":)" +
                      std::string(100, '[') + std::string(100, ']') + "}}";
    const auto large = asks_as("large", std::string(limits::agent_line_bytes_max, 'x'));
    const auto question = R"({"type":"control_request","request_id":"q","request":{"subtype":"can_use_tool",)"
                          R"("tool_name":"AskUserQuestion","input":{"questions":[]}}})";
    go(says("not json") + says(deep) + says(large) + says(question) + hears(3) + says(asks_as("r1", "ls")) + hears());
    ASSERT_TRUE(until_shown());
    click(0, "allow");
    ASSERT_TRUE(until([this] { return ended; }));
    const auto lines = heard();
    ASSERT_EQ(lines.size(), 5U);
    EXPECT_THAT(lines[1], HasSubstr(R"("subtype":"error","request_id":"deep","error":"not run, it cannot be read)"));
    EXPECT_THAT(lines[2], HasSubstr(R"("subtype":"error","request_id":"large","error":"not run, it cannot be read)"));
    EXPECT_THAT(lines[3], HasSubstr(R"("request_id":"q","response":{"behavior":"deny")"));
    EXPECT_EQ(lines[4], allow_of("r1", "ls"));
    EXPECT_EQ(refused.size(), 4U);
    EXPECT_EQ(world.ledger.count("unreadable"), 4U);
    EXPECT_EQ(world.ops.presented.size(), 1U);
}

TEST_F(ClaudeAdapterTest, I13_ALinePastAllBoundsIsAnsweredByItsHead) {
    const std::string head = R"({"type":"control_request","request_id":"huge","request":{"input":")";
    const auto body = limits::agent_long_line_bytes_max + 1 - head.size();
    go("printf '%s' '" + head + "'\nhead -c " + std::to_string(body) + " /dev/zero | tr '\\0' x\necho\n" + hears());
    ASSERT_TRUE(until([this] { return ended; }));
    ASSERT_EQ(heard().size(), 2U);
    EXPECT_THAT(heard()[1], HasSubstr(R"("subtype":"error","request_id":"huge")"));
    EXPECT_THAT(refused, ElementsAre(HasSubstr(std::to_string(limits::agent_long_line_bytes_max + 1) + " bytes")));
}

TEST_F(ClaudeAdapterTest, PromptsAreSentOnePerTurnInOrder) {
    go(hears() + says(turn_over) + hears() + says(turn_over) + hears_all());
    ASSERT_TRUE(await(adapter->say("one")));
    ASSERT_TRUE(await(adapter->say("two")));
    adapter->no_more_prompts();
    ASSERT_TRUE(until([this] { return ended; }));
    const auto lines = heard();
    ASSERT_EQ(lines.size(), 4U);
    EXPECT_THAT(lines[1], HasSubstr("\"one\""));
    EXPECT_THAT(lines[2], HasSubstr("\"two\""));
    EXPECT_EQ(turns.size(), 2U);
}

TEST_F(ClaudeAdapterTest, I13_PromptsAreBoundedInLengthAndNumber) {
    start(hears_all());
    EXPECT_EQ(await(adapter->say(std::string(limits::prompt_bytes_max + 1, 'x'))).error().code, Errc::too_large);
    EXPECT_TRUE(await(adapter->say(std::string(limits::prompt_bytes_max, 'x'))));
    for (std::size_t i = 1; i < limits::prompts_waiting_max; ++i) ASSERT_TRUE(await(adapter->say("x")));
    EXPECT_EQ(await(adapter->say("x")).error().code, Errc::busy);
    ended = true;  // the script never ran
}

TEST_F(ClaudeAdapterTest, TheInputStaysOpenWhileAnAnswerIsStillPending) {
    go(says(asks_as("r1", "ls")) + says(turn_over) + hears_all());
    ASSERT_TRUE(until_shown());
    ASSERT_TRUE(until([this] { return !turns.empty(); }));
    adapter->no_more_prompts();
    click(0, "allow");
    ASSERT_TRUE(until([this] { return ended; }));
    EXPECT_THAT(heard(), ElementsAre(initialize, allow_of("r1", "ls"), "closed"));
}

TEST_F(ClaudeAdapterTest, AnInterruptEndsTheTurnAndDropsWaitingPrompts) {
    go(hears(2) + says(turn_over) + hears_all());
    ASSERT_TRUE(await(adapter->say("one")));
    ASSERT_TRUE(await(adapter->say("never said")));
    EXPECT_EQ(adapter->interrupted_because(), "");
    EXPECT_EQ(await(adapter->interrupt({"dev", "another"}, "halted by alice")).error().code, Errc::unsupported);
    EXPECT_EQ(adapter->interrupted_because(), "") << "another session's halt doesn't end this one's turn";
    ASSERT_TRUE(await(adapter->interrupt({"dev", "before"}, "halted by alice")));
    EXPECT_EQ(adapter->interrupted_because(), "halted by alice") << "what it ends with is no failure of its own";
    adapter->no_more_prompts();
    ASSERT_TRUE(until([this] { return ended; }));
    const auto lines = heard();
    ASSERT_EQ(lines.size(), 4U);
    EXPECT_EQ(lines[2], R"({"type":"control_request","request_id":"countersign-interrupt-1",)"
                        R"("request":{"subtype":"interrupt"}})");
}

TEST_F(ClaudeAdapterTest, I8_AGrantForTheSessionAnswersOnlyTheSameCall) {
    go(says(init) + says(asks_as("r1", "make")) + hears(2) + says(asks_as("r2", "make")) + hears() +
       says(asks_as("r3", "make all")) + hears());
    ASSERT_TRUE(until_shown());
    click(0, "session");
    ASSERT_TRUE(until([this] { return world.hub.grants().all().size() == 1; })) << "in force once it is recorded";
    ASSERT_TRUE(await(adapter->say("again")));
    ASSERT_TRUE(until_heard(4)) << "the second one is answered by the grant";
    ASSERT_TRUE(until_shown(2));
    EXPECT_EQ(std::get<Approval>(shown(1).body).display_text, "make all");
    click(1, "deny");
    ASSERT_TRUE(until([this] { return ended; }));
    EXPECT_EQ(heard()[1], allow_of("r1", "make")) << "the CLI hears of no rule";
    EXPECT_EQ(heard()[3], allow_of("r2", "make"));
}

TEST_F(ClaudeAdapterTest, QuestionsAreAnsweredWithTheChoicesOfThePerson) {
    go(says(asks("AskUserQuestion", question_input)) + hears());
    ASSERT_TRUE(until_shown());
    submit(world.submit(shown().id, {{.question_id = "q0", .choices = {"Blue"}, .text = {}},
                                     {.question_id = "q1", .choices = {"S", "L"}, .text = {}}}));
    ASSERT_TRUE(until_heard(2));
    EXPECT_THAT(heard()[1], HasSubstr(R"("answers":{"Which color?":"Blue","Which sizes?":"S, L"})"));
}

TEST_F(ClaudeAdapterTest, RequestsThatCannotBeAnsweredHereDoNotKeepTheCliWaiting) {
    const auto other = [](const std::string& id, const std::string& subtype) {
        return R"({"type":"control_request","request_id":")" + id + R"(","request":{"subtype":")" + subtype + "\"}}";
    };
    go(says(other("d", "request_user_dialog")) + says(other("e", "elicitation")) + says(other("f", "hook_callback")) +
       hears(2));
    ASSERT_TRUE(until([this] { return ended; }));
    ASSERT_EQ(heard().size(), 3U);
    EXPECT_THAT(heard()[1], HasSubstr(R"("request_id":"e","response":{"action":"cancel"})"));
    EXPECT_THAT(heard()[2], HasSubstr(R"("subtype":"error","request_id":"f")"));
    EXPECT_EQ(refused.size(), 3U);
}

TEST_F(ClaudeAdapterTest, I9_ASecondCallWithAnOpenIdIsNotAskedAndTheAnswerIsForTheFirst) {
    go(says(asks_as("r1", "ls")) + says(asks_as("r1", "rm -rf /")) + hears());
    ASSERT_TRUE(until([this] { return !refused.empty(); }));
    EXPECT_EQ(world.ops.presented.size(), 1U);
    click(0, "allow");
    ASSERT_TRUE(until([this] { return ended; }));
    EXPECT_THAT(heard(), ElementsAre(initialize, allow_of("r1", "ls")));
}

TEST_F(ClaudeAdapterTest, I9_ADecisionThatDoesNotMatchIsADenyAndAnError) {
    go(says(asks_as("r1", "ls")) + hears());
    ASSERT_TRUE(until_shown());
    const Verdict wrong{.request_id = shown().id,
                        .outcome = Outcome::allowed,
                        .option_id = "allow",
                        .answers = {},
                        .reason = {},
                        .args_hash = std::string(64, '0')};
    EXPECT_EQ(await(adapter->forward(wrong)).error().code, Errc::conflict);
    EXPECT_EQ(await(adapter->forward(wrong)).error().code, Errc::unknown_request) << "answered once";
    ASSERT_TRUE(until([this] { return ended; }));
    ASSERT_EQ(heard().size(), 2U);
    EXPECT_THAT(heard()[1], HasSubstr(R"("behavior":"deny")"));
}

TEST_F(ClaudeAdapterTest, I1_WithoutALogTheCallIsDeniedAtOnce) {
    world.ledger.fail_next();
    go(says(asks_as("r1", "ls")) + hears());
    ASSERT_TRUE(until([this] { return ended; }));
    ASSERT_EQ(heard().size(), 2U);
    EXPECT_THAT(heard()[1], HasSubstr("audit log unavailable"));
    EXPECT_THAT(heard()[1], HasSubstr(R"("behavior":"deny")"));
}

TEST_F(ClaudeAdapterTest, I12_ACallThatAnEarlierHubLeftOpenContinuesAndIsAnswered) {
    auto left = fakes::shell_request(world.ids.next());
    left.agent_id = "dev";
    left.session_key = "before";
    left.native_key = security::native_key("claude", "before", "\"r1\"");
    left.args_hash = *security::args_hash("Bash", R"({"command":"ls"})");
    world.hub.remember_earlier({left.id});
    world.hub.await_orphans({fakes::orphan_of(left, world.clock.boot())});
    go(says(asks_as("r1", "ls")) + hears());
    ASSERT_TRUE(until_shown());
    EXPECT_EQ(shown().id, left.id);
    EXPECT_EQ(world.ledger.count("resumed"), 1U);
    click(0, "allow");
    ASSERT_TRUE(until([this] { return ended; }));
    EXPECT_THAT(heard(), ElementsAre(initialize, allow_of("r1", "ls")));
}

TEST_F(ClaudeAdapterTest, LinesAreReadWhileTheLogHangs) {
    world.ledger.hold(true);
    go(says(asks_as("r1", "ls")) + says(turn_over) + hears());
    ASSERT_TRUE(until([this] { return !turns.empty(); }));
    EXPECT_EQ(world.ledger.count("request"), 0U);
    adapter->no_more_prompts();
    world.ledger.hold(false);
    ASSERT_TRUE(until_shown()) << "the input stays open for a call that is on its way to the hub";
    click(0, "allow");
    ASSERT_TRUE(until([this] { return ended; }));
    EXPECT_THAT(heard(), ElementsAre(initialize, allow_of("r1", "ls")));
}

TEST_F(ClaudeAdapterTest, AWithdrawalRightAfterItsCallWinsOverAnAllowingRuleEvenIfTheLogHangs) {
    rules.policy = {{.name = "all", .effect = PolicyEffect::allow, .tool = "Bash", .command = "ls"}};
    world.ledger.hold(true);
    go(says(asks_as("r1", "ls")) + says(R"({"type":"control_cancel_request","request_id":"r1"})") + says(turn_over) +
       hears_all());
    ASSERT_TRUE(until([this] { return !turns.empty() && world.ledger.waiting() > 0; }));
    world.ledger.hold(false);
    ASSERT_TRUE(until([this] { return world.ledger.count("ended") == 1; }));
    EXPECT_EQ(world.ledger.text("ended", "outcome"), "withdrawn");
    EXPECT_EQ(world.ledger.count("decision"), 0U);
    EXPECT_TRUE(world.ops.presented.empty()) << "no approver is shown what was taken back before it was recorded";
    adapter->no_more_prompts();
    ASSERT_TRUE(until([this] { return ended; }));
    EXPECT_THAT(heard(), ElementsAre(initialize, "closed"));
}

TEST_F(ClaudeAdapterTest, I13_OnePastTheBoundOfCallsBeingProcessedWaitsAndIsNotLost) {
    std::string calls;
    for (std::size_t i = 0; i < limits::agent_asks_max; ++i) calls += asks_as("r" + std::to_string(i), "ls") + "\n";
    world.ledger.hold(true);
    go(says(calls + turn_over) + says(asks_as("last", "ls") + "\n" + turn_over));
    ASSERT_TRUE(until([this] { return turns.size() == 1 && world.ledger.waiting() == limits::agent_asks_max; }));
    for (int i = 0; i < 10; ++i) world.io.run_for(10ms);
    EXPECT_EQ(world.ledger.waiting(), limits::agent_asks_max);
    EXPECT_EQ(turns.size(), 1U) << "what follows the last call is not read yet";
    world.ledger.hold(false);
    ASSERT_TRUE(until([this] { return turns.size() == 2; }));
    ASSERT_TRUE(until([this] { return world.ledger.count("request") == limits::agent_asks_max + 1; }));
}

TEST_F(ClaudeAdapterTest, TextIsRedactedAndCallsThatRanUnaskedAreReported) {
    const auto wants = [](const std::string& id, const std::string& tool) {
        return R"({"type":"assistant","message":{"content":[{"type":"text","text":"token )" + canary +
               R"("},{"type":"tool_use","id":")" + id + R"(","name":")" + tool + R"(","input":{"command":"use )" +
               canary + R"( \u202e now\nand then"}}]}})";
    };
    const auto result = [](const std::string& id) {
        return R"({"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":")" + id + "\"}]}}";
    };
    go(says(wants("t1", "Bash")) + says(result("t1")) + says(wants("tool_r1", "Bash")) + says(asks_as("r1", "ls")) +
       hears() + says(result("tool_r1")));
    ASSERT_TRUE(until_shown());
    click(0, "allow");
    ASSERT_TRUE(until([this] { return ended; }));
    ASSERT_EQ(unasked.size(), 1U);
    EXPECT_EQ(unasked[0].agent_id, "dev");
    EXPECT_EQ(unasked[0].tool_name, "Bash");
    EXPECT_THAT(unasked[0].summary, AllOf(StartsWith("use "), EndsWith(" now⏎and then"), Not(HasSubstr(canary))));
    EXPECT_THAT(unasked[0].summary, Not(HasSubstr("\u202e")));
    EXPECT_EQ(unasked[0].session_key, "before");
    EXPECT_THAT(unasked[0].display_text, AllOf(StartsWith("use "), EndsWith(" now\nand then"), Not(HasSubstr(canary))));
    EXPECT_FALSE(unasked[0].failed);
    ASSERT_EQ(messages.size(), 2U);
    EXPECT_THAT(messages[0], HasSubstr("token "));
    EXPECT_THAT(messages[0], Not(HasSubstr(canary)));
}

TEST_F(ClaudeAdapterTest, OfACallThatRanUnaskedTheFileAndTheSessionAreTold) {
    const auto reads = [](const std::string& id, const std::string& input) {
        return R"({"type":"assistant","message":{"content":[{"type":"tool_use","id":")" + id +
               R"(","name":"Read","input":)" + input + "}]}}";
    };
    const auto result = [](const std::string& id, const std::string& more) {
        return R"({"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":")" + id + "\"" + more +
               "}]}}";
    };
    const std::string much(limits::unasked_text_bytes_max, 'y');
    go(says(init) + says(reads("t1", R"({"file_path":"/w/.env","limit":5})")) + says(result("t1", "")) +
       says(reads("t2", R"({"nope":1})")) +
       says(result("t2", R"(,"is_error":true,"content":"<tool_use_error>no</tool_use_error>")")) +
       says(reads("t3", R"({"file_path":")" + much + "\"}")) + says(result("t3", "")) + says(turn_over));
    ASSERT_TRUE(until([this] { return ended; }));
    ASSERT_EQ(unasked.size(), 2U) << "what the CLI refused did not run";
    EXPECT_EQ(unasked[0].summary, "/w/.env");
    EXPECT_EQ(unasked[0].session_key, "s-of-the-cli");
    EXPECT_EQ(unasked[0].display_text, "{\n  \"file_path\": \"/w/.env\",\n  \"limit\": 5\n}");
    EXPECT_THAT(unasked[1].display_text, EndsWith("yyy …"));
    EXPECT_EQ(unasked[1].display_text.size(), limits::unasked_text_bytes_max + std::string_view{" …"}.size());
}

TEST_F(ClaudeAdapterTest, ACommandCannotHideThatItRanByPrintingAnErrorOfTheCli) {
    go(says(init) +
       says(R"({"type":"assistant","message":{"content":[{"type":"tool_use","id":"t1","name":"Bash",)"
            R"("input":{"command":"./evil"}}]}})") +
       says(R"({"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,)"
            R"("content":"<tool_use_error>no such tool</tool_use_error>"}]}})") +
       says(turn_over));
    ASSERT_TRUE(until([this] { return ended; }));
    ASSERT_EQ(unasked.size(), 1U);
    EXPECT_EQ(unasked[0].summary, "./evil");
    EXPECT_TRUE(unasked[0].failed);
}

TEST_F(ClaudeAdapterTest, ASessionNameThatCannotBeShownIsNotUsed) {
    go(says(R"({"type":"system","subtype":"init","cwd":"relative","session_id":"a\u202eb"})") +
       says(asks_as("r1", "ls")) + hears());
    ASSERT_TRUE(until_shown());
    EXPECT_EQ(shown().session_key, "before");
    EXPECT_EQ(shown().cwd, "/w");
    click(0, "deny");
    ASSERT_TRUE(until([this] { return ended; }));
}

class ClaudeLookTest : public ClaudeAdapterTest {
protected:
    ClaudeLookTest() {
        look = look_with(looks, readable_files(), [](const std::string& directory) {
            return Workplace{.host = "build-7", .repository = directory, .branch = {}};
        });
    }
    HeldLooks looks;
};

TEST_F(ClaudeLookTest, TheResultOfTheLookIsInTheRequest) {
    looks.open = true;
    go(says(asks_as("r1", "./run.sh")) + hears());
    ASSERT_TRUE(until_shown());
    EXPECT_FALSE(shown().script_hash.empty());
    EXPECT_TRUE(shown().judgement.may_grant);
    EXPECT_EQ(shown().workplace, (Workplace{.host = "build-7", .repository = "/w", .branch = {}}));
    click(0, "deny");
    ASSERT_TRUE(until([this] { return ended; }));
}

TEST_F(ClaudeLookTest, AnUnfinishedLookIsReportedAndThenNothingIsAllowedByPathOrForLonger) {
    looks.open = true;
    looks.in_time = false;
    rules.policy = {{.name = "by path", .effect = PolicyEffect::allow, .tool = {"Read"}, .path = "/w/**"}};
    const auto reads =
        R"({"type":"control_request","request_id":"r2","request":{"subtype":"can_use_tool","tool_name":"Read",)"
        R"("input":{"file_path":"/w/a"},"tool_use_id":"t2"}})";
    go(says(asks_as("r1", "./run.sh")) + says(reads) + hears(2));
    ASSERT_TRUE(until_shown(2));
    EXPECT_TRUE(shown().script_hash.empty());
    EXPECT_FALSE(shown().judgement.may_grant);
    EXPECT_EQ(shown(1).judgement.risk, (Risk{RiskLevel::high, "files not read in time"}));
    EXPECT_EQ(shown(1).judgement.policy.effect, PolicyEffect::ask);
    EXPECT_THAT(std::get<countersign::Approval>(shown(1).body).display_text,
                HasSubstr("the files of this call could not be read in time"));
    EXPECT_EQ(shown().workplace, (Workplace{.host = "build-7", .repository = {}, .branch = {}}));
    click(0, "deny");
    click(1, "deny");
    ASSERT_TRUE(until([this] { return ended; }));
}

TEST_F(ClaudeLookTest, WhileALookHangsAnotherAgentIsServedAndAHaltWorks) {
    go(says(asks_as("r1", "ls")) + hears());
    ASSERT_TRUE(until([this] { return looks.begun == 1; }));
    const auto other = world.ask(fakes::shell_request(world.ids.next()));
    ASSERT_TRUE(other);
    EXPECT_TRUE(world.decide(world.click(*other, "allow")));
    ASSERT_EQ(world.agent.forwarded.size(), 1U);
    EXPECT_TRUE(world.order(world.halt("dev")));
    looks.let_go();
    ASSERT_TRUE(until([this] { return ended; }));
    EXPECT_EQ(world.ops.presented.size(), 1U) << "what a halted agent asks is refused, also if it asked before";
    EXPECT_THAT(heard(), Contains(AllOf(HasSubstr("r1"), HasSubstr("deny"))));
}

TEST_F(ClaudeLookTest, I6_ASecretThatAReloadBringsWhileALookHangsIsMasked) {
    go(says(R"({"type":"system","subtype":"init","cwd":"/srv/plainvalue","session_id":"s"})") +
       says(asks_as("r1", "cat notes/plainvalue")) + hears());
    ASSERT_TRUE(until([this] { return looks.begun == 1; }));
    redactor.replace(test_key(), {{"plainvalue"}});
    looks.let_go();
    ASSERT_TRUE(until_shown());
    EXPECT_THAT(std::get<countersign::Approval>(shown().body).display_text,
                AllOf(HasSubstr("cat notes/"), Not(HasSubstr("plainvalue"))));
    EXPECT_THAT(shown().cwd, AllOf(HasSubstr("/srv/"), Not(HasSubstr("plainvalue"))));
    EXPECT_THAT(shown().workplace.repository, Not(HasSubstr("plainvalue")));
    click(0, "deny");
    ASSERT_TRUE(until([this] { return ended; }));
}

TEST_F(ClaudeLookTest, TheLinesOfAnAgentKeepTheirOrderWhileALookHangs) {
    go(says(asks_as("r1", "one")) + says(R"({"type":"control_cancel_request","request_id":"r1"})") +
       says(asks_as("r2", "two")) + hears());
    ASSERT_TRUE(until([this] { return looks.begun == 1; }));
    looks.let_go();
    ASSERT_TRUE(until_shown(2));
    ASSERT_EQ(world.ops.concluded.size(), 1U);
    EXPECT_EQ(world.ops.concluded[0].outcome, Outcome::withdrawn);
    EXPECT_EQ(shown(1).id, world.ops.presented[1].request->id);
    click(1, "deny");
    ASSERT_TRUE(until([this] { return ended; }));
    EXPECT_THAT(heard(), Not(Contains(HasSubstr("r1"))));
}

TEST_F(ClaudeLookTest, AWithdrawalWhileALookHangsWinsOverAnAllowingRule) {
    rules.policy = {{.name = "all", .effect = PolicyEffect::allow, .tool = "Bash", .command = "ls"}};
    go(says(asks_as("r1", "ls")) + says(R"({"type":"control_cancel_request","request_id":"r1"})") + says(turn_over) +
       hears_all());
    ASSERT_TRUE(until([this] { return !turns.empty(); })) << "lines after the call are read while its look hangs";
    EXPECT_EQ(world.ledger.count("request"), 0U);
    looks.let_go();
    ASSERT_TRUE(until([this] { return world.ledger.count("ended") == 1; }));
    EXPECT_EQ(world.ledger.text("ended", "outcome"), "withdrawn");
    adapter->no_more_prompts();
    ASSERT_TRUE(until([this] { return ended; }));
    EXPECT_THAT(heard(), Not(Contains(HasSubstr("r1")))) << "it was not told that it may run";
    EXPECT_EQ(world.ledger.count("decision"), 0U);
}

TEST_F(ClaudeLookTest, AnAgentsCallsAreLookedAtOneAtATimeAndAskedInOrder) {
    go(says(asks_as("r1", "one")) + says(asks_as("r2", "two")) + says(turn_over) + hears(2));
    ASSERT_TRUE(until([this] { return !turns.empty(); }));
    EXPECT_EQ(looks.begun, 1);
    looks.let_go();
    ASSERT_TRUE(until_shown(2));
    EXPECT_EQ(std::get<Approval>(shown(0).body).display_text, "one");
    EXPECT_EQ(std::get<Approval>(shown(1).body).display_text, "two");
    click(0, "deny");
    click(1, "deny");
    ASSERT_TRUE(until([this] { return ended; }));
}

TEST_F(ClaudeLookTest, AnIdThatWasWithdrawnDuringALookCanBeUsedAgain) {
    go(says(asks_as("r1", "one")) + says(R"({"type":"control_cancel_request","request_id":"r1"})") +
       says(asks_as("r1", "two")) + says(turn_over) + hears());
    ASSERT_TRUE(until([this] { return !turns.empty(); }));
    looks.let_go();
    ASSERT_TRUE(until([this] { return world.ledger.count("request") == 2 && world.ledger.count("ended") == 1; }));
    ASSERT_TRUE(until_shown(1));
    click(world.ops.presented.size() - 1, "allow");
    ASSERT_TRUE(until([this] { return ended; }));
    EXPECT_THAT(heard(), ElementsAre(initialize, allow_of("r1", "two")));
}

TEST_F(ClaudeLookTest, TheRulesAreThoseInForceWhenTheLookReturns) {
    go(says(asks_as("r1", "./run.sh")) + hears());
    ASSERT_TRUE(until([this] { return looks.begun == 1; }));
    rules.policy = {{.name = "new", .effect = PolicyEffect::deny, .tool = {"Bash"}}};
    looks.let_go();
    ASSERT_TRUE(until([this] { return ended; }));
    EXPECT_TRUE(world.ops.presented.empty()) << "the new rule denied it";
}

}  // namespace
}  // namespace countersign::runtimes::claude
