// SPDX-License-Identifier: Apache-2.0
// The adapter with a real child on real pipes (a script that speaks as an agent does) and the hub with fake people.
#include "runtimes/event/adapter.hpp"

#include "core/limits.hpp"
#include "tests/fakes/world.hpp"
#include "tests/net/scratch_directory.hpp"
#include "tests/runtimes/event_sample.hpp"
#include "tests/runtimes/held_looks.hpp"

#include <gmock/gmock.h>

#include <fstream>

namespace countersign::runtimes::event {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::string first_id = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const std::string second_id = "01ARZ3NDEKTSV4RRFFQ69G5FAW";
const std::string read_so_far = R"({"type":"message","text":"read so far"})";

std::string withdraws(const std::string& id) { return R"({"type":"approval_withdrawn","approvalId":")" + id + "\"}"; }

class EventAdapterTest : public testing::Test {
protected:
    ~EventAdapterTest() override {
        if (child != nullptr) child->close_output();
        until([this] { return ended || adapter == nullptr; });
        world.settle();  // requests closed by the end of the agent get their records
    }
    std::string says(const std::string& line) {
        const auto path = directory.path() + "/" + ("line" + std::to_string(++files));
        std::ofstream{path} << line << "\n";
        return "cat " + path + "\n";
    }
    [[nodiscard]] std::string hears() const {
        return "IFS= read -r line && printf '%s\\n' \"$line\" >> " + directory.path() + "/heard" + "\n";
    }
    void go(const std::string& script) {
        const auto path = directory.path() + "/agent";
        std::ofstream{path} << script;
        auto started = net::Child::start(world.io.get_executor(), {.argv = {"sh", path}});
        ASSERT_TRUE(started) << describe(started.error());
        child = std::move(*started);
        Adapter::Options options;
        options.agent_id = "dev";
        options.session_key = "s0";
        options.cwd = "/w";
        options.look = look_with(looks, readable_files(), {});
        options.rules = [this] { return rules; };
        options.message = [this](const std::string& text) { messages.push_back(text); };
        options.refused = [this](const Error& why) { refused.push_back(describe(why)); };
        adapter = std::make_unique<Adapter>(std::move(options), *child, world.hub.asking(), redactor);
        asio::co_spawn(world.io, adapter->run(), [this](const std::exception_ptr& failed) {
            EXPECT_EQ(failed, nullptr);
            ended = true;
        });
    }
    // Bounded: if the condition never becomes true, the test fails instead of hanging.
    template <class Condition> bool until(Condition holds) {
        for (int i = 0; i < 3000 && !holds(); ++i) {
            world.io.restart();
            world.io.run_for(10ms);
        }
        return holds();
    }
    [[nodiscard]] std::vector<std::string> heard() const {
        std::vector<std::string> lines;
        std::ifstream file{directory.path() + "/heard"};
        for (std::string line; std::getline(file, line);) lines.push_back(line);
        return lines;
    }

    testing_tools::ScratchDirectory directory;
    fakes::World world;
    HeldLooks looks;
    security::CurrentRedactor redactor{test_key(), {}};
    Rules rules;
    std::unique_ptr<net::Child> child;
    std::unique_ptr<Adapter> adapter;
    std::vector<std::string> messages;
    std::vector<std::string> refused;
    int files = 0;
    bool ended = false;
};

TEST_F(EventAdapterTest, LinesAreReadWhileTheLogHangs) {
    looks.open = true;
    world.ledger.hold(true);
    go(says(tool_use_event) + says(read_so_far) + hears());
    ASSERT_TRUE(until([this] { return !messages.empty(); }));
    EXPECT_EQ(world.ledger.count("request"), 0U);
    world.ledger.hold(false);
    ASSERT_TRUE(until([this] { return !world.ops.presented.empty(); }));
    EXPECT_TRUE(world.decide(world.click(*Ulid::parse(first_id), "allow")));
    ASSERT_TRUE(until([this] { return ended; }));
    EXPECT_THAT(heard(), ElementsAre(HasSubstr(R"("nativeDecision":"allow")")));
}

// Even if the look or the log hangs, a rule that allows must not overtake the agent's own withdrawal.
TEST_F(EventAdapterTest, AWithdrawalWhileALookHangsWinsOverAnAllowingRule) {
    rules.policy = {{.name = "all", .effect = PolicyEffect::allow, .tool = "Bash", .command = "ls *"}};
    go(says(tool_use_event) + says(withdraws(first_id)) + says(read_so_far) + hears());
    ASSERT_TRUE(until([this] { return !messages.empty(); }));
    EXPECT_EQ(world.ledger.count("request"), 0U);
    looks.let_go();
    ASSERT_TRUE(until([this] { return world.ledger.count("ended") == 1; }));
    EXPECT_EQ(world.ledger.text("ended", "outcome"), "withdrawn");
    EXPECT_EQ(world.ledger.count("decision"), 0U);
    EXPECT_THAT(heard(), IsEmpty()) << "it was not told that it may run";
}

TEST_F(EventAdapterTest, I6_ASecretThatAReloadBringsWhileALookHangsIsMasked) {
    auto event = tool_use_event;
    event.replace(event.find("ls -la"), 6, "cat notes/plainvalue");
    go(says(event) + hears());
    ASSERT_TRUE(until([this] { return looks.begun == 1; }));
    redactor.replace(test_key(), {{"plainvalue"}});
    looks.let_go();
    ASSERT_TRUE(until([this] { return !world.ops.presented.empty(); }));
    const auto& shown = std::get<countersign::Approval>(world.ops.presented[0].request->body);
    EXPECT_THAT(shown.display_text, AllOf(HasSubstr("cat notes/"), Not(HasSubstr("plainvalue"))));
    EXPECT_TRUE(world.decide(world.click(*Ulid::parse(first_id), "deny")));
    ASSERT_TRUE(until([this] { return ended; }));
}

TEST_F(EventAdapterTest, ARuleAnswersACallThatIsNotWithdrawn) {
    rules.policy = {{.name = "all", .effect = PolicyEffect::allow, .tool = "Bash", .command = "ls *"}};
    go(says(tool_use_event) + says(withdraws(second_id)) + says(read_so_far) + hears());
    ASSERT_TRUE(until([this] { return !messages.empty(); }));
    looks.let_go();
    ASSERT_TRUE(until([this] { return ended; }));
    EXPECT_THAT(heard(), ElementsAre(HasSubstr(R"("nativeDecision":"allow")")));
}

TEST_F(EventAdapterTest, AWithdrawalOfAnOpenCallEndsItAndOneOfAnAnsweredCallChangesNothing) {
    looks.open = true;
    go(says(tool_use_event) + says(with(shell_event, "approvalId", second_id)) + hears() + says(withdraws(second_id)) +
       says(withdraws(first_id)) + hears());
    ASSERT_TRUE(until([this] { return world.ops.presented.size() == 2; }));
    EXPECT_TRUE(world.decide(world.click(*Ulid::parse(second_id), "decline")));
    ASSERT_TRUE(until([this] { return world.ledger.count("ended") == 1; }));
    EXPECT_EQ(world.ledger.text("ended", "outcome"), "withdrawn");
    EXPECT_EQ(world.ledger.ids_of({"ended"}).count(first_id), 1U);
    EXPECT_THAT(refused, IsEmpty());
    EXPECT_THAT(heard(), ElementsAre(HasSubstr(R"("nativeDecision":"decline")")));
}

TEST_F(EventAdapterTest, I13_OnePastTheBoundOfCallsBeingProcessedWaitsAndIsNotLost) {
    looks.open = true;
    std::string calls;
    for (std::size_t i = 0; i < limits::agent_asks_max; ++i) {
        calls += with(tool_use_event, "approvalId", world.ids.next().str()) + "\n";
    }
    world.ledger.hold(true);
    go(says(calls + read_so_far) + says(tool_use_event + "\n" + read_so_far));
    ASSERT_TRUE(until([this] { return messages.size() == 1 && world.ledger.waiting() == limits::agent_asks_max; }));
    for (int i = 0; i < 10; ++i) world.io.run_for(10ms);
    EXPECT_EQ(world.ledger.waiting(), limits::agent_asks_max);
    EXPECT_EQ(messages.size(), 1U) << "what follows the last call is not read yet";
    world.ledger.hold(false);
    ASSERT_TRUE(until([this] { return messages.size() == 2; }));
    ASSERT_TRUE(until([this] { return world.ledger.count("request") == limits::agent_asks_max + 1; }));
}

}  // namespace
}  // namespace countersign::runtimes::event
