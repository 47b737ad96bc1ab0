// SPDX-License-Identifier: Apache-2.0
#include "audit/review/catalogue.hpp"

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
        for (const auto& record : records()) catalogue.take(record, {.segment = 0, .offset = offset++});
        return catalogue;
    }
};

TEST_F(CatalogueTest, ADecisionOfAPersonIsFolded) {
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
    EXPECT_EQ(catalogue.text(life.channels), "desk\n") << "where it was decided, not where it was shown";
    EXPECT_EQ(life.took, 4321);
    EXPECT_EQ(life.ended - life.asked, 5000);
    EXPECT_EQ(life.forward, Forward::yes);
    EXPECT_EQ(life.shown, 1);
}

TEST_F(CatalogueTest, WhoDecidedIsToldApart) {
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

TEST_F(CatalogueTest, WhereNobodyDecidedItIsWhereItWasShown) {
    const auto id = ask();
    for (const auto* channel : {"ops", "desk", "ops"}) present(id, channel);
    end(id, "expired");
    const auto catalogue = folded();
    EXPECT_THAT(parts_of(catalogue.text(catalogue.lives().front().channels)), ElementsAre("ops", "desk"));
}

TEST_F(CatalogueTest, EachVoterIsNamedOnce) {
    const auto id = ask();
    for (const auto* person : {"alice", "bob", "alice"}) vote(id, person);
    const auto catalogue = folded();
    EXPECT_THAT(parts_of(catalogue.text(catalogue.lives().front().voters)), ElementsAre("alice", "bob"));
}

TEST_F(CatalogueTest, I3_TheFirstTerminalRecordCounts) {
    const auto id = ask();
    decide(id, "denied", "alice");
    decide(id, "allowed", "mallory");
    end(id, "lost");
    const auto catalogue = folded();
    EXPECT_EQ(outcome_of(catalogue.lives().front()), Outcome::denied);
    EXPECT_EQ(catalogue.text(catalogue.lives().front().decided_by), "alice");
}

TEST_F(CatalogueTest, AnAnswerThatMayHaveArrivedIsIndeterminateAndKeepsWhatWasDecided) {
    const auto id = ask();
    decide(id, "allowed", "alice");
    about(id, "indeterminate");
    const auto catalogue = folded();
    EXPECT_EQ(outcome_of(catalogue.lives().front()), Outcome::indeterminate);
    EXPECT_EQ(settled_as(catalogue.lives().front()), Outcome::allowed);
}

TEST_F(CatalogueTest, AnOutcomeThatNobodyKnowsIsNoAllow) {
    decide(ask(), "approved by a later release", "alice");
    EXPECT_EQ(outcome_of(folded().lives().front()), Outcome::indeterminate);
}

TEST_F(CatalogueTest, RefusalsAreCountedWithThoseThatWereOnlyCounted) {
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

TEST_F(CatalogueTest, OnlyItsOwnRecordMakesARequest) {
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

TEST_F(CatalogueTest, ANameCannotBeTakenForTwo) {
    vote(ask(), "alice\nbob");
    const auto catalogue = folded();
    EXPECT_THAT(parts_of(catalogue.text(catalogue.lives().front().voters)), ElementsAre("alice"));
}

}  // namespace
}  // namespace countersign::audit::review
