// SPDX-License-Identifier: Apache-2.0
#include "core/limits.hpp"
#include "runtimes/claude/tool_uses.hpp"
#include "tests/runtimes/claude_sample.hpp"

#include <gmock/gmock.h>

namespace countersign::runtimes::claude {
namespace {

template <class T> T read_as(const std::string& line) {
    auto message = read_message(line);
    auto* found = std::get_if<T>(&message);
    EXPECT_NE(found, nullptr) << line.substr(0, 200);
    return found == nullptr ? T{} : std::move(*found);
}

TEST(ClaudeMessage, TheBytesOfInputSuggestionsAndIdAreKept) {
    const auto call = read_as<CanUseTool>(
        R"({"request":{"tool_name":"Bash","subtype":"can_use_tool","input": { "b" : 1.50, "a":"\u0041" } ,)"
        R"("permission_suggestions":[ {"type" : "x"} ]},"request_id":0,"type":"control_request"})");
    EXPECT_EQ(call.native_id, "0") << "an id may be the integer 0";
    EXPECT_EQ(call.raw_input, R"({ "b" : 1.50, "a":"\u0041" })");
    EXPECT_EQ(call.suggestions, std::vector<std::string>{R"({"type" : "x"})"});
}

TEST(ClaudeMessage, RelevantMessagesAreReported) {
    EXPECT_EQ(read_as<Withdrawn>(R"({"type":"control_cancel_request","request_id":"r1"})").native_id, R"("r1")");
    const auto started = read_as<Started>(R"({"type":"system","subtype":"init","cwd":"/w","session_id":"s1"})");
    EXPECT_EQ(started.session_id, "s1");
    EXPECT_EQ(started.cwd, "/w");
    EXPECT_TRUE(read_as<TurnEnd>(R"({"subtype":"error_during_execution","is_error":true,"type":"result"})").failed);
    EXPECT_EQ(
        read_as<Answered>(R"({"type":"control_response","response":{"subtype":"error","request_id":"i","error":"no"}})")
            .error,
        "no");
    EXPECT_EQ(
        read_as<Answered>(R"({"type":"control_response","response":{"subtype":"success","request_id":"i"}})").error,
        "");
    EXPECT_EQ(
        read_as<OtherRequest>(R"({"type":"control_request","request_id":"r","request":{"subtype":"elicitation"}})")
            .subtype,
        "elicitation");
}

TEST(ClaudeMessage, TheModelsTextAndCallsAreReportedButNotTheTextOfAnInnerAgent) {
    const std::string content =
        R"("message":{"content":[{"type":"text","text":"a"},{"type":"thinking"},)"
        R"({"type":"text","text":"b"},{"type":"tool_use","id":"t1","name":"Bash","input":{}}]})";
    const auto said = read_as<Said>(R"({"type":"assistant",)" + content + R"(,"parent_tool_use_id":null})");
    EXPECT_EQ(said.text, "a\nb");
    ASSERT_EQ(said.calls.size(), 1U);
    EXPECT_EQ(said.calls[0].tool_name, "Bash");
    const auto sub = read_as<Said>(R"({"type":"assistant",)" + content + R"(,"parent_tool_use_id":"t0"})");
    EXPECT_EQ(sub.text, "");
    EXPECT_EQ(sub.calls.size(), 1U);
}

TEST(ClaudeMessage, UnknownTypesAreIgnored) {
    for (const auto* line : {R"({"type":"keep_alive"})", R"({"type":"stream_event","event":{}})", R"({"kind":1})",
                             R"({"type":"system","subtype":"status"})", R"({"type":7})",
                             R"({"type":"user","message":{"content":"text"}})"}) {
        EXPECT_TRUE(std::holds_alternative<Ignored>(read_message(line))) << line;
    }
}

TEST(ClaudeMessage, InvalidTextIsUnreadableAndNeedsNoAnswer) {
    for (const auto* line : {"not json", "[1]", "{", "null", R"({"type":"control_request","request":{}})"}) {
        EXPECT_EQ(read_as<Unreadable>(line).native_id, "") << line;
    }
}

class UnreadableRequest : public testing::TestWithParam<std::string> {};
TEST_P(UnreadableRequest, StillNamesTheRequestThatNeedsAnAnswer) {
    EXPECT_EQ(read_as<Unreadable>(GetParam()).native_id, native);
}
INSTANTIATE_TEST_SUITE_P(
    Lines, UnreadableRequest,
    testing::Values(asks("Bash", std::string(100, '[') + std::string(100, ']')), asks("Bash", "{\"a\":\"\xff\"}"),
                    asks("Bash", "7"), asks("", "{}"), asks(std::string(limits::tool_name_bytes_max + 1, 'x'), "{}"),
                    asks("a\\ud800", "{}"), asks("Bash", R"({"command":"ls"})", R"(,"input":{"command":"rm"})"),
                    asks("Bash", "{}", R"(,"tool_use_id":")" + std::string(limits::tool_id_bytes_max + 1, 'x') + "\""),
                    R"({"type":"control_request","request_id":)" + native + R"(,"request":7})",
                    R"({"type":"control_request","request_id":)" + native + R"(,"request":{"input":{)"));

TEST(ClaudeMessage, I13_ARequestOnePastTheBoundOfALineStillNamesItsId) {
    const auto line_of = [](std::size_t bytes) {
        const auto rest = asks("Bash", R"({"command":""})").size();
        return asks("Bash", R"({"command":")" + std::string(bytes - rest, 'x') + "\"}");
    };
    EXPECT_EQ(read_as<CanUseTool>(line_of(limits::agent_line_bytes_max)).native_id, native);
    const auto late = read_as<Unreadable>(line_of(limits::agent_line_bytes_max + 1));
    EXPECT_EQ(late.native_id, native);
    EXPECT_EQ(late.why.code, Errc::too_large);
    EXPECT_THAT(late.why.detail, testing::HasSubstr(std::to_string(limits::agent_line_bytes_max + 1) + " bytes"));
    const auto cut = read_head(line_of(2000).substr(0, 300), 20'000'000);
    EXPECT_EQ(std::get<Unreadable>(cut).native_id, native);
}

TEST(ClaudeMessage, I13_AnIdOnePastItsBoundIsRefusedByItsName) {
    const auto line_of = [](std::size_t bytes) {
        return R"({"type":"control_request","request_id":")" + std::string(bytes - 2, 'x') +
               R"(","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{}}})";
    };
    EXPECT_EQ(read_as<CanUseTool>(line_of(limits::native_id_bytes_max)).tool_name, "Bash");
    EXPECT_EQ(read_as<Unreadable>(line_of(limits::native_id_bytes_max + 1)).native_id.size(),
              limits::native_id_bytes_max + 1);
}

TEST(ClaudeMessage, ALongMessageWithoutARequestIsIgnoredAndALongResultEndsTheTurn) {
    const std::string much(limits::agent_line_bytes_max, 'x');
    EXPECT_TRUE(std::holds_alternative<Ignored>(read_message(R"({"type":"user","message":")" + much + "\"}")));
    EXPECT_TRUE(
        read_as<TurnEnd>(R"({"permission_denials":[")" + much + R"("],"is_error":true,"type":"result"})").failed);
}

using End = ToolResult::End;

// Each result as CLI version 2.1.325 sends it.
End end_of(const std::string& block, const std::string& meta = {}) {
    const auto results = read_as<ToolResults>(
        R"({"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1",)" + block + "}]}" +
        (meta.empty() ? "" : R"(,"tool_result_meta":[{"id":"t0"},{"id":"t1",)" + meta + "}]") + "}");
    EXPECT_EQ(results.results.size(), 1U);
    return results.results.empty() ? End::done : results.results.front().end;
}

TEST(ClaudeMessage, AResultSaysWhetherTheCallRan) {
    const std::string error = R"("is_error":true,"content":)";
    const std::string accepted = R"("permission_decision":{"decision":"accept","source":"config"})";
    const std::string rejected = R"("permission_decision":{"decision":"reject","source":"hook"})";
    const std::string own = R"("<tool_use_error>InputValidationError: Read failed</tool_use_error>")";
    EXPECT_EQ(end_of(R"("content":"1\thello")", accepted), End::done);
    EXPECT_EQ(end_of(error + R"("Exit code 1\nhello")", accepted), End::failed);
    EXPECT_EQ(end_of(error + R"("PreToolUse:Bash hook error: no")", rejected), End::not_run);
    EXPECT_EQ(end_of(error + R"("denied")", R"("non_execution_kind":"permission-rule")"), End::not_run);
    EXPECT_EQ(end_of(error + own), End::own_error);
    EXPECT_EQ(end_of(error + R"([{"type":"text","text":)" + own + "}]"), End::own_error);
    EXPECT_EQ(end_of(error + own, accepted), End::failed) << "it ran, whatever its text says";
    EXPECT_EQ(end_of(error + R"("Exit code 1")"), End::failed);
    EXPECT_EQ(end_of(error + "[]"), End::failed);
}

TEST(ClaudeToolUses, ACallThatTheCliRefusedOrCouldNotReadDidNotRun) {
    ToolUses uses;
    const auto ran = [&uses](const std::string& tool, End end) {
        uses.wanted("t", {tool});
        return uses.finished("t", end).has_value();
    };
    EXPECT_FALSE(ran("Bash", End::not_run));
    EXPECT_FALSE(ran("Read", End::own_error));
    EXPECT_FALSE(ran("Edit", End::own_error));
    EXPECT_FALSE(ran("WebFetch", End::own_error));
    EXPECT_FALSE(ran("Read", End::failed));
    EXPECT_FALSE(ran("Edit", End::failed));
    EXPECT_TRUE(ran("Bash", End::failed)) << "it did something before it failed";
    EXPECT_TRUE(ran("WebFetch", End::failed));
    EXPECT_TRUE(ran("mcp__x__y", End::failed));
    EXPECT_FALSE(ran("mcp__x__y", End::not_run));
}

TEST(ClaudeToolUses, ACallThatPrintsItsOwnErrorTextRan) {
    for (const auto* tool : {"Bash", "PowerShell", "mcp__x__y", "SomeNewTool"}) {
        ToolUses uses;
        uses.wanted("t", {tool});
        EXPECT_EQ(uses.finished("t", End::own_error), ToolUses::Wish{tool});
    }
}

TEST(ClaudeToolUses, OnlyCallsThatRanWithoutBeingAskedAreReported) {
    ToolUses uses;
    for (const auto* id : {"ran", "asked", "hook", "interrupted"}) uses.wanted(id, {"Bash"});
    uses.asked("asked", {"Bash"});
    uses.asked("hook", {"Bash"});
    uses.withdrawn("hook");
    uses.asked("interrupted", {"Bash"});
    uses.withdrawn("interrupted");
    uses.asked("early", {"Edit"});
    uses.wanted("early", {"Edit"});
    EXPECT_EQ(uses.finished("ran", End::done), ToolUses::Wish{"Bash"});
    EXPECT_EQ(uses.finished("asked", End::done), std::nullopt);
    EXPECT_EQ(uses.finished("hook", End::done), ToolUses::Wish{"Bash"}) << "somebody else allowed it";
    EXPECT_EQ(uses.finished("interrupted", End::failed), std::nullopt);
    EXPECT_EQ(uses.finished("early", End::done), std::nullopt);
    EXPECT_EQ(uses.finished("never seen", End::done), std::nullopt);
    EXPECT_EQ(uses.size(), 0U);
}

TEST(ClaudeToolUses, ACallAskedBeforeItsMessageArrivesHasItsSummaryToo) {
    ToolUses uses;
    uses.asked("hook", {"Bash"});
    uses.wanted("hook", {"Bash", "ls"});
    uses.withdrawn("hook");
    EXPECT_EQ(uses.finished("hook", End::done), (ToolUses::Wish{"Bash", "ls"}));
}

TEST(ClaudeToolUses, I13_PastTheBoundTheOldestIsForgotten) {
    ToolUses uses;
    for (std::size_t i = 0; i <= limits::tool_uses_kept_max; ++i) uses.wanted("t" + std::to_string(i), {"Read"});
    EXPECT_EQ(uses.size(), limits::tool_uses_kept_max);
    EXPECT_EQ(uses.finished("t0", End::done), std::nullopt);
    EXPECT_EQ(uses.finished("t1", End::done), ToolUses::Wish{"Read"});
}

}  // namespace
}  // namespace countersign::runtimes::claude
