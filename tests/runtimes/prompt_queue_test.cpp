// SPDX-License-Identifier: Apache-2.0
#include "runtimes/prompt_queue.hpp"

#include <gtest/gtest.h>

namespace countersign::runtimes {
namespace {

TEST(PromptQueue, APromptWaitsForTheAgentAndForThePreviousTurn) {
    PromptQueue queue;
    ASSERT_TRUE(queue.push("one"));
    ASSERT_TRUE(queue.push("two"));
    EXPECT_EQ(queue.take(), std::nullopt) << "the agent is not ready";
    queue.agent_ready();
    EXPECT_EQ(queue.take(), "one");
    EXPECT_EQ(queue.take(), std::nullopt) << "its turn runs";
    queue.turn_over();
    EXPECT_EQ(queue.take(), "two");
}

TEST(PromptQueue, ItIsFinishedWhenNothingWaitsNothingRunsAndNothingWillCome) {
    PromptQueue queue;
    queue.agent_ready();
    EXPECT_FALSE(queue.finished()) << "more may come";
    ASSERT_TRUE(queue.push("one"));
    queue.no_more();
    EXPECT_FALSE(queue.finished()) << "one waits";
    EXPECT_EQ(queue.take(), "one");
    EXPECT_FALSE(queue.finished()) << "its turn runs";
    queue.turn_over();
    EXPECT_TRUE(queue.finished());
}

TEST(PromptQueue, WaitingPromptsCanBeDroppedWhileTheTurnContinues) {
    PromptQueue queue;
    queue.agent_ready();
    ASSERT_TRUE(queue.push("one"));
    ASSERT_TRUE(queue.push("never said"));
    EXPECT_EQ(queue.take(), "one");
    queue.no_more();
    queue.forget_waiting();
    EXPECT_FALSE(queue.finished());
    queue.turn_over();
    EXPECT_EQ(queue.take(), std::nullopt);
    EXPECT_TRUE(queue.finished());
}

TEST(PromptQueue, I13_OnePastEachBoundIsRefused) {
    PromptQueue queue;
    EXPECT_EQ(queue.push(std::string(limits::prompt_bytes_max + 1, 'x')).error().code, Errc::too_large);
    ASSERT_TRUE(queue.push(std::string(limits::prompt_bytes_max, 'x')));
    for (std::size_t i = 1; i < limits::prompts_waiting_max; ++i) ASSERT_TRUE(queue.push("x"));
    EXPECT_EQ(queue.push("x").error().code, Errc::busy);
}

}  // namespace
}  // namespace countersign::runtimes
