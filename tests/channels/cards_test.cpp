// SPDX-License-Identifier: Apache-2.0
#include "channels/cards.hpp"

#include "core/limits.hpp"

#include <gtest/gtest.h>

namespace countersign::channels {
namespace {

Ulid id_of(std::uint64_t number) {
    std::array<std::uint8_t, 10> random{};
    for (std::size_t i = 0; i < 8; ++i) random[9 - i] = static_cast<std::uint8_t>(number >> (8 * i));
    return {WallTime{std::chrono::milliseconds{1'763'258'400'000}}, random};
}

TEST(ChatsTest, AMovedGroupIsOneChatUnderBothNames) {
    Chats chats;
    EXPECT_TRUE(chats.moved("-1", "-1001"));
    EXPECT_EQ(chats.target("-1"), "-1001");
    EXPECT_EQ(chats.target("-1001"), "-1001");
    EXPECT_EQ(chats.names("-1001"), (std::vector<std::string>{"-1001", "-1"}));
    EXPECT_EQ(chats.names("-1"), (std::vector<std::string>{"-1", "-1001"}));
    EXPECT_EQ(chats.names("-2"), (std::vector<std::string>{"-2"}));
}

TEST(ChatsTest, AMoveThatClosesACircleIsNotNoted) {
    Chats chats;
    EXPECT_FALSE(chats.moved("-1", "-1"));
    EXPECT_TRUE(chats.moved("-1", "-2"));
    EXPECT_FALSE(chats.moved("-2", "-1"));
    EXPECT_TRUE(chats.moved("-3", "-1"));
    EXPECT_FALSE(chats.moved("-1", "-3")) << "also in place of another move";
    EXPECT_EQ(chats.target("-3"), "-2");
}

TEST(ChatsTest, I13_OneMoveTooManyForgetsTheOldest) {
    Chats chats;
    for (std::size_t i = 0; i <= limits::chat_moved_max; ++i) {
        EXPECT_TRUE(chats.moved("-" + std::to_string(i + 1), "-100" + std::to_string(i + 1)));
    }
    EXPECT_EQ(chats.target("-1"), "-1");
    EXPECT_EQ(chats.target("-2"), "-1002");
}

Presentation shown(DeliveryId id, const Ulid& request, std::uint32_t generation = 0) {
    Presentation made;
    made.id = id;
    auto body = std::make_shared<Request>();
    body->id = request;
    made.request = body;
    made.generation = generation;
    return made;
}

TEST(CardsTest, I13_OneReasonPromptTooManyForgetsTheOldest) {
    Cards cards;
    const std::vector<std::string> room{"-100"};
    auto& card = cards.add(shown(1, id_of(1)), "-100");
    const auto ask = [&](const std::string& who, const std::string& message, ReasonPrompt::Kind kind) {
        return cards.prompt_landed(card, message, {.kind = kind, .principal = who, .person = who});
    };
    EXPECT_FALSE(ask("first", "a", ReasonPrompt::Kind::asks));
    EXPECT_FALSE(ask("second", "b", ReasonPrompt::Kind::offers));
    for (std::size_t i = 2; i < limits::reason_prompts_max; ++i) {
        EXPECT_FALSE(ask("p" + std::to_string(i), "m" + std::to_string(i), ReasonPrompt::Kind::asks));
    }
    EXPECT_TRUE(card.asked.contains("first"));
    EXPECT_FALSE(ask("one more", "c", ReasonPrompt::Kind::asks)) << "it has no button";
    EXPECT_EQ(cards.prompt_at(room, "a").kind, ReasonPrompt::Kind::none);
    EXPECT_FALSE(card.asked.contains("first")) << "they can be asked again";
    EXPECT_EQ(cards.prompt_at(room, "c").principal, "one more");
    EXPECT_EQ(ask("and another", "d", ReasonPrompt::Kind::asks), "b");
    EXPECT_EQ(card.prompts.size(), limits::reason_prompts_max);
}

TEST(CardsTest, ANewOfferOfAPersonTakesThePlaceOfTheirEarlierOne) {
    Cards cards;
    const std::vector<std::string> room{"-100"};
    auto& card = cards.add(shown(1, id_of(1)), "-100");
    const auto offer = [&](const std::string& who, const std::string& message) {
        return cards.prompt_landed(card, message, {.kind = ReasonPrompt::Kind::offers, .principal = who});
    };
    EXPECT_FALSE(offer("alice", "a"));
    EXPECT_FALSE(offer("bob", "b"));
    EXPECT_EQ(offer("alice", "c"), "a");
    EXPECT_EQ(cards.prompt_at(room, "a").kind, ReasonPrompt::Kind::none);
    EXPECT_EQ(cards.prompt_at(room, "b").principal, "bob");
    EXPECT_EQ(card.prompts.size(), 2U);
}

TEST(CardsTest, AChatKnowsWhatItShowsAndWhatItShowed) {
    Cards cards;
    const std::vector<std::string> room{"-100"};
    EXPECT_EQ(cards.landed(cards.add(shown(1, id_of(1)), "-100"), "42"), Cards::Landed::first);
    cards.add(shown(2, id_of(1), 1), "-100");
    cards.add(shown(3, id_of(2), 5), "77");
    EXPECT_EQ(cards.shown_in(room), std::vector<Ulid>{id_of(1)});
    EXPECT_EQ(cards.newest_generation(id_of(1), room), 1U);
    EXPECT_EQ(cards.newest_generation(id_of(2), room), std::nullopt);
    EXPECT_EQ(cards.request_of(room, "42"), id_of(1));
    EXPECT_EQ(cards.request_of(room, "43"), std::nullopt);
    cards.forget(1);
    cards.forget(2);
    EXPECT_EQ(cards.shown_in(room), std::vector<Ulid>{id_of(1)}) << "for an honest answer";
    EXPECT_EQ(cards.request_of(room, "42"), id_of(1));
    EXPECT_EQ(cards.size(), 1U);
}

TEST(CardsTest, AChatKnowsTheLanguageItIsShownSomethingIn) {
    Cards cards;
    auto made = shown(1, id_of(1));
    made.audience.language = "de";
    cards.add(made, "-100");
    cards.add(shown(2, id_of(1)), "77");
    const std::vector<std::string> room{"-1001", "-100"};
    EXPECT_EQ(cards.language_in(id_of(1), room), "de");
    EXPECT_EQ(cards.language_in(id_of(1), std::vector<std::string>{"77"}), "en");
    EXPECT_EQ(cards.language_in(id_of(2), room), "");
}

TEST(CardsTest, AChatKnowsTheLanguageOfTheNewestThatIsOpenUnderAnyOfItsNames) {
    Cards cards;
    const std::vector<std::string> room{"-100", "-1"};
    EXPECT_EQ(cards.newest_language_in(room), "");
    auto german = shown(1, id_of(1));
    german.audience.language = "de";
    cards.add(std::move(german), "-100");
    auto chinese = shown(2, id_of(2));
    chinese.audience.language = "zh";
    cards.add(std::move(chinese), "-1");
    cards.add(shown(3, id_of(3)), "-200");
    EXPECT_EQ(cards.newest_language_in(room), "zh");
    cards.forget(2);
    EXPECT_EQ(cards.newest_language_in(room), "de");
    cards.forget(1);
    EXPECT_EQ(cards.newest_language_in(room), "");
}

TEST(CardsTest, AMessageKeepsTheLanguageOfItsCardAlsoWhenThatHasEnded) {
    Cards cards;
    const std::vector<std::string> room{"-1001", "-100"};
    auto made = shown(1, id_of(1));
    made.audience.language = "de";
    cards.landed(cards.add(made, "-100"), "42");
    cards.landed(cards.add(shown(2, id_of(2)), "-100"), "43");
    EXPECT_EQ(cards.language_of(room, "42"), "de");
    cards.forget(1);
    EXPECT_EQ(cards.language_of(room, "42"), "de");
    EXPECT_EQ(cards.language_of(room, "43"), "en");
    EXPECT_EQ(cards.language_of(room, "44"), "") << "none of ours";
}

TEST(CardsTest, EveryMessageOfACardLeadsToItsRequest) {
    Cards cards;
    const std::vector<std::string> room{"-100"};
    auto& card = cards.add(shown(1, id_of(1)), "-100");
    cards.document_landed(card, "40");
    EXPECT_EQ(cards.landed(card, "42"), Cards::Landed::first);
    EXPECT_EQ(cards.landed(card, "42"), Cards::Landed::known);
    EXPECT_EQ(cards.landed(card, "43"), Cards::Landed::again);
    EXPECT_EQ(cards.landed(card, "43"), Cards::Landed::known);
    const auto expect_all = [&] {
        for (const auto* message : {"40", "42", "43"}) EXPECT_EQ(cards.request_of(room, message), id_of(1)) << message;
    };
    expect_all();
    const std::vector<std::string> elsewhere{"-200"};
    EXPECT_EQ(cards.request_of(elsewhere, "42"), std::nullopt);
    const std::vector<std::string> both{"-1001", "-100"};
    EXPECT_EQ(cards.request_of(both, "42"), id_of(1)) << "by each of the chat's names";
    cards.forget(1);
    expect_all();
}

TEST(CardsTest, AChatListsWhatEndedAndThenWhatIsOpenByAge) {
    Cards cards;
    for (DeliveryId id = 1; id <= 4; ++id) cards.add(shown(id, id_of(id)), id % 2 == 0 ? "-1" : "-1001");
    cards.add(shown(5, id_of(5)), "77");
    cards.forget(4);
    const std::vector<std::string> names{"-1001", "-1"};
    EXPECT_EQ(cards.shown_in(names), (std::vector<Ulid>{id_of(4), id_of(1), id_of(3), id_of(2)}));
}

TEST(CardsTest, WhatIsForgottenLeavesNothingBehind) {
    Cards cards;
    const std::vector<std::string> room{"-100"};
    for (std::size_t i = 1; i <= limits::chat_ended_kept_max + 1; ++i) {
        cards.landed(cards.add(shown(i, id_of(i)), "-100"), std::to_string(i));
        if (i == 1) cards.landed(cards.add(shown(100'000, id_of(100'000)), "-100"), "1");  // a name used again
        cards.forget(i);
    }
    EXPECT_EQ(cards.request_of(room, "1"), id_of(100'000)) << "that one is open";
    cards.landed(cards.add(shown(100'001, id_of(100'001)), "-100"), "x");
    cards.forget(100'001);
    EXPECT_EQ(cards.request_of(room, "2"), std::nullopt);
    EXPECT_EQ(cards.request_of(room, "3"), id_of(3));
}

TEST(CardsTest, I13_OneDoubleTooManyIsNotNoted) {
    Cards cards;
    auto& card = cards.add(shown(1, id_of(1)), "-100");
    cards.landed(card, "m");
    for (std::size_t i = 0; i < limits::chat_doubles_max; ++i) {
        EXPECT_EQ(cards.landed(card, std::to_string(i)), Cards::Landed::again);
    }
    EXPECT_EQ(cards.landed(card, "one more"), Cards::Landed::known);
    EXPECT_EQ(card.doubles.size(), limits::chat_doubles_max);
}

TEST(CardsTest, I13_OneEndedCardTooManyForgetsTheOldest) {
    Cards cards;
    for (std::size_t i = 1; i <= limits::chat_ended_kept_max + 1; ++i) {
        cards.add(shown(i, id_of(i)), "-100");
        cards.forget(i);
    }
    const std::vector<std::string> room{"-100"};
    const auto kept = cards.shown_in(room);
    EXPECT_EQ(kept.size(), limits::chat_ended_kept_max);
    EXPECT_EQ(kept.front(), id_of(2));
}

}  // namespace
}  // namespace countersign::channels
