// SPDX-License-Identifier: Apache-2.0
#include "audit/review/timeline.hpp"

#include "tests/audit/review/review_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::audit::review {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using namespace std::chrono_literals;

class TimelineTest : public testing::Test, public ReviewWorld {
protected:
    void SetUp() override { ASSERT_TRUE(open()); }
    std::vector<Step> told(const Ulid& id) { return timeline(review()->account(id)->records); }
    Step last(const Ulid& id) { return told(id).back(); }
};

TEST_F(TimelineTest, EveryStepHasItsTimeSinceTheRequestAndItsRecord) {
    const auto id = ask({.agent = "prod-1", .tool = "Bash"});
    clock.advance(300ms);
    present(id, "ops");
    clock.advance(12s);
    decide(id, "allowed", "alice");
    about(id, "forwarded");
    const auto steps = told(id);
    ASSERT_EQ(steps.size(), 4U);
    EXPECT_EQ(steps[0].what, "asked by prod-1: Bash");
    EXPECT_EQ(steps[1].what, "shown on ops, chat -100, message 7");
    EXPECT_EQ(steps[2].what, "allowed by alice on ops");
    EXPECT_EQ(steps[3].what, "given to the agent");
    EXPECT_EQ(steps[0].since, 0ms);
    EXPECT_EQ(steps[1].since, 300ms);
    EXPECT_EQ(steps[3].since, 12'300ms);
    EXPECT_EQ(steps[3].seq, 4U);
}

TEST_F(TimelineTest, AChangedClockDoesNotChangeTheMeasuredTimes) {
    const auto id = ask();
    clock.set_wall(clock.wall() + 24h);
    clock.advance(2s);
    decide(id, "denied", "alice");
    EXPECT_EQ(last(id).since, 2s);
}

TEST_F(TimelineTest, TheRequestShowsItsRiskItsRouteAndItsDeciders) {
    const Ulid id{clock.wall(), {7}};
    write("request", {{"requestId", id.str()},
                      {"agentId", "a"},
                      {"toolName", "Bash"},
                      {"risk", "high"},
                      {"riskRule", "deletes files"},
                      {"route", "prod"},
                      {"deciders", json::Array{"alice", "bob"}},
                      {"required", 2},
                      {"sessionKey", "s"},
                      {"cwd", "/srv"}});
    EXPECT_THAT(last(id).details,
                ElementsAre("risk high (deletes files)", "route prod: alice, bob may decide, 2 must agree", "session s",
                            "in /srv"));
}

TEST_F(TimelineTest, AVoteAndADecisionNameTheOptionByItsLabel) {
    const Ulid id{clock.wall(), {7}};
    write("request", {{"requestId", id.str()},
                      {"options", json::Array{json::Object{{"optionId", "o1"}, {"label", "Allow once"}},
                                              json::Object{{"optionId", "o2"}, {"label", "Always"}}}}});
    write("vote", {{"requestId", id.str()},
                   {"person", "bob"},
                   {"principal", "telegram:7"},
                   {"assurance", "chat"},
                   {"channel", "ops"},
                   {"optionId", "o1"},
                   {"have", 1},
                   {"need", 2}});
    EXPECT_EQ(last(id).what, "bob voted \"Allow once\" on ops: 1 of 2");
    EXPECT_THAT(last(id).details, ElementsAre("as telegram:7 (chat)"));
    write("decision", {{"requestId", id.str()},
                       {"decision", "allowed"},
                       {"decidedBy", "alice"},
                       {"principal", "telegram:9"},
                       {"assurance", "chat"},
                       {"chosenOption", "o2"},
                       {"sentOption", "o1"},
                       {"reason", "fine"},
                       {"votes", json::Array{2}}});
    EXPECT_EQ(last(id).what, "allowed by alice");
    EXPECT_THAT(last(id).details, ElementsAre("as telegram:9 (chat)", "chose \"Always\", sent \"Allow once\"",
                                              "reason: fine", "with the votes #2"));
}

TEST_F(TimelineTest, AnswersAreShownAndSecretOnesOnlyAsGiven) {
    const auto id = ask({.tool = "question"});
    write("decision", {{"requestId", id.str()},
                       {"decision", "answered"},
                       {"decidedBy", "alice"},
                       {"answers", json::Array{json::Object{{"questionId", "db"}, {"choices", json::Array{"SQLite"}}},
                                               json::Object{{"questionId", "key"}, {"answer", "given"}}}}});
    EXPECT_THAT(last(id).details, testing::Contains("db: SQLite"));
    EXPECT_THAT(last(id).details, testing::Contains("key: given"));
}

TEST_F(TimelineTest, ProblemsAreShown) {
    const auto id = ask();
    refuse(id, "not_authorised", 3);
    EXPECT_THAT(last(id).what, HasSubstr("an attempt by telegram:9 was refused: not_authorised"));
    EXPECT_THAT(last(id).details, ElementsAre("3 more like it, before, are only counted"));
    write("dead_letter", {{"requestId", id.str()}, {"channel", "ops"}, {"why", "chat not found"}});
    EXPECT_EQ(last(id).what, "not delivered on ops");
    write("presented", {{"requestId", id.str()}, {"ref", "ops/1//2#0"}, {"whole", false}});
    EXPECT_THAT(last(id).details, ElementsAre(HasSubstr("not the whole text")));
    end(id, "expired");
    EXPECT_EQ(last(id).what, "expired");
    EXPECT_THAT(last(id).details, ElementsAre("because"));
    write("forward_failed", {{"requestId", id.str()}, {"why", "the agent is gone"}});
    EXPECT_THAT(last(id).details, ElementsAre("the agent is gone"));
    about(id, "indeterminate");
    EXPECT_THAT(last(id).details, ElementsAre(HasSubstr("before it was known")));
    about(id, "of a later release");
    EXPECT_EQ(last(id).what, "of a later release");
}

TEST_F(TimelineTest, ARequestEndedByAHaltNamesThePersonAndTheChannel) {
    const auto id = ask();
    halt(id, "alice", "desk");
    EXPECT_EQ(last(id).what, "denied by alice on desk");
    EXPECT_THAT(last(id).details, ElementsAre("halted by alice"));
}

TEST_F(TimelineTest, NoRecordCanMoveTheCursorOrBreakTheLine) {
    const std::string evil = "a\nb\r\x1b[2J\u202E";
    const Ulid id{clock.wall(), {7}};
    write("request", {{"requestId", id.str()},
                      {"agentId", evil},
                      {"toolName", evil},
                      {"riskRule", evil},
                      {"route", evil},
                      {"deciders", json::Array{evil}},
                      {"cwd", evil},
                      {"requester", evil}});
    for (const auto* kind :
         {"presented", "vote", "decision", "refused", "ended", "forward_failed", "dead_letter", "grant", "x\x1b"}) {
        write(kind, {{"requestId", id.str()},
                     {"ref", evil},
                     {"person", evil},
                     {"principal", evil},
                     {"channel", evil},
                     {"optionId", evil},
                     {"decision", evil},
                     {"decidedBy", evil},
                     {"reason", evil},
                     {"why", evil},
                     {"detail", evil},
                     {"outcome", evil},
                     {"grantId", evil},
                     {"scope", evil},
                     {"assurance", evil},
                     {"chosenOption", evil},
                     {"answers", json::Array{json::Object{{"questionId", evil}, {"text", evil}}}}});
    }
    for (const auto& step : told(id)) {
        auto lines = step.details;
        lines.push_back(step.what);
        for (const auto& line : lines) {
            for (const char character : line) EXPECT_GE(static_cast<unsigned char>(character), 0x20) << line;
            EXPECT_EQ(line.find("\u202E"), std::string::npos) << line;
        }
    }
}

}  // namespace
}  // namespace countersign::audit::review
