// SPDX-License-Identifier: Apache-2.0
#include "audit/review/catalogue.hpp"

#include "audit/review/index_file.hpp"
#include "core/limits.hpp"
#include "tests/audit/review/review_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::audit::review {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class CatalogueTest : public testing::Test, public ReviewWorld {
protected:
    void SetUp() override { ASSERT_TRUE(open()); }
    Catalogue folded() {
        Catalogue catalogue;
        std::uint32_t offset = 0;
        for (const auto& record : records()) EXPECT_TRUE(catalogue.take(record, {.segment = 0, .offset = offset++}));
        return catalogue;
    }
};

TEST_F(CatalogueTest, ADecisionOfAPersonIsSummarised) {
    const auto id = ask({.agent = "prod-1", .tool = "Edit", .session = "s-9"});
    present(id, "ops");
    clock.advance(std::chrono::seconds{5});
    decide(id, "allowed", "alice", "desk", 4321);
    about(id, "forwarded");
    const auto catalogue = folded();
    ASSERT_EQ(catalogue.lives().size(), 1U);
    const auto& life = catalogue.lives().front();
    EXPECT_EQ(life.id, id);
    EXPECT_EQ(catalogue.text(life.agent), "prod-1");
    EXPECT_EQ(catalogue.text(life.tool), "Edit");
    EXPECT_EQ(catalogue.text(life.session), "s-9");
    EXPECT_EQ(outcome_of(life), Outcome::allowed);
    EXPECT_EQ(life.decider, Decider::person);
    EXPECT_EQ(catalogue.text(life.decided_by), "alice");
    EXPECT_THAT(catalogue.texts(life.channels), ElementsAre("desk")) << "where it was decided, not where it was shown";
    EXPECT_EQ(life.took, 4321);
    EXPECT_EQ(life.ended - life.asked, 5000);
    EXPECT_EQ(life.forward, Forward::yes);
    EXPECT_EQ(life.shown, 1);
}

TEST_F(CatalogueTest, DecisionsByRulesAndByGrantsAndUndecidedRequestsAreDistinguished) {
    decide(ask(), "denied", "policy:no-prod", "");
    decide(ask(), "allowed", "grant:01JCABCDEFGHJKMNPQRSTVWXYZ", "");
    end(ask(), "expired");
    (void)ask();
    std::vector<Decider> deciders;
    std::vector<std::optional<Outcome>> outcomes;
    const auto catalogue = folded();
    for (const auto& life : catalogue.lives()) {
        deciders.push_back(life.decider);
        outcomes.push_back(outcome_of(life));
        EXPECT_EQ(life.shown, 0);
    }
    EXPECT_THAT(deciders, ElementsAre(Decider::policy, Decider::grant, Decider::nobody, Decider::nobody));
    EXPECT_THAT(outcomes, ElementsAre(Outcome::denied, Outcome::allowed, Outcome::expired, std::nullopt));
}

TEST_F(CatalogueTest, ARequestEndedByAHaltNamesThePersonAndTheChannel) {
    const auto id = ask();
    present(id, "ops");
    clock.advance(std::chrono::seconds{90});
    halt(id, "alice", "desk");
    const auto catalogue = folded();
    const auto& life = catalogue.lives().front();
    EXPECT_EQ(outcome_of(life), Outcome::denied);
    EXPECT_EQ(life.decider, Decider::person);
    EXPECT_EQ(catalogue.text(life.decided_by), "alice");
    EXPECT_THAT(catalogue.texts(life.channels), ElementsAre("desk"));
    EXPECT_EQ(life.took, 90'000) << "no clock ran through the restart";
}

TEST_F(CatalogueTest, AHaltDoesNotMarkRequestsAsShown) {
    halt(ask(), "alice", "desk");
    refuse_halted(ask(), "alice");
    deny_with_reason(ask(), "alice", "halted by alice", "");
    const auto catalogue = folded();
    EXPECT_EQ(catalogue.lives().size(), 3);
    for (const auto& life : catalogue.lives()) {
        EXPECT_EQ(life.shown, 0);
        EXPECT_EQ(outcome_of(life), Outcome::denied);
        EXPECT_EQ(catalogue.text(life.decided_by), "alice");
    }
}

TEST_F(CatalogueTest, ADenyWithTheWordsOfAHaltStillMarksTheRequestAsShown) {
    deny_with_reason(ask(), "alice", "halted by alice", "update-7");
    const auto catalogue = folded();
    EXPECT_EQ(catalogue.lives().front().shown, 1);
}

TEST_F(CatalogueTest, WithoutAChannelOfTheHaltTheChannelsAreWhereItWasShown) {
    const auto id = ask();
    present(id, "ops");
    halt(id, "alice", "");
    const auto catalogue = folded();
    EXPECT_THAT(catalogue.texts(catalogue.lives().front().channels), ElementsAre("ops"));
}

TEST_F(CatalogueTest, WithoutADecisionTheChannelsAreWhereItWasShown) {
    const auto id = ask();
    for (const auto* channel : {"ops", "desk", "ops"}) present(id, channel);
    end(id, "expired");
    const auto catalogue = folded();
    EXPECT_THAT(catalogue.texts(catalogue.lives().front().channels), ElementsAre("ops", "desk"));
}

TEST_F(CatalogueTest, EachVoterIsNamedOnce) {
    const auto id = ask();
    for (const auto* person : {"alice", "bob", "alice"}) vote(id, person);
    const auto catalogue = folded();
    EXPECT_THAT(catalogue.texts(catalogue.lives().front().voters), ElementsAre("alice", "bob"));
}

TEST_F(CatalogueTest, I3_TheFirstTerminalRecordWins) {
    const auto id = ask();
    decide(id, "denied", "alice");
    decide(id, "allowed", "mallory");
    end(id, "lost");
    const auto catalogue = folded();
    EXPECT_EQ(outcome_of(catalogue.lives().front()), Outcome::denied);
    EXPECT_EQ(catalogue.text(catalogue.lives().front().decided_by), "alice");
}

TEST_F(CatalogueTest, AnAnswerThatMayHaveArrivedIsIndeterminateAndKeepsItsDecision) {
    const auto id = ask();
    decide(id, "allowed", "alice");
    about(id, "indeterminate");
    const auto catalogue = folded();
    EXPECT_EQ(outcome_of(catalogue.lives().front()), Outcome::indeterminate);
    EXPECT_EQ(settled_as(catalogue.lives().front()), Outcome::allowed);
}

TEST_F(CatalogueTest, AnUnknownOutcomeIsNotAnAllow) {
    decide(ask(), "approved by a later release", "alice");
    EXPECT_EQ(outcome_of(folded().lives().front()), Outcome::indeterminate);
}

TEST_F(CatalogueTest, RefusalsIncludeThoseThatWereOnlyCounted) {
    const auto id = ask({.agent = "prod-1"});
    refuse(id, "late");
    refuse(id, "not_authorised", 4);
    const auto catalogue = folded();
    EXPECT_EQ(catalogue.lives().front().refusals, 6U);
    ASSERT_EQ(catalogue.incidents().size(), 2U);
    EXPECT_EQ(catalogue.incidents()[1].count, 5U);
    EXPECT_EQ(catalogue.text(catalogue.incidents()[1].agent), "prod-1");
    EXPECT_EQ(catalogue.text(catalogue.incidents()[1].why), "not_authorised");
}

TEST_F(CatalogueTest, OnlyARequestRecordCreatesARequest) {
    refuse(Ulid{clock.wall(), {1}}, "unknown_request");
    write("decision", {{"requestId", "no id"}, {"decision", "allowed"}, {"decidedBy", "alice"}});
    EXPECT_THAT(folded().lives(), IsEmpty());
}

TEST_F(CatalogueTest, TheRecordsOfARequestAreFoundInTheirOrder) {
    const auto first = ask();
    const auto second = ask();
    present(second, "ops");
    present(first, "ops");
    decide(second, "denied", "alice");
    decide(first, "denied", "alice");
    auto catalogue = folded();
    std::vector<std::uint64_t> seqs;
    for (const auto& at : catalogue.records_of(*catalogue.find(first))) seqs.push_back(at.seq);
    EXPECT_THAT(seqs, ElementsAre(1, 4, 6));
    EXPECT_EQ(catalogue.record(5)->seq, 5U);
    EXPECT_EQ(catalogue.record(7), nullptr);
    EXPECT_EQ(catalogue.find(Ulid{}), nullptr);
}

TEST_F(CatalogueTest, OneNameCannotBeMistakenForTwo) {
    vote(ask(), "alice\nbob");
    const auto catalogue = folded();
    EXPECT_THAT(catalogue.texts(catalogue.lives().front().voters), ElementsAre("alice\nbob"));
}

Record record_of(std::uint64_t seq, const std::string& kind, json::Object fields) {
    fields.add("ts", "2026-11-16T02:00:00.000Z");
    return {.seq = seq, .kind = kind, .members = std::move(fields)};
}

const std::string some_id = "01JCABCDEFGHJKMNPQRSTVWXYZ";

Catalogue shown_on(std::size_t channels) {
    Catalogue catalogue;
    EXPECT_TRUE(catalogue.take(record_of(0, "request", {{"requestId", some_id}, {"agentId", "a"}}), {}));
    for (std::size_t i = 1; i <= channels; ++i) {
        const auto ref = "channel-" + std::to_string(i) + "/-100//7#0";
        EXPECT_TRUE(catalogue.take(record_of(i, "presented", {{"requestId", some_id}, {"ref", ref}}), {}));
    }
    return catalogue;
}

// Each record adds only what is new in it, instead of repeating everything before it.
TEST(CatalogueBounds, I13_ManyChannelsOfARequestNeedMemoryOnlyForTheirNames) {
    const auto full = shown_on(limits::review_set_parts_max);
    const auto names = full.texts(full.lives().front().channels);
    EXPECT_EQ(names.size(), limits::review_set_parts_max);
    EXPECT_EQ(names.back(), "channel-64");

    const auto over = shown_on(limits::review_set_parts_max + 1);
    EXPECT_EQ(over.texts(over.lives().front().channels).size(), limits::review_set_parts_max + 1);
    EXPECT_EQ(over.texts(over.lives().front().channels).back(), "…") << "there are more";

    const auto many = shown_on(5000);
    EXPECT_EQ(many.texts(many.lives().front().channels).size(), limits::review_set_parts_max + 1);
    EXPECT_EQ(many.sets().size(), limits::review_set_parts_max + 2);
    EXPECT_LT(many.strings().bytes().size(), 5000U * 16);
}

TEST(CatalogueBounds, I13_TheLengthOfANameIsBounded) {
    const auto agent_of = [](std::size_t bytes) {
        Catalogue catalogue;
        EXPECT_TRUE(catalogue.take(
            record_of(0, "request", {{"requestId", some_id}, {"agentId", std::string(bytes, 'a')}}), {}));
        return catalogue.text(catalogue.lives().front().agent).size();
    };
    EXPECT_EQ(agent_of(limits::review_text_bytes_max), limits::review_text_bytes_max);
    EXPECT_EQ(agent_of(limits::review_text_bytes_max + 1), limits::review_text_bytes_max);
}

TEST(CatalogueBounds, I13_ANumberOutOfRangeIsRefused) {
    Catalogue catalogue;
    EXPECT_EQ(catalogue.take(record_of(no_record, "heartbeat", {}), {}).error().code, Errc::too_large);
    EXPECT_THAT(catalogue.records(), IsEmpty());
    EXPECT_TRUE(catalogue.take(record_of(no_record - 1, "heartbeat", {}), {}));
}

TEST(CatalogueBounds, AMillionRecordsFitIntoSixtyFourMebibytes) {
    // As hubs write them: five records per request, twenty requests per session.
    constexpr std::uint64_t requests = 2000;
    Catalogue catalogue;
    std::uint64_t seq = 0;
    for (std::uint64_t i = 0; i < requests; ++i) {
        const auto id = Ulid{WallTime{std::chrono::milliseconds{i}}, {1, 2}}.str();
        const auto session = "0f8fad5b-d9cb-469f-a165-" + std::to_string(700'000'000'000 + i / 20);
        for (const auto* kind : {"request", "presented", "decision", "forwarded", "concluded"}) {
            ASSERT_TRUE(catalogue.take(record_of(seq++, kind,
                                                 {{"requestId", id},
                                                  {"agentId", "builder"},
                                                  {"sessionKey", session},
                                                  {"ref", "ops/-1001234567890//7#0"},
                                                  {"decision", "allowed"},
                                                  {"decidedBy", "alice"},
                                                  {"channel", "ops"}}),
                                       {}));
        }
    }
    // The lookup structures, the program and one segment need about as much again.
    EXPECT_LT(index_bytes(catalogue, {}) * 1'000'000 / seq, 36'000'000U);
}

}  // namespace
}  // namespace countersign::audit::review
