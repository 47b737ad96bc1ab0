// SPDX-License-Identifier: Apache-2.0
#include "core/json/members.hpp"
#include "core/json/read.hpp"
#include "core/json/write.hpp"
#include "core/limits.hpp"
#include "runtimes/claude/hook_event.hpp"
#include "runtimes/claude/terminal_watch.hpp"
#include "tests/runtimes/claude_sample.hpp"

#include <gmock/gmock.h>

#include <fstream>

namespace countersign::runtimes::claude {
namespace {

using testing::HasSubstr;
using testing::SizeIs;
using namespace std::chrono_literals;

constexpr auto session = R"("session_id":"s-1","cwd":"/w")";

std::string event(const std::string& name, const std::string& more = {}) {
    return std::string{"{"} + session + R"(,"hook_event_name":")" + name + "\"" + more + "}";
}
std::string of_tool(const std::string& name, const std::string& tool, const std::string& input,
                    const std::string& more = {}) {
    return event(name, R"(,"tool_name":")" + tool + R"(","tool_input":)" + input + more);
}

template <class Event> Event read_as(const std::string& text) {
    auto read = read_hook_event(text);
    EXPECT_TRUE(read) << text.substr(0, 200);
    auto* found = read ? std::get_if<Event>(&*read) : nullptr;
    EXPECT_NE(found, nullptr) << text.substr(0, 200);
    return found == nullptr ? Event{} : std::move(*found);
}
std::string call_of(const std::string& text) { return read_as<PermissionAsked>(text).call; }

const std::string bash_input = R"({"command":"touch /w/x","description":"Create x"})";

// The events of a recording, in order.
std::vector<std::string> recorded(const std::string& name) {
    std::ifstream file{std::string{COUNTERSIGN_SOURCE_DIR} + "/tests/runtimes/data/claude_hook/" + name + ".jsonl"};
    EXPECT_TRUE(file) << name;
    std::vector<std::string> events;
    for (std::string line; std::getline(file, line);) events.push_back(line);
    return events;
}

TEST(ClaudeHookEvent, ARequestKeepsItsArgumentsAndSuggestionsByteForByte) {
    const auto asked = read_as<PermissionAsked>(
        of_tool("PermissionRequest", "Bash", R"({ "command":"ls\u0020-l" , "n":1.50 })",
                R"(,"permission_suggestions":[ {"type":"setMode", "mode":"acceptEdits","destination":"session"} ])"));
    EXPECT_EQ(asked.session_id, "s-1");
    EXPECT_EQ(asked.cwd, "/w");
    EXPECT_TRUE(asked.agent.is_main());
    EXPECT_EQ(asked.tool.tool_name, "Bash");
    EXPECT_EQ(asked.tool.raw_input, R"({ "command":"ls\u0020-l" , "n":1.50 })");
    ASSERT_THAT(asked.tool.suggestions, SizeIs(1));
    EXPECT_EQ(asked.tool.suggestions[0], R"({"type":"setMode", "mode":"acceptEdits","destination":"session"})");
    EXPECT_FALSE(asked.tool.flag_asks);
    EXPECT_FALSE(asked.tool.only_deny);
}

TEST(ClaudeHookEvent, ARequestWithoutSuggestionsIsForAPersonUnlessTheOperatorSaysWhy) {
    const auto asked = read_as<PermissionAsked>(of_tool("PermissionRequest", "Read", R"({"file_path":"/w/a"})"));
    EXPECT_TRUE(asked.tool.flag_asks);
    auto with = context();
    EXPECT_TRUE(wants_person(asked.tool, with));
    with.asks_everything = true;
    EXPECT_FALSE(wants_person(asked.tool, with));
}

TEST(ClaudeHookEvent, APlanCanOnlyBeDeniedBecauseTheCliIgnoresAnAllow) {
    auto asked = read_as<PermissionAsked>(
        of_tool("PermissionRequest", "ExitPlanMode", R"({"plan":"1. Read"})", R"(,"permission_suggestions":[])"));
    asked.tool.native_id = native;
    const auto made = translate(asked.tool, context());
    ASSERT_TRUE(made);
    const auto& options = std::get<Approval>(made->request.body).options;
    ASSERT_THAT(options, SizeIs(1));
    EXPECT_EQ(options[0].effect, Effect::deny);
    EXPECT_THAT(made->raw.options, SizeIs(1));
}

TEST(ClaudeHookEvent, ACallIsTheSameInTheEventsAboutIt) {
    const auto asked = of_tool("PermissionRequest", "Bash", bash_input);
    const auto spaced = of_tool("PostToolUse", "Bash", R"({ "description":"Create x", "command":"touch /w/x" })");
    EXPECT_EQ(read_as<CallsEnded>(spaced).calls, std::vector{call_of(asked)});
    const auto failed = of_tool("PostToolUseFailure", "Bash", bash_input, R"(,"error":"exit 1")");
    EXPECT_EQ(read_as<CallsEnded>(failed).calls, std::vector{call_of(asked)});
    EXPECT_NE(call_of(asked), call_of(of_tool("PermissionRequest", "Bash", R"({"command":"touch /w/y"})")));
    EXPECT_NE(call_of(asked), call_of(of_tool("PermissionRequest", "Shell", bash_input)));
}

TEST(ClaudeHookEvent, TheAnswersToAQuestionDontChangeWhichCallItIs) {
    const auto asked = call_of(of_tool("PermissionRequest", "AskUserQuestion", question_input));
    const auto answered = question_input.substr(0, question_input.size() - 1) + R"(,"answers":{"Which color?":"Red"}})";
    EXPECT_EQ(read_as<CallsEnded>(of_tool("PostToolUse", "AskUserQuestion", answered)).calls, std::vector{asked});
}

TEST(ClaudeHookEvent, ASubAgentsCallIsNotThatOfTheMainAgent) {
    const auto main = read_as<PermissionAsked>(of_tool("PermissionRequest", "Bash", bash_input));
    const auto sub = read_as<PermissionAsked>(
        of_tool("PermissionRequest", "Bash", bash_input, R"(,"agent_id":"a1","agent_type":"Explore")"));
    EXPECT_FALSE(sub.agent.is_main());
    EXPECT_NE(sub.agent, main.agent);
    EXPECT_EQ(sub.agent.session, main.agent.session);
    EXPECT_EQ(sub.tool.inner_agent, "Explore a1");
}

TEST(ClaudeHookEvent, ABatchNamesAllOfItsCalls) {
    const auto batch = read_as<CallsEnded>(
        event("PostToolBatch", R"(,"tool_calls":[{"tool_name":"Bash","tool_input":)" + bash_input +
                                   R"(,"tool_use_id":"t1"},{"tool_name":"Read","tool_input":{}}])"));
    EXPECT_TRUE(batch.whole_batch);
    ASSERT_THAT(batch.calls, SizeIs(2));
    EXPECT_EQ(batch.calls[0], call_of(of_tool("PermissionRequest", "Bash", bash_input)));
}

TEST(ClaudeHookEvent, OnlyTheEndOfASessionNamesIt) {
    EXPECT_EQ(read_as<AgentStopped>(event("SessionEnd")).session_id, "s-1");
    EXPECT_EQ(read_as<AgentStopped>(event("Stop")).session_id, "");
    EXPECT_FALSE(read_as<AgentStopped>(event("SubagentStop", R"(,"agent_id":"a1")")).agent.is_main());
    EXPECT_FALSE(read_hook_event(event("SubagentStop")));
    EXPECT_EQ(read_as<OtherEvent>(event("PreCompact")).name, "PreCompact");
}

TEST(ClaudeHookEvent, WhatCannotBeReadIsAnErrorThatNamesIt) {
    const auto why = [](const std::string& text) {
        const auto read = read_hook_event(text);
        return read ? std::string{"accepted"} : describe(read.error());
    };
    EXPECT_THAT(why(""), HasSubstr("malformed"));
    EXPECT_THAT(why("[]"), HasSubstr("object"));
    EXPECT_THAT(why(R"({"session_id":"s"})"), HasSubstr("hook_event_name"));
    EXPECT_THAT(why(R"({"hook_event_name":"Stop"})"), HasSubstr("session_id"));
    EXPECT_THAT(why(event("PermissionRequest", R"(,"tool_input":{})")), HasSubstr("tool_name"));
    EXPECT_THAT(why(event("PermissionRequest", R"(,"tool_name":"Bash","tool_input":3)")), HasSubstr("tool_input"));
    EXPECT_THAT(why(of_tool("PermissionRequest", "Bash", bash_input, R"(,"tool_name":"Read")")), HasSubstr("twice"));
    EXPECT_THAT(why(event("PostToolBatch")), HasSubstr("tool_calls"));
}

TEST(ClaudeHookEvent, EveryBoundIsKept) {
    const auto text_of_size = [](std::size_t bytes) {
        const auto empty = of_tool("PermissionRequest", "Bash", R"({"command":""})");
        return of_tool("PermissionRequest", "Bash",
                       R"({"command":")" + std::string(bytes - empty.size(), 'x') + R"("})");
    };
    EXPECT_TRUE(read_hook_event(text_of_size(limits::json_bytes_max)));
    EXPECT_EQ(read_hook_event(text_of_size(limits::json_bytes_max + 1)).error().code, Errc::too_large);
    const auto batch_of = [](std::size_t calls) {
        std::string all;
        for (std::size_t i = 0; i < calls; ++i)
            all += (i == 0 ? "" : ",") + std::string{R"({"tool_name":"B","tool_input":{}})"};
        return event("PostToolBatch", R"(,"tool_calls":[)" + all + "]");
    };
    EXPECT_TRUE(read_hook_event(batch_of(hook_batch_calls_max)));
    EXPECT_EQ(read_hook_event(batch_of(hook_batch_calls_max + 1)).error().code, Errc::too_large);
    const auto of_session = [](std::size_t bytes) {
        return R"({"hook_event_name":"Stop","session_id":")" + std::string(bytes, 's') + R"("})";
    };
    EXPECT_TRUE(read_hook_event(of_session(limits::session_key_bytes_max)));
    EXPECT_EQ(read_hook_event(of_session(limits::session_key_bytes_max + 1)).error().code, Errc::too_large);
}

TEST(ClaudeHookEvent, RecordedEventsOfOneCallFitTogether) {
    for (const auto* name : {"key_yes_long", "key_no_with_text", "ask", "subagent"}) {
        std::string asked;
        HookAgent agent;
        std::size_t ends = 0;
        for (const auto& text : recorded(name)) {
            const auto read = read_hook_event(text);
            ASSERT_TRUE(read) << name << ": " << text;
            if (const auto* request = std::get_if<PermissionAsked>(&*read)) {
                asked = request->call;
                agent = request->agent;
                auto tool = request->tool;
                tool.native_id = native;
                EXPECT_TRUE(translate(tool, context())) << name;
            } else if (const auto* ended = std::get_if<CallsEnded>(&*read); ended != nullptr && ended->agent == agent) {
                ends += ended->calls == std::vector{asked} ? 1 : 0;
            }
        }
        EXPECT_FALSE(asked.empty()) << name;
        EXPECT_GE(ends, 1U) << name << ": no event is about the call that was asked";
    }
}

TEST(ClaudeHookOutput, AnAllowReturnsTheInputThatWasShown) {
    auto asked = read_as<PermissionAsked>(of_tool("PermissionRequest", "Bash", bash_input, suggests(mode_suggestion)));
    asked.tool.native_id = native;
    const auto made = translate(asked.tool, context(no_rules, AlwaysMode::native));
    ASSERT_TRUE(made);
    const std::string head = R"({"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":)";
    EXPECT_EQ(*hook_output(made->raw, verdict(*made, Outcome::allowed, "allow"), false),
              head + R"({"behavior":"allow","updatedInput":)" + bash_input + "}}}");
    EXPECT_EQ(*hook_output(made->raw, verdict(*made, Outcome::allowed, "s0"), false),
              head + R"({"behavior":"allow","updatedInput":)" + bash_input + R"(,"updatedPermissions":[)" +
                  mode_suggestion + "]}}}");
    EXPECT_EQ(*hook_output(made->raw, verdict(*made, Outcome::denied, "deny", "not now"), false),
              head + R"({"behavior":"deny","message":"This was denied: not now"}}})");
}

TEST(ClaudeHookOutput, I2_WithoutADecisionNothingIsPrintedAndUnattendedItIsADeny) {
    auto asked = read_as<PermissionAsked>(of_tool("PermissionRequest", "Bash", bash_input));
    asked.tool.native_id = native;
    const auto made = translate(asked.tool, context());
    ASSERT_TRUE(made);
    for (const auto outcome : {Outcome::expired, Outcome::undeliverable, Outcome::unlogged, Outcome::lost,
                               Outcome::withdrawn, Outcome::indeterminate}) {
        EXPECT_EQ(*hook_output(made->raw, verdict(*made, outcome, "deny"), false), "") << name(outcome);
        EXPECT_THAT(*hook_output(made->raw, verdict(*made, outcome, "deny"), true), HasSubstr(R"("behavior":"deny")"))
            << name(outcome);
    }
    EXPECT_THAT(*hook_output(made->raw, verdict(*made, Outcome::cancelled), false), HasSubstr("deny"));
}

TEST(ClaudeHookOutput, I9_AnotherCallsDecisionIsRefused) {
    auto asked = read_as<PermissionAsked>(of_tool("PermissionRequest", "Bash", bash_input));
    asked.tool.native_id = native;
    const auto made = translate(asked.tool, context());
    auto other = verdict(*made, Outcome::allowed, "allow");
    other.args_hash = std::string(64, '0');
    EXPECT_EQ(hook_output(made->raw, other, false).error().code, Errc::conflict);
}

TEST(TerminalWatch, OnlyALeftDialogThatWasSeenIsAHint) {
    const auto at = [](auto time) { return BootTime{} + time; };
    TerminalWatch watch;
    watch.observe(false, at(0ms));
    EXPECT_FALSE(watch.dialog_gone(at(10s))) << "no dialog was seen, e.g. a sub-agent's hook runs";
    watch.observe(true, at(10s));
    watch.observe(std::nullopt, at(11s));
    EXPECT_FALSE(watch.dialog_gone(at(20s))) << "an unreadable file says nothing";
    watch.observe(false, at(20s));
    EXPECT_TRUE(watch.in_doubt());
    EXPECT_FALSE(watch.dialog_gone(at(20s + TerminalWatch::settled - 1ms)));
    watch.observe(true, at(20s + TerminalWatch::settled - 1ms));
    EXPECT_FALSE(watch.dialog_gone(at(30s))) << "another dialog took its place";
    watch.observe(false, at(40s));
    EXPECT_TRUE(watch.dialog_gone(at(40s + TerminalWatch::settled)));
}

TEST(TerminalWatch, AFileOfAnotherSessionSaysNothing) {
    const auto file = [](const std::string& status) {
        return R"({"pid":7,"sessionId":"s-1","status":")" + status + R"("})";
    };
    EXPECT_EQ(waits_for_person(file("waiting"), "s-1"), true);
    EXPECT_EQ(waits_for_person(file("busy"), "s-1"), false);
    EXPECT_EQ(waits_for_person(file("waiting"), "s-2"), std::nullopt);
    EXPECT_EQ(waits_for_person("", "s-1"), std::nullopt);
    EXPECT_EQ(waits_for_person(R"({"sessionId":"s-1"})", "s-1"), std::nullopt);
    EXPECT_EQ(waits_for_person(file("waiting").substr(0, 20), "s-1"), std::nullopt);
}

}  // namespace
}  // namespace countersign::runtimes::claude
