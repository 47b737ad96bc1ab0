// SPDX-License-Identifier: Apache-2.0
// Partial answers: one draft for each person on all their channels. alice is test:alice and pager:1.
#include "core/limits.hpp"
#include "tests/fakes/world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign {
namespace {

using fakes::question_request;

class HubDrafts : public ::testing::Test {
protected:
    Ulid asked() { return *world.ask(question_request(world.ids.next())); }
    // Selects a choice of the first question, as a channel does.
    void pick(const Ulid& id, const std::string& principal, std::size_t choice) {
        const auto questionnaire = *question_request(id).questionnaire();
        auto draft = drafts.draft_of(id, principal).value_or(Draft{questionnaire});
        draft.pick(questionnaire, 0, choice);
        drafts.keep(id, principal, std::move(draft));
    }
    [[nodiscard]] Chosen chosen(const Ulid& id, const std::string& principal) const {
        const auto draft = drafts.draft_of(id, principal);
        return draft ? draft->chosen() : Chosen{};
    }

    fakes::World world;
    Drafts& drafts = world.hub.drafts();
};

TEST_F(HubDrafts, APersonHasOneDraftOnAllTheirChannels) {
    const auto id = asked();
    pick(id, "test:alice", 1);
    EXPECT_EQ(chosen(id, "pager:1"), (Chosen{{1}, {}}));
    pick(id, "pager:1", 0);
    EXPECT_EQ(chosen(id, "test:alice"), (Chosen{{0}, {}})) << "where only one may be taken, the newer one is";
}

TEST_F(HubDrafts, EachPersonAndEachStrangerHasTheirOwn) {
    const auto id = asked();
    pick(id, "test:alice", 1);
    pick(id, "test:mallory", 0);
    EXPECT_EQ(chosen(id, "test:bob"), Chosen{});
    EXPECT_EQ(chosen(id, "pager:9"), Chosen{});
    EXPECT_EQ(chosen(id, "test:mallory"), (Chosen{{0}, {}}));
    EXPECT_EQ(chosen(id, "alice"), Chosen{}) << "a principal that is spelled like her name is not her";
    const auto other = asked();
    EXPECT_EQ(chosen(other, "test:alice"), Chosen{});
}

TEST_F(HubDrafts, ADraftIsNotRecordedAndDecidesNothing) {
    const auto id = asked();
    const auto records = world.ledger.written.size();
    pick(id, "test:alice", 1);
    world.settle();
    EXPECT_EQ(world.ledger.written.size(), records);
    EXPECT_TRUE(world.agent.forwarded.empty());
    EXPECT_EQ(world.hub.pending(), 1U);
}

TEST_F(HubDrafts, ItIsForgottenWhenTheRequestEnds) {
    const auto submitted = asked();
    pick(submitted, "test:alice", 1);
    pick(submitted, "test:bob", 0);
    ASSERT_TRUE(world.decide(world.submit(submitted, {{"q1", {"B"}, ""}, {"q2", {}, "x"}})));
    EXPECT_EQ(chosen(submitted, "test:alice"), Chosen{});
    EXPECT_EQ(chosen(submitted, "test:bob"), Chosen{});

    const auto withdrawn = asked();
    pick(withdrawn, "test:alice", 1);
    world.hub.asking().withdraw(withdrawn, world.agent, "the turn ended");
    world.settle();
    EXPECT_EQ(chosen(withdrawn, "test:alice"), Chosen{});
    pick(withdrawn, "test:alice", 1);
    EXPECT_EQ(chosen(withdrawn, "test:alice"), Chosen{}) << "nothing is kept that no end would clear away";
}

TEST_F(HubDrafts, I13_OneTooManyForgetsTheOldest) {
    const auto id = asked();
    const auto stranger = [](std::size_t number) { return "test:stranger" + std::to_string(number); };
    for (std::size_t i = 0; i < limits::chat_drafts_max; ++i) pick(id, stranger(i), 1);
    pick(id, stranger(0), 0);
    EXPECT_EQ(chosen(id, stranger(0)), (Chosen{{0}, {}})) << "a change makes no new one";
    pick(id, stranger(limits::chat_drafts_max), 1);
    EXPECT_EQ(chosen(id, stranger(0)), Chosen{});
    EXPECT_EQ(chosen(id, stranger(1)), (Chosen{{1}, {}}));
    EXPECT_EQ(chosen(id, stranger(limits::chat_drafts_max)), (Chosen{{1}, {}}));
}

}  // namespace
}  // namespace countersign
