// SPDX-License-Identifier: Apache-2.0
// The life of a message, on a platform that nobody has.
#include "channels/delivery.hpp"

#include "core/limits.hpp"
#include "tests/channels/fake_messenger.hpp"
#include "tests/fakes/world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::channels {
namespace {

using countersign::fakes::question_request;
using countersign::fakes::shell_request;
using fakes::FakeMessenger;
using testing::ElementsAre;
using testing::IsEmpty;
using namespace std::chrono_literals;

struct Heard final : Deliveries {
    void delivered(DeliveryId id, MessageRef ref, bool whole) override {
        lines.push_back(std::to_string(id) + " at " + str(ref) + (whole ? "" : ", not whole"));
    }
    void undeliverable(DeliveryId id, std::string why) override {
        lines.push_back(std::to_string(id) + " undeliverable: " + why);
    }
    void bounced(DeliveryId id, std::string why) override { lines.push_back(std::to_string(id) + " bounced: " + why); }
    void delayed(DeliveryId id, std::string why) override { lines.push_back(std::to_string(id) + " delayed: " + why); }
    void given_up(DeadLetter letter) override {
        dead.push_back(letter.what + " to " + letter.chat + ": " + letter.why);
        about.push_back(letter.request);
    }
    void also_delivered(DeliveryId id, MessageRef ref) override {
        lines.push_back(std::to_string(id) + " also at " + str(ref));
    }
    void concluded(DeliveryId id) override { lines.push_back(std::to_string(id) + " concluded"); }
    std::vector<std::string> lines;
    std::vector<std::string> dead;
    std::vector<std::optional<Ulid>> about;
};

class DeliveryTest : public ::testing::Test {
protected:
    void TearDown() override {
        tasks.cancel();
        world.settle();
    }
    Presentation presentation(DeliveryId id, std::uint32_t generation = 0) {
        Presentation made;
        made.id = id;
        made.request = request;
        made.to.chat = "room";
        made.generation = generation;
        return made;
    }
    static Tried lost_answer() { return {.kind = Tried::Kind::retry, .why = "no answer", .maybe_posted = true}; }
    void press(const std::string& message, std::uint8_t generation = 0) {
        engine.pressed(
            {.copy = {.request = request->id, .chat = "room", .generation = generation}, .message = message});
    }
    void present(Presentation made) {
        engine.present(std::move(made), "room");
        world.settle();
    }
    void conclude(DeliveryId id, Outcome outcome = Outcome::denied) {
        engine.conclude(id, {.request_id = request->id, .outcome = outcome});
        world.settle();
    }
    // What talk:1 takes of the first question.
    void draft(std::set<std::size_t> choices) {
        Draft draft{*request->questionnaire()};
        draft.write({0, std::move(choices), ""});
        world.hub.drafts().keep(request->id, "talk:1", draft);
    }
    // What was sent since the last time.
    std::vector<std::string> sent() { return std::exchange(messenger.sent, {}); }
    std::vector<std::string> heard() { return std::exchange(deliveries.lines, {}); }

    countersign::fakes::World world;
    TaskGroup tasks{world.io.get_executor(), [](const std::string&) {}};
    FakeMessenger messenger;
    Heard deliveries;
    std::vector<std::string> problems;
    std::vector<std::string> moves;
    std::shared_ptr<const Request> request = std::make_shared<const Request>(shell_request(world.ids.next()));
    DeliveryEngine engine{
        world.io.get_executor(),
        tasks,
        {.channel = "ops",
         .on_moved = [this](const std::string& from, const std::string& to) { moves.push_back(from + ">" + to); },
         .on_problem = [this](const std::string& line) { problems.push_back(line); }},
        {.messenger = messenger,
         .clock = world.clock,
         .ids = world.ids,
         .deliveries = deliveries,
         .drafts = world.hub.drafts()}};
};

TEST_F(DeliveryTest, ACardIsShownChangedAndConcluded) {
    present(presentation(1));
    EXPECT_THAT(sent(), ElementsAre("card to room, 0 votes"));
    EXPECT_THAT(heard(), ElementsAre("1 at ops/room//m1#0"));
    engine.update(1, {.votes = {{"alice", "allow", 3}}, .required = 2});
    world.settle();
    EXPECT_THAT(sent(), ElementsAre("m1: 1 votes"));
    conclude(1);
    EXPECT_THAT(sent(), ElementsAre("m1: denied in room"));
    EXPECT_THAT(heard(), ElementsAre("1 concluded"));
    EXPECT_EQ(engine.cards().size(), 0U);
    EXPECT_EQ(engine.depth(), 0U);
}

TEST_F(DeliveryTest, ATopicAndTheMessageAboveAreTold) {
    auto made = presentation(1);
    made.to.thread = "7";
    made.audience.in_thread_of = MessageRef{{"ops", "room", "7", "m0"}, 0};
    present(made);
    EXPECT_THAT(sent(), ElementsAre("card to room topic 7 below m0, 0 votes"));
    EXPECT_THAT(heard(), ElementsAre("1 at ops/room/7/m1#0"));
    made.id = 2;
    made.audience.in_thread_of->place.chat = "elsewhere";
    present(made);
    EXPECT_THAT(sent(), ElementsAre("card to room topic 7, 0 votes"));
}

TEST_F(DeliveryTest, AChangeBeforeTheCardWentOutIsOnTheCard) {
    messenger.answers.push_back({.kind = Tried::Kind::retry, .why = "not reached"});
    present(presentation(1));
    engine.update(1, {.votes = {{"alice", "allow", 3}}, .required = 2});
    world.settle();
    world.advance(1min);
    EXPECT_THAT(sent(), ElementsAre("card to room, 0 votes", "card to room, 1 votes"));
}

TEST_F(DeliveryTest, WhatEndsBeforeItIsSentIsNotSent) {
    messenger.answers.push_back({.kind = Tried::Kind::retry, .why = "not reached", .after = 30s});
    present(presentation(1));
    conclude(1);
    world.advance(1min);
    EXPECT_THAT(sent(), ElementsAre("card to room, 0 votes"));
    EXPECT_THAT(heard(), IsEmpty());
    EXPECT_EQ(engine.cards().size(), 0U);
}

TEST_F(DeliveryTest, I7_TheCardThatCanAllowFollowsItsDocument) {
    messenger.long_text = true;
    present(presentation(1));
    EXPECT_THAT(sent(), ElementsAre("document to room", "card to room, 0 votes"));
    EXPECT_THAT(heard(), ElementsAre("1 at ops/room//m2#0"));
}

TEST_F(DeliveryTest, I7_WithoutItsDocumentACardCannotAllow) {
    messenger.long_text = true;
    messenger.answers.push_back({.kind = Tried::Kind::rejected, .why = "no files here"});
    present(presentation(1));
    EXPECT_THAT(sent(), ElementsAre("document to room", "card without allow to room"));
    EXPECT_THAT(heard(), ElementsAre("1 at ops/room//m1#0, not whole"));
    EXPECT_THAT(problems, ElementsAre("the whole text could not be sent to a chat: no files here"));
    engine.update(1, {});
    world.settle();
    EXPECT_THAT(sent(), ElementsAre("m1: 0 votes, without allow"));
}

TEST_F(DeliveryTest, ADocumentIsSentOnceHoweverOftenItsCardIsTried) {
    messenger.long_text = true;
    messenger.answers = {{.message = "d1"}, {.kind = Tried::Kind::retry, .why = "not reached"}};
    present(presentation(1));
    world.advance(1min);
    EXPECT_THAT(sent(), ElementsAre("document to room", "card to room, 0 votes", "card to room, 0 votes"));
}

TEST_F(DeliveryTest, WhoGotOnlyTheDocumentIsToldBelowIt) {
    messenger.long_text = true;
    messenger.answers = {{.message = "d1"}, {.kind = Tried::Kind::retry, .why = "not reached", .after = 30s}};
    auto made = presentation(1);
    made.audience.language = "de";
    present(made);
    sent();
    conclude(1, Outcome::expired);
    world.advance(30s);
    EXPECT_THAT(sent(), ElementsAre("below d1 in de: expired"));
    EXPECT_THAT(heard(), IsEmpty()) << "the hub knows no message of it";
}

TEST_F(DeliveryTest, I11_WhatCannotBeSentIsReportedOnce) {
    messenger.answers.push_back({.kind = Tried::Kind::unreachable, .why = "blocked"});
    present(presentation(1));
    EXPECT_THAT(heard(), ElementsAre("1 undeliverable: blocked"));
    conclude(1);
    EXPECT_THAT(heard(), IsEmpty());
    EXPECT_EQ(engine.cards().size(), 0U);
}

TEST_F(DeliveryTest, I11_ACardThatIsLateIsReportedOnceAndStillSent) {
    messenger.answers.push_back({.kind = Tried::Kind::retry, .why = "flood", .after = 265s});
    present(presentation(1));
    EXPECT_THAT(heard(), ElementsAre("1 delayed: flood"));
    world.advance(265s);
    EXPECT_THAT(heard(), ElementsAre("1 at ops/room//m1#0"));
}

TEST_F(DeliveryTest, I11_ACardThatIsNotThereAfterTwoMinutesIsLate) {
    for (int i = 0; i < 100; ++i) messenger.answers.push_back({.kind = Tried::Kind::retry, .why = "not reached"});
    present(presentation(1));
    for (int i = 0; i < 60; ++i) world.advance(1s);
    EXPECT_THAT(heard(), IsEmpty());
    for (auto passed = 60s; passed < limits::outbox_card_max; ++passed) world.advance(1s);
    EXPECT_THAT(heard(), ElementsAre("1 delayed: not reached"))
        << "then, or as soon as the next try is known to be later";
    for (int i = 0; i < 60; ++i) world.advance(1min);
    EXPECT_THAT(heard(), IsEmpty()) << "once, and it is not given up";
}

TEST_F(DeliveryTest, ALateCardThatEndsMeanwhileIsDropped) {
    messenger.answers.push_back({.kind = Tried::Kind::retry, .why = "flood", .after = 265s});
    present(presentation(1));
    conclude(1);
    world.advance(10min);
    EXPECT_THAT(sent(), ElementsAre("card to room, 0 votes"));
    EXPECT_EQ(engine.cards().size(), 0U);
}

TEST_F(DeliveryTest, I11_EveryLetterThatIsGivenUpIsADeadLetter) {
    present(presentation(1));
    const Tried no{.kind = Tried::Kind::unreachable, .why = "kicked"};
    messenger.answers = {no, no, no, no};
    engine.update(1, {.votes = {{"alice", "allow", 3}}, .required = 2});
    world.settle();
    conclude(1);
    engine.reply("room", [] { return Outgoing{"post", std::string{"help"}, true}; });
    world.settle();
    engine.answer("query 1", {"post", std::string{"noted"}});
    world.settle();
    EXPECT_THAT(deliveries.dead, ElementsAre("edit to room: kicked", "conclusion to room: kicked",
                                             "reply to room: kicked", "answer to : kicked"));
    EXPECT_THAT(deliveries.about, ElementsAre(request->id, request->id, std::nullopt, std::nullopt));
}

TEST_F(DeliveryTest, I11_ALaptopThatSleptOverNightStillTakesItsButtonsAway) {
    present(presentation(1));
    messenger.down = true;
    conclude(1);
    engine.reply("elsewhere", [] { return Outgoing{"post", std::string{"help"}, true}; });
    for (auto passed = 0h; passed < 12h; ++passed) world.advance(1h);
    EXPECT_THAT(deliveries.dead, ElementsAre(testing::StartsWith("reply to elsewhere: it could not be sent in time")))
        << "what only says something is old by then";
    messenger.down = false;
    sent();
    world.advance(1min);
    EXPECT_THAT(sent(), ElementsAre("m1: denied in room"));
    EXPECT_EQ(deliveries.lines.back(), "1 concluded");
    EXPECT_EQ(engine.cards().size(), 0U);
}

TEST_F(DeliveryTest, I13_AConclusionIsGivenUpAfterADay) {
    present(presentation(1));
    messenger.down = true;
    conclude(1);
    world.advance(limits::outbox_conclusion_max - 2 * limits::outbox_backoff_max);
    EXPECT_THAT(deliveries.dead, IsEmpty()) << "there is time for another try";
    world.advance(2 * limits::outbox_backoff_max);
    EXPECT_THAT(deliveries.dead, ElementsAre("conclusion to room: it could not be sent in time: not reached"));
    EXPECT_THAT(problems, ElementsAre(testing::HasSubstr("a card still shows its buttons")));
    messenger.down = false;
    world.advance(1h);
    EXPECT_EQ(deliveries.lines.size(), 1U) << "delivered, and never concluded";
    EXPECT_EQ(engine.cards().size(), 0U);
    EXPECT_EQ(engine.depth(), 0U);
}

TEST_F(DeliveryTest, ANewCardDoesNotWaitForTheButtonsOfAnOldOne) {
    present(presentation(1));
    messenger.down = true;
    conclude(1);
    for (int i = 0; i < 60; ++i) world.advance(1min);
    messenger.down = false;
    sent();
    auto next = presentation(2);
    next.request = std::make_shared<const Request>(shell_request(world.ids.next()));
    present(next);
    EXPECT_THAT(sent(), ElementsAre("card to room, 0 votes"));
    EXPECT_EQ(heard().back(), "2 at ops/room//m2#0");
}

// Past the bound an ended card keeps its buttons, which no longer work; somebody can see that.
TEST_F(DeliveryTest, I13_CardsThatEndedTakeNoRoomFromNewOnesAndHaveABoundOfTheirOwn) {
    for (DeliveryId id = 1; id <= limits::chat_cards_max; ++id) engine.present(presentation(id), "room");
    world.settle();
    messenger.down = true;
    for (DeliveryId id = 1; id <= limits::chat_cards_max; ++id) {
        engine.conclude(id, {.request_id = request->id, .outcome = Outcome::denied});
    }
    world.settle();
    messenger.down = false;
    EXPECT_EQ(engine.cards().size(), limits::chat_cards_max) << "they wait for another try";
    EXPECT_THAT(deliveries.dead, IsEmpty());
    heard();
    const auto next = limits::chat_cards_max + 1;
    engine.present(presentation(next), "hall");
    world.settle();
    EXPECT_THAT(heard(), ElementsAre(testing::StartsWith(std::to_string(next) + " at ops/hall/")));
    conclude(next);
    EXPECT_THAT(deliveries.dead, ElementsAre("conclusion to hall: too many ended cards wait to lose their buttons"));
    EXPECT_THAT(problems, ElementsAre(testing::HasSubstr("a card still shows its buttons")));
    EXPECT_EQ(engine.cards().size(), limits::chat_cards_max);
}

TEST_F(DeliveryTest, I11_AReminderForWhichThereIsNoRoomIsADeadLetter) {
    present(presentation(1));
    messenger.down = true;
    for (std::size_t i = 0; i < limits::outbox_letters_max; ++i) {
        engine.answer("query " + std::to_string(i % 1'000), {"post", std::string{"noted"}});
    }
    ASSERT_EQ(engine.depth(), limits::outbox_letters_max);
    engine.remind(1, {.waited = 10min});
    EXPECT_THAT(deliveries.dead, ElementsAre("reminder to room: too many messages wait to be sent"));
    EXPECT_EQ(deliveries.about.back(), request->id);
    EXPECT_THAT(problems, ElementsAre("too many messages wait to be sent"));
}

TEST_F(DeliveryTest, WhatTakesButtonsAwayGoesBeforeWhatOnlySays) {
    present(presentation(1));
    engine.reply("room", [] { return Outgoing{"post", std::string{"help"}, true}; });
    engine.conclude(1, {.request_id = request->id, .outcome = Outcome::denied});
    sent();
    world.settle();
    EXPECT_EQ(messenger.sent.size(), 2U);
    EXPECT_EQ(messenger.sent.back(), "help");
}

TEST_F(DeliveryTest, AChatThatMovedIsFollowed) {
    messenger.answers.push_back({.kind = Tried::Kind::moved, .why = "upgraded", .moved_to = "hall"});
    present(presentation(1));
    EXPECT_THAT(sent(), ElementsAre("card to room, 0 votes", "card to hall, 0 votes"));
    EXPECT_THAT(heard(), ElementsAre("1 at ops/room//m1#0")) << "buttons and refs keep the configured name";
    EXPECT_THAT(moves, ElementsAre("room>hall"));
    messenger.answers.push_back({.kind = Tried::Kind::moved, .why = "upgraded", .moved_to = "room"});
    auto second = presentation(2);
    second.request = std::make_shared<const Request>(shell_request(world.ids.next()));
    present(second);
    EXPECT_THAT(heard(), ElementsAre("2 undeliverable: the group moves in a circle: upgraded"));
}

TEST_F(DeliveryTest, AMoveThatIsToldWhileACardIsOnItsWayIsNoCircle) {
    messenger.answers.push_back({.kind = Tried::Kind::moved, .why = "upgraded", .moved_to = "hall"});
    engine.present(presentation(1), "room");
    for (int turn = 0; turn < 10 && messenger.sent.empty(); ++turn) {
        world.io.restart();
        world.io.poll_one();
    }
    ASSERT_THAT(sent(), ElementsAre("card to room, 0 votes"));
    EXPECT_TRUE(engine.moved("room", "hall"));
    EXPECT_FALSE(engine.moved("hall", "room")) << "that would be one";
    world.settle();
    EXPECT_THAT(sent(), ElementsAre("card to hall, 0 votes"));
    EXPECT_THAT(heard(), ElementsAre("1 at ops/room//m1#0"));
    EXPECT_THAT(moves, ElementsAre("room>hall")) << "once";
    EXPECT_EQ(problems.size(), 1U);
}

TEST_F(DeliveryTest, AChatThatMovedToItselfIsUndeliverable) {
    messenger.answers.push_back({.kind = Tried::Kind::moved, .why = "upgraded", .moved_to = "room"});
    present(presentation(1));
    EXPECT_THAT(heard(), ElementsAre("1 undeliverable: the group moves in a circle: upgraded"));
}

TEST_F(DeliveryTest, ADoubleIsReportedAndConcludedToo) {
    messenger.answers.push_back(lost_answer());  // it arrived as m9
    present(presentation(1));
    world.advance(1min);
    press("m9");
    press("m9");
    EXPECT_THAT(heard(), ElementsAre("1 at ops/room//m1#0", "1 also at ops/room//m9#0"));
    sent();
    conclude(1);
    EXPECT_THAT(sent(), ElementsAre("m1: denied in room", "m9: denied in room"));
    EXPECT_THAT(heard(), ElementsAre("1 concluded")) << "once, when both are";
}

TEST_F(DeliveryTest, I12_WhatStillShowsItsButtonsIsNotReportedAsConcluded) {
    messenger.answers.push_back(lost_answer());  // it arrived as m9
    present(presentation(1));
    world.advance(1min);
    press("m9");
    heard();
    messenger.answers = {{}, {.kind = Tried::Kind::rejected, .why = "no"}};
    conclude(1);
    EXPECT_THAT(heard(), IsEmpty());
    EXPECT_EQ(problems.size(), 1U);
    EXPECT_EQ(engine.cards().size(), 0U);
}

TEST_F(DeliveryTest, APressOnAWaitingCardDeliversIt) {
    auto lost = lost_answer();
    lost.after = 30s;
    messenger.answers.push_back(lost);
    present(presentation(1));
    press("m9");
    world.advance(1min);
    EXPECT_THAT(sent(), ElementsAre("card to room, 0 votes")) << "it is not sent again";
    EXPECT_THAT(heard(), ElementsAre("1 at ops/room//m9#0"));
}

TEST_F(DeliveryTest, I10_AMessageThatWasNeverSentIsNoCopyOfACard) {
    present(presentation(1));
    heard();
    press("m9");
    EXPECT_THAT(heard(), IsEmpty()) << "the one send of it was answered";
    conclude(1);
    EXPECT_EQ(sent().back(), "m1: denied in room") << "nothing else is edited";
}

TEST_F(DeliveryTest, I10_ThereAreNoMoreUnknownCopiesThanSendsWithoutAnAnswer) {
    messenger.answers = {lost_answer(), {.kind = Tried::Kind::retry, .why = "too fast"}, lost_answer()};
    present(presentation(1));
    for (int i = 0; i < 4; ++i) world.advance(20s);
    for (const auto* message : {"m8", "m9", "m10"}) press(message);
    EXPECT_THAT(heard(), ElementsAre("1 at ops/room//m1#0", "1 also at ops/room//m8#0", "1 also at ops/room//m9#0"))
        << "a platform that wants us to wait posted nothing";
}

TEST_F(DeliveryTest, I10_APressThatIsQuickerThanTheAnswerUsesThatSendUp) {
    messenger.answers.push_back({.message = "m5"});
    engine.present(presentation(1), "room");
    world.io.restart();
    while (messenger.sent.empty() && world.io.poll_one() > 0) {}
    press("m5");
    world.settle();
    press("m6");
    EXPECT_THAT(heard(), ElementsAre("1 at ops/room//m5#0"));
}

TEST_F(DeliveryTest, I3_AStaleCopyLosesItsButtonsAndACardSaysHowItEnded) {
    const Conclusion denied{.request_id = request->id, .outcome = Outcome::denied};
    engine.close({.request = request->id, .chat = "room", .message = "m3", .is_card = true}, denied);
    engine.close({.request = request->id, .chat = "room", .message = "m3", .is_card = true}, denied);
    engine.close({.request = request->id, .chat = "room", .message = "m4", .is_card = false}, denied);
    engine.close({.request = request->id, .chat = "room", .message = "m5", .is_card = true}, std::nullopt);
    world.advance(1min);
    EXPECT_THAT(sent(), ElementsAre("m3: earlier, denied", "m4: no buttons", "m5: no buttons"))
        << "once each, and what may be no card keeps its text";
}

TEST_F(DeliveryTest, ACardThatIsKeptIsClosedByItsEndAndNotByAPress) {
    present(presentation(1));
    sent();
    engine.close({.request = request->id, .chat = "room", .message = "m1", .is_card = true}, std::nullopt);
    world.settle();
    EXPECT_THAT(sent(), IsEmpty());
}

TEST_F(DeliveryTest, ANewerCardTakesTheButtonsOfTheOlder) {
    present(presentation(1));
    sent();
    auto again = presentation(2, 1);
    again.replaces = MessageRef{{"ops", "room", "", "m1"}, 0};
    present(again);
    EXPECT_THAT(sent(), ElementsAre("card to room, 0 votes", "m1: no buttons")) << "once, though both say so";
    engine.update(1, {});
    world.settle();
    EXPECT_THAT(sent(), IsEmpty()) << "it has no buttons to change";
}

TEST_F(DeliveryTest, ANewerCardTakesTheButtonsOfEachCopyOfTheOlder) {
    messenger.answers.push_back(lost_answer());  // it arrived as m9
    present(presentation(1));
    world.advance(1min);
    press("m9");
    sent();
    present(presentation(2, 1));
    EXPECT_THAT(sent(), ElementsAre("card to room, 0 votes", "m1: no buttons", "m9: no buttons"));
}

TEST_F(DeliveryTest, ACardOfAnEarlierProcessLosesItsButtonsToTheNewOne) {
    auto again = presentation(1, 1);
    again.replaces = MessageRef{{"ops", "room", "", "m77"}, 0};
    present(again);
    EXPECT_THAT(sent(), ElementsAre("card to room, 0 votes", "m77: no buttons"));
    again.id = 2;
    again.replaces->place.channel = "pager";
    present(again);
    EXPECT_THAT(sent(), ElementsAre("card to room, 0 votes")) << "another channel's is not ours to change";
}

TEST_F(DeliveryTest, MarksAreShownOnTheCardsOfThatChat) {
    request = std::make_shared<const Request>(question_request(*world.ask(question_request(world.ids.next()))));
    present(presentation(1));
    sent();
    draft({0, 1});
    engine.mark(request->id, "room", "talk:1");
    engine.mark(request->id, "elsewhere", "talk:1");
    world.settle();
    EXPECT_THAT(sent(), ElementsAre("m1: 2 marks"));
    engine.update(1, {});
    world.settle();
    EXPECT_THAT(sent(), ElementsAre("m1: 0 votes, 2 marks")) << "it is drawn again, and they stay";
}

TEST_F(DeliveryTest, AMessageToOnePersonShowsWhatTheyTookOnAnotherChannelWhenItIsDrawn) {
    request = std::make_shared<const Request>(question_request(*world.ask(question_request(world.ids.next()))));
    draft({0});
    auto direct = presentation(1);
    direct.to = {.chat = {}, .principal = "talk:1"};
    present(direct);
    EXPECT_THAT(sent(), ElementsAre("card to room, 0 votes, 1 marks"));
    draft({0, 1});
    engine.update(1, {});
    world.settle();
    EXPECT_THAT(sent(), ElementsAre("m1: 0 votes, 2 marks"));
    present(presentation(2));
    EXPECT_THAT(sent(), ElementsAre("card to room, 0 votes")) << "it is for everybody there";
}

TEST_F(DeliveryTest, I12_AMessageOfAnEarlierProcessIsConcludedByItsRef) {
    engine.conclude_earlier(7, {{"ops", "room", "", "m77"}, 0}, {.request_id = request->id, .outcome = Outcome::lost});
    world.settle();
    EXPECT_THAT(sent(), ElementsAre("m77: earlier, lost"));
    EXPECT_THAT(heard(), ElementsAre("7 concluded"));
}

TEST_F(DeliveryTest, I12_AMessageOfAnEarlierProcessSaysThatItWaitsAndThenWhereItGoesOn) {
    const MessageRef ref{{"ops", "room", "", "m77"}, 0};
    engine.tell_earlier(7, ref, {.request_id = request->id, .state = EarlierNews::State::waits});
    world.settle();
    EXPECT_THAT(sent(), ElementsAre("m77: earlier, waits"));
    EXPECT_THAT(heard(), IsEmpty()) << "it is not over";
    engine.tell_earlier(8, ref, {.request_id = request->id, .state = EarlierNews::State::goes_on});
    world.settle();
    EXPECT_THAT(sent(), ElementsAre("m77: earlier, goes on"));
    EXPECT_THAT(heard(), ElementsAre("8 concluded"));
}

TEST_F(DeliveryTest, I12_OfAnEarlierMessageOnlyTheNewestIsTold) {
    messenger.answers.push_back({.kind = Tried::Kind::retry, .why = "not reached", .after = 30s});
    const MessageRef ref{{"ops", "room", "", "m77"}, 0};
    engine.tell_earlier(7, {{"ops", "room", "", "m76"}, 0}, {.request_id = request->id});
    world.settle();
    EXPECT_THAT(sent(), ElementsAre("m76: earlier, waits"));
    engine.tell_earlier(8, ref, {.request_id = request->id});
    engine.tell_earlier(9, ref, {.request_id = request->id, .state = EarlierNews::State::goes_on});
    engine.conclude_earlier(10, ref, {.request_id = request->id, .outcome = Outcome::lost});
    EXPECT_EQ(engine.depth(), 2U);
    world.advance(30s);
    EXPECT_THAT(sent(), ElementsAre("m76: earlier, waits", "m77: earlier, lost"));
    EXPECT_THAT(heard(), ElementsAre("10 concluded"));
}

TEST_F(DeliveryTest, AnAnnouncementIsDeliveredOrNot) {
    engine.announce({.id = 7, .to = {.chat = "room", .principal = {}}, .heading = "Checkpoint", .exact = "x\n"},
                    "room");
    world.settle();
    EXPECT_THAT(sent(), ElementsAre("Checkpoint to room"));
    EXPECT_THAT(heard(), ElementsAre("7 at ops/room//m1#0"));
    messenger.answers.push_back({.kind = Tried::Kind::unreachable, .why = "kicked"});
    engine.announce({.id = 8, .to = {.chat = "room", .principal = {}}, .heading = "Checkpoint", .exact = "x\n"},
                    "room");
    world.settle();
    EXPECT_THAT(heard(), ElementsAre("8 undeliverable: kicked"));
}

TEST_F(DeliveryTest, AReminderGoesBelowTheCardAndNotWithoutOne) {
    engine.remind(1, {.waited = 10min});
    messenger.answers.push_back({.kind = Tried::Kind::retry, .why = "not reached"});
    present(presentation(1));
    engine.remind(1, {.waited = 10min});
    world.settle();
    EXPECT_THAT(sent(), ElementsAre("card to room, 0 votes")) << "it is not there yet";
    world.advance(1min);
    EXPECT_THAT(sent(), ElementsAre("card to room, 0 votes"));
    engine.remind(1, {.waited = 10min});
    world.settle();
    EXPECT_THAT(sent(), ElementsAre("below m1 in room: waits for 10 min"));
    const std::vector<std::string> room{"room"};
    EXPECT_EQ(engine.cards().request_of(room, "m2"), request->id) << "who answers it answers the card";
    present(presentation(2, 1));
    EXPECT_THAT(sent(), ElementsAre("card to room, 0 votes", "m1: no buttons"));
    engine.remind(1, {.waited = 20min});
    engine.remind(2, {.waited = 20min});
    world.settle();
    EXPECT_THAT(sent(), ElementsAre("below m3 in room: waits for 20 min")) << "below the one that has buttons";
    conclude(2);
    engine.remind(2, {.waited = 30min});
    world.settle();
    EXPECT_THAT(sent(), ElementsAre("m3: denied in room"));
}

TEST_F(DeliveryTest, ACardThatChangedOnItsWayIsCorrectedOnceItLanded) {
    engine.present(presentation(1), "room");
    world.io.restart();
    while (messenger.sent.empty()) world.io.poll_one();
    engine.update(1, {.asked = 2, .generation = 1});
    world.settle();
    EXPECT_THAT(sent(), ElementsAre("card to room, 0 votes", "m1: 0 votes"));
    const std::vector<std::string> room{"room"};
    EXPECT_EQ(engine.cards().newest_generation(request->id, room), 1U);
    EXPECT_TRUE(engine.cards().is_current(request->id, room, "m1"));
    EXPECT_FALSE(engine.cards().is_current(request->id, room, "m2"));
    present(presentation(2, 2));
    EXPECT_FALSE(engine.cards().is_current(request->id, room, "m1")) << "a newer one took its buttons";
}

TEST_F(DeliveryTest, TheEndOfASessionIsToldBelowItsFirstMessage) {
    engine.session_ended({.to = {.chat = "room", .principal = {}, .thread = "7"},
                          .below = {{"ops", "room", "7", "m0"}, 0},
                          .agent_id = "dev",
                          .session_key = "s1",
                          .failure = "exited with 1"},
                         "room");
    world.settle();
    EXPECT_THAT(sent(), ElementsAre("below m0 in room topic 7: s1 ended, exited with 1"));
    EXPECT_THAT(heard(), IsEmpty());
}

TEST_F(DeliveryTest, I13_OneReplyTooManyIsNotMade) {
    messenger.answers.push_back({.kind = Tried::Kind::retry, .why = "not reached", .after = 30s});
    for (std::size_t i = 0; i <= limits::chat_replies_max; ++i) {
        engine.reply("room", [] { return Outgoing{"post", std::string{"help"}, true}; });
    }
    EXPECT_EQ(engine.depth(), limits::chat_replies_max);
    world.settle();
    engine.answer("query 1", {"post", std::string{"noted"}});
    world.settle();
    EXPECT_EQ(messenger.sent.back(), "noted") << "a click waits for no reply";
    world.advance(30s);
    EXPECT_EQ(engine.depth(), 0U);
    engine.reply("room", [] { return Outgoing{"post", std::string{"help"}, true}; });
    EXPECT_EQ(engine.depth(), 1U);
    world.settle();
}

TEST_F(DeliveryTest, WhereNothingCanBeEditedTheEndIsSaidBelowTheCard) {
    messenger.can.edits = false;
    present(presentation(1));
    present(presentation(2, 1));
    engine.update(2, {});
    engine.mark(request->id, "room", "talk:1");
    world.settle();
    EXPECT_THAT(sent(), ElementsAre("card to room, 0 votes", "card to room, 0 votes"));
    EXPECT_THAT(heard(), ElementsAre("1 at ops/room//m1#0", "2 at ops/room//m2#1"));
    conclude(2);
    EXPECT_THAT(sent(), ElementsAre("below m2 in en: denied"));
    EXPECT_THAT(heard(), ElementsAre("2 concluded"));
    engine.conclude_earlier(7, {.place = {"ops", "room", {}, "m0"}}, {.request_id = request->id});
    world.settle();
    EXPECT_THAT(sent(), IsEmpty());
    EXPECT_THAT(heard(), ElementsAre("7 concluded")) << "nothing is left to do about it";
}

TEST_F(DeliveryTest, I7_ACardThatCannotShowEverythingIsNotWhole) {
    messenger.whole = false;
    present(presentation(1));
    EXPECT_THAT(heard(), ElementsAre("1 at ops/room//m1#0, not whole"));
}

TEST_F(DeliveryTest, AMessageThatBouncesIsToldOnce) {
    present(presentation(1));
    static_cast<void>(heard());
    engine.bounced("room", "m9", "no such message");
    engine.bounced("elsewhere", "m1", "another chat");
    EXPECT_THAT(heard(), IsEmpty());
    engine.bounced("room", "m1", "the number is switched off");
    engine.bounced("room", "m1", "the number is switched off");
    EXPECT_THAT(heard(), ElementsAre("1 bounced: the number is switched off"));
}

TEST_F(DeliveryTest, ABucketThatMustWaitHoldsBackNothingElse) {
    messenger.edit_bucket = "edits";
    present(presentation(1));
    engine.present(presentation(2), "hall");
    world.settle();
    static_cast<void>(sent());
    messenger.answers = {{.kind = Tried::Kind::retry, .why = "too many", .after = 30s, .scope = Tried::Scope::bucket}};
    conclude(1);
    EXPECT_THAT(sent(), ElementsAre("m1: denied in room"));
    conclude(2);
    EXPECT_THAT(sent(), IsEmpty()) << "an edit in another chat waits without being tried";
    present(presentation(3));
    engine.reply("room", [] { return Outgoing{"post", std::string{"help"}, true}; });
    world.settle();
    EXPECT_THAT(sent(), ElementsAre("card to room, 0 votes", "help"));
    world.advance(30s);
    EXPECT_THAT(sent(), testing::UnorderedElementsAre("m1: denied in room", "m2: denied in hall"));
}

TEST(Holds, RemembersSoManyBucketsAndForgetsWhatIsOver) {
    Holds holds;
    const BootTime now{1h};
    for (std::size_t i = 0; i < limits::held_buckets_max; ++i) holds.hold(std::to_string(i), now + 1s, now);
    holds.hold("one more", now + 1s, now);
    EXPECT_EQ(holds.until("one more"), BootTime{});
    EXPECT_EQ(holds.until("0"), now + 1s);
    holds.hold("0", now + 500ms, now);
    EXPECT_EQ(holds.until("0"), now + 1s) << "a shorter wish ends no longer one";
    holds.hold("later", now + 3s, now + 1s);
    EXPECT_EQ(holds.until("later"), now + 3s);
}

}  // namespace
}  // namespace countersign::channels
