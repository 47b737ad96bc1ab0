// SPDX-License-Identifier: Apache-2.0
#include "runtimes/claude/waiting_hooks.hpp"
#include "tests/net/scratch_directory.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <sys/wait.h>
#include <unistd.h>

namespace countersign::runtimes::claude {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

const HookAgent main_agent{.session = std::string(16, 'a'), .inner = "main"};
const HookAgent sub_agent{.session = std::string(16, 'a'), .inner = std::string(16, '1')};
const HookAgent elsewhere{.session = std::string(16, 'b'), .inner = "main"};
const std::string touch(32, 'c');
const std::string list(32, 'd');

WaitingCall waiting(const HookAgent& agent, const std::string& call, int number = 1) {
    return {.agent = agent, .call = call, .id = "01ARZ3NDEKTSV4RRFFQ69G5FA" + std::to_string(number)};
}
WaitingCall answered(WaitingCall call) {
    call.answered = true;
    return call;
}
CallsEnded ended(const HookAgent& agent, std::vector<std::string> calls) {
    return {.agent = agent, .calls = std::move(calls)};
}
CallsEnded batch(const HookAgent& agent, std::vector<std::string> calls) {
    return {.agent = agent, .calls = std::move(calls), .whole_batch = true};
}

TEST(WaitingHooks, AFileNameIsReadBackAndNothingElseIsOne) {
    for (const auto& call :
         {waiting(main_agent, touch), waiting(sub_agent, list), answered(waiting(sub_agent, list))}) {
        EXPECT_EQ(waiting_call_of(file_name(call)), call);
    }
    const auto name = file_name(waiting(main_agent, touch));
    for (const auto& other : {std::string{}, std::string{"-"}, name + ".new", name.substr(1), name + "0", "x" + name,
                              std::string{"../../../etc/passwd"}}) {
        EXPECT_EQ(waiting_call_of(other), std::nullopt) << other;
    }
}

TEST(WaitingHooks, TheEndOfACallIsTheEndOfTheOneThatWaitsForIt) {
    const auto one = waiting(main_agent, touch);
    EXPECT_THAT(calls_over(ended(main_agent, {touch}), {one, waiting(main_agent, list, 2)}), ElementsAre(one));
    EXPECT_THAT(calls_over(ended(elsewhere, {touch}), {one}), IsEmpty());
    EXPECT_THAT(calls_over(ended(sub_agent, {touch}), {one}), IsEmpty());
}

TEST(WaitingHooks, OfTwoIdenticalCallsNoneIsGuessed) {
    const auto first = waiting(main_agent, touch, 1);
    const auto second = waiting(main_agent, touch, 2);
    EXPECT_THAT(calls_over(ended(main_agent, {touch}), {first, second}), IsEmpty());
    EXPECT_THAT(calls_over(batch(main_agent, {touch}), {first, second}), IsEmpty());
    EXPECT_THAT(calls_over(batch(main_agent, {touch, touch}), {first, second}), UnorderedElementsAre(first, second));
    EXPECT_THAT(calls_over(AgentStopped{.agent = main_agent, .session_id = {}}, {first, second}),
                UnorderedElementsAre(first, second));
}

TEST(WaitingHooks, TheEndOfACallThatWasAnsweredHereIsNotThatOfItsTwin) {
    const auto here = answered(waiting(main_agent, touch, 1));
    const auto open = waiting(main_agent, touch, 2);
    EXPECT_THAT(calls_over(ended(main_agent, {touch}), {here, open}), IsEmpty());
    EXPECT_THAT(calls_over(ended(main_agent, {touch}), {here}), ElementsAre(here));
    EXPECT_THAT(calls_over(batch(main_agent, {touch, touch}), {here, open}), UnorderedElementsAre(here, open));
    EXPECT_THAT(calls_over(batch(main_agent, {list}), {here}), ElementsAre(here)) << "left from a lost event";
}

TEST(WaitingHooks, AStopEndsNoCallOfASubAgent) {
    const auto main = waiting(main_agent, touch, 1);
    const auto sub = waiting(sub_agent, touch, 2);
    const auto other = waiting(elsewhere, touch, 3);
    EXPECT_THAT(calls_over(AgentStopped{.agent = main_agent, .session_id = {}}, {main, sub, other}), ElementsAre(main));
    EXPECT_THAT(calls_over(AgentStopped{.agent = sub_agent, .session_id = {}}, {main, sub, other}), ElementsAre(sub));
    EXPECT_THAT(calls_over(AgentStopped{.agent = main_agent, .session_id = "s"}, {main, sub, other}),
                UnorderedElementsAre(main, sub));
}

class WaitingFileTest : public testing::Test {
protected:
    [[nodiscard]] std::string directory() const { return scratch.path() + "/hooks"; }
    [[nodiscard]] std::vector<WaitingCall> known(std::chrono::hours later = {}) const {
        return waiting_calls(directory(), std::chrono::system_clock::now() + later);
    }
    testing_tools::ScratchDirectory scratch;
    WaitingCall call = waiting(main_agent, touch);
};

TEST_F(WaitingFileTest, AnotherProcessFindsItAndTellsIt) {
    auto file = WaitingFile::create(directory(), call);
    ASSERT_TRUE(file) << describe(file.error());
    EXPECT_THAT(known(), ElementsAre(call));
    EXPECT_EQ(file->told(), std::nullopt);
    report_over(directory(), {call}, WaitEnd::answered_in_terminal);
    EXPECT_EQ(file->told(), WaitEnd::answered_in_terminal);
}

TEST_F(WaitingFileTest, ItsFileVanishesWithIt) {
    { const auto file = WaitingFile::create(directory(), call); }
    EXPECT_THAT(known(), IsEmpty());
    EXPECT_TRUE(std::filesystem::is_empty(directory()));
}

TEST_F(WaitingFileTest, TheFileOfAKilledProcessIsNotAWaitingCall) {
    const auto child = ::fork();
    if (child == 0) {
        const auto file = WaitingFile::create(directory(), call);
        ::_exit(file ? 0 : 1);
    }
    int status = 1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_EQ(status, 0);
    ASSERT_FALSE(std::filesystem::is_empty(directory()));
    EXPECT_THAT(known(), IsEmpty());
    EXPECT_TRUE(std::filesystem::is_empty(directory()));
}

TEST_F(WaitingFileTest, AnAnsweredCallStaysUntilItsEndIsReportedOrADayHasPassed) {
    {
        auto file = WaitingFile::create(directory(), call);
        ASSERT_TRUE(file);
        file->answered_here();
    }
    EXPECT_THAT(known(), ElementsAre(answered(call)));
    EXPECT_THAT(known(answered_call_age_max - std::chrono::hours{1}), ElementsAre(answered(call)));
    EXPECT_THAT(known(answered_call_age_max + std::chrono::hours{1}), IsEmpty());
    {
        auto file = WaitingFile::create(directory(), call);
        ASSERT_TRUE(file);
        file->answered_here();
    }
    report_over(directory(), {answered(call)}, WaitEnd::answered_in_terminal);
    EXPECT_THAT(known(), IsEmpty());
}

TEST_F(WaitingFileTest, ADeletedFileEndsTheWait) {
    auto file = WaitingFile::create(directory(), call);
    ASSERT_TRUE(file);
    std::filesystem::remove_all(directory());
    EXPECT_EQ(file->told(), WaitEnd::turn_ended);
}

TEST_F(WaitingFileTest, NoMoreThanTheBoundIsRead) {
    std::filesystem::create_directory(directory());
    for (std::size_t i = 0; i <= waiting_hooks_max; ++i) {
        auto one = answered(call);
        one.call = std::to_string(i);
        one.call.insert(0, 32 - one.call.size(), '0');
        (void)scratch.file("hooks/" + file_name(one), "");
    }
    EXPECT_EQ(known().size(), waiting_hooks_max);
}

}  // namespace
}  // namespace countersign::runtimes::claude
