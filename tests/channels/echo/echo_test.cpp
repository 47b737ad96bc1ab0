// SPDX-License-Identifier: Apache-2.0
// A second platform on the same seams: a card without buttons, an answer in the webhook's reply, nothing to edit.
#include "tests/channels/echo/echo.hpp"

#include "tests/fakes/world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::channels::echo {
namespace {

using countersign::fakes::shell_request;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using namespace std::chrono_literals;

Configuration configuration() {
    auto made = countersign::fakes::small_configuration();
    made.people["alice"].principals.push_back("echo:7");
    made.channels["numbers"] = {.name = "numbers", .kind = "echo"};
    made.routes.front().steps = {{.channel = "numbers", .people = {"alice"}}};
    return made;
}

// The end of the gateway's slot that a test holds.
struct Slot final : ReplySlot {
    bool fill(Reply with) override {
        if (reply || over) return false;
        reply = std::move(with);
        return true;
    }
    std::optional<Reply> reply;
    bool over = false;
};

class EchoTest : public ::testing::Test {
protected:
    void SetUp() override { world.hub.add_channel(chat); }
    void TearDown() override {
        boost::asio::co_spawn(world.io, chat.stop(), [](const std::exception_ptr&) {});
        world.advance(1min);
    }
    // What came back in the answer to the webhook, and at the end.
    std::string post(const std::string& text, const std::string& id, bool late = false) {
        InboundMessage message{.method = "POST", .path = "/webhooks/echo/numbers", .body = "7 " + text};
        const auto mac = security::hex(security::hmac_sha256(secret, {message.body}));
        message.headers = {{"X-Echo-Signature", mac}, {"X-Echo-Id", id}};
        return bring(std::move(message), late);
    }
    std::string bring(InboundMessage message, bool late = false) {
        const auto slot = std::make_shared<Slot>();
        slot->over = late;
        message.slot = slot;
        std::optional<Reply> ended;
        boost::asio::co_spawn(world.io, inbound.handle(std::move(message)),
                              [&](const std::exception_ptr&, Reply reply) { ended = std::move(reply); });
        world.settle();
        if (slot->reply) return slot->reply->body;
        return ended ? std::to_string(ended->status) + ended->body : "nothing yet";
    }
    std::string code(const Ulid& id) const { return codes.code(id, "7"); }

    countersign::fakes::World world{configuration()};
    security::Secret secret{std::string_view{"a webhook key of the tests alone"}};
    security::ButtonTokens tokens{security::Secret{std::string_view{"a button key of the tests alone"}}};
    security::ShortCodes codes{security::Secret{std::string_view{"a code key of the tests alone"}}};
    EchoMessenger messenger{{tokens, codes}};
    ChatChannel chat{world.io.get_executor(),
                     {.name = "numbers",
                      .answer_max = 2s,
                      .stop_max = 1s,
                      .replays_kept = 1h,
                      .typing = {.assurance = Assurance::sms_code, .allow_needs_code = true}},
                     {.is_known = [](const std::string& who) { return who == "echo:7"; }},
                     {.messenger = messenger,
                      .clock = world.clock,
                      .ids = world.ids,
                      .deliveries = world.hub.deliveries(),
                      .attempts = world.hub,
                      .open = world.hub.queries(),
                      .drafts = world.hub.drafts(),
                      .keys = {tokens, codes}}};
    EchoInbound inbound{security::Secret{std::string_view{"a webhook key of the tests alone"}}, chat, world.clock};
};

TEST_F(EchoTest, ACodeAllowsAndTheAnswerIsInTheReply) {
    const auto id = world.ask(shell_request(world.ids.next(), "make deploy"));
    ASSERT_TRUE(id);
    ASSERT_EQ(messenger.sent.size(), 1U);
    EXPECT_THAT(messenger.sent[0], HasSubstr("make deploy"));
    EXPECT_THAT(messenger.sent[0], HasSubstr("/approve " + code(*id)));
    EXPECT_THAT(post("approve " + id->str(), "1"), HasSubstr("write the code that was sent to you"));
    EXPECT_THAT(post("approve " + code(*id), "2"), HasSubstr("Allowed"));
    ASSERT_EQ(world.agent.forwarded.size(), 1U);
    EXPECT_EQ(world.agent.forwarded[0].outcome, Outcome::allowed);
    ASSERT_EQ(messenger.sent.size(), 2U) << "how it ended is said once, below the card";
    EXPECT_THAT(messenger.sent[1], HasSubstr("alice"));
}

TEST_F(EchoTest, WordsThatComeTooLateForTheReplyAreSentInstead) {
    const auto id = world.ask(shell_request(world.ids.next()));
    ASSERT_TRUE(id);
    EXPECT_EQ(post("pending", "1", true), "200");
    ASSERT_EQ(messenger.sent.size(), 2U);
    EXPECT_THAT(messenger.sent[1], HasSubstr(code(*id)));
}

TEST_F(EchoTest, I5_WhatIsNotSignedOrComesTwiceDecidesNothing) {
    const auto id = world.ask(shell_request(world.ids.next()));
    ASSERT_TRUE(id);
    InboundMessage forged{.method = "POST", .path = "/", .body = "7 approve " + code(*id)};
    forged.headers = {{"X-Echo-Signature", std::string(64, '0')}, {"X-Echo-Id", "1"}};
    EXPECT_EQ(bring(forged), "401");
    forged.headers.erase(forged.headers.begin());
    EXPECT_EQ(bring(forged), "401");
    EXPECT_THAT(world.agent.forwarded, IsEmpty());
    EXPECT_THAT(post("pending", "2"), HasSubstr(code(*id)));
    EXPECT_EQ(post("pending", "2"), "200") << "a platform that sends it again gets no second answer";
}

TEST_F(EchoTest, I7_WhatDoesNotFitCanOnlyBeDenied) {
    const auto id = world.ask(shell_request(world.ids.next(), "echo " + std::string(5'000, 'x')));
    ASSERT_TRUE(id);
    EXPECT_THAT(messenger.sent[0], Not(HasSubstr("/approve")));
    EXPECT_THAT(post("approve " + code(*id), "1"), HasSubstr("not delivered here"));
    EXPECT_THAT(post("more " + code(*id), "2"), HasSubstr("not delivered here"));
    EXPECT_THAT(world.agent.forwarded, IsEmpty());
    EXPECT_THAT(post("deny " + code(*id) + " too long", "3"), HasSubstr("Denied"));
    ASSERT_EQ(world.agent.forwarded.size(), 1U);
    EXPECT_EQ(world.agent.forwarded[0].outcome, Outcome::denied);
}

TEST_F(EchoTest, AGetProvesWhoOwnsTheAddress) {
    EXPECT_EQ(bring({.method = "GET", .path = "/webhooks/echo/numbers", .query = "challenge-1"}), "200challenge-1");
}

}  // namespace
}  // namespace countersign::channels::echo
