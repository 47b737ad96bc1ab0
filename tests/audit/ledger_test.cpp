// SPDX-License-Identifier: Apache-2.0
#include "audit/ledger.hpp"

#include "tests/audit/log_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::audit {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::StartsWith;

class LedgerTest : public testing::Test, public LogWorld {
protected:
    void SetUp() override {
        ASSERT_TRUE(open());
        ledger.emplace(*log);
    }
    static Ulid id(std::uint8_t last) { return Ulid{WallTime{}, {0, 0, 0, 0, 0, 0, 0, 0, 0, last}}; }
    static Winner alice() { return {.outcome = Outcome::denied, .decided_by = "alice", .channel = "ops", .at = {}}; }
    static Winner bob() { return {.outcome = Outcome::allowed, .decided_by = "bob", .channel = "sms", .at = {}}; }
    std::optional<EmbeddedLedger> ledger;
};

TEST_F(LedgerTest, I3_TheFirstIsWrittenAndTheSecondIsToldWhoWasFirst) {
    const auto first = run(ledger->settle(id(1), alice(), entry("decision")));
    ASSERT_TRUE(std::holds_alternative<Receipt>(first));
    const auto second = run(ledger->settle(id(1), bob(), entry("decision")));
    ASSERT_TRUE(std::holds_alternative<Winner>(second));
    EXPECT_EQ(std::get<Winner>(second).decided_by, "alice");
    ASSERT_TRUE(close());
    EXPECT_THAT(kinds(), ElementsAre("start", "decision", "stop"));
}

TEST_F(LedgerTest, I3_TheSecondIsToldWhileTheFirstIsStillBeingWritten) {
    disk->hang(true);
    const auto first = start(ledger->settle(id(1), alice(), entry("decision")));
    const auto second = start(ledger->settle(id(1), bob(), entry("decision")));
    ASSERT_TRUE(second->has_value());
    EXPECT_EQ(std::get<Winner>(**second).decided_by, "alice");
    EXPECT_FALSE(first->has_value());
    disk->hang(false);
    EXPECT_TRUE(std::holds_alternative<Receipt>(await(first)));
}

TEST_F(LedgerTest, I1_ADecisionThatCannotBeWrittenIsAnErrorForEveryCaller) {
    int poisoned = 0;
    ledger->on_poisoned([&](const Error&) { ++poisoned; });
    disk->fail(0, true);
    EXPECT_EQ(std::get<Error>(run(ledger->settle(id(1), alice(), entry("decision")))).code, Errc::unavailable);
    EXPECT_EQ(std::get<Error>(run(ledger->settle(id(1), bob(), entry("decision")))).code, Errc::unavailable);
    EXPECT_FALSE(ledger->health());
    EXPECT_EQ(poisoned, 1);
}

TEST_F(LedgerTest, I1_AFailedLogSaysWhatToDo) {
    std::vector<std::string> told;
    log->on_poisoned([&](const Error& why) { told.push_back(why.detail); });
    ledger->on_poisoned([&](const Error& why) { told.push_back(why.detail); });
    disk->fail_next("sync");
    EXPECT_FALSE(run(ledger->append(entry("request"), Haste::now)));
    const auto words = ledger->health().error().detail;
    EXPECT_THAT(words, AllOf(StartsWith("audit log unavailable: "), HasSubstr("; restart Countersign ")));
    EXPECT_THAT(told, ElementsAre(words, words)) << "each is told, once";
}

TEST_F(LedgerTest, I1_ARequestRefusedWithoutALogIsRecordedAsUnloggedAfterTheRestart) {
    for (std::uint8_t one = 1; one <= 3; ++one) {
        ASSERT_TRUE(
            append(entry("request", {{"requestId", id(one).str()}, {"agentId", "dev"}, {"sidecar", one == 2}})));
    }
    ASSERT_TRUE(append(entry("presented", {{"requestId", id(1).str()}, {"ref", "ops/-100//7#0"}, {"whole", true}})));
    ledger->note_unlogged(id(3));  // nothing has failed yet
    disk->fail_next("sync");
    EXPECT_FALSE(run(ledger->append(entry("vote"), Haste::now)));
    ledger->note_unlogged(id(1));
    ledger->note_unlogged(id(2));
    kill();

    ASSERT_TRUE(open());
    std::vector<std::pair<Ulid, Outcome>> ended;
    for (const auto& one : log->earlier().ended) ended.emplace_back(one.id, one.winner.outcome);
    EXPECT_THAT(
        ended, ElementsAre(Pair(id(1), Outcome::unlogged), Pair(id(2), Outcome::unlogged), Pair(id(3), Outcome::lost)));
    EXPECT_THAT(log->earlier().orphans, IsEmpty()) << "its agent has heard the refusal";
    ASSERT_EQ(log->earlier().stale_messages.size(), 1U);
    EXPECT_EQ(log->earlier().stale_messages.front().conclusion.outcome, Outcome::unlogged);
    EXPECT_EQ(log->earlier().stale_messages.front().conclusion.reason, "audit log unavailable");
    EXPECT_THAT(*disk->list(directory + "/unlogged"), IsEmpty()) << "the log says it now";
    ASSERT_TRUE(close());
}

TEST_F(LedgerTest, I11_AFailureToStoreANoteIsReportedOnce) {
    std::vector<std::string> told;
    log->on_forgotten([&](const Error& why) { told.push_back(why.detail); });
    disk->fail(0, true);
    EXPECT_FALSE(run(ledger->append(entry("vote"), Haste::now)));
    ledger->note_unlogged(id(1));
    ledger->note_unlogged(id(2));
    EXPECT_EQ(told.size(), 1U);
}

TEST_F(LedgerTest, ADecisionWhoseRecordIsTooLongLeavesTheRequestOpen) {
    const auto large = entry("decision", {{"reason", std::string(limits::record_bytes_max, 'x')}});
    EXPECT_EQ(std::get<Error>(run(ledger->settle(id(1), alice(), large))).code, Errc::too_large);
    EXPECT_TRUE(std::holds_alternative<Receipt>(run(ledger->settle(id(1), bob(), entry("decision")))));
}

TEST_F(LedgerTest, TheRecordsOfARequestAreInTheOrderOfTheCalls) {
    disk->hang(true);
    const auto one = start(ledger->append(entry("request"), Haste::now));
    const auto two = start(ledger->append(entry("vote"), Haste::soon));
    const auto three = start(ledger->settle(id(1), alice(), entry("decision")));
    disk->hang(false);
    EXPECT_TRUE(std::holds_alternative<Receipt>(await(three)));
    EXPECT_TRUE(**one);
    EXPECT_TRUE(**two);
    ASSERT_TRUE(close());
    EXPECT_THAT(kinds(), ElementsAre("start", "request", "vote", "decision", "stop"));
}

TEST_F(LedgerTest, I13_OldWinnersAreForgottenButNoneThatIsBeingWritten) {
    const auto number = [](std::size_t i) { return Ulid{WallTime{std::chrono::milliseconds{i}}, {}}; };
    const auto is_known = [&](std::size_t i) {
        // Only a call that returns a Winner completes without suspending.
        const auto settled = start(ledger->settle(number(i), bob(), entry("decision")));
        return settled->has_value() && std::holds_alternative<Winner>(**settled);
    };
    for (std::size_t i = 0; i < limits::concluded_kept_max; ++i) {
        ASSERT_TRUE(std::holds_alternative<Receipt>(run(ledger->settle(number(i), alice(), entry("decision")))));
    }
    disk->hang(true);
    const auto in_flight = start(ledger->settle(number(limits::concluded_kept_max), alice(), entry("decision")));
    EXPECT_TRUE(is_known(0)) << "one past the bound is in flight, and not counted yet";
    EXPECT_TRUE(is_known(limits::concluded_kept_max));
    disk->hang(false);
    ASSERT_TRUE(std::holds_alternative<Receipt>(await(in_flight)));
    EXPECT_TRUE(is_known(1));
    EXPECT_TRUE(is_known(limits::concluded_kept_max));
    disk->hang(true);
    EXPECT_FALSE(is_known(0)) << "the oldest went";
}

}  // namespace
}  // namespace countersign::audit
