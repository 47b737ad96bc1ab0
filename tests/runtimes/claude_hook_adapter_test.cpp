// SPDX-License-Identifier: Apache-2.0
// The hook's adapter with a hub whose people are fakes: the first answer wins, and nothing but a decision is printed.
#include "core/limits.hpp"
#include "runtimes/claude/hook_adapter.hpp"
#include "tests/fakes/world.hpp"
#include "tests/runtimes/claude_sample.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <gmock/gmock.h>

namespace countersign::runtimes::claude {
namespace {

namespace asio = boost::asio;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string touch = R"({"command":"touch /w/x"})";

class ClaudeHookAdapterTest : public testing::Test {
protected:
    HookAdapter::Options options() {
        return {.agent_id = "dev",
                .asks_everything = false,
                .unattended = false,
                .look = {},
                .rules = [] { return Rules{}; },
                .always = {},
                .still_asked = [this]() -> asio::awaitable<bool> { co_return still_asked; },
                .print = [this](const std::string& line) -> Result<void> {
                    if (!reads) return Error{Errc::unavailable, "the CLI doesn't read the answer"};
                    printed.push_back(line);
                    return {};
                }};
    }
    void ask(const std::string& input = touch, const std::string& cwd = "/w") {
        const auto event =
            read_hook_event(R"({"hook_event_name":"PermissionRequest","session_id":"s1","cwd":")" + cwd +
                            R"(","tool_name":"Bash","tool_input":)" + input + R"(,"permission_suggestions":[]})");
        ASSERT_TRUE(event);
        asio::co_spawn(world.io, adapter.ask(std::get<PermissionAsked>(*event), id), asio::detached);
        world.settle();
    }

    fakes::World world;
    security::CurrentRedactor redactor{test_key(), {}};
    bool still_asked = true;
    bool reads = true;
    std::vector<std::string> printed;
    HookAdapter adapter{options(), world.io.get_executor(), world.hub.asking(), redactor};
    Ulid id = world.ids.next();
};

TEST_F(ClaudeHookAdapterTest, ADecisionIsPrintedOnceAndTheHubKnowsThatItWas) {
    ask();
    ASSERT_EQ(world.ops.presented.size(), 1U);
    EXPECT_THAT(printed, IsEmpty());
    ASSERT_TRUE(world.decide(world.click(id, "allow")));
    world.settle();
    EXPECT_THAT(printed, ElementsAre(HasSubstr(R"({"behavior":"allow","updatedInput":)" + touch + "}")));
    ASSERT_TRUE(adapter.end());
    EXPECT_TRUE(adapter.end()->printed);
    EXPECT_EQ(world.ledger.count("forwarded"), 1U);
    adapter.withdraw("too late");
    EXPECT_TRUE(adapter.end()->printed);
}

TEST_F(ClaudeHookAdapterTest, I3_AnAnswerAfterTheTerminalsIsNeitherPrintedNorRecordedAsGiven) {
    ask();
    still_asked = false;
    (void)world.decide(world.click(id, "allow"));
    world.settle();
    EXPECT_THAT(printed, IsEmpty());
    ASSERT_TRUE(adapter.end());
    EXPECT_THAT(adapter.end()->why, HasSubstr("the terminal was first"));
    EXPECT_EQ(world.ledger.count("forwarded"), 0U);
    EXPECT_EQ(world.ledger.count("forward_failed"), 1U);
}

TEST_F(ClaudeHookAdapterTest, AnAnswerThatTheCliDoesntReadIsNotRecordedAsGiven) {
    ask();
    reads = false;
    (void)world.decide(world.click(id, "allow"));
    world.settle();
    EXPECT_FALSE(adapter.end()->printed);
    EXPECT_EQ(world.ledger.count("forwarded"), 0U);
    EXPECT_EQ(world.ledger.count("forward_failed"), 1U);
}

TEST_F(ClaudeHookAdapterTest, AWithdrawnRequestSaysWhyAndPrintsNothing) {
    ask();
    adapter.withdraw("answered at the terminal");
    world.settle();
    EXPECT_EQ(world.ledger.text("ended", "outcome"), "withdrawn");
    EXPECT_FALSE(world.decide(world.click(id, "allow")));
    EXPECT_THAT(printed, IsEmpty());
    EXPECT_EQ(adapter.end()->why, "answered at the terminal");
}

TEST_F(ClaudeHookAdapterTest, I2_WhatNoOneCanBeAskedPrintsNothing) {
    ask(R"({"command":"x"})", "not a path");
    EXPECT_THAT(printed, IsEmpty());
    ASSERT_TRUE(adapter.end());
    EXPECT_THAT(adapter.end()->why, HasSubstr("cwd"));
    EXPECT_TRUE(world.ops.presented.empty());
}

}  // namespace
}  // namespace countersign::runtimes::claude
