// SPDX-License-Identifier: Apache-2.0
#include "audit/replay/stale_messages.hpp"

#include "core/limits.hpp"
#include "tests/audit/log_world.hpp"

#include <gtest/gtest.h>

namespace countersign::audit {
namespace {

constexpr const char* request_id = "01JCABCDEFGHJKMNPQRSTVWXYZ";

class StaleMessagesTest : public testing::Test {
protected:
    void take(const std::string& kind, json::Object fields) {
        const Stamp stamp{.seq = seq++, .ts = WallTime{std::chrono::milliseconds{1'700'000'000'123}}, .boot_id = "b"};
        left.take(*parse_record(*encode_record(entry(kind, std::move(fields)), stamp)));
    }
    void show(const std::string& ref, const std::string& id = request_id) {
        take("presented", {{"requestId", id}, {"ref", ref}, {"whole", true}});
    }
    StaleMessages left;
    std::uint64_t seq = 0;
};

TEST_F(StaleMessagesTest, I12_AMessageOfARequestWithoutAnEndIsLost) {
    show("phone/77//5#0");
    const auto messages = left.messages();
    ASSERT_EQ(messages.size(), 1U);
    EXPECT_EQ(messages[0].ref.place, (Place{"phone", "77", "", "5"}));
    EXPECT_EQ(messages[0].conclusion.request_id.str(), request_id);
    EXPECT_EQ(messages[0].conclusion.outcome, Outcome::lost);
    EXPECT_EQ(messages[0].conclusion.reason, "hub restarted: not run, please retry");
    EXPECT_EQ(messages[0].conclusion.at, WallTime{}) << "nobody knows when";
    EXPECT_EQ(messages[0].conclusion.root, "");
}

TEST_F(StaleMessagesTest, I12_ADecidedRequestNamesThePersonAndSaysIfTheAgentGotTheAnswer) {
    show("phone/77//5#0");
    take("decision", {{"requestId", request_id},
                      {"decision", "allowed"},
                      {"decidedBy", "alice"},
                      {"channel", "phone"},
                      {"decisionLatencyMs", 1500}});
    EXPECT_EQ(left.messages().at(0).conclusion.outcome, Outcome::allowed);
    EXPECT_EQ(left.messages().at(0).conclusion.decided_by, "alice");
    EXPECT_EQ(left.messages().at(0).conclusion.at, WallTime{std::chrono::milliseconds{1'700'000'000'123}});
    EXPECT_EQ(left.messages().at(0).conclusion.took, std::chrono::milliseconds{1500});
    EXPECT_EQ(left.messages().at(0).conclusion.seq, 1U);
    EXPECT_FALSE(left.messages().at(0).conclusion.forwarded);
    take("forwarded", {{"requestId", request_id}, {"decisionSeq", 1}});
    EXPECT_TRUE(left.messages().at(0).conclusion.forwarded);
}

TEST_F(StaleMessagesTest, AConcludedMessageIsNotStale) {
    show("phone/77//5#0");
    show("phone/78//6#0");
    take("concluded", {{"requestId", request_id}, {"ref", "phone/77//5#0"}});
    ASSERT_EQ(left.messages().size(), 1U);
    EXPECT_EQ(left.messages()[0].ref.place.chat, "78");
    take("concluded", {{"requestId", request_id}, {"ref", "phone/78//6#0"}});
    EXPECT_TRUE(left.messages().empty());
}

TEST_F(StaleMessagesTest, I13_OnePastTheBoundForgetsTheOldest) {
    for (std::size_t i = 0; i <= limits::left_shown_max; ++i) {
        const Ulid id{WallTime{std::chrono::milliseconds{i}}, {}};
        show("phone/77//" + std::to_string(i) + "#0", id.str());
    }
    EXPECT_EQ(left.messages().size(), limits::left_shown_max);
    EXPECT_EQ(left.messages().front().ref.place.message, "1");
}

}  // namespace
}  // namespace countersign::audit
