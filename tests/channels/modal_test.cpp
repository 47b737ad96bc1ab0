// SPDX-License-Identifier: Apache-2.0
// A platform with modals and words that one person sees alone: "Deny…" opens a field, and what is written there denies.
#include "channels/chat_channel.hpp"
#include "tests/channels/fake_messenger.hpp"
#include "tests/fakes/world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

namespace countersign::channels {
namespace {

using countersign::fakes::question_request;
using countersign::fakes::shell_request;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using namespace std::chrono_literals;

Configuration configuration() {
    auto made = countersign::fakes::small_configuration();
    made.people["alice"].principals.push_back("fake:7");
    made.channels["ops"] = {.name = "ops", .kind = "fake"};
    made.routes.front().steps = {{.channel = "ops", .chat = "C1"}};
    return made;
}

struct Slot final : ReplySlot {
    bool fill(Reply with) override {
        if (reply) return false;
        reply = std::move(with);
        return true;
    }
    std::optional<Reply> reply;
};

class ModalTest : public ::testing::Test {
protected:
    void SetUp() override {
        messenger.can = {.ephemeral = true, .modals = true};
        world.hub.add_channel(chat);
        asked = *world.ask(shell_request(world.ids.next(), "make deploy"));
        world.settle();
        ASSERT_THAT(messenger.sent, ElementsAre(HasSubstr("card to C1")));
    }
    void TearDown() override {
        boost::asio::co_spawn(world.io, chat.stop(), [](const std::exception_ptr&) {});
        world.advance(1min);
    }
    // The third option of a shell request denies.
    [[nodiscard]] std::string button(security::ButtonVerb verb) const {
        return *tokens.mint({.verb = verb, .request_id = asked, .option = 2}, {.channel = "ops", .chat = "C1"});
    }
    void press(const std::string& data, std::optional<std::string> words = std::nullopt,
               const std::string& principal = "fake:7") {
        const Press::On on{.chat = "C1", .message = "m1", .is_ours = true, .has_button = true};
        chat.take({.delivery = std::to_string(++deliveries),
                   .query = "q" + std::to_string(deliveries),
                   .what = Press{.principal = principal, .data = data, .on = on, .words = std::move(words)},
                   .slot = slot},
                  [this] { ++handled; });
        world.settle();
    }

    countersign::fakes::World world{configuration()};
    security::ButtonTokens tokens{security::Secret{std::string_view{"a button key of the tests alone"}}};
    security::ShortCodes codes{security::Secret{std::string_view{"a code key of the tests alone"}}};
    channels::fakes::FakeMessenger messenger;
    ChatChannel chat{world.io.get_executor(),
                     {.name = "ops", .answer_max = 2s, .stop_max = 1s, .replays_kept = 1h},
                     {.is_known = [](const std::string& who) { return who == "fake:7"; },
                      .person = [](const std::string&) { return std::string{"alice"}; }},
                     {.messenger = messenger,
                      .clock = world.clock,
                      .ids = world.ids,
                      .deliveries = world.hub.deliveries(),
                      .attempts = world.hub,
                      .open = world.hub.queries(),
                      .drafts = world.hub.drafts(),
                      .keys = {tokens, codes}}};
    std::shared_ptr<Slot> slot;
    Ulid asked;
    int deliveries = 0;
    int handled = 0;
};

TEST_F(ModalTest, TheButtonOpensAModalAndItsWordsDeny) {
    const auto data = button(security::ButtonVerb::reason);
    press(data);
    EXPECT_THAT(messenger.sent.back(), HasSubstr("q1 in C1: alice on m1"));
    EXPECT_EQ(messenger.sent.size(), 2U) << "no reply is asked for";
    EXPECT_THAT(world.agent.forwarded, IsEmpty()) << "the press alone decides nothing";
    EXPECT_EQ(handled, 1);
    press(data, "more tests first");
    ASSERT_EQ(world.agent.forwarded.size(), 1U);
    EXPECT_EQ(world.agent.forwarded[0].outcome, Outcome::denied);
    EXPECT_EQ(world.agent.forwarded[0].reason, "more tests first");
}

TEST_F(ModalTest, WhereThePlatformTakesItThereTheModalIsInTheReply) {
    messenger.modal_in_slot = true;
    slot = std::make_shared<Slot>();
    const auto data = button(security::ButtonVerb::reason);
    press(data);
    ASSERT_TRUE(slot->reply);
    EXPECT_EQ(slot->reply->body, "modal for " + data);
    EXPECT_EQ(messenger.sent.size(), 1U) << "and no call";
}

TEST_F(ModalTest, AModalThatComesTooLateForTheReplyIsOpenedByACall) {
    messenger.modal_in_slot = true;
    slot = std::make_shared<Slot>();
    slot->reply = Reply{};
    press(button(security::ButtonVerb::reason));
    EXPECT_THAT(messenger.sent.back(), HasSubstr("q1 in C1"));
}

TEST_F(ModalTest, I13_WordsThatAreTooLongAreCutAndStillDeny) {
    press(button(security::ButtonVerb::reason), std::string(limits::reason_bytes_max + 1, 'x'));
    ASSERT_EQ(world.agent.forwarded.size(), 1U);
    EXPECT_EQ(world.agent.forwarded[0].outcome, Outcome::denied);
    EXPECT_EQ(world.agent.forwarded[0].reason, std::string(limits::reason_bytes_max, 'x'));
}

TEST_F(ModalTest, I4_AStrangersWordsAreRefused) {
    press(button(security::ButtonVerb::reason), "no", "fake:666");
    EXPECT_THAT(world.agent.forwarded, IsEmpty());
}

TEST_F(ModalTest, I10_WordsWithAButtonThatAsksForNoneDecideNothing) {
    press(button(security::ButtonVerb::decide), "no");
    EXPECT_THAT(world.agent.forwarded, IsEmpty());
    press(button(security::ButtonVerb::decide));
    EXPECT_EQ(world.agent.forwarded.size(), 1U) << "the same button without words does";
}

// A list tells the tokens of all that is taken in it.
class ListTest : public ModalTest {
protected:
    void SetUp() override {
        messenger.can = {.ephemeral = true, .modals = true};
        world.hub.add_channel(chat);
        auto request = question_request(world.ids.next());
        auto& questions = std::get<Questionnaire>(request.body).questions;
        questions.resize(1);
        questions[0].multiple = multiple;
        asked = *world.ask(std::move(request));
        world.settle();
    }
    [[nodiscard]] std::string choice(std::uint8_t option, std::uint8_t question = 0,
                                     std::uint8_t generation = 0) const {
        return *tokens.mint({.verb = security::ButtonVerb::answer,
                             .request_id = asked,
                             .option = option,
                             .question = question,
                             .generation = generation},
                            {.channel = "ops", .chat = "C1"});
    }
    void pick(const std::string& data, std::vector<std::string> picked) {
        const Press::On on{.chat = "C1", .message = "m1", .is_ours = true, .has_button = true};
        Press press{.principal = "fake:7", .data = data, .on = on};
        press.picked = std::move(picked);
        chat.take({.delivery = std::to_string(++deliveries), .query = "q" + std::to_string(deliveries), .what = press},
                  [this] { ++handled; });
        world.settle();
    }
    void submit() {
        press(*tokens.mint({.verb = security::ButtonVerb::submit, .request_id = asked},
                           {.channel = "ops", .chat = "C1"}));
    }
    bool multiple = true;
};
class SingleListTest : public ListTest {
protected:
    SingleListTest() { multiple = false; }
};

TEST_F(ListTest, WhatIsTakenNowIsTheAnswer) {
    pick(choice(0), {choice(0), choice(1)});
    pick(choice(0), {choice(1)});
    EXPECT_THAT(world.agent.forwarded, IsEmpty());
    submit();
    ASSERT_EQ(world.agent.forwarded.size(), 1U);
    ASSERT_EQ(world.agent.forwarded[0].answers.size(), 1U);
    EXPECT_THAT(world.agent.forwarded[0].answers[0].choices, ElementsAre("B"));
}

TEST_F(ListTest, NothingTakenIsNoAnswer) {
    pick(choice(0), {choice(0)});
    pick(choice(0), {});
    submit();
    EXPECT_THAT(world.agent.forwarded, IsEmpty());
}

TEST_F(ListTest, I10_AChoiceOfAnotherListOrAnInventedOneTakesNothing) {
    auto forged = choice(1);
    forged.back() = forged.back() == 'A' ? 'B' : 'A';
    for (const auto& other : {forged, choice(1, 1), choice(2), choice(1, 0, 3), std::string{"x"}}) {
        pick(choice(0), {choice(0), other});
        submit();
        EXPECT_THAT(world.agent.forwarded, IsEmpty()) << other;
    }
    pick(*tokens.mint({.verb = security::ButtonVerb::decide, .request_id = asked}, {.channel = "ops", .chat = "C1"}),
         {choice(0)});
    EXPECT_THAT(world.agent.forwarded, IsEmpty()) << "and a button that has no choices is not pressed with some";
}

TEST_F(SingleListTest, OfAQuestionThatTakesOneItIsTheWholeAnswerAndNeverTwo) {
    pick(choice(0), {choice(0), choice(1)});
    EXPECT_THAT(world.agent.forwarded, IsEmpty());
    pick(choice(0), {choice(1)});
    ASSERT_EQ(world.agent.forwarded.size(), 1U);
    EXPECT_THAT(world.agent.forwarded[0].answers[0].choices, ElementsAre("B"));
}

TEST_F(ModalTest, AnAnswerToOnePersonIsForThemAlone) {
    Typed typed{.chat = "C1", .message = "9", .text = "/pending"};
    typed.principal = "fake:7";
    chat.take({.delivery = "typed", .what = typed}, [] {});
    world.settle();
    EXPECT_THAT(messenger.sent.back(), HasSubstr("reply below 9 in C1 for fake:7: "));
    messenger.can.ephemeral = false;
    chat.take({.delivery = "typed again", .what = typed}, [] {});
    world.settle();
    EXPECT_THAT(messenger.sent.back(), HasSubstr("reply below 9 in C1: "));
}

}  // namespace
}  // namespace countersign::channels
