// SPDX-License-Identifier: Apache-2.0
#include "core/hub/fatigue.hpp"

#include "core/limits.hpp"
#include "tests/fakes/fake_ids.hpp"
#include "tests/fakes/world.hpp"

#include <gtest/gtest.h>

namespace countersign {
namespace {

using namespace std::chrono_literals;

const Asker session{"dev", "s1"};
const BootTime start{1'000s};

TEST(SameCall, IsACallOfTheSameSessionWithTheSameText) {
    fakes::FakeIds ids;
    const auto one = fakes::shell_request(ids.next());
    const auto again = fakes::shell_request(ids.next());
    EXPECT_TRUE(is_same_call(one, again));
    auto named = again;
    std::get<Approval>(named.body).subject = ToolUse{"Bash", "t2"};
    EXPECT_TRUE(is_same_call(one, named)) << "the agent's name for the call is another each time";
    const auto differs = [&](auto change) {
        auto other = again;
        change(other, std::get<Approval>(other.body));
        EXPECT_FALSE(is_same_call(one, other));
        EXPECT_FALSE(is_same_call(other, one));
    };
    differs([](Request& r, Approval&) { r.args_hash.hex = "another"; });
    differs([](Request& r, Approval&) { r.args_hash.partial = true; });
    differs([](Request& r, Approval&) { r.agent_id = "other"; });
    differs([](Request& r, Approval&) { r.script_hash = "another"; });
    differs([](Request& r, Approval&) { r.session_key = "s2"; });
    differs([](Request& r, Approval&) { r.cwd = "/elsewhere"; });
    differs([](Request& r, Approval&) { r.requester = "bob"; });
    differs([](Request& r, Approval&) { r.runtime = "other"; });
    differs([](Request& r, Approval&) { r.workplace.host = "other"; });
    differs([](Request& r, Approval&) { r.judgement.risk.level = RiskLevel::high; });
    differs([](Request& r, Approval&) { r.authorized_senders = {{"test:bob"}}; });
    differs([](Request&, Approval& a) { a.subject = ToolUse{"Shell", "t1"}; });
    differs([](Request&, Approval& a) { a.display_text = "ls -l"; });
    differs([](Request&, Approval& a) { a.diff = "+x"; });
    differs([](Request&, Approval& a) { a.untrusted_reason = "because"; });
    differs([](Request&, Approval& a) { a.options.pop_back(); });
}

TEST(SameCall, IsNeverAQuestionATruncatedCallOrACallWithoutASession) {
    fakes::FakeIds ids;
    EXPECT_FALSE(is_same_call(fakes::question_request(ids.next()), fakes::question_request(ids.next())));
    auto one = fakes::shell_request(ids.next());
    one.args_hash.partial = true;
    EXPECT_FALSE(is_same_call(one, one));
    one = fakes::shell_request(ids.next());
    one.session_key = "";
    EXPECT_FALSE(is_same_call(one, one));
}

TEST(Fatigue, I13_AsManyRefusalsAsTheBoundWithinTheWindowAreTiring) {
    Fatigue fatigue;
    for (std::size_t i = 1; i < limits::fatigue_denials_max; ++i) fatigue.refused(session, start);
    EXPECT_FALSE(fatigue.is_tiring(session, start));
    fatigue.refused(session, start + 1min);
    EXPECT_TRUE(fatigue.is_tiring(session, start + 1min));
    EXPECT_TRUE(fatigue.is_tiring(session, start + limits::fatigue_window - 1ms));
    EXPECT_FALSE(fatigue.is_tiring(session, start + limits::fatigue_window));
    EXPECT_FALSE(fatigue.is_tiring({"other", "s1"}, start + 1min));
    fatigue.refused(session, start + 2min);
    fatigue.refused(session, start + 3min);
    EXPECT_TRUE(fatigue.is_tiring(session, start + limits::fatigue_window)) << "the newest of them count";
}

TEST(Fatigue, I13_AnAgentThatNamesANewSessionEachTimeIsTiringToo) {
    const Asker agent{.agent_id = "dev", .session_key = {}};
    Fatigue fatigue;
    for (std::size_t i = 1; i < fatigue_agent_denials_max; ++i) fatigue.refused({"dev", std::to_string(i)}, start);
    EXPECT_FALSE(fatigue.is_tiring(agent, start));
    fatigue.refused({"dev", ""}, start + 1min);
    EXPECT_TRUE(fatigue.is_tiring(agent, start + 1min));
    EXPECT_FALSE(fatigue.is_tiring({"dev", "1"}, start + 1min)) << "no session of it is";
    EXPECT_FALSE(fatigue.is_tiring({"other", ""}, start + 1min));
    EXPECT_FALSE(fatigue.is_tiring(agent, start + limits::fatigue_window));
}

TEST(Fatigue, I13_OneAgentTooManyForgetsTheOneRefusedLongestAgo) {
    Fatigue fatigue;
    const Asker first{.agent_id = "first", .session_key = {}};
    for (std::size_t i = 0; i < fatigue_agent_denials_max; ++i) fatigue.refused(first, start);
    for (std::size_t i = 1; i < fatigue_agents_max; ++i) fatigue.refused({"x" + std::to_string(i), ""}, start + 1s);
    EXPECT_TRUE(fatigue.is_tiring(first, start + 1s));
    fatigue.refused({"one more", ""}, start + 1s);
    EXPECT_FALSE(fatigue.is_tiring(first, start + 1s));
}

TEST(Fatigue, I13_OneSessionTooManyForgetsTheOneRefusedLongestAgo) {
    Fatigue fatigue;
    for (std::size_t i = 0; i < limits::fatigue_denials_max; ++i) fatigue.refused(session, start);
    for (std::size_t i = 1; i < limits::fatigue_sessions_max; ++i) {
        fatigue.refused({"dev", "x" + std::to_string(i)}, start + 1s);
    }
    EXPECT_TRUE(fatigue.is_tiring(session, start + 1s));
    fatigue.refused({"dev", "one more"}, start + 1s);
    EXPECT_FALSE(fatigue.is_tiring(session, start + 1s));
}

}  // namespace
}  // namespace countersign
