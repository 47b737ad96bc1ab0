// SPDX-License-Identifier: Apache-2.0
#include "core/quorum.hpp"

#include <gtest/gtest.h>

namespace countersign {
namespace {

Option option(std::string id, Effect effect, Scope scope) {
    return {.option_id = id, .label = id, .detail = "", .effect = effect, .scope = scope};
}
const std::vector<Option> options{
    option("always", Effect::allow, Scope::always), option("once", Effect::allow, Scope::once),
    option("also_once", Effect::allow, Scope::once), option("deny", Effect::deny, Scope::once)};

TEST(Quorum, OneAllowIsEnoughIfOneIsRequired) {
    const auto one = tally({}, {"alice", "once", 1}, 1, options);
    ASSERT_TRUE(one);
    EXPECT_TRUE(one->complete);
    EXPECT_EQ(one->have, 1U);
    EXPECT_EQ(one->option_id, "once");
}

TEST(Quorum, BelowTheRequiredNumberItIsAVote) {
    const auto first = tally({}, {"alice", "once", 1}, 2, options);
    ASSERT_TRUE(first);
    EXPECT_FALSE(first->complete);
    EXPECT_EQ(first->need, 2U);
    const auto second = tally({{"alice", "once", 1}}, {"bob", "once", 2}, 2, options);
    ASSERT_TRUE(second);
    EXPECT_TRUE(second->complete);
    EXPECT_EQ(second->have, 2U);
}

TEST(Quorum, APersonVotesOnce) {
    EXPECT_EQ(tally({{"alice", "once", 1}}, {"alice", "always", 2}, 2, options).error().code, Errc::already_voted);
}

TEST(Quorum, DifferentAllowsResultInTheNarrowestAndTheFirstOfEqualOnes) {
    EXPECT_EQ(tally({{"alice", "once", 1}}, {"bob", "always", 2}, 2, options)->option_id, "once");
    EXPECT_EQ(tally({{"alice", "always", 1}}, {"bob", "once", 2}, 2, options)->option_id, "once");
    EXPECT_EQ(tally({{"alice", "also_once", 1}}, {"bob", "once", 2}, 2, options)->option_id, "also_once");
}

TEST(Quorum, AVoteForAnOptionThatIsNotAnAllowIsAnError) {
    EXPECT_EQ(tally({}, {"alice", "deny", 1}, 1, options).error().code, Errc::unknown_option);
    EXPECT_EQ(tally({}, {"alice", "nothing", 1}, 1, options).error().code, Errc::unknown_option);
    EXPECT_EQ(tally({{"alice", "nothing", 1}}, {"bob", "once", 2}, 2, options).error().code, Errc::unknown_option);
}

TEST(Quorum, ZeroRequiredStillNeedsOne) { EXPECT_EQ(tally({}, {"alice", "once", 1}, 0, options)->need, 1U); }

}  // namespace
}  // namespace countersign
